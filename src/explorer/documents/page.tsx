// Documents, and the collections that they are in.

import { ShelfPage } from '../shelf/page.tsx';
import type { Shelf } from '../shelf/shelf.ts';
import { documentWords } from '../words/shelf.ts';

const documents: Shelf = {
  address: '/documents',
  kinds: ['document', 'collection'],
  words: documentWords,
};

/** The page. */
export function DocumentsPage({ id }: { id: string | undefined }) {
  return <ShelfPage shelf={documents} id={id} />;
}

// Which documents are remembered once they were parsed: those that programs send again and again, within so much
// memory. Anybody may send any number of others, with a key or without.

import type { DocumentNode } from 'graphql';
import { LruCache } from '../../limits/lru-cache.ts';

/** A longer document, in characters, is parsed each time. */
const longest = 50_000;
/** Characters of all that are remembered. What is made of them takes about fifty times as much. */
const mostCharacters = 1_000_000;

/** Parsed documents by their texts. */
export interface DocumentCache {
  get(text: string): DocumentNode | undefined;
  set(text: string, document: DocumentNode): void;
}

/** A memory for documents, with nothing in it. */
export function createDocumentCache(): DocumentCache {
  const documents = new LruCache<DocumentNode>(mostCharacters);
  return {
    get: (text) => documents.get(text),
    set(text, document) {
      if (text.length <= longest) documents.set(text, document, text.length);
    },
  };
}

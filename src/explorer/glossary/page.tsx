// Glossary: terms, what they mean, and where they are used.

import { ShelfPage } from '../shelf/page.tsx';
import type { Shelf } from '../shelf/shelf.ts';
import { glossaryWords, termWords } from '../words/shelf.ts';
import { TermFacts } from './facts.tsx';
import { Formula } from './formula.tsx';
import { NextStep, TermStatus } from './status.tsx';
import { Uses } from './uses.tsx';

const glossary: Shelf = {
  address: '/glossary',
  kinds: ['glossary'],
  words: glossaryWords,
  uses: { name: glossaryWords.uses, show: (id) => <Uses id={id} /> },
  more: {
    mark: (id) => <TermStatus id={id} />,
    act: (id) => <NextStep id={id} />,
    below: (id) => <Formula id={id} />,
    facts: (id) => <TermFacts id={id} />,
  },
  states: {
    label: termWords.statusName,
    any: termWords.anyStatus,
    choices: Object.entries(termWords.status).map(([id, name]) => ({ id, name })),
    where: (state) => ({ termStatus: { eq: statusOf(state) } }),
    // What is agreed on needs no mark: what is not stands out.
    says: (one) =>
      'termStatus' in one && one.termStatus !== 'approved'
        ? termWords.status[one.termStatus]
        : undefined,
  },
};

function statusOf(word: string) {
  return (['draft', 'in_review', 'approved'] as const).find((one) => one === word) ?? 'draft';
}

/** The page. */
export function GlossaryPage({ id }: { id: string | undefined }) {
  return <ShelfPage shelf={glossary} id={id} />;
}

// Kinds in an address: known ones only.

import type { SearchResultsVariables } from './page.graphql';

type Kinds = NonNullable<SearchResultsVariables['kinds']>;

const kinds: Kinds = [
  ...(['category', 'chart', 'collection', 'column', 'dashboard', 'dashboard_group'] as const),
  ...(['database', 'document', 'event', 'event_property', 'glossary', 'job'] as const),
  ...(['query', 'question', 'question_reply', 'schema', 'table'] as const),
];

/** All of them. */
export const everyKind: readonly Kinds[number][] = kinds;

/** The kinds among these names; null where none is one, which means all. */
export function kindsIn(names: readonly string[]): Kinds | null {
  const found = kinds.filter((kind) => names.includes(kind));
  return found.length > 0 ? found : null;
}

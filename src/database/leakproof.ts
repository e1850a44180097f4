// Which conditions PostgreSQL gives to indexes although a policy stands before them.

/**
 * Functions that conditions call which indexes of resources answer. Under a policy an index is given only
 * conditions of functions that are marked as revealing nothing of rows which the policy has yet to refuse.
 * These answer with a value, and fail for no value that can be stored.
 */
export const functionsOfIndexes: readonly string[] = [
  'pg_catalog.arraycontains(anyarray,anyarray)',
  'pg_catalog.arrayoverlap(anyarray,anyarray)',
  'pg_catalog."left"(text,integer)',
  'pg_catalog.lower(text)',
  'pg_catalog.textlike(text,text)',
  'pg_catalog.ts_match_vq(tsvector,tsquery)',
  'word_similarity_op(text,text)',
  'word_similarity_commutator_op(text,text)',
];

/** What marks one of them, which only a superuser may do. */
export const markOf = (name: string) => `alter function ${name} leakproof`;

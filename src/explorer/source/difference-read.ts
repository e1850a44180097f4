// The difference of an upload, as REST answers it.

import type { Difference } from './page.graphql';

/**
 * The difference in an answer of REST. It has the fields that GraphQL has, under their names there but for those of
 * fields that change.
 */
export function readDifference(answer: unknown): Difference {
  if (!isDifference(answer)) throw new Error('The server answered no difference.');
  return {
    ...answer,
    changes: answer.changes.map((change) => ({ ...change, fields: change.fields.map(ownName) })),
  };
}

function isDifference(answer: unknown): answer is Difference {
  return (
    typeof answer === 'object' && answer !== null && 'changes' in answer && 'lineage' in answer
  );
}

function ownName(field: string): string {
  return field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

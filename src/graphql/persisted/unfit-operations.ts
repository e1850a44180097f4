// Says which of the operations that the operator lists can't be run.

import { type GraphQLSchema, parse, validate } from 'graphql';
import { messageOf } from '../../errors.ts';
import type { OperationLists } from './operation-lists.ts';

/** A sentence for each listed operation that does not fit the schema: it stays, for its clients to be told so. */
export function unfitOperations(
  { byId, files }: Pick<OperationLists, 'byId' | 'files'>,
  schema: GraphQLSchema,
): readonly string[] {
  return [...byId].flatMap(([id, text]) => {
    const problem = problemOf(text, schema);
    return problem ? [`The operation ${id} of ${files.get(id)} can't be run: ${problem}`] : [];
  });
}

/** What is wrong with an operation; null where nothing is. */
function problemOf(text: string, schema: GraphQLSchema): string | null {
  try {
    return validate(schema, parse(text))[0]?.message ?? null;
  } catch (error) {
    return messageOf(error);
  }
}

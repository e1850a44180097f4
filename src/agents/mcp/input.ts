// Inputs of agent tools: shared fields and their bounds.

import { isEnumType } from 'graphql';
import { z } from 'zod';
import { schema } from '../../graphql/schema.ts';

/** Rows of a list: agents read into a window that is not large. */
export const maxRows = 50;
/** Steps of a walk, and the resources in its answer. */
export const maxDepth = 20;
export const maxNodes = 200;
/** Characters of a manifest or of SQL. */
export const maxText = 1_000_000;
/** Characters of a name or a few words. */
export const maxWords = 200;

/** Tokens of an answer. */
export const maxTokens = z
  .int()
  .min(500)
  .max(20_000)
  .default(5_000)
  .describe('Size of the answer; `leftOut` says what did not fit.');
/** A resource: its id or its name. */
export const id = z.string().min(1).max(1_000).describe('An id, or a name.');
/** Several of them. */
export const ids = z.array(id).min(1).max(maxRows);
/** The rows of a page. */
export const first = z.int().min(1).max(maxRows).default(10).describe('Rows in the answer.');
/** The page after another. */
export const after = z
  .string()
  .optional()
  .describe('`endCursor` of the page before, for the next one.');
/** What titles are narrowed by. */
export const words = z.string().max(maxWords).optional().describe('Only titles that contain this.');
/** A filter of search. */
export const filter = z.string().min(1).max(maxWords).optional();
/** What lineage is walked between. */
export const level = z
  .enum(['TABLE', 'COLUMN'])
  .default('TABLE')
  .describe('Between tables, or between columns.');
/** Steps of a walk. */
export const depth = z.int().min(1).max(maxDepth);
/** Resources in the answer of a walk. */
export const nodes = z.int().min(1).max(maxNodes).default(maxNodes);

/** One of the values of an enum of the schema. */
export function oneOf(name: string) {
  const type = schema.getType(name);
  if (!isEnumType(type)) throw new Error(`The schema has no enum ${name}.`);
  return z.enum(type.getValues().map((one) => one.name));
}

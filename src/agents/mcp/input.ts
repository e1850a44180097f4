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

/** The id of a resource. */
export const id = z.uuid().describe('The id of a resource, as search returns it.');
/** The rows of a page. */
export const first = z.int().min(1).max(maxRows).default(10).describe('Rows in the answer.');
/** The page after another. */
export const after = z
  .string()
  .optional()
  .describe('`endCursor` of the page before, for the next one.');
/** What titles are narrowed by. */
export const words = z.string().max(maxWords).optional().describe('Only titles that contain this.');
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

// Saving the description of a column, with the way to take it back.

import { ask } from '../../asking/ask.ts';
import { ColumnsFound, DescribeColumn, FurtherColumns, ResourcePage } from '../page.graphql';

/** A column that can be described, as it is shown. */
export interface Described {
  readonly id: string;
  readonly version: number;
  readonly description: string | null;
}

/** What shows descriptions of columns. */
export const showingColumns = [ResourcePage, ColumnsFound, FurtherColumns];

/**
 * Replace the description that is shown. Answers its inverse, which replaces no other. Throws `Refused` where others
 * changed the column since.
 */
export async function describe(
  { id, version, description }: Described,
  text: string,
): Promise<() => Promise<unknown>> {
  const made = await ask(DescribeColumn, { id, version, description: text });
  const now = made.updateResource?.version ?? version + 1;
  return () => ask(DescribeColumn, { id, version: now, description: description ?? '' });
}

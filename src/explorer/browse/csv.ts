// Rows as CSV, from the server: in parts, since one request takes so many.

import { ask } from '../asking/ask.ts';
import { RowsAsCsv } from './page.graphql';

const perRequest = 500;

/** The lines of some resources, under one header. */
export async function rowsAsCsv(ids: readonly string[]): Promise<string> {
  const parts: string[] = [];
  for (let at = 0; at < ids.length; at += perRequest) {
    const answer = await ask(RowsAsCsv, { ids: ids.slice(at, at + perRequest) });
    const text = answer.resourcesCsv ?? '';
    parts.push(at === 0 ? text : text.slice(text.indexOf('\n') + 1));
  }
  return parts.join('');
}

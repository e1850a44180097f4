// A COPY from this process into a table.

import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Run a `copy ... from stdin` that reads these bytes. */
export async function copyOn(client: pg.ClientBase, text: string, bytes: Buffer): Promise<void> {
  const copy = copyFrom(text);
  const copied = finished(copy);
  copy.end(bytes);
  // Anyone who observes the connection answers with a promise, which ends as the copy does.
  await Promise.all([client.query(copy), copied]);
}

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { serverViewer } from '../../../src/auth/viewer.ts';
import { contextFor } from '../../../src/context.ts';
import { takeImportPlace, takeSpareImportPlace } from '../../../src/database/connections/limits.ts';
import type { Database } from '../../../src/database/database.ts';
import { failureOf } from '../../../src/database/failure.ts';
import { rows } from '../../../src/database/rows.ts';
import { atLength, scratch } from '../../../src/database/scratch.ts';
import { transaction } from '../../../src/database/transaction.ts';
import { isReady } from '../../../src/http/health.ts';
import { openTestDatabase } from '../../database.ts';

const never = new AbortController().signal;
const contextOf = (database: Database, signal = never) =>
  contextFor(database, serverViewer('00000000-0000-4000-8000-000000000001'), { signal });

/** Work that holds its transaction until it is let go. */
function holding(database: Database, count: number) {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let begun = 0;
  const all = Array.from({ length: count }, () =>
    transaction(contextOf(database), async () => {
      begun += 1;
      await gone;
    }),
  );
  return { all: Promise.allSettled(all), letGo: () => letGo(), begun: () => begun };
}

test('however many transactions wait for each other, reads are served', async () => {
  await using opened = await openTestDatabase({ maxConnections: 5 });
  const { database } = opened;
  const held = holding(database, 12);
  while (held.begun() < 4) await sleep(5);
  await sleep(100);
  expect(held.begun()).toBe(4);
  expect(await rows(contextOf(database), 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await isReady(database)).toBe(true);
  const refused = await transaction(contextOf(database), async () => {}).catch(failureOf);
  expect(refused).toMatchObject({ code: 'UNAVAILABLE' });
  held.letGo();
  const ends = (await held.all).map(({ status }) => status);
  expect(ends.filter((status) => status === 'fulfilled')).toHaveLength(4);
  expect(await transaction(contextOf(database), async () => 'done')).toBe('done');
});

test('an import waits for its connection longer than a request would', async () => {
  await using opened = await openTestDatabase({ maxConnections: 5 });
  const { database } = opened;
  const clients = await Promise.all([1, 2, 3, 4, 5].map(() => database.pool.connect()));
  const statement = scratch<{ one: number }>(contextOf(database), 'select 1 as one');
  const whole = atLength(contextOf(database), async (tx) => scratch(tx, 'select 2 as two'));
  const leaving = new AbortController();
  const left = scratch(contextOf(database, leaving.signal), 'select 3 as three');
  const request = rows(contextOf(database), 'select 4 as four').catch(failureOf);
  expect(await request).toMatchObject({ code: 'UNAVAILABLE' });
  leaving.abort(new Error('Cancelled.'));
  await expect(left).rejects.toThrow('Cancelled.');
  for (const client of clients) client.release();
  expect(await statement).toEqual([{ one: 1 }]);
  expect(await whole).toEqual([{ two: 2 }]);
});

test('an import that waits for its connection does not write twice', async () => {
  await using opened = await openTestDatabase({ maxConnections: 5 });
  const { database } = opened;
  const ctx = contextOf(database);
  let runs = 0;
  const failing = atLength(ctx, async () => {
    runs += 1;
    throw new Error('timeout exceeded when trying to connect');
  });
  await expect(failing).rejects.toThrow('timeout exceeded');
  expect(runs).toBe(1);
});

test('imports hold two fifths of the connections, a second one only where no one waits', async () => {
  await using opened = await openTestDatabase({ maxConnections: 5 });
  const { pool } = opened.database;
  let waited = 0;
  const note = () => {
    waited += 1;
  };
  const take = () => takeImportPlace(pool, never, note);
  const first = await take();
  const spare = takeSpareImportPlace(pool);
  expect(spare).not.toBeNull();
  const next = take();
  expect(waited).toBe(1);
  expect(takeSpareImportPlace(pool)).toBeNull();
  spare?.[Symbol.dispose]();
  // Anyone who waited has it: it was not free in between.
  expect(takeSpareImportPlace(pool)).toBeNull();
  using _second = await next;
  first[Symbol.dispose]();
  using last = takeSpareImportPlace(pool);
  expect(last).not.toBeNull();
});

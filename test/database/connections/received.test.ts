// Long answers of the database: read piece by piece, with others in between.

import { expect, test } from 'vitest';
import { openTestDatabase } from '../../database.ts';

/** Count what is read of connections in each round of the event loop; answers the most, in bytes, and all. */
function countRounds(): {
  take: (bytes: number) => void;
  end: () => { most: number; all: number };
} {
  let [inRound, most, all, isOver] = [0, 0, 0, false];
  const round = () => {
    most = Math.max(most, inRound);
    inRound = 0;
    if (!isOver) setImmediate(round);
  };
  setImmediate(round);
  return {
    take(bytes) {
      inRound += bytes;
      all += bytes;
    },
    end() {
      isOver = true;
      return { most, all };
    },
  };
}

test('of long answers a round of the event loop reads a piece, however many come at once', async () => {
  await using opened = await openTestDatabase({ maxConnections: 5 });
  const { pool } = opened.database;
  const clients = await Promise.all(Array.from({ length: 4 }, () => pool.connect()));
  const rounds = countRounds();
  for (const { connection } of clients) {
    connection.stream.on('data', ({ byteLength }: Uint8Array) => rounds.take(byteLength));
  }
  const long = `select n, repeat('x', 1000) as text from generate_series(1, 6000) n`;
  const answers = await Promise.all(clients.map((client) => client.query(long)));
  const { most, all } = rounds.end();
  for (const { rows } of answers) {
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 6_000 }, (_, n) => n + 1));
  }
  expect(all).toBeGreaterThan(24_000_000);
  // A piece of each connection next to what a round may have: the system gives at most so much at once.
  expect(most).toBeLessThanOrEqual(65_536 + 4 * 65_536);
  // A connection is read on after its turn, whatever is asked next.
  for (const client of clients) {
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    client.release();
  }
});

test('a statement whose answer waits for its turn can be cut', async () => {
  await using opened = await openTestDatabase({ maxConnections: 2 });
  const { pool } = opened.database;
  const client = await pool.connect();
  await client.query('set statement_timeout = 200');
  const endless = client.query(`select repeat('x', 1000) from generate_series(1, 1000000000)`);
  await expect(endless).rejects.toThrow('statement timeout');
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  client.release();
});

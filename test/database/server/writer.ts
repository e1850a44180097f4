// A program that opens a data folder and writes to its database until it is killed: `writer.ts DATA_DIR`.
//
// Each write is a transaction over two tables; its number is printed once it is acknowledged. Where the
// folder is another's, it prints so and ends. It begins when it is told to (see `go`).

import { openDatabase } from '../../../src/database/open.ts';

const [dataDir = ''] = process.argv.slice(2);
console.log('begin');
process.stdin.once('data', () => void write());

async function write(): Promise<void> {
  const database = await openDatabase({ dataDir, onNotice: (notice) => console.log(notice) }).catch(
    (error: unknown) => {
      console.log(`refused: ${error instanceof Error ? error.message : error}`);
      return process.exit(0);
    },
  );
  await database.pool.query(
    'create table if not exists pair_a (n int primary key); create table if not exists pair_b (n int)',
  );
  const { rows } = await database.pool.query('select coalesce(max(n), -1) as n from pair_a');
  console.log('ready');
  for (let n = Number(rows[0]?.n) + 1; ; n += 1) {
    try {
      await database.pool.query(
        `begin; insert into pair_a values (${n}); insert into pair_b values (${n}); commit`,
      );
      console.log(`wrote ${n}`);
    } catch {
      // The server was ended under it; it comes back, and the number may or may not be there.
      const found = await look(database.pool, n);
      if (!found) n -= 1;
    }
  }
}

async function look(
  pool: { query(text: string, values: unknown[]): Promise<{ rowCount: number | null }> },
  n: number,
): Promise<boolean> {
  for (;;) {
    try {
      const { rowCount } = await pool.query('select from pair_a where n = $1', [n]);
      return (rowCount ?? 0) > 0;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

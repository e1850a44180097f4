// Keeps everybody from a table of a test's database, so that requests take as long as they may.

import pg from 'pg';

export interface LockedTable extends AsyncDisposable {
  /** How many statements wait for it. */
  waiting(): Promise<number>;
  /** How many other connections are in the middle of a statement. */
  running(): Promise<number>;
  /** The process ids of the sessions of the pools that the program has here. */
  sessions(): Promise<number[]>;
}

/** Lock a table until it is disposed of. */
export async function lockTable(url: string, table: string): Promise<LockedTable> {
  const [holder, watcher] = [await connect(url), await connect(url)];
  await holder.query(`begin; lock table ${table} in access exclusive mode`);
  const count = async (condition: string) => {
    const { rows } = await watcher.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
    );
    return rows[0]?.n ?? 0;
  };
  return {
    waiting: () => count(`wait_event_type = 'Lock'`),
    running: () => count(`state = 'active'`),
    async sessions() {
      const { rows } = await watcher.query<{ pid: number }>(
        `select pid from pg_stat_activity
          where datname = current_database() and application_name = 'headwater' order by pid`,
      );
      return rows.map(({ pid }) => pid);
    },
    async [Symbol.asyncDispose]() {
      await holder.end();
      await watcher.end();
    },
  };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

// Does for the embedded database what a PostgreSQL server does by itself: checkpoints and vacuums.

import type pg from 'pg';
import { failureOf } from './failure.ts';
import type { Database } from './open.ts';

export interface Maintenance {
  /** Whether the log was written out to the tables' files. */
  checkpoint: boolean;
  /** Tables whose dead rows were cleared away and whose statistics were taken anew. */
  vacuumed: string[];
}

const everyMs = 60_000;

/**
 * Look after the database once a minute until the returned function is called. A minute that finds
 * nothing to do costs a millisecond or two.
 */
export function keepMaintained(
  database: Pick<Database, 'pool' | 'liftLimit'>,
  onNotice: (message: string) => void,
): () => void {
  let last = Promise.resolve('');
  const timer = setInterval(() => {
    last = last.then(async (position) => {
      try {
        return (await maintain(database, position)).position;
      } catch (error) {
        // The next minute tries again; until then the database is slower, not wrong. While a long
        // transaction has the one session there is nothing to tell of.
        if (failureOf(error)?.code !== 'UNAVAILABLE') {
          onNotice(`The database could not be maintained: ${String(error)}`);
        }
        return position;
      }
    });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Checkpoint when anything was written since `position` (of an earlier call, or empty), so that a
 * start after a kill has little to recover, and vacuum the tables that need it by PostgreSQL's own
 * rule for its autovacuum: a fifth of the rows dead, or a tenth changed since the last statistics.
 */
export async function maintain(
  database: Pick<Database, 'pool' | 'liftLimit'>,
  position: string,
): Promise<Maintenance & { position: string }> {
  const client = await database.pool.connect();
  const restoreLimit = database.liftLimit(client);
  try {
    const checkpoint = (await logPosition(client)) !== position;
    // With nothing written there is nothing to count either.
    const vacuumed = checkpoint ? await vacuum(client) : [];
    if (checkpoint) await client.query('checkpoint');
    return { checkpoint, vacuumed, position: await logPosition(client) };
  } finally {
    restoreLimit();
    client.release();
  }
}

async function logPosition(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ position: string }>(
    'select pg_current_wal_insert_lsn()::text as position',
  );
  return rows[0]?.position ?? '';
}

async function vacuum(client: pg.ClientBase): Promise<string[]> {
  // With a single session nothing else brings the counts to where they can be read.
  await client.query('select pg_stat_force_next_flush()');
  const { rows } = await client.query<{ name: string; quoted: string }>(
    `select s.relname as name, format('%I.%I', s.schemaname, s.relname) as quoted
     from pg_stat_user_tables s join pg_class c on c.oid = s.relid
     where s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
        or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)`,
  );
  for (const { quoted } of rows) await client.query(`vacuum (analyze) ${quoted}`);
  return rows.map(({ name }) => name);
}

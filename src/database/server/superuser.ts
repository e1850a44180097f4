// What only PostgreSQL's superuser may do to a cluster, which otherwise can't log in.

import { join } from 'node:path';
import pg from 'pg';
import { type ServerRun, startChild } from './child.ts';
import { writePrivate } from './cluster.ts';
import { role } from './set-up.ts';
import { accessRules, configuration, setUpRules } from './settings.ts';
import { socketPath, socketPort } from './socket.ts';

/** The account that owns every object of PostgreSQL's own. It has no password. */
export const superuser = 'postgres';

/**
 * Run statements as the superuser on a cluster that no server has open: it is started for that alone,
 * reachable by the one who may enter its folder, and stopped again.
 */
export async function runAsSuperuser(run: ServerRun, statements: readonly string[]): Promise<void> {
  const { cluster } = run;
  const settings = { durability: 'full', maxConnections: 1, port: null } as const;
  writePrivate(join(cluster, 'headwater.conf'), configuration(settings), run.account);
  writePrivate(join(cluster, 'pg_hba.conf'), setUpRules, run.account);
  const child = await startChild(run);
  try {
    for (const statement of statements) await ask(cluster, role, statement);
  } finally {
    await child.stop();
    writePrivate(join(cluster, 'pg_hba.conf'), accessRules, run.account);
  }
}

/** Run one statement as the superuser on a server whose socket lies in its folder. */
export async function ask(cluster: string, database: string, statement: string): Promise<void> {
  const client = new pg.Client({
    host: socketPath(cluster, '.'),
    // Named, since the environment may name another one.
    port: socketPort,
    user: superuser,
    database,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

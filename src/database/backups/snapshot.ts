// The moment that a backup shows: beginning to see it, and what there is to be seen.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { programVersion } from '../../process/program-version.ts';
import { readHistory } from '../migrations/migrate.ts';
import { formatVersion, type Header, type Manifest } from './manifest.ts';
import { messageWithRow } from './session.ts';
import { listOf, readTables } from './tables.ts';

/** Tables that are made and dropped in the meantime, by hand or by another program, may take a few tries. */
const tryForMs = 10_000;
const pauseMs = 20;
const undefinedTable = '42P01';

/**
 * Begin a transaction that sees one moment whatever others write, and read what there is at that
 * moment. Until its end no table can be dropped or changed; writers do not wait.
 */
export async function beginSnapshot(client: pg.ClientBase): Promise<Header> {
  const started = performance.now();
  for (;;) {
    const tables = await readTables(client);
    if (tables.length === 0) throw failed('it has no tables');
    let failure = 'its tables are made and dropped all the time';
    try {
      await client.query('begin isolation level repeatable read, read only');
      // Before the first query, which takes the snapshot: a table that was rewritten in between would
      // look empty.
      await client.query(
        `lock table ${listOf(tables.map(({ name }) => name))} in access share mode`,
      );
      const header = await look(client);
      if (JSON.stringify(header.tables) === JSON.stringify(tables)) return header;
    } catch (error) {
      failure = messageWithRow(error);
      if (!isGone(error)) throw failed(failure);
    }
    if (performance.now() - started > tryForMs) throw failed(failure);
    await client.query('rollback');
    await sleep(pauseMs);
  }
}

function isGone(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === undefinedTable;
}

function failed(why: string): Error {
  return new Error(`The database can't be backed up: ${why}.`);
}

async function look(client: pg.ClientBase): Promise<Header> {
  const { rows } = await client.query<{ takenAt: Date; version: string }>(
    `select clock_timestamp() as "takenAt", current_setting('server_version') as version`,
  );
  const history = await readHistory(client);
  return {
    format: formatVersion,
    program: programVersion(),
    // Some distributions put their own name behind it.
    postgresql: rows[0]?.version.split(' ')[0] ?? '',
    takenAt: rows[0]?.takenAt.toISOString() ?? '',
    migrations: history
      .filter(({ finished }) => finished)
      .map(({ name, checksum }) => ({ name, checksum })),
    tables: await readTables(client),
  };
}

/** The workspaces, oldest first, and how many resources each has. */
export async function readWorkspaces(client: pg.ClientBase): Promise<Manifest['workspaces']> {
  const { rows } = await client.query<Manifest['workspaces'][number]>(
    `select w.id, w.name,
       (select count(*)::int from resource r where r.workspace_id = w.id) as resources
     from workspace w order by w.created_at, w.id`,
  );
  return rows;
}

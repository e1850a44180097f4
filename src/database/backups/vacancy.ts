// What a restore needs to find: an empty database, brought to the tables of the backup.

import pg from 'pg';
import {
  type Applied,
  applyWithin,
  type Migration,
  makeHistory,
  missingMigrations,
  readHistory,
} from '../migrations/migrate.ts';
import type { Header } from './manifest.ts';
import { messageWithRow } from './session.ts';
import { listOf, readTableNames, readTables } from './tables.ts';

/** The migrations up to the state that a backup is of, and those that this program has beyond it. */
export interface Steps {
  readonly before: readonly Migration[];
  readonly after: readonly Migration[];
}

/** Tables that a message names. */
const maxNames = 3;

/** Throws where the backup has migrations that are not among those of this program. */
export function stepsTo(header: Header, migrations: readonly Migration[]): Steps {
  const own = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of header.migrations) {
    if (own.get(name) === checksum) continue;
    throw new Error(
      `The backup was made by version ${header.program} and has the migration ${name}, which this ` +
        'program does not know: restore it with that version or a newer one.',
    );
  }
  const applied = new Set(header.migrations.map(({ name }) => name));
  return {
    before: migrations.filter(({ name }) => applied.has(name)),
    after: migrations.filter(({ name }) => !applied.has(name)),
  };
}

/**
 * Make sure, in the transaction that is open, that the database is empty and stays so, and bring it to
 * the migrations of the backup. Throws where there is a row, or a table of somebody else.
 */
export async function claimEmpty(client: pg.ClientBase, { before, after }: Steps): Promise<void> {
  const history = await lockEmpty(client, [...before, ...after]);
  const applied = new Set(history.map(({ name }) => name));
  if (applied.size !== before.length || before.some(({ name }) => !applied.has(name))) {
    await dropAll(client);
    await makeHistory(client);
    await client.query('delete from "_prisma_migrations"');
    for (const migration of before) await applyWithin(client, migration);
  }
  // Rows that migrations write are in the backup, too.
  await client.query(`truncate ${listOf(await readTableNames(client))}`);
}

/** Lock all tables and see that they hold no row; which migrations made them. */
async function lockEmpty(
  client: pg.ClientBase,
  migrations: readonly Migration[],
): Promise<Applied[]> {
  const names = await readTableNames(client);
  const history = await readHistory(client);
  if (names.length === 0) return history;
  if (history.length === 0) throw notEmpty(`it has tables of another program, such as ${names[0]}`);
  missingMigrations(migrations, history);
  // A first look before the lock, for which everybody would wait who works on a database that is in use.
  await mustHoldNoRow(client);
  try {
    await client.query(`lock table ${listOf(names)} in access exclusive mode`);
  } catch (error) {
    throw new Error(
      `The database is in use: ${messageWithRow(error)}. Stop what uses it and try again.`,
    );
  }
  await mustHoldNoRow(client);
  return history;
}

/** What a crash may lose is no content: such tables are emptied. */
async function mustHoldNoRow(client: pg.ClientBase): Promise<void> {
  const filled: string[] = [];
  for (const { name } of await readTables(client)) {
    const { rows } = await client.query(`select from ${pg.escapeIdentifier(name)} limit 1`);
    if (rows.length > 0) filled.push(name);
  }
  if (filled.length > 0) throw notEmpty(`it has rows in ${firstOf(filled)}`);
}

/** A list that no one has to read to its end. */
function firstOf(names: readonly string[]): string {
  const others = names.length - maxNames;
  return others > 1
    ? `${names.slice(0, maxNames).join(', ')} and ${others} others`
    : names.join(', ');
}

function notEmpty(reason: string): Error {
  return new Error(
    `The database is not empty: ${reason}. Nothing was changed. Restore into a new database, or with ` +
      'DATA_DIR set to a new folder.',
  );
}

/** Drop all that migrations make, in a database without rows; not the history, nor extensions. */
async function dropAll(client: pg.ClientBase): Promise<void> {
  // Tables take with them what depends on them, such as the sequences of their columns.
  const { rows } = await client.query<{ statement: string }>(
    `with schema as (select oid, nspname from pg_namespace where nspname = current_schema()),
     extended as (select objid, classid from pg_depend where deptype = 'e')
     select case c.relkind when 'r' then 1 when 'p' then 1 else 2 end as turn,
         format('drop %s if exists %I.%I cascade', case c.relkind when 'v' then 'view'
           when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
           nspname, c.relname) as statement
       from pg_class c join schema s on s.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'v', 'm', 'S') and c.relname <> '_prisma_migrations'
         and (c.oid, 'pg_class'::regclass) not in (select objid, classid from extended)
     union all select 3, format('drop routine if exists %s cascade', p.oid::regprocedure)
       from pg_proc p join schema s on s.oid = p.pronamespace
       where (p.oid, 'pg_proc'::regclass) not in (select objid, classid from extended)
     union all select 4, format('drop type if exists %I.%I cascade', nspname, t.typname)
       from pg_type t join schema s on s.oid = t.typnamespace
       where t.typtype in ('e', 'd')
         and (t.oid, 'pg_type'::regclass) not in (select objid, classid from extended)
     order by turn`,
  );
  for (const { statement } of rows) await client.query(statement);
}

// Brings the database to the tables this program was made for, by the migrations of prisma/.

import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { messageOf } from '../../errors.ts';
import { everyWorkspace, workspaceSetting } from '../connections/visible-rows.ts';
import type { Database } from '../database.ts';
import { isCollision } from '../failure.ts';
import { buildConcurrently, isConcurrent, withinTransaction } from './concurrent-index.ts';
import {
  type LockWait,
  lockingTransaction,
  reportHolders,
  waitForMigrationLock,
} from './lock-wait.ts';

export interface Migration {
  /** The name of its folder, such as `20260101000000_init`; they are applied in this order. */
  name: string;
  sql: string;
  /** SHA-256 of the file in hex, as Prisma's own engine takes it. */
  checksum: string;
}

/** Where a program that is running finds its migrations. */
export const migrationsFolder = fileURLToPath(
  new URL('../../../prisma/migrations', import.meta.url),
);

/** Prisma's own table, so that `prisma migrate deploy` and this runner share one history. */
const HISTORY = `create table if not exists "_prisma_migrations" (
  "id" varchar(36) primary key not null,
  "checksum" varchar(64) not null,
  "finished_at" timestamptz,
  "migration_name" varchar(255) not null,
  "logs" text,
  "rolled_back_at" timestamptz,
  "started_at" timestamptz not null default now(),
  "applied_steps_count" integer not null default 0
)`;

/**
 * Apply the migrations that the database lacks, in order, each in one transaction of its own or as one statement
 * outside of any, and return their names. Processes that start at once wait for each other, and a migration for
 * who holds its locks: `onNotice` is told who that is. Throws when the history in the database is not the one in
 * the folder, or when a migration fails; that one leaves nothing.
 */
export async function migrate(
  { directUrl }: Pick<Database, 'directUrl'>,
  folder: string = migrationsFolder,
  onNotice: (message: string) => void = () => {},
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  // A connection of its own, past any pooler: the lock and the settings of the session go with it.
  const client = new pg.Client({
    connectionString: directUrl,
    application_name: 'headwater migrate',
    // Migrations change the rows of every workspace.
    options: `-c TimeZone=UTC -c statement_timeout=0 -c lock_timeout=0 -c ${workspaceSetting}=${everyWorkspace}`,
    keepAlive: true,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    if (missingMigrations(migrations, await readHistory(client)).length === 0) return [];
    return await applyMissing({ url: directUrl, client, onNotice }, migrations);
  } finally {
    await client.end();
  }
}

async function applyMissing(
  wait: Omit<LockWait, 'what'>,
  migrations: readonly Migration[],
): Promise<string[]> {
  const { client } = wait;
  await waitForMigrationLock(wait);
  await makeHistory(client);
  // Another process may have applied some while this one waited for the lock.
  const waiting = missingMigrations(migrations, await readHistory(client));
  for (const migration of waiting) {
    const own = { ...wait, what: `The migration ${migration.name}` };
    if (isConcurrent(migration.sql)) await applyConcurrently(own, migration);
    else await lockingTransaction(own, () => applyWithin(client, migration));
  }
  return waiting.map(({ name }) => name);
}

/** Read the migrations of a folder, in the order in which they are applied. */
export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(`${folder}/${name}/migration.sql`, 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** A migration as the database's history has it. */
export interface Applied {
  name: string;
  checksum: string;
  finished: boolean;
}

/** Make the table of the history, where it is not there yet. */
export async function makeHistory(client: pg.ClientBase): Promise<void> {
  await client.query(HISTORY);
}

/** The migrations that were begun on a database, in order; none where it has no history. */
export async function readHistory(client: pg.ClientBase): Promise<Applied[]> {
  const table = await client.query<{ exists: boolean }>(
    `select to_regclass('"_prisma_migrations"') is not null as exists`,
  );
  if (!table.rows[0]?.exists) return [];
  const history = await client.query<Applied>(
    `select migration_name as name, checksum, finished_at is not null as finished
     from "_prisma_migrations" where rolled_back_at is null order by started_at`,
  );
  return history.rows;
}

/** The migrations that are not applied yet; throws when those that are do not match the folder. */
export function missingMigrations(
  migrations: readonly Migration[],
  history: readonly Applied[],
): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum, finished } of history) {
    const migration = known.get(name);
    if (migration === undefined) {
      throw new Error(
        `The database has the migration ${name}, which this program does not know: ` +
          'it was last used by a newer version. Start that version, or restore a backup.',
      );
    }
    if (!finished) {
      throw new Error(
        `The migration ${name} was begun by another tool and did not finish. ` +
          `Mend the database, then: npx prisma migrate resolve --rolled-back ${name}`,
      );
    }
    if (checksum !== migration.checksum) {
      throw new Error(
        `The migration ${name} was changed after it was applied to this database. ` +
          'Put its file back as it was and write the change as a new migration.',
      );
    }
  }
  const applied = new Set(history.map(({ name }) => name));
  return migrations.filter(({ name }) => !applied.has(name));
}

/** Apply one migration in the transaction that is open; throws where it fails, and says at which line. */
export async function applyWithin(
  client: pg.ClientBase,
  { name, sql, checksum }: Migration,
): Promise<void> {
  const id = randomUUID();
  try {
    await client.query(
      // Several may be applied in one transaction, whose now() stands still.
      `insert into "_prisma_migrations" (id, checksum, migration_name, started_at)
       values ($1, $2, $3, clock_timestamp())`,
      [id, checksum, name],
    );
    await client.query(isConcurrent(sql) ? withinTransaction(sql) : sql);
    await client.query(
      `update "_prisma_migrations"
       set finished_at = clock_timestamp(), applied_steps_count = 1 where id = $1`,
      [id],
    );
  } catch (error) {
    throw failed(name, sql, error);
  }
}

/** Apply a migration that is not of a transaction. It is written down when it is done, and done again until then. */
async function applyConcurrently(
  wait: LockWait,
  { name, sql, checksum }: Migration,
): Promise<void> {
  const { client } = wait;
  await using _reporting = await reportHolders(wait);
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at');
  try {
    await buildConcurrently(client, sql);
  } catch (error) {
    // Others waited for it, and it for them: what it left is dropped by the next try.
    if (!isCollision(error)) throw failed(name, sql, error);
    return await applyConcurrently(wait, { name, sql, checksum });
  }
  await client.query(
    `insert into "_prisma_migrations"
       (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     values ($1, $2, $3, $4, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name, rows[0]?.at],
  );
}

function failed(name: string, sql: string, error: unknown): Error {
  return new Error(`The migration ${name} failed${placeOf(error, sql)}: ${messageOf(error)}`, {
    cause: error,
  });
}

/** PostgreSQL counts characters from 1; people count lines. */
function placeOf(error: unknown, sql: string): string {
  const position =
    typeof error === 'object' && error !== null && 'position' in error ? error.position : undefined;
  if (typeof position !== 'string') return '';
  const line = [...sql].slice(0, Number(position) - 1).filter((letter) => letter === '\n').length;
  return ` at line ${line + 1}`;
}

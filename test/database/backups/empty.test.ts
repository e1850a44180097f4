// Where a restore goes: into an empty database of ours or no one's, brought to this program's tables.

import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';
import { contextAcross } from '../../../src/context.ts';
import { migrationsFolder } from '../../../src/database/migrations/migrate.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { transaction } from '../../../src/database/transaction.ts';
import { ensureFirstAdmin } from '../../../src/people/first-admin.ts';
import { openCatalog } from '../../catalog.ts';
import { onServer } from '../../server.ts';
import {
  backUpToMemory,
  digestsOf,
  filledTables,
  makeDatabase,
  restoreFrom,
  structureOf,
  type Target,
} from './databases.ts';

/** What a database held that had the first migrations only. */
let old: { source: Target; file: Buffer };
/** What a database of today held. */
let file: Buffer;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-migrations-'));
  await using catalog = await openCatalog({ alone: true });
  await catalog.resource({ title: 'orders' });
  file = (await backUpToMemory(catalog.url)).file;
  const source = await makeDatabase(firstMigrations(5));
  for (const statement of rowsOfOld) await onServer(source.url, statement);
  old = { source, file: (await backUpToMemory(source.url)).file };
});
afterAll(async () => {
  await old.source[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** A folder with the first migrations of this program. */
function firstMigrations(count: number): string {
  const path = join(folder, `first-${count}`);
  for (const name of readdirSync(migrationsFolder).sort().slice(0, count)) {
    cpSync(join(migrationsFolder, name), join(path, name), { recursive: true });
  }
  return path;
}

const workspace = '11111111-1111-4111-8111-111111111111';
const rowsOfOld = [
  `insert into workspace (id, name) values ('${workspace}', 'Old')`,
  // Has columns that a later migration drops, and lacks one that it adds.
  `insert into notification_rule (workspace_id, name, events, tell_owners)
   select '${workspace}', 'rule ' || n, '{incident_opened}', n % 2 = 0 from generate_series(1, 40) n`,
  `insert into resource (workspace_id, kind, title, title_full, owner_ids)
   select '${workspace}', 'table', 't' || n, 't' || n, array['${workspace}'::uuid]
   from generate_series(1, 40) n`,
];

test('a backup from before some migrations is brought to them', async () => {
  await using target = await makeDatabase();
  const { applied } = await restoreFrom(old.file, target.url);
  expect(applied[0]).toMatch(/declared_monitors$/);
  // The same as a start of this program makes of the old database itself.
  const database = await openDatabase({ databaseUrl: old.source.url, maxConnections: 1 });
  await database.close();
  expect(await digestsOf(target.url)).toEqual(await digestsOf(old.source.url));
  expect(await structureOf(target.url)).toEqual(await structureOf(old.source.url));
  expect((await digestsOf(target.url)).notification_rule).toMatch(/^40 rows/);
});

test('it also goes into empty tables of today, or of a version in between', async () => {
  await using direct = await makeDatabase();
  await restoreFrom(old.file, direct.url);
  for (const migrations of [migrationsFolder, firstMigrations(8)]) {
    await using target = await makeDatabase(migrations);
    await restoreFrom(old.file, target.url);
    expect(await digestsOf(target.url)).toEqual(await digestsOf(direct.url));
    expect(await structureOf(target.url)).toEqual(await structureOf(direct.url));
  }
});

test('what migrations make besides tables is no obstacle, and triggers do not run', async () => {
  const more = firstMigrations(99);
  const name = join(more, '2998_more');
  mkdirSync(name, { recursive: true });
  writeFileSync(
    join(name, 'migration.sql'),
    `create type color as enum ('red'); create sequence loose; create view v as select name from tag;
     create table noted (id int generated always as identity primary key, title text not null,
       shouted text generated always as (upper(title)) stored, color color default 'red');
     create function note() returns trigger language plpgsql as $$
       begin insert into noted (title) select title from added; return null; end $$;
     create trigger note after insert on resource referencing new table as added
       for each statement execute function note();
     alter table resource enable always trigger note;
     create unlogged table passing (workspace_id uuid primary key references workspace (id));
     create table self (id int primary key, before int references self (id) not deferrable);
     insert into noted (title) values ('from the migration');`,
  );
  await using source = await makeDatabase(more);
  for (const statement of rowsOfOld.filter((one) => !one.includes('tell_owners'))) {
    await onServer(source.url, statement);
  }
  await onServer(
    source.url,
    'insert into self select n, nullif((n + 1) % 10, n) from generate_series(0, 9) n',
  );
  await onServer(source.url, `select nextval('loose'), nextval('loose')`);
  await onServer(source.url, `insert into passing values ('${workspace}')`);
  const { file: later } = await backUpToMemory(source.url);
  for (const before of [undefined, firstMigrations(3)]) {
    await using target = await makeDatabase(before);
    await restoreFrom(later, target.url, { migrations: more });
    expect(await digestsOf(target.url)).toEqual(await digestsOf(source.url));
    // What a crash may lose is no content.
    expect(await onServer(target.url, 'select from passing')).toEqual([]);
    expect(await structureOf(target.url)).toEqual(await structureOf(source.url));
    await onServer(
      target.url,
      `insert into resource (workspace_id, kind, title, title_full)
      values ('${workspace}', 'table', 'after', 'after')`,
    );
    const noted = await onServer(
      target.url,
      'select id, shouted from noted order by id desc limit 1',
    );
    expect(noted).toEqual([{ id: 42, shouted: 'AFTER' }]);
    expect(await onServer(target.url, `select nextval('loose')::int as n`)).toEqual([{ n: 3 }]);
    // And an older one again, over what these migrations make, once its rows are gone.
    await onServer(target.url, 'truncate workspace cascade; truncate self, noted, search_document');
    await restoreFrom(old.file, target.url, { migrations: more });
    expect((await digestsOf(target.url)).resource).toMatch(/^40 rows/);
  }
});

test('a migration that does not suit the rows leaves the database empty', async () => {
  const more = join(folder, 'unsuitable');
  cpSync(migrationsFolder, more, { recursive: true });
  mkdirSync(join(more, '2999_unsuitable'));
  const sql = `alter table resource add check (title <> 't7')`;
  writeFileSync(join(more, '2999_unsuitable/migration.sql'), sql);
  await using target = await makeDatabase();
  const restoring = restoreFrom(old.file, target.url, { migrations: more });
  await expect(restoring).rejects.toThrow(/The migration 2999_unsuitable failed/);
  expect(await structureOf(target.url)).toEqual([]);
});

test('a database that a server was started on is refused as it is', async () => {
  await using target = await makeDatabase();
  const database = await openDatabase({ databaseUrl: target.url, maxConnections: 2 });
  await ensureFirstAdmin(database);
  const before = await digestsOf(target.url);
  const restoring = restoreFrom(file, target.url);
  await expect(restoring).rejects.toThrow(
    /^The database is not empty: it has rows in api_key, audit_log, setting and 3 others\. Nothing was/,
  );
  // While somebody works on it, too, without a lock: others would wait behind who waits for one, who is told that the
  // database is in use.
  await transaction(contextAcross(database), async (tx) => {
    await tx.db.tag.count();
    await expect(restoreFrom(file, target.url)).rejects.toThrow('The database is not empty');
  });
  expect(await digestsOf(target.url)).toEqual(before);
  await database.close();
});

test("a database with somebody else's tables is refused, and one of a newer version", async () => {
  await using other = await makeDatabase();
  await onServer(other.url, 'create table invoices (id int)');
  await expect(restoreFrom(file, other.url)).rejects.toThrow(
    'it has tables of another program, such as invoices',
  );
  await onServer(other.url, 'create table resource (id int)');
  await expect(restoreFrom(file, other.url)).rejects.toThrow('The database is not empty');
  await using newer = await makeDatabase(migrationsFolder);
  await onServer(
    newer.url,
    `insert into "_prisma_migrations" (id, checksum, migration_name, finished_at)
     values ('x', 'x', '2999_later', now())`,
  );
  await expect(restoreFrom(file, newer.url)).rejects.toThrow('it was last used by a newer version');
});

test('a table or a column of your own in the source is left out, and said to be', async () => {
  await using source = await makeDatabase(migrationsFolder);
  await onServer(
    source.url,
    `alter table workspace add column "no. 1" int not null default 7, add column b text default 'x\ty'`,
  );
  await onServer(source.url, `create table "my ""notes""" as select 'x' as text`);
  await onServer(source.url, rowsOfOld[0] ?? '');
  const { file: withNotes, manifest } = await backUpToMemory(source.url);
  expect(manifest.contents).toContainEqual(
    expect.objectContaining({ table: 'my "notes"', rows: 1 }),
  );
  await using target = await makeDatabase();
  expect((await restoreFrom(withNotes, target.url)).leftOut).toEqual([
    'my "notes"',
    'workspace.no. 1',
    'workspace.b',
  ]);
  await using fresh = await makeDatabase(migrationsFolder);
  expect(await structureOf(target.url)).toEqual(await structureOf(fresh.url));
  expect(await filledTables(target.url)).toEqual(['workspace']);
});

test('a server that starts during a restore waits for it, and finds its workspace', async () => {
  await using target = await makeDatabase();
  let starting: Promise<string> | undefined;
  const start = async () => {
    const database = await openDatabase({ databaseUrl: target.url, maxConnections: 2 });
    const { workspaceId } = await ensureFirstAdmin(database);
    await database.close();
    return workspaceId;
  };
  await restoreFrom(file, target.url, {
    onProgress: () => {
      starting ??= start();
    },
  });
  const [workspaceOf] = await onServer<{ id: string }>(target.url, 'select id from workspace');
  expect(await starting).toBe(workspaceOf?.id);
});

test('an address where nothing answers is said to be one', async () => {
  const nowhere = 'postgresql://somebody@127.0.0.1:1/nothing';
  await expect(restoreFrom(file, nowhere)).rejects.toThrow(
    /^The database can't be reached: .*ECONNREFUSED.*\.$/,
  );
  await expect(backUpToMemory(nowhere)).rejects.toThrow("The database can't be reached");
});

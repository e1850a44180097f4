// An upgrade while others use the database: no one waits behind it for long, and it says who holds it up.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '../../../src/database/migrations/migrate.ts';
import { migrationLock } from '../../../src/database/migrations/migration-lock.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { backUpToMemory, makeDatabase, restoreFrom } from '../backups/databases.ts';
import { migrationsBefore } from './older.ts';

const later = '29990101000000_later';

/** All migrations, and one more. */
function withLater(sql: string) {
  const all = migrationsBefore('3');
  mkdirSync(join(all.folder, later));
  writeFileSync(join(all.folder, later, 'migration.sql'), sql);
  return all;
}

/** A session of a person or another program, on which some SQL was run. */
async function sessionOf(
  url: string,
  ...statements: string[]
): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url, application_name: 'bi tool' });
  client.on('error', () => {});
  await client.connect();
  for (const statement of statements) await client.query(statement);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** Migrate, and see in what the others do until it is done. */
function begin(catalog: Catalog, folder: string) {
  const notices: string[] = [];
  const state = { isDone: false };
  const done = migrate(catalog.database, folder, (notice) => notices.push(notice)).finally(() => {
    state.isDone = true;
  });
  return { notices, state, done };
}

async function readAndWrite(catalog: Catalog): Promise<void> {
  await catalog.resource();
  const { data } = await catalog.graphql('{ resources(first: 5) { totalCount } }');
  expect(data.resources.totalCount).toBeGreaterThan(0);
}

const held = (what: string, state: string) =>
  new RegExp(
    `^${what} has waited for \\d+ s, held up by (?:.*; )?bi tool \\(pid \\d+, user \\w+, ${state}, for \\d+ s\\)(?:; .*)?\\. .*` +
      'select pg_terminate_backend\\(\\d+\\)$',
  );

test('beside an idle transaction others go on, every ten seconds the log says whose it is, and its end is enough', async () => {
  await using catalog = await openCatalog({ alone: true });
  using migrations = withLater('alter table resource add column later int');
  await using idle = await sessionOf(catalog.url, 'begin', 'select count(*) from resource');
  const { notices, state, done } = begin(catalog, migrations.folder);
  do await readAndWrite(catalog);
  while (notices.length < 2);
  expect(state.isDone).toBe(false);
  for (const notice of notices) {
    expect(notice).toMatch(held(`The migration ${later}`, 'idle in transaction'));
  }
  await idle.query('commit');
  expect(await done).toEqual([later]);
  await readAndWrite(catalog);
  await catalog.owner.query('select later from resource');
});

test('while somebody has the lock of migrations the log says who, also where only rights are missing', async () => {
  await using catalog = await openCatalog({ alone: true });
  using migrations = withLater('create table later (n int)');
  await using holder = await sessionOf(catalog.url, `select pg_advisory_lock(${migrationLock})`);
  const { notices, state, done } = begin(catalog, migrations.folder);
  await expect.poll(() => notices.length).toBe(1);
  expect(notices[0]).toMatch(held('The start, which needs the lock of migrations,', 'idle'));
  expect(state.isDone).toBe(false);
  await holder.query('select pg_advisory_unlock_all()');
  expect(await done).toEqual([later]);
  await holder.query(`select pg_advisory_lock(${migrationLock})`);
  const [role] = (await catalog.owner.query("select to_regrole('headwater_requests') as role"))
    .rows;
  if (role.role !== null) {
    await catalog.owner.query('revoke delete on tag from headwater_requests');
    const opening = openDatabase({
      databaseUrl: catalog.url,
      migrations: null,
      onNotice: (text) => notices.push(text),
    });
    await expect.poll(() => notices.length).toBe(2);
    expect(notices[1]).toMatch(held('The start, which needs the lock of migrations,', 'idle'));
    await holder.query('select pg_advisory_unlock_all()');
    await (await opening).close();
  }
});

const index =
  '-- Concurrently: it is large.\ncreate unique index concurrently "later_idx" on tag (left(name, 5));';
const stateOf = async ({ owner }: Catalog) =>
  (
    await owner.query(
      `select (select indisvalid from pg_index where indexrelid = to_regclass('later_idx')) as valid,
         (select count(*)::int from "_prisma_migrations"
          where migration_name = $1 and finished_at is not null) as done`,
      [later],
    )
  ).rows[0];

test('an index is built concurrently: it waits for a transaction that writes, and no one waits for it', async () => {
  await using catalog = await openCatalog({ alone: true });
  using migrations = withLater(index);
  const write = "update tag set name = 'changed' where false";
  await using writer = await sessionOf(catalog.url, 'begin', write, 'select pg_current_xact_id()');
  const { notices, state, done } = begin(catalog, migrations.folder);
  await expect.poll(() => notices.length).toBe(1);
  for (let n = 0; n < 3; n += 1) await catalog.tag({ name: `${n}` });
  expect(state.isDone).toBe(false);
  expect(notices[0]).toMatch(held(`The migration ${later}`, 'idle in transaction'));
  await writer.query('commit');
  expect(await done).toEqual([later]);
  expect(await stateOf(catalog)).toEqual({ valid: true, done: 1 });
});

test('what a failed try left of an index is dropped by the next one, and what is built is not built again', async () => {
  await using catalog = await openCatalog({ alone: true });
  using migrations = withLater(index);
  await catalog.tag({ name: 'twice one' });
  const { id } = await catalog.tag({ name: 'twice two' });
  await expect(migrate(catalog.database, migrations.folder)).rejects.toThrow(
    `The migration ${later} failed: could not create unique index "later_idx"`,
  );
  expect(await stateOf(catalog)).toEqual({ valid: false, done: 0 });
  await catalog.owner.query('delete from tag where id = $1', [id]);
  expect(await migrate(catalog.database, migrations.folder)).toEqual([later]);
  expect(await stateOf(catalog)).toEqual({ valid: true, done: 1 });
  // Killed after it was built, and before that was written down.
  await catalog.owner.query('delete from "_prisma_migrations" where migration_name = $1', [later]);
  const { rows } = await catalog.owner.query(`select 'later_idx'::regclass::oid as oid`);
  expect(await migrate(catalog.database, migrations.folder)).toEqual([later]);
  expect((await catalog.owner.query(`select 'later_idx'::regclass::oid as oid`)).rows).toEqual(
    rows,
  );
});

test('processes that start at once build an index once, without a deadlock', async () => {
  await using catalog = await openCatalog({ alone: true });
  using migrations = withLater(index);
  const writing = new AbortController();
  const writer = (async () => {
    for (let n = 0; !writing.signal.aborted; n += 1) await catalog.tag({ name: `${n}` });
  })();
  const results = await Promise.all(
    [1, 2, 3, 4].map(async (n) => {
      await sleep(n * 20);
      return migrate(catalog.database, migrations.folder);
    }),
  );
  writing.abort();
  await writer;
  expect(results.flat()).toEqual([later]);
  expect(await stateOf(catalog)).toEqual({ valid: true, done: 1 });
});

test('a restore, which is one transaction, builds such indexes within it; dropping one is a migration as well', async () => {
  await using catalog = await openCatalog({ alone: true });
  using migrations = withLater(index);
  const { file } = await backUpToMemory(catalog.url);
  await using target = await makeDatabase();
  const restored = await restoreFrom(file, target.url, { migrations: migrations.folder });
  expect(restored.applied).toEqual([later]);
  await using there = await sessionOf(target.url);
  const valid = `select indisvalid from pg_index where indexrelid = to_regclass('later_idx')`;
  expect((await there.query(valid)).rows).toEqual([{ indisvalid: true }]);
  mkdirSync(join(migrations.folder, '29990102000000_last'));
  const sql = '-- Concurrently\ndrop index concurrently later_idx';
  writeFileSync(join(migrations.folder, '29990102000000_last', 'migration.sql'), sql);
  expect(await migrate({ directUrl: target.url }, migrations.folder)).toEqual([
    '29990102000000_last',
  ]);
  expect((await there.query(valid)).rows).toEqual([]);
});

test('more than the one statement is refused where nothing is rolled back', async () => {
  await using catalog = await openCatalog({ alone: true });
  using migrations = withLater(`${index}\ndelete from tag;`);
  await expect(migrate(catalog.database, migrations.folder)).rejects.toThrow(
    /it has to be one statement/,
  );
  expect(await stateOf(catalog)).toEqual({ valid: null, done: 0 });
});

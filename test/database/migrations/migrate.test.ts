import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diagnoseHistory } from '../../../scripts/schema-difference.ts';
import {
  migrate,
  migrationsFolder,
  readMigrations,
} from '../../../src/database/migrations/migrate.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { openTestDatabase } from '../../database.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-migrations-'));
  cpSync(migrationsFolder, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function add(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

const later = '29990101000000_later';
const last = '29990102000000_last';

test('only what is missing is applied, once, in order', async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  expect(await migrate(database, folder)).toEqual([]);
  add(last, 'insert into later values (2)');
  add(later, 'create table later (n int); insert into later values (1);');
  expect(await migrate(database, folder)).toEqual([later, last]);
  expect(await migrate(database, folder)).toEqual([]);
  const { rows } = await opened.owner.query('select n from later order by n');
  expect(rows).toEqual([{ n: 1 }, { n: 2 }]);
});

test('functions, triggers and semicolons in strings are no end of a statement', async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  add(
    later,
    `create function shout() returns trigger language plpgsql as $$
     begin new.value = upper(new.value) || ';'; return new; end $$;
     create trigger shout before insert on setting for each row execute function shout();
     insert into setting values ('a', 'x;y');`,
  );
  await migrate(database, folder);
  expect(await database.prisma.setting.findMany()).toEqual([{ name: 'a', value: 'X;Y;' }]);
});

test('a migration that fails leaves nothing, says where, and can be mended', async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  add(later, "create table half (n int);\ninsert into setting values ('a', '');\nselect wrong;");
  await expect(migrate(database, folder)).rejects.toThrow(
    `The migration ${later} failed at line 3: column "wrong" does not exist`,
  );
  const { rows } = await opened.owner.query(
    `select to_regclass('half') as half,
       (select count(*)::int from "_prisma_migrations" where migration_name = $1) as recorded`,
    [later],
  );
  expect(rows).toEqual([{ half: null, recorded: 0 }]);
  expect(await database.prisma.setting.count()).toBe(0);
  add(later, 'create table half (n int);');
  expect(await migrate(database, folder)).toEqual([later]);
});

test('a migration that was edited after it was applied is refused', async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  add(later, 'create table later (n int);');
  await migrate(database, folder);
  add(later, 'create table later (n bigint);');
  add(last, 'create table last (n int);');
  await expect(migrate(database, folder)).rejects.toThrow(`${later} was changed after it was`);
  const { rows } = await opened.owner.query(`select to_regclass('last') as last`);
  expect(rows).toEqual([{ last: null }]);
});

test('a database of a newer version is refused', async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  add(later, 'create table later (n int);');
  await migrate(database, folder);
  await expect(migrate(database)).rejects.toThrow('it was last used by a newer version');
});

test('a migration that another tool began and did not finish is refused', async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  add(later, 'create table later (n int);');
  await migrate(database, folder);
  await opened.owner.query(
    `update "_prisma_migrations" set finished_at = null where migration_name = $1`,
    [later],
  );
  await expect(migrate(database, folder)).rejects.toThrow(`migrate resolve --rolled-back ${later}`);
  await opened.owner.query(
    `update "_prisma_migrations" set rolled_back_at = now() where migration_name = $1`,
    [later],
  );
  await opened.owner.query('drop table later');
  expect(await migrate(database, folder)).toEqual([later]);
});

test("the history is Prisma's own: the schema engine takes it for up to date", async () => {
  await using opened = await openTestDatabase();
  const pool = opened.owner;
  const { rows } = await pool.query(
    `select migration_name as name, checksum, applied_steps_count as steps,
       finished_at >= started_at as finished, rolled_back_at, logs
     from "_prisma_migrations" order by migration_name`,
  );
  const known = await readMigrations();
  const state = { steps: 1, finished: true, rolled_back_at: null, logs: null };
  expect(rows).toEqual(known.map(({ name, checksum }) => ({ name, checksum, ...state })));
  expect(await diagnoseHistory(pool)).toEqual({ history: null, failed: [], edited: [] });
});

test('processes that start at once do not apply a migration twice', async () => {
  await using opened = await openTestDatabase();
  const { database, url } = opened;
  add(later, 'create table later (n int); insert into later values (1); select pg_sleep(0.2);');
  // The embedded database has one process only, and its calls take turns.
  const others = url
    ? await Promise.all([1, 2, 3].map(() => openDatabase({ databaseUrl: url, migrations: null })))
    : [];
  try {
    const results = await Promise.all([database, ...others].map((one) => migrate(one, folder)));
    expect(results.flat()).toEqual([later]);
    const { rows } = await opened.owner.query('select n from later');
    expect(rows).toEqual([{ n: 1 }]);
  } finally {
    await Promise.all(others.map((other) => other.close()));
  }
});

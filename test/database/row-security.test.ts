// What the database itself keeps apart, whatever a statement asks for.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contextAcross } from '../../src/context.ts';
import { acrossWorkspaces, inWorkspace } from '../../src/database/outside.ts';
import { execute, rows } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import { openTestDatabase, type TestDatabase } from '../database.ts';
import { onServer } from '../server.ts';

/** Tables that are of no workspace, each with the reason. */
const ofNoWorkspace: Readonly<Record<string, string>> = {
  setting: 'values of the whole installation, such as the pepper of hashes',
  _prisma_migrations: 'the history of migrations, which requests may not even read',
};

const ours = randomUUID();
const theirs = randomUUID();

interface Table {
  readonly name: string;
  /** The column that says of which workspace a row is. */
  readonly key: string;
}

let opened: TestDatabase;
let tables: readonly Table[];
beforeAll(async () => {
  opened = await openTestDatabase();
  tables = await onServer<Table>(
    opened.url,
    `select c.relname::text as name, case c.relname when 'workspace' then 'id' else 'workspace_id' end as key
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and (c.relname = 'workspace' or exists (select from pg_attribute a
         where a.attrelid = c.oid and a.attname = 'workspace_id')) order by 1`,
  );
  await fill(opened.url);
});
afterAll(() => opened[Symbol.asyncDispose]());

/** Write a row of each workspace into each table of a database; of what triggers log next to them one stays. */
async function fill(url: string): Promise<void> {
  await takeAnyWord(url);
  // The log may be cut only behind a link of the day before, which no row written here is.
  await onServer(url, 'alter table audit_cut disable trigger user');
  for (const workspace of [ours, theirs]) {
    for (const table of tables) await onServer(url, await rowOf(table, workspace));
  }
  for (const [table, order] of [
    ['lineage_log', 'seq'],
    ['title_word', 'word'],
    ['search_document', 'resource_id'],
  ]) {
    await onServer(
      url,
      `delete from ${table} a using ${table} b
        where b.workspace_id = a.workspace_id and b.${order} < a.${order}`,
    );
  }
}

/** Let a database take any word, also where it knows all that there are. */
async function takeAnyWord(url: string): Promise<void> {
  const known = await onServer<{ name: string; of: string }>(
    url,
    `select conname as name, conrelid::regclass::text as of from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace`,
  );
  for (const { name, of } of known) {
    await onServer(url, `alter table ${of} drop constraint ${name}`);
  }
}

const samples: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: 'gen_random_uuid()::text',
  int2: '1',
  int4: '1',
  int8: '(random() * 1000000000)::int8',
  float8: '1',
  bool: 'false',
  bytea: `''`,
  jsonb: `'{}'`,
  timestamptz: 'now()',
  date: 'current_date',
  tsvector: `''`,
};

function sampleOf(type: string): string {
  const sample = samples[type];
  if (sample === undefined) throw new Error(`No sample of the type ${type} is known.`);
  return sample;
}

/** A statement that writes a row of a workspace, past keys and most triggers. */
async function rowOf({ name, key }: Table, workspace: string): Promise<string> {
  const needed = await onServer<{ name: string; type: string }>(
    opened.url,
    `select a.attname::text as name, t.typname::text as type
     from pg_attribute a join pg_type t on t.oid = a.atttypid
     where a.attrelid = '${name}'::regclass and a.attnum > 0 and not a.attisdropped
       and a.attnotnull and not a.atthasdef and a.attidentity = '' and a.attname <> '${key}'`,
  );
  const values = needed.map(({ type }) => (type.startsWith('_') ? `'{}'` : sampleOf(type)));
  const columns = [key, ...needed.map((column) => column.name)];
  return `set session_replication_role = replica;
    insert into ${name} (${columns.join(', ')}) values (${[`'${workspace}'`, ...values].join(', ')})`;
}

const workspacesIn = async (workspaceId: string, { name, key }: Table) => {
  const found = await rows<{ id: string }>(
    inWorkspace(opened.database, workspaceId),
    `select distinct ${key} as id from ${name}`,
  );
  return found.map(({ id }) => id);
};

test('every table with a workspace has a policy that binds its owner, too; the others are known', async () => {
  const found = await onServer<Table & { isForced: boolean; policies: string[] }>(
    opened.url,
    `select c.relname::text as name, c.relrowsecurity and c.relforcerowsecurity as "isForced",
       array(select concat_ws(' ', p.polname, p.polcmd, p.polpermissive, p.polroles = '{0}')
         from pg_policy p where p.polrelid = c.oid) as policies
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  );
  const named = new Set(tables.map(({ name }) => name));
  expect(named.size).toBeGreaterThan(30);
  for (const { name, isForced, policies } of found) {
    if (named.has(name)) {
      expect({ name, isForced, policies }).toEqual({
        name,
        isForced: true,
        policies: ['of_workspace * t t'],
      });
    } else expect(Object.keys(ofNoWorkspace)).toContain(name);
  }
  expect(found).toHaveLength(named.size + Object.keys(ofNoWorkspace).length);
});

test('a statement that names no workspace sees the rows of its own, in every table', async () => {
  for (const table of tables) {
    expect(await workspacesIn(ours, table), table.name).toEqual([ours]);
    expect(await workspacesIn(theirs, table), table.name).toEqual([theirs]);
  }
});

test('a connection that was set to no workspace sees nothing; what reaches over all sees all', async () => {
  for (const { name, key } of tables) {
    const none = await opened.database.pool.query(`select from ${name}`);
    expect(none.rowCount, name).toBe(0);
    const all = await rows(
      acrossWorkspaces(opened.database),
      `select from ${name} where ${key} = any($1::uuid[])`,
      [[ours, theirs]],
    );
    expect(all.length, name).toBe(2);
  }
});

test('no statement changes, deletes or makes a row of another workspace', async () => {
  const ctx = { ...contextAcross(opened.database), workspaceId: ours };
  const attempt = (statement: string, values: readonly unknown[] = []) =>
    transaction(ctx, async (tx) => {
      // Audit entries may not be changed at all: by no one, and that is not the point here.
      const changed = await execute(tx, statement, values).catch((error: Error) => error.message);
      throw new Error(`${changed}`);
    }).catch((error: Error) => error.message);
  for (const { name, key } of tables) {
    const where = `where ${key} = '${theirs}'`;
    expect(await attempt(`update ${name} set ${key} = ${key} ${where}`), name).toBe('0');
    expect(await attempt(`delete from ${name} ${where}`), name).toBe('0');
    const copy = `insert into ${name} select (jsonb_populate_record(t, $1::jsonb)).* from ${name} t`;
    expect(await attempt(copy, [{ [key]: theirs }]), name).toMatch(/row-level security policy/);
  }
});

test('without the policies the same statements show the rows of others', async () => {
  await using other = await openTestDatabase();
  await fill(other.url);
  for (const { name, key } of tables) {
    await onServer(other.url, `alter table ${name} disable row level security`);
    const found = await rows(inWorkspace(other.database, ours), `select ${key} from ${name}`);
    expect(found, name).toHaveLength(2);
  }
});

test('hundreds of statements of two workspaces at once, on few connections: each sees its own', async () => {
  await using few = await openTestDatabase({ maxConnections: 3 });
  const resource = tables.find(({ name }) => name === 'resource');
  if (!resource) throw new Error('There is no table of resources.');
  for (const workspace of [ours, theirs]) {
    await onServer(few.url, await rowOf(resource, workspace));
    await onServer(few.url, await rowOf(resource, workspace));
  }
  const ids = await rows<{ id: string; workspaceId: string }>(
    acrossWorkspaces(few.database),
    'select id, workspace_id as "workspaceId" from resource',
  );
  const read = async (n: number) => {
    const workspaceId = n % 2 === 0 ? ours : theirs;
    const ctx = { ...contextAcross(few.database), workspaceId };
    const own = ids.filter((row) => row.workspaceId === workspaceId).map(({ id }) => id);
    if (n % 7 === 0) {
      await expect(rows(ctx, 'select 1 / 0')).rejects.toThrow('division by zero');
    }
    const plain = await rows<{ id: string }>(ctx, 'select id from resource');
    expect(plain.map(({ id }) => id).sort()).toEqual(own.sort());
    if (n % 3 > 0) return;
    // Prisma reads what several transactions look up in one tick together.
    const found = await transaction(
      ctx,
      async ({ db }) => {
        const each = ids.map(({ id }) => db.resource.findFirst({ where: { id } }));
        if (n % 9 === 0) throw new Error('undone');
        return Promise.all(each);
      },
      { patient: true },
    ).catch(() => null);
    if (n % 9 === 0) expect(found).toBeNull();
    else expect(found?.flatMap((row) => row?.id ?? []).sort()).toEqual(own.sort());
  };
  const [waves, atOnce] = [6, 50];
  for (let wave = 0; wave < waves; wave += 1) {
    await Promise.all(Array.from({ length: atOnce }, (_, n) => read(wave * atOnce + n)));
  }
  // What a failed or undone transaction left behind is no one else's.
  expect((await few.database.pool.query('select from resource')).rowCount).toBe(0);
}, 60_000);

test('a connection is set to a workspace only where it is another than it had', async () => {
  await using one = await openTestDatabase({ maxConnections: 1 });
  const client = await one.database.pool.connect();
  const sent: string[] = [];
  const query: (...args: unknown[]) => unknown = client.query;
  Object.assign(client, {
    query(...args: unknown[]) {
      if (typeof args[0] === 'string') sent.push(args[0]);
      return query.apply(client, args);
    },
  });
  client.release();
  const sets = () => sent.filter((text) => text.startsWith('set headwater.workspace')).length;
  const read = (workspaceId: string) => rows(inWorkspace(one.database, workspaceId), 'select 1');
  for (let n = 0; n < 5; n += 1) await read(ours);
  await transaction({ ...contextAcross(one.database), workspaceId: ours }, (tx) =>
    rows(tx, 'select 1'),
  );
  expect(sets()).toBe(1);
  await read(theirs);
  await read(ours);
  await read(ours);
  expect(sets()).toBe(3);
});

test('within a transaction, a context of another workspace is refused', async () => {
  const ctx = { ...contextAcross(opened.database), workspaceId: ours };
  const attempt = transaction(ctx, (tx) => rows({ ...tx, workspaceId: theirs }, 'select 1'));
  await expect(attempt).rejects.toThrow('of another workspace');
});

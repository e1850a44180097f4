// The chain over the audit log: nothing waits for it, nothing is missed, and whatever is done to an entry shows.

import type pg from 'pg';
import { expect, test } from 'vitest';
import { record } from '../../src/audit/audit.ts';
import { sealWhatIsDue } from '../../src/audit/seal.ts';
import { type Verification, verifyLog } from '../../src/audit/verify.ts';
import { contextAcross, contextFor } from '../../src/context.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { transaction } from '../../src/database/transaction.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { backUpToMemory, makeDatabase, restoreFrom } from '../database/backups/databases.ts';

function verify(database: Database, hash: string | null = null): Promise<Verification> {
  return verifyLog(contextAcross(database), { hash });
}

/** A log of five entries, numbered from 1, which are sealed. */
async function openLog(): Promise<Catalog> {
  const catalog = await openCatalog({ alone: true });
  for (const name of ['one', 'two', 'three', 'four', 'five']) await catalog.tag({ name });
  expect(await sealWhatIsDue(catalog.database)).toBe(5);
  return catalog;
}

/** Do something to the tables of the log that their triggers refuse. */
async function tamper(catalog: Catalog, ...statements: readonly string[]): Promise<void> {
  const client: pg.PoolClient = await catalog.owner.connect();
  try {
    await client.query('begin');
    for (const table of ['audit_log', 'audit_seal']) {
      await client.query(`alter table ${table} disable trigger user`);
    }
    for (const statement of statements) await client.query(statement);
    for (const table of ['audit_log', 'audit_seal']) {
      await client.query(`alter table ${table} enable trigger user`);
    }
    await client.query('commit');
  } finally {
    client.release();
  }
}

test('what is not sealed yet is reported, and then sealed in the order of the log', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { database, workspaceId } = catalog;
  const began = Date.now();
  await catalog.tag({ name: 'one' });
  await catalog.tag({ name: 'two' });
  const before = await verify(database);
  expect(before).toMatchObject({ brokenCount: 0, knowsHash: null });
  expect(before.chains).toMatchObject([
    { workspaceId, workspace: 'Test', sealed: 0, unsealed: 2, head: null },
  ]);
  expect(before.chains[0]?.unsealedSince?.getTime()).toBeGreaterThan(began - 5_000);
  expect(await sealWhatIsDue(database)).toBe(2);
  expect(await sealWhatIsDue(database)).toBe(0);
  const { chains, brokenCount } = await verify(database);
  expect({ chains, brokenCount }).toMatchObject({
    chains: [{ sealed: 2, unsealed: 0, unsealedSince: null }],
    brokenCount: 0,
  });
  expect(chains[0]?.head).toMatch(/^[0-9a-f]{64}$/);
});

test('each workspace has a chain of its own', async () => {
  await using catalog = await openLog();
  const other = await catalog.another();
  await other.tag({ name: 'of another' });
  expect(await sealWhatIsDue(catalog.database)).toBe(1);
  const { chains } = await verify(catalog.database);
  expect(chains.map(({ sealed }) => sealed)).toEqual([5, 1]);
  await tamper(
    catalog,
    'delete from audit_log where sequence = 6',
    'delete from audit_seal where sequence = 6',
  );
  expect(await verify(catalog.database)).toMatchObject({ chains: [{ sealed: 5 }], brokenCount: 0 });
});

test('an entry of a transaction that is still open is waited for, by nobody but the seal', async () => {
  await using catalog = await openLog();
  const { database, admin } = catalog;
  let commit = () => {};
  let isWritten = () => {};
  const written = new Promise<void>((resolve) => {
    isWritten = resolve;
  });
  const slow = transaction(admin, async (tx) => {
    await record(tx, { activity: 'tag_created', says: 'slow' });
    isWritten();
    await new Promise<void>((resolve) => {
      commit = resolve;
    });
  });
  await written;
  await catalog.tag({ name: 'quick' });
  expect(await sealWhatIsDue(database)).toBe(0);
  expect(await verify(database)).toMatchObject({
    chains: [{ sealed: 5, unsealed: 1 }],
    brokenCount: 0,
  });
  commit();
  await slow;
  expect(await sealWhatIsDue(database)).toBe(2);
  expect(await verify(database)).toMatchObject({ chains: [{ sealed: 7 }], brokenCount: 0 });
});

test('of many who write while two processes seal, none is missed and none counts as inserted', async () => {
  await using catalog = await openCatalog({ alone: true, maxConnections: 12 });
  const other = await openDatabase({ databaseUrl: catalog.url, maxConnections: 3 });
  let isOver = false;
  const sealing = [catalog.database, other].map(async (database) => {
    while (!isOver) await sealWhatIsDue(database);
  });
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let turn = 0; turn < 25; turn += 1) {
        const undone = transaction(catalog.admin, async (tx) => {
          await record(tx, { activity: 'tag_created', says: `${writer} ${turn}` });
          if (turn % 5 === 0) throw new Error('Undone.');
        });
        await undone.catch(() => {});
      }
    }),
  );
  isOver = true;
  await Promise.all(sealing);
  await sealWhatIsDue(other);
  await sealWhatIsDue(other);
  await other.close();
  expect(await verify(catalog.database)).toMatchObject({
    chains: [{ sealed: 160, unsealed: 0 }],
    brokenCount: 0,
  });
});

test('the program can neither change nor delete an entry or its seal', async () => {
  await using catalog = await openLog();
  const pool = catalog.owner;
  const refused =
    /Entries of the audit log are kept as they are: \w+ of audit_(log|seal) is refused/;
  for (const table of ['audit_log', 'audit_seal']) {
    for (const statement of [
      `update ${table} set workspace_id = workspace_id`,
      `delete from ${table} where sequence = 1`,
      `truncate ${table}`,
    ]) {
      await expect(pool.query(statement), statement).rejects.toThrow(refused);
    }
  }
  // Not even where triggers are off for the session, as they are for replication.
  const client = await pool.connect();
  await client.query('set session_replication_role = replica');
  await expect(client.query('delete from audit_log')).rejects.toThrow(refused);
  client.release(true);
  await expect(pool.query('delete from workspace')).rejects.toThrow(/foreign key/);
  expect(await verify(catalog.database)).toMatchObject({ chains: [{ sealed: 5 }], brokenCount: 0 });
});

test('an entry that was changed is named, whatever was changed of it', async () => {
  await using catalog = await openLog();
  const pool = catalog.owner;
  await pool.query('create table kept as select * from audit_log');
  const { rows: columns } = await pool.query<{ name: string; type: string }>(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
      where a.attrelid = 'audit_log'::regclass and a.attnum > 0 and not a.attisdropped
        and a.attname not in ('workspace_id', 'sequence')`,
  );
  expect(columns.length).toBeGreaterThan(20);
  for (const { name, type } of columns) {
    const other: Record<string, string> = {
      uuid: 'gen_random_uuid()',
      text: `coalesce(${name}, '') || ' '`,
      integer: `coalesce(${name}, 0) + 1`,
      boolean: `not ${name}`,
      jsonb: `'[{"value": "other"}]'`,
      'text[]': `${name} || 'other'::text`,
      'uuid[]': `${name} || gen_random_uuid()`,
      'timestamp(3) with time zone': `${name} + interval '1 ms'`,
    };
    await tamper(catalog, `update audit_log set ${name} = ${other[type]} where sequence = 3`);
    const { broken, brokenCount } = await verify(catalog.database);
    expect([name, brokenCount]).toEqual([name, 1]);
    expect(broken).toMatchObject([{ sequence: 3, how: 'changed' }]);
    await tamper(catalog, 'delete from audit_log', 'insert into audit_log select * from kept');
    expect((await verify(catalog.database)).brokenCount).toBe(0);
  }
});

const copy = (sequence: number) => `insert into audit_log
  select (jsonb_populate_record(a, jsonb_build_object('sequence', ${sequence}, 'id', gen_random_uuid()))).*
  from audit_log a where a.sequence = 2`;

test.each([
  ['removed', ['delete from audit_log where sequence = 2'], 2, 'removed'],
  [
    'removed with its seal',
    ['delete from audit_log where sequence = 2', 'delete from audit_seal where sequence = 2'],
    3,
    'removed with its seal',
  ],
  [
    'inserted in the place of one that was never written',
    [
      'delete from audit_seal',
      "select setval('audit_log_sequence_seq', 20)",
      'update audit_log set sequence = sequence + 10',
      copy(3),
    ],
    null,
    null,
  ],
  ['numbered past all others', [copy(900)], 900, 'inserted'],
  ['numbered anew', ['update audit_log set sequence = 900 where sequence = 2'], 2, 'removed'],
  [
    'exchanged with another one',
    [
      'update audit_log set sequence = 900 where sequence = 2',
      'update audit_log set sequence = 2 where sequence = 3',
      'update audit_log set sequence = 3 where sequence = 900',
    ],
    2,
    'changed',
  ],
  [
    "sealed with another one's hash",
    ["update audit_seal set hash = repeat('a', 64) where sequence = 2"],
    2,
    'changed',
  ],
])('an entry that was %s is reported', async (_name, statements, sequence, how) => {
  await using catalog = await openLog();
  await tamper(catalog, ...statements);
  const { broken, brokenCount } = await verify(catalog.database);
  // A log without seals is one that is not sealed yet.
  if (sequence === null) return expect(brokenCount).toBe(0);
  expect(broken[0]).toMatchObject({ sequence, how, workspaceId: catalog.workspaceId });
});

test('an entry that is inserted among sealed ones is never sealed, and reported', async () => {
  await using catalog = await openLog();
  // A number that was given to a transaction which was undone.
  const undone = transaction(catalog.admin, async (tx) => {
    await record(tx, { activity: 'tag_created' });
    throw new Error('Undone.');
  });
  await expect(undone).rejects.toThrow('Undone.');
  await catalog.tag({ name: 'seven' });
  expect(await sealWhatIsDue(catalog.database)).toBe(1);
  await tamper(catalog, copy(6));
  await catalog.tag({ name: 'eight' });
  expect(await sealWhatIsDue(catalog.database)).toBe(1);
  const { broken, brokenCount } = await verify(catalog.database);
  expect(brokenCount).toBe(1);
  expect(broken).toMatchObject([
    { sequence: 6, how: 'inserted', says: expect.stringMatching(/tag two$/) },
  ]);
});

test('a log whose end was cut off with its seals lacks the head that it had', async () => {
  await using catalog = await openLog();
  const { database } = catalog;
  const [chain] = (await verify(database)).chains;
  const head = chain?.head ?? '';
  expect(await verify(database, head)).toMatchObject({ knowsHash: true });
  await catalog.tag({ name: 'six' });
  await sealWhatIsDue(database);
  expect(await verify(database, head)).toMatchObject({ knowsHash: true, brokenCount: 0 });
  await tamper(
    catalog,
    'delete from audit_log where sequence > 4',
    'delete from audit_seal where sequence > 4',
  );
  expect(await verify(database, head)).toMatchObject({ knowsHash: false, brokenCount: 0 });
});

test('a backup brings the chain along, and it goes on where it was', async () => {
  await using catalog = await openLog();
  await catalog.tag({ name: 'not sealed yet' });
  const { file } = await backUpToMemory(catalog.url);
  await using target = await makeDatabase();
  await restoreFrom(file, target.url);
  const restored = await openDatabase({ databaseUrl: target.url, maxConnections: 2 });
  try {
    const found = { brokenCount: 0, chains: [{ sealed: 5, unsealed: 1 }] };
    expect(await verify(restored)).toMatchObject(found);
    expect(await sealWhatIsDue(restored)).toBe(1);
    const viewer = catalog.admin.viewer;
    await record(contextFor(restored, viewer), { activity: 'tag_created', says: 'after' });
    expect(await sealWhatIsDue(restored)).toBe(1);
    expect(await verify(restored)).toMatchObject({ brokenCount: 0, chains: [{ sealed: 7 }] });
    await expect(restored.pool.query('truncate audit_log')).rejects.toThrow(/is refused/);
  } finally {
    await restored.close();
  }
});

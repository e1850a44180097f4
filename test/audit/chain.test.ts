// The chain over the audit log: nothing waits for it, and nothing is missed.

import { expect, test } from 'vitest';
import { record } from '../../src/audit/audit.ts';
import { sealLock } from '../../src/audit/chain.ts';
import { sealWhatIsDue } from '../../src/audit/seal.ts';
import { contextFor } from '../../src/context.ts';
import { openDatabase } from '../../src/database/open.ts';
import { transaction } from '../../src/database/transaction.ts';
import { openCatalog } from '../catalog.ts';
import { backUpToMemory, makeDatabase, restoreFrom } from '../database/backups/databases.ts';
import { openLog, tamper, verify } from './sealed-log.ts';

test('what is not sealed yet is reported, and then sealed in the order of the log', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { database, workspaceId } = catalog;
  const began = Date.now();
  await catalog.tag({ name: 'one' });
  await catalog.tag({ name: 'two' });
  const before = await verify(database);
  expect(before).toMatchObject({ brokenCount: 0, missing: [] });
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

test('a workspace that another process seals holds up no other one', async () => {
  await using catalog = await openLog();
  const other = await catalog.another();
  await catalog.tag({ name: 'waits' });
  await other.tag({ name: 'is sealed' });
  const process = await catalog.owner.connect();
  try {
    await process.query('begin');
    await process.query(`select pg_advisory_xact_lock(${sealLock}, hashtext($1))`, [
      catalog.workspaceId,
    ]);
    expect(await sealWhatIsDue(catalog.database)).toBe(1);
    const unsealed = async () =>
      (await verify(catalog.database)).chains.map(({ sealed, unsealed }) => [sealed, unsealed]);
    expect(await unsealed()).toEqual([
      [5, 1],
      [1, 0],
    ]);
    await process.query('rollback');
    expect(await sealWhatIsDue(catalog.database)).toBe(1);
    expect((await verify(catalog.database)).brokenCount).toBe(0);
  } finally {
    process.release();
  }
});

test('of a workspace with thousands of entries and one with a single one both are sealed in the first turn', async () => {
  await using catalog = await openCatalog({ alone: true });
  const other = await catalog.another();
  await other.tag({ name: 'single' });
  await catalog.owner.query(
    `insert into audit_log (workspace_id, activity_type, performer_type)
      select $1, 'tag_created', 'API' from generate_series(1, 4500)`,
    [catalog.workspaceId],
  );
  expect(await sealWhatIsDue(catalog.database)).toBe(4_000);
  const { chains } = await verify(catalog.database);
  expect(chains.map(({ sealed, unsealed }) => [sealed, unsealed])).toEqual([
    [3_999, 501],
    [1, 0],
  ]);
  expect(await sealWhatIsDue(catalog.database)).toBe(501);
  expect((await verify(catalog.database)).brokenCount).toBe(0);
});

test('an entry of a transaction that is still open is waited for, by no one but the seal', async () => {
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
      `truncate ${table} cascade`,
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

// Whatever is done to an entry of the audit log, or to its seal, shows.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { record } from '../../src/audit/audit.ts';
import { contentHash, linkHash, sealedContentHash } from '../../src/audit/chain.ts';
import { sealWhatIsDue } from '../../src/audit/seal.ts';
import { transaction } from '../../src/database/transaction.ts';
import { openLog, tamper, verify } from './sealed-log.ts';

test.each([
  ['audit_log', 20],
  ['audit_seal', 4],
] as const)('what was changed of %s is named, whatever it was', async (table, atLeast) => {
  await using catalog = await openLog();
  const pool = catalog.owner;
  await pool.query(`create table kept as select * from ${table}`);
  const { rows: columns } = await pool.query<{ name: string; type: string }>(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
      where a.attrelid = '${table}'::regclass and a.attnum > 0 and not a.attisdropped
        and a.attname not in ('workspace_id', 'sequence')`,
  );
  expect(columns.length).toBeGreaterThan(atLeast);
  for (const { name, type } of columns) {
    const other: Record<string, string> = {
      uuid: 'gen_random_uuid()',
      text: `coalesce(${name}, '') || ' '`,
      integer: `coalesce(${name}, 0) + 100`,
      smallint: `3 - ${name}`,
      boolean: `not ${name}`,
      jsonb: `'[{"value": "other"}]'`,
      'text[]': `${name} || 'other'::text`,
      'uuid[]': `${name} || gen_random_uuid()`,
      'timestamp(3) with time zone': `${name} + interval '1 ms'`,
    };
    await tamper(catalog, `update ${table} set ${name} = ${other[type]} where sequence = 3`);
    const { broken, brokenCount } = await verify(catalog.database);
    expect([name, broken[0]?.sequence]).toEqual([name, 3]);
    // The links after one that was changed don't fit any more either.
    if (table === 'audit_log') expect([name, brokenCount]).toEqual([name, 1]);
    if (name !== 'position') expect(broken[0]?.how).toBe('changed');
    await tamper(catalog, `delete from ${table}`, `insert into ${table} select * from kept`);
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
      "select setval('audit_log_number_seq', 20)",
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
  expect(await verify(database, head)).toMatchObject({ missing: [] });
  const strange = ['a'.repeat(64), 'b'.repeat(64)] as const;
  expect((await verify(database, strange[0], head, strange[1])).missing).toEqual(strange);
  await catalog.tag({ name: 'six' });
  await sealWhatIsDue(database);
  expect(await verify(database, head)).toMatchObject({ missing: [], brokenCount: 0 });
  await tamper(
    catalog,
    'delete from audit_log where sequence > 4',
    'delete from audit_seal where sequence > 4',
  );
  expect(await verify(database, head)).toMatchObject({ missing: [head], brokenCount: 0 });
});

test.each([1, 2])('links of form %i hold, and the chain goes on from there', async (form) => {
  await using catalog = await openLog();
  const { rows: entries } = await catalog.owner.query<{
    position: number;
    content: string;
    sealedAt: Date;
  }>(
    `select row_number() over (order by a.sequence)::int as position, ${sealedContentHash.sql} as content,
        s.sealed_at as "sealedAt"
      from audit_log a join (select sequence, sealed_at, ${form} as form from audit_seal) s using (sequence) order by 1`,
  );
  let hash = catalog.workspaceId;
  const links = entries.map(({ position, content, sealedAt }) => {
    hash =
      form === 1
        ? createHash('sha256').update(`${position}\n${hash}\n${content}`).digest('hex')
        : linkHash({ form, position, previous: hash, content, sealedAt });
    return `update audit_seal set form = ${form}, hash = '${hash}' where position = ${position}`;
  });
  await tamper(catalog, ...links);
  expect(await verify(catalog.database, hash)).toMatchObject({ brokenCount: 0, missing: [] });
  // Such a link, which a process of the version before may make, does not hold what came with form 3.
  await tamper(catalog, "update audit_log set credential = 'JOB' where sequence = 4");
  expect(await verify(catalog.database)).toMatchObject({ brokenCount: 0 });
  await catalog.tag({ name: 'six' });
  expect(await sealWhatIsDue(catalog.database)).toBe(1);
  expect(await verify(catalog.database)).toMatchObject({ brokenCount: 0, chains: [{ sealed: 6 }] });
  await tamper(catalog, 'update audit_seal set form = 3 where position = 5');
  expect((await verify(catalog.database)).broken).toMatchObject([{ sequence: 5 }]);
});

test('the hash of an entry is that of PostgreSQL as documented, for good', async () => {
  await using catalog = await openLog();
  const { rows: known } = await catalog.owner.query<{ one: string; hash: string }>(
    `select encode(sha256(convert_to(jsonb_build_array(2, a.sequence, a.workspace_id, a.id, a.parent_id,
        a.activity_type, a.performer_id, a.performer_type, a.performer_metadata, a.request_id, a.key_id,
        a.resource_id, a.resource_type, a.resource_version, a.changed_fields, a.changes, a.resource_metadata,
        a.related_resource_ids, a.related_resource_type, a.event_blocks, a.version_history_id, a.is_legacy,
        a.logged_at at time zone 'UTC', a.created_at at time zone 'UTC', a.updated_at at time zone 'UTC',
        a.client_address, a.credential)::text, 'UTF8')), 'hex') as one, ${contentHash.sql} as hash
      from audit_log a`,
  );
  expect(known).toHaveLength(5);
  for (const { one, hash } of known) expect(hash).toBe(one);
});

// Whom requests run as, and what that account may use, on servers with logins of every kind.

import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { contextAcross } from '../../src/context.ts';
import { functionsOfIndexes } from '../../src/database/leakproof.ts';
import { openDatabase } from '../../src/database/open.ts';
import { acrossWorkspaces, inWorkspace } from '../../src/database/outside.ts';
import { requestRole } from '../../src/database/row-security.ts';
import { rows } from '../../src/database/rows.ts';
import { makeScratch } from '../../src/database/scratch.ts';
import { transaction } from '../../src/database/transaction.ts';
import { openTestDatabase, type TestDatabase } from '../database.ts';
import { addressOf, onServer } from '../server.ts';

const ours = randomUUID();

/** A login with these rights, and an empty database of its own, until it is disposed of. */
async function openAs(rights: string) {
  const server = inject('server');
  const name = `headwater_login_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `create role ${name} login password '${name}' ${rights}`);
  await onServer(
    server,
    `create database ${name} owner ${name} template template0 encoding 'UTF8' lc_collate 'C'`,
  );
  const address = new URL(addressOf(server, name));
  address.username = name;
  address.password = name;
  return {
    name,
    url: address.href,
    /** The same database for an administrator. */
    admin: addressOf(server, name),
    /** What a start says, and whom it runs as. */
    async start() {
      const notices: string[] = [];
      const onNotice = (message: string) => notices.push(message);
      const database = await openDatabase({
        databaseUrl: address.href,
        maxConnections: 2,
        onNotice,
      });
      try {
        const across = acrossWorkspaces(database);
        const [session] = await rows<{ who: string }>(across, 'select current_user as who');
        await transaction(contextAcross(database), (tx) =>
          tx.db.workspace.createMany({ data: [{ name: 'One' }, { name: 'Two' }] }),
        );
        const all = await rows(across, 'select from workspace');
        const none = await rows(inWorkspace(database, ours), 'select from workspace');
        const said = notices.filter((notice) => !notice.startsWith('Applied'));
        return { who: session?.who, said, all: all.length, foreign: none.length };
      } finally {
        await database.close();
      }
    },
    async [Symbol.asyncDispose]() {
      await onServer(server, `drop database if exists ${name} with (force)`);
      await onServer(server, `drop role ${name}`);
    },
  };
}

test('a superuser runs requests as a role that policies bind, and keeps what they need', async () => {
  await using opened = await openTestDatabase();
  const across = acrossWorkspaces(opened.database);
  const [session] = await rows<{ who: string; login: string; isAbove: boolean }>(
    across,
    `select current_user as who, session_user as login, rolsuper or rolbypassrls as "isAbove"
     from pg_roles where rolname = current_user`,
  );
  expect(session).toMatchObject({ who: requestRole, isAbove: false });
  expect(session?.login).not.toBe(requestRole);
  await makeScratch(across, 'kept', 'n integer');
  // Reset as often as one likes: it is what the session began with.
  await rows(across, 'reset role');
  const [after] = await rows<{ who: string }>(across, 'select current_user as who');
  expect(after?.who).toBe(requestRole);
  await expect(rows(across, 'alter table tag disable row level security')).rejects.toThrow(/owner/);
  await expect(rows(across, 'select from "_prisma_migrations"')).rejects.toThrow(/denied/);
  // An import has what it filled analyzed; PostgreSQL before 17 has no such right to give.
  const read = `select current_setting('server_version_num')::int >= 170000 as "hasRight",
    (select last_analyze from pg_stat_user_tables where relname = 'tag') as analyzed`;
  await rows(across, 'analyze tag');
  await expect
    .poll(async () => {
      const [found] = await onServer<{ hasRight: boolean; analyzed: Date | null }>(
        opened.url,
        read,
      );
      return found?.hasRight === (found?.analyzed !== null);
    })
    .toBe(true);
});

test('an ordinary owner is bound itself, and search asks for an administrator', async () => {
  await using place = await openAs('');
  const first = await place.start();
  expect(first).toMatchObject({ who: place.name, all: 2, foreign: 0 });
  expect(first.said).toEqual([expect.stringMatching(/^Search and some filters read all rows/)]);
  for (const name of functionsOfIndexes) {
    await onServer(place.admin, `alter function ${name} leakproof`);
  }
  expect((await place.start()).said).toEqual([]);
});

test('a login above policies that has no role to run as works, and its start says so', async () => {
  await using place = await openAs('bypassrls');
  const alone = await place.start();
  expect(alone).toMatchObject({ who: place.name, all: 2, foreign: 2 });
  expect(alone.said[0]).toMatch(/^Row-level security does not bind the login headwater_login_/);
  // What the administrator runs, as docs/operations.md has it.
  await onServer(place.admin, `grant ${requestRole} to ${place.name}`);
  const granted = await place.start();
  expect(granted).toMatchObject({ who: requestRole, all: 4, foreign: 0 });
  expect(granted.said.join()).not.toContain('does not bind');
});

/** Conditions that an index other than the one of ids answers, and that index. */
const conditions: readonly [name: string, condition: string, table?: string][] = [
  ['search_document_doc_idx', `doc @@ 'w4242'::tsquery`, 'search_document'],
  ['resource_lists_idx', `tag_ids && array['33333333-3333-4333-8333-000000000042'::uuid]`],
  ['resource_lists_idx', `team_ids @> array['33333333-3333-4333-8333-000000000042'::uuid]`],
  ['resource_title_trigram_idx', `not archived and lower(title) like '%4242%'`],
  [
    'resource_title_trigram_idx',
    `not archived and lower(title) like '%4242%' and array[kind] && array['table']`,
  ],
  ['resource_title_trigram_idx', `not archived and lower('orders 4242') <% lower(title)`],
  ['resource_title_idx', `not archived and left(lower(title), 256) collate "C" = 'orders 4242'`],
  ['resource_workspace_id_parent_id_idx', `parent_id = '33333333-3333-4333-8333-000000000042'`],
];

async function plansOf({ database }: TestDatabase): Promise<string[]> {
  return Promise.all(
    conditions.map(async ([, condition, table = 'resource']) => {
      const plan = await rows<{ 'QUERY PLAN': string }>(
        inWorkspace(database, ours),
        `explain (costs off) select * from ${table}
         where workspace_id = '${ours}' and ${condition}`,
      );
      return plan.map((line) => line['QUERY PLAN']).join('\n');
    }),
  );
}

test('conditions under a policy are answered by the indexes made for them', async () => {
  await using opened = await openTestDatabase();
  await onServer(
    opened.url,
    `insert into workspace (id, name) values ('${ours}', 'Ours');
     insert into resource (workspace_id, kind, title, title_full, description, definition, tag_ids, team_ids)
     select '${ours}', 'table', 'orders ' || n, 'orders ' || n, 'w' || n, 'w' || n, ids, ids
     from generate_series(1, 20000) n, lateral (select
       array[('33333333-3333-4333-8333-' || lpad((n % 5000)::text, 12, '0'))::uuid] as ids) i`,
  );
  await onServer(opened.url, 'vacuum analyze resource');
  await onServer(opened.url, 'vacuum analyze search_document');
  const plans = await plansOf(opened);
  for (const [n, [index]] of conditions.entries()) expect(plans[n]).toContain(index);
  // Without the marks, the policy comes before what only the condition itself could reveal.
  for (const name of functionsOfIndexes) {
    await onServer(opened.url, `alter function ${name} not leakproof`);
  }
  const bare = await plansOf(opened);
  for (const [n, [index]] of conditions.slice(0, 6).entries()) expect(bare[n]).not.toContain(index);
});

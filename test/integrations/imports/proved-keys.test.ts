// Large imports write without looking up each key: what they refer to is there all the same, and triggers fire.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { feedJsonl, resourceAt } from './feed.ts';

const many = 1_500;
const keys = (prefix: string) => Array.from({ length: many }, (_, n) => `${prefix}${n}`);
const table = (key: string) => ({
  entity_type: 'table',
  databuilder_id: key,
  title: `${key} sold`,
});
const edge = (from: string, to: string) => ({
  from_identifier: { internal_resource: { databuilder_id: from } },
  to_identifier: { internal_resource: { databuilder_id: to } },
});
const chain = (names: readonly string[]) => names.slice(1).map((to, n) => edge(names[n] ?? '', to));

/** Whether this server lets imports leave out the checks: the packaged one does. */
async function mayLeaveChecks({ database }: Catalog): Promise<boolean> {
  const setting = database.prisma.$executeRaw`set session_replication_role = origin`;
  return setting.then(
    () => true,
    () => false,
  );
}

const edgesOf = ({ database, workspaceId }: Catalog) =>
  database.prisma.lineageEdge.count({ where: { workspaceId } });

/** Statements that prove keys. */
const proves = (text: string) => /^with old as materialized/.test(text);

test('a large import leaves out the checks where it may, and no trigger', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const names = keys('t');
  const lines = { resources: names.map(table), lineages: chain(names) };
  const { statements } = await catalog.counting(() => feedJsonl(catalog, integration, lines));
  expect(statements.filter(proves)).toHaveLength((await mayLeaveChecks(catalog)) ? 2 : 0);
  const { rows: words } = await catalog.owner.query(
    `select word from title_word where word = 'sold' and workspace_id = $1`,
    [catalog.workspaceId],
  );
  expect(words).toHaveLength(1);
  const { rows: logged } = await catalog.owner.query(
    `select distinct what from lineage_log
      where workspace_id = $1 and what in ('new', 'edge', 'all') order by what`,
    [catalog.workspaceId],
  );
  expect(logged).toEqual([{ what: 'edge' }, { what: 'new' }]);
  expect(await edgesOf(catalog)).toBe(many - 1);

  const few = { resources: [...names, 'one more'].map(table) };
  const { statements: after } = await catalog.counting(() => feedJsonl(catalog, integration, few));
  expect(after.filter(proves)).toEqual([]);
});

test('no trigger of what imports write, or of the audit log, can be left out', async () => {
  await using catalog = await openCatalog();
  const { rows } = await catalog.owner.query<{ name: string; enabled: string }>(
    `select tgname as name, tgenabled as enabled from pg_trigger
      where tgrelid in ('resource'::regclass, 'lineage_edge'::regclass, 'audit_log'::regclass,
        'audit_seal'::regclass) and not tgisinternal`,
  );
  expect(rows.length).toBeGreaterThan(12);
  expect(rows.filter(({ enabled }) => enabled !== 'A')).toEqual([]);
});

test('what lies under a large import, and what its lineage leads to, cannot go before it ends', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const old = keys('old');
  await feedJsonl(catalog, integration, { resources: [...old.map(table), schemaLine] });
  const gone = await resourceAt(catalog, 'old7 sold');

  // Planned with an end that is there, and written when it no longer is: then each key is looked up.
  const edges = whileWaiting(
    catalog,
    () => feedJsonl(catalog, integration, { lineages: chain(old) }),
    () => catalog.owner.query('delete from resource where id = $1', [gone.id]),
  );
  await expect(edges).rejects.toThrow(/foreign key constraint "lineage_edge_workspace_id_/);
  expect(await edgesOf(catalog)).toBe(0);

  const schema = await resourceAt(catalog, 'schema');
  const within = keys('new').map((key) => ({ ...table(key), parent_databuilder_id: 'schema' }));
  const tables = whileWaiting(
    catalog,
    () => feedJsonl(catalog, integration, { resources: within }, { stale: false }),
    () => catalog.owner.query('delete from resource where id = $1', [schema.id]),
  );
  // Planned again, it says what is missing.
  await expect(tables).rejects.toThrow(
    'resources.jsonl, line 1: parent_databuilder_id names "schema", which is neither in this file nor in the integration.',
  );
  const { rows } = await catalog.owner.query(
    `select from resource where databuilder_id like 'new%' and workspace_id = $1`,
    [catalog.workspaceId],
  );
  expect(rows).toEqual([]);
});

const schemaLine = { entity_type: 'schema', databuilder_id: 'schema', title: 'schema' };

/** Do `work`, an import, and `meanwhile` when it is about to write, and waits for its integration. */
async function whileWaiting<T>(
  catalog: Catalog,
  work: () => Promise<T>,
  meanwhile: () => Promise<unknown>,
): Promise<T> {
  const holder = await catalog.owner.connect();
  try {
    await holder.query('begin');
    await holder.query('select from integration for update');
    const importing = work();
    importing.catch(() => {});
    for (let waiting = 0; waiting === 0; await sleep(10)) {
      const { rows } = await catalog.owner.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      );
      waiting = rows[0]?.n ?? 0;
    }
    await meanwhile();
    await holder.query('commit');
    return await importing;
  } finally {
    holder.release();
  }
}

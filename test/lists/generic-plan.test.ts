// Lists that are read by a generic plan, and those that PostgreSQL plans for their values.

import { expect, test } from 'vitest';
import { listAuditLogs } from '../../src/audit/list.ts';
import type { Context } from '../../src/context.ts';
import { rows } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import type { PageArgs } from '../../src/lists/page.ts';
import { listResources, type ResourceQuery } from '../../src/resources/resource.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { rowsRead } from './rows-read.ts';

const times = 20;

/** How often the statements that read a list had a plan for their values, and how often a generic one. */
async function plansOf(catalog: Catalog, read: (tx: Context, time: number) => Promise<unknown>) {
  return transaction(catalog.admin, async (tx) => {
    const plans = () =>
      rows<{ statement: string; generic: number; custom: number }>(
        tx,
        `select statement, generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
          where statement like '%as "cursor"%' and statement not like '%pg_prepared_statements%'`,
      );
    const before = new Map((await plans()).map((plan) => [plan.statement, plan]));
    for (let time = 0; time < times; time += 1) await read(tx, time);
    return (await plans()).flatMap(({ statement, generic, custom }) => {
      const earlier = before.get(statement) ?? { generic: 0, custom: 0 };
      const used = { generic: generic - earlier.generic, custom: custom - earlier.custom };
      return used.generic + used.custom > 0 ? [{ statement, ...used }] : [];
    });
  });
}

/** Tables of which every second one has a tag: its id. */
async function tables(catalog: Catalog) {
  const { rows: made } = await catalog.owner.query<{ id: string }>(
    "insert into tag (workspace_id, name) values ($1, 'core') returning id",
    [catalog.workspaceId],
  );
  const tag = made[0]?.id ?? '';
  await catalog.owner.query(
    `insert into resource (workspace_id, kind, title, title_full, tag_ids)
      select $1, 'table', 'orders_' || n, 'orders_' || n, case when n % 2 = 0 then array[$2::uuid] else '{}' end
      from generate_series(1, 3000) n`,
    [catalog.workspaceId, tag],
  );
  await catalog.owner.query('analyze resource');
  return tag;
}

test('pages that differ by their cursor or their number alone are planned once', async () => {
  await using catalog = await openCatalog();
  await tables(catalog);
  const { cursorAt } = await listResources(
    catalog.admin,
    { kinds: ['table'] },
    { first: 2 * times },
  );
  const lists: [(time: number) => ResourceQuery, (time: number) => PageArgs][] = [
    [() => ({ kinds: ['table'] }), (time) => ({ first: 2, after: cursorAt(time) })],
    [() => ({ kinds: ['table'] }), (time) => ({ page: time + 2, pageSize: 2 })],
    [() => ({ order: 'used' }), (time) => ({ page: time + 2 })],
  ];
  for (const [query, args] of lists) {
    const plans = await plansOf(catalog, (tx, time) => listResources(tx, query(time), args(time)));
    expect(plans).toHaveLength(1);
    // PostgreSQL makes five plans for their values before it compares them with a generic one.
    expect(plans[0]?.custom, plans[0]?.statement).toBeLessThanOrEqual(5);
    expect(plans[0]?.generic).toBeGreaterThan(times / 2);
  }
  const audit = await plansOf(catalog, (tx, time) => listAuditLogs(tx, {}, { page: time + 2 }));
  expect(audit[0]?.generic).toBeGreaterThan(times / 2);
});

test('each kind has a plan of its own, and a list that is narrowed to a tag is planned for each tag', async () => {
  await using catalog = await openCatalog();
  const tag = await tables(catalog);
  const ofKind = await plansOf(catalog, (tx, time) =>
    listResources(tx, { kinds: [time % 2 === 0 ? 'table' : 'dashboard'] }, { first: 2 }),
  );
  expect(ofKind.map(({ statement }) => /r\.kind = '\w+'/.exec(statement)?.[0]).sort()).toEqual([
    "r.kind = 'dashboard'",
    "r.kind = 'table'",
  ]);
  for (const query of [{}, { kinds: ['table'] as const }]) {
    const where = { tags: { some: { id: { eq: tag } } } };
    const plans = await plansOf(catalog, (tx) =>
      listResources(tx, { ...query, where }, { first: 2 }),
    );
    expect(plans).toMatchObject([{ generic: 0 }]);
    expect(plans[0]?.custom).toBeGreaterThan(times / 2);
  }
});

test('tables of a rare tag and of a frequent one are found without reading the others', async () => {
  await using catalog = await openCatalog();
  const frequent = await tables(catalog);
  const rare = await catalog.tag();
  await catalog.owner.query(
    `update resource set tag_ids = tag_ids || $2::uuid where workspace_id = $1 and title in ('orders_3', 'orders_5')`,
    [catalog.workspaceId, rare.id],
  );
  await catalog.owner.query('vacuum analyze resource');
  const read = (tag: string) => (tx: Context) =>
    listResources(
      tx,
      { kinds: ['table'], where: { tags: { some: { id: { eq: tag } } } } },
      { first: 2 },
    );
  // As often as it takes PostgreSQL to choose a generic plan, had it one that looked cheaper.
  for (let time = 0; time < 12; time += 1) {
    expect(await rowsRead(catalog, read(rare.id))).toBeLessThan(100);
    expect(await rowsRead(catalog, read(frequent))).toBeLessThan(100);
  }
});

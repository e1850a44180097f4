// Lists whose plan PostgreSQL keeps, and those that it plans for what they are asked with.

import { expect, test } from 'vitest';
import { listAuditLogs } from '../../src/audit/list.ts';
import type { Context } from '../../src/context.ts';
import { rows } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import type { PageArgs } from '../../src/lists/page.ts';
import { listResources, type ResourceQuery } from '../../src/resources/resource.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

const times = 20;

/** How often the statements that a list is read with were planned for their values, and how often by a plan that was kept. */
async function plansOf(catalog: Catalog, read: (tx: Context, time: number) => Promise<unknown>) {
  return transaction(catalog.admin, async (tx) => {
    const plans = () =>
      rows<{ statement: string; kept: number; own: number }>(
        tx,
        `select statement, generic_plans::int as kept, custom_plans::int as own from pg_prepared_statements
          where statement like '%as "cursor"%' and statement not like '%pg_prepared_statements%'`,
      );
    const before = new Map((await plans()).map((plan) => [plan.statement, plan]));
    for (let time = 0; time < times; time += 1) await read(tx, time);
    return (await plans()).flatMap(({ statement, kept, own }) => {
      const { kept: keptBefore = 0, own: ownBefore = 0 } = before.get(statement) ?? {};
      const plan = { statement, kept: kept - keptBefore, own: own - ownBefore };
      return plan.kept + plan.own > 0 ? [plan] : [];
    });
  });
}

/** Tables of which every second one has a tag, a page of two of them, and where it ends. */
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

test('what differs by its cursor, its number or one condition of unknown size alone is planned once', async () => {
  await using catalog = await openCatalog();
  const tag = await tables(catalog);
  const { cursorAt } = await listResources(
    catalog.admin,
    { kinds: ['table'] },
    { first: 2 * times },
  );
  const titled = (time: number) => ({ where: { title: { contains: `orders_${time}` } } });
  const lists: [(time: number) => ResourceQuery, (time: number) => PageArgs][] = [
    [() => ({ kinds: ['table'] }), (time) => ({ first: 2, after: cursorAt(time) })],
    [() => ({ kinds: ['table'] }), (time) => ({ page: time + 2, pageSize: 2 })],
    [() => ({ order: 'used' }), (time) => ({ page: time + 2 })],
    [titled, () => ({ first: 2 })],
    [() => ({ where: { tags: { some: { id: { eq: tag } } } } }), () => ({ first: 2 })],
  ];
  for (const [query, args] of lists) {
    const plans = await plansOf(catalog, (tx, time) => listResources(tx, query(time), args(time)));
    expect(plans).toHaveLength(1);
    // PostgreSQL makes five plans for their values before it compares them with one for all.
    expect(plans[0]?.own, plans[0]?.statement).toBeLessThanOrEqual(5);
    expect(plans[0]?.kept).toBeGreaterThan(times / 2);
  }
  const audit = await plansOf(catalog, (tx, time) => listAuditLogs(tx, {}, { page: time + 2 }));
  expect(audit[0]?.kept).toBeGreaterThan(times / 2);
});

test('each kind has a plan of its own; two conditions, and a kind in an order that no index has it in, are planned for what they ask', async () => {
  await using catalog = await openCatalog();
  const tag = await tables(catalog);
  const ofKind = await plansOf(catalog, (tx, time) =>
    listResources(tx, { kinds: [time % 2 === 0 ? 'table' : 'dashboard'] }, { first: 2 }),
  );
  expect(ofKind.map(({ statement }) => /r\.kind = '\w+'/.exec(statement)?.[0]).sort()).toEqual([
    "r.kind = 'dashboard'",
    "r.kind = 'table'",
  ]);
  const both = { tags: { some: { id: { eq: tag } } }, title: { contains: 'orders_1' } };
  for (const query of [
    { where: both },
    { kinds: ['table'] as const, where: { tags: both.tags } },
  ]) {
    const [plan] = await plansOf(catalog, (tx) => listResources(tx, query, { first: 2 }));
    // What a parameter says is what PostgreSQL is to plan for.
    expect(plan?.statement).toMatch(/limit \$\d+/);
  }
});

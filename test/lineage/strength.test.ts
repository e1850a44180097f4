// Lineage of two strengths: values that flow, and columns that only decide about rows.

import { expect, test } from 'vitest';
import { rows } from '../../src/database/rows.ts';
import { listLineageEntries } from '../../src/lineage/edge.ts';
import {
  createFromQuery,
  previewQuery,
  replaceFromQuery,
} from '../../src/lineage/queries/from-query.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { table } from './table.ts';

const sql = `insert into totals (country, total, kind)
  select c.country, sum(o.amount), case when o.state = 'paid' then 'sale' else 'offer' end
  from orders o join customers c on c.id = o.customer_id
  where o.day > '2024-01-01' and o.state <> 'void'
  group by c.country, o.state order by c.country`;

async function shop(catalog: Catalog) {
  return {
    orders: await table(catalog, 'orders', ['id', 'customer_id', 'amount', 'state', 'day', 'note']),
    customers: await table(catalog, 'customers', ['id', 'country']),
    totals: await table(catalog, 'totals', ['country', 'total', 'kind']),
  };
}

/** Edges of columns that hold: between which, how strong, and for what. */
async function edges(catalog: Catalog): Promise<string[]> {
  const found = await rows<{ edge: string }>(
    catalog.admin,
    `select s.title_full || ' > ' || t.title_full || ' ' || e.strength || ' '
        || array_to_string(e.uses, ',') as edge
      from lineage_edge e join resource s on s.id = e.source_id join resource t on t.id = e.target_id
      where e.workspace_id = $1::uuid and e.valid_to is null and e.level = 'COLUMN' order by 1`,
    [catalog.workspaceId],
  );
  return found.map(({ edge }) => edge.replaceAll('shop.public.', ''));
}

test('what decides about rows is kept once for a column and a table, with what it is used for', async () => {
  await using catalog = await openCatalog();
  await shop(catalog);

  await createFromQuery(catalog.admin, { sql, dialect: 'postgres' });

  expect(await edges(catalog)).toEqual([
    'customers.country > totals INDIRECT GROUP_BY,SORT',
    'customers.country > totals.country DIRECT IDENTITY',
    'customers.id > totals INDIRECT JOIN',
    'orders.amount > totals.total DIRECT AGGREGATION',
    'orders.customer_id > totals INDIRECT JOIN',
    'orders.day > totals INDIRECT FILTER',
    'orders.state > totals INDIRECT FILTER,GROUP_BY',
    'orders.state > totals.kind DIRECT CONDITIONAL',
  ]);
});

test('a query that is replaced takes what it decided by along; one that is read again changes its uses', async () => {
  await using catalog = await openCatalog();
  await shop(catalog);
  await createFromQuery(catalog.admin, { sql, dialect: 'postgres' });

  const next = 'insert into totals (total) select max(amount) + 1 from orders order by state';
  await replaceFromQuery(catalog.admin, { sql: next, dialect: 'postgres' });

  expect(await edges(catalog)).toEqual([
    'orders.amount > totals.total DIRECT TRANSFORMATION,AGGREGATION',
    'orders.state > totals INDIRECT SORT',
  ]);
});

test('tables that a script makes on its way hand on what decided about their rows', async () => {
  await using catalog = await openCatalog();
  await shop(catalog);
  const script = `create temp table paid as select customer_id, amount from orders where state = 'paid';
    create temp table big as select customer_id, amount * 2 as doubled from paid where amount > 5;
    insert into totals (total) select sum(doubled) from big group by customer_id`;

  await createFromQuery(catalog.admin, { sql: script, dialect: 'postgres' });

  expect(await edges(catalog)).toEqual([
    'orders.amount > totals INDIRECT FILTER',
    'orders.amount > totals.total DIRECT TRANSFORMATION,AGGREGATION',
    'orders.customer_id > totals INDIRECT GROUP_BY',
    'orders.state > totals INDIRECT FILTER',
  ]);
});

test('a column of an incremental model keeps that it is made of what it held before', async () => {
  await using catalog = await openCatalog();
  const { totals } = await shop(catalog);
  const own = `select o.amount + coalesce(t.total, 0) as total from orders o
    left join totals t on t.country = o.state`;

  await replaceFromQuery(catalog.admin, { sql: own, dialect: 'postgres', tableId: totals.id });

  expect(await edges(catalog)).toEqual([
    'orders.amount > totals.total DIRECT TRANSFORMATION',
    'orders.state > totals INDIRECT JOIN',
    'totals.total > totals.total DIRECT TRANSFORMATION',
  ]);
});

test('lineage answers values that flow, and what decides about rows where it is asked for', async () => {
  await using catalog = await openCatalog();
  const { orders, totals } = await shop(catalog);
  await createFromQuery(catalog.admin, { sql, dialect: 'postgres' });
  const query = `query ($from: [ID!]!, $strengths: [LineageStrength!]! = [DIRECT]) {
    lineage(from: $from, level: COLUMN, direction: DOWNSTREAM, strengths: $strengths) {
      nodes { resource { id } } edges { targetId strength uses } } }`;
  const ask = async (variables: Record<string, unknown>) => {
    const answer = await catalog.graphql(query, { from: [orders.column('state')], ...variables });
    return answer.data.lineage;
  };

  const direct = await ask({});
  expect(direct.edges).toEqual([
    { targetId: totals.column('kind'), strength: 'DIRECT', uses: ['CONDITIONAL'] },
  ]);
  expect(JSON.stringify(direct.nodes)).not.toContain(totals.id);

  const both = await ask({ strengths: ['DIRECT', 'INDIRECT'] });
  expect(both.edges).toContainEqual({
    targetId: totals.id,
    strength: 'INDIRECT',
    uses: ['FILTER', 'GROUP_BY'],
  });
  expect(both.edges).toHaveLength(2);
});

test('entries, first hops and paths know nothing of columns that only decide', async () => {
  await using catalog = await openCatalog();
  const { orders, totals } = await shop(catalog);
  await createFromQuery(catalog.admin, { sql, dialect: 'postgres' });

  const page = await listLineageEntries(catalog.admin, { fromIds: [orders.column('day')] }, {});
  const hop = await catalog.graphql(
    `query ($id: ID!, $to: ID!) {
      resource(id: $id) { downstream { id } }
      lineagePath(from: $id, to: $to, level: COLUMN) { id } }`,
    { id: orders.column('day'), to: totals.column('total') },
  );

  expect(page.nodes).toEqual([]);
  expect(hop.data).toEqual({ resource: { downstream: [] }, lineagePath: null });
});

test('a table that a query creates is shown with its columns, though the catalog has it not', async () => {
  await using catalog = await openCatalog();
  const { totals } = await shop(catalog);
  const preview = async (text: string, dialect: string, tableId?: string) => {
    const found = await previewQuery(catalog.admin, { sql: text, dialect, tableId });
    return {
      target: found.target?.name,
      reads: found.sources.map(({ name }) => name),
      columns: found.columns.map(({ from, to }) => `${from.table?.name}.${from.name} > ${to.name}`),
    };
  };
  const whole = { target: 'x', reads: ['orders'], columns: ['orders.amount > total'] };

  expect(await preview('create table x as select amount as total from orders', 'postgres')).toEqual(
    whole,
  );
  expect(await preview('create view x as select amount as total from orders', 'postgres')).toEqual(
    whole,
  );
  expect(await preview('select amount as total into x from orders', 'tsql')).toEqual(whole);
  expect(
    await preview('create table x as select amount as total from orders', 'postgres', totals.id),
  ).toEqual({ ...whole, target: 'shop.public.totals' });

  const stored = {
    sql: 'create table x as select amount as total from orders where day > now()',
    dialect: 'postgres',
    tableId: totals.id,
  };
  await createFromQuery(catalog.admin, stored);
  expect(await edges(catalog)).toEqual([
    'orders.amount > totals.total DIRECT IDENTITY',
    'orders.day > totals INDIRECT FILTER',
  ]);
});

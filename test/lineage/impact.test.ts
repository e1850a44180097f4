// What a change reaches: by values and by what decides about rows, why, and how sure that is.

import { expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createLineage } from '../../src/lineage/edge.ts';
import { type ImpactQuery, impact } from '../../src/lineage/impact/impact.ts';
import { createFromQuery } from '../../src/lineage/queries/from-query.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { table } from './table.ts';

const query = `query ($of: [ID!]!) { impact(of: $of) { hiddenNodes
  columns { resource { title } reason strength uses }
  tables { depth resource { title } reason strength uses
    certainty { columns traced ambiguous unresolved reasons } }
  possibleCounts { kind count }
  possible { resource { title } reason strength certainty { unresolved reasons } } } }`;

const leftOpen =
  'Its SQL leaves open where some of it comes from; editors of lineage are told why.';

/** What an impact shows: all of it. */
async function impactOf(ctx: Context, asked: ImpactQuery) {
  const { columns, tables, possible, ...found } = await impact(ctx, asked);
  const all = { first: 1_000 };
  return {
    ...found,
    columns: await columns.page(all),
    tables: await tables.page(all),
    possible: await possible.page(all),
  };
}

async function trace(catalog: Catalog, tableId: string, sql: string) {
  await createFromQuery(catalog.admin, { sql, dialect: 'postgres', tableId });
}

test('a column that another table joins and groups by reaches that table, and what reads it', async () => {
  await using catalog = await openCatalog();
  const orders = await table(catalog, 'orders', ['id', 'customer_id', 'amount']);
  const customers = await table(catalog, 'customers', ['id', 'orders']);
  const segments = await table(catalog, 'segments', ['n']);
  await table(catalog, 'people', ['id']);
  await trace(
    catalog,
    customers.id,
    `select p.id, t.n as orders from people p left join (select customer_id, count(*) as n from orders
      group by customer_id) t on t.customer_id = p.id`,
  );
  await trace(catalog, segments.id, 'select count(*) as n from customers');

  const answer = await catalog.graphql(query, { of: [orders.column('customer_id')] });

  expect(answer.data.impact.columns).toEqual([]);
  expect(answer.data.impact.tables).toEqual([
    {
      depth: 1,
      resource: { title: 'customers' },
      reason: 'Joins and groups its rows by orders.customer_id.',
      strength: 'INDIRECT',
      uses: ['JOIN', 'GROUP_BY'],
      certainty: { columns: 2, traced: 2, ambiguous: 0, unresolved: 0, reasons: [] },
    },
    {
      depth: 2,
      resource: { title: 'segments' },
      reason: 'Made from customers.',
      strength: 'DIRECT',
      uses: [],
      certainty: { columns: 1, traced: 1, ambiguous: 0, unresolved: 0, reasons: [] },
    },
  ]);
  expect(answer.data.impact.possible).toEqual([]);
});

test('a column that flows into a table and decides about its rows is said to do both', async () => {
  await using catalog = await openCatalog();
  const raw = await table(catalog, 'raw', ['id', 'is_deleted', 'owner']);
  const owners = await table(catalog, 'owners', ['id', 'name']);
  const staged = await table(catalog, 'staged', ['id', 'is_deleted', 'owner', 'name']);
  const mart = await table(catalog, 'mart', ['gone']);
  await trace(
    catalog,
    staged.id,
    `select r.id, r.is_deleted, r.owner, o.name from raw r join owners o on o.id = r.owner
      where not r.is_deleted`,
  );
  await trace(catalog, mart.id, 'select distinct is_deleted as gone from staged');

  const ask = async (of: string) =>
    (
      await catalog.graphql(
        `query ($of: [ID!]!) { impact(of: $of) { counts { kind count }
          tables { resource { title } strength uses ways { strength uses reason } } } }`,
        { of: [of] },
      )
    ).data.impact;

  const deleted = await ask(raw.column('is_deleted'));
  expect(deleted.counts).toEqual([
    { kind: 'column', count: 2 },
    { kind: 'table', count: 2 },
  ]);
  const column = (reason: string) => ({ strength: 'DIRECT', uses: [], reason });
  const rows = (use: string, reason: string) => ({ strength: 'INDIRECT', uses: [use], reason });
  expect(deleted.tables).toEqual([
    {
      ...{ resource: { title: 'staged' }, strength: 'DIRECT', uses: [] },
      ways: [column('Affects is_deleted.'), rows('FILTER', 'Filters its rows by raw.is_deleted.')],
    },
    {
      ...{ resource: { title: 'mart' }, strength: 'DIRECT', uses: [] },
      ways: [
        column('Affects gone.'),
        column('Made from staged.'),
        rows('GROUP_BY', 'Groups its rows by staged.is_deleted.'),
      ],
    },
  ]);
  const [first] = (await ask(raw.column('owner'))).tables;
  expect(first.ways).toEqual([
    column('Affects owner.'),
    rows('JOIN', 'Joins its rows by raw.owner.'),
  ]);
  const [other] = (await ask(owners.column('id'))).tables;
  expect(other.ways).toEqual([rows('JOIN', 'Joins its rows by owners.id.')]);
});

test('what is reached is counted and its owners summed as a whole, and shown by pages', async () => {
  await using catalog = await openCatalog();
  const hub = await table(catalog, 'hub', ['id']);
  const owner = catalog.as('editor').viewer.id;
  const readers = [];
  for (let n = 0; n < 7; n += 1) {
    const reader = await table(catalog, `reader${n}`, ['id']);
    await createLineage(catalog.admin, { fromId: hub.column('id'), toId: reader.column('id') });
    readers.push(reader.id);
  }
  await catalog.database.prisma.resource.updateMany({
    where: { id: { in: readers.slice(0, 5) } },
    data: { ownerIds: [owner] },
  });
  const ask = async (more: string, after: string | null = null) =>
    (
      await catalog.graphql(
        `query ($of: [ID!]!, $after: ID) { impact(of: $of) { truncated ${more} } }`,
        { of: [hub.column('id')], after },
      )
    ).data?.impact;
  const list = 'tables(first: 3, after: $after) { resource { id } }';

  const whole = await ask(
    `counts { kind count } possibleCount owners { user { id } count } ${list}`,
  );
  expect(whole).toMatchObject({
    truncated: false,
    counts: [
      { kind: 'column', count: 7 },
      { kind: 'table', count: 7 },
    ],
    possibleCount: 0,
    owners: [{ user: { id: owner }, count: 5 }],
  });
  const seen: string[] = [];
  for (let page = whole.tables; page.length > 0; ) {
    const ids = page.map(({ resource }: { resource: { id: string } }) => resource.id);
    expect(ids.length).toBeLessThanOrEqual(3);
    seen.push(...ids);
    page = (await ask(list, ids.at(-1))).tables;
  }
  expect(seen.sort()).toEqual([...readers].sort());
  const { errors } = await catalog.graphql(
    `query ($of: [ID!]!) { impact(of: $of) { tables(after: "nowhere") { depth } } }`,
    { of: [hub.column('id')] },
  );
  expect(errors?.[0]?.message).toContain('after');
  const few = await impactOf(catalog.admin, { of: [hub.column('id')], maxNodes: 2 });
  expect(few.truncatedReason).toBe('maxNodes: more than 2 are affected.');
});

test('why a column is reached is said in words, for each way in which it is used', async () => {
  await using catalog = await openCatalog();
  const orders = await table(catalog, 'orders', ['amount', 'state']);
  const report = await table(catalog, 'report', ['same', 'twice', 'total', 'kind', 'rank']);
  await trace(
    catalog,
    report.id,
    `select amount as same, amount * 2 as twice, max(amount) as total,
      case when amount > 5 then state end as kind,
      row_number() over (order by amount) as rank from orders group by amount, state`,
  );

  const found = await impactOf(catalog.admin, { of: [orders.column('amount')] });

  const said = new Map(found.columns.map(({ id, reason }) => [id, reason]));
  expect(said.get(report.column('same'))).toBe('Copies orders.amount.');
  expect(said.get(report.column('twice'))).toBe('Transforms orders.amount.');
  expect(said.get(report.column('total'))).toBe('Aggregates orders.amount.');
  expect(said.get(report.column('kind'))).toBe('Depends on the value of orders.amount.');
  expect(said.get(report.column('rank'))).toBe('Uses a window over orders.amount.');
  expect(found.tables.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^Affects \w+\.$/),
  ]);
});

test('a table that reads the table is possible, whatever is known of it, unless something is reached', async () => {
  await using catalog = await openCatalog();
  const orders = await table(catalog, 'orders', ['id', 'amount', 'note']);
  const read = await table(catalog, 'read', ['amount']);
  const drawn = await table(catalog, 'drawn', ['x']);
  const open = await table(catalog, 'open', ['id', 'lost']);
  await trace(catalog, read.id, 'select amount from orders');

  const alone = await catalog.graphql(query, { of: [orders.column('note')] });
  expect(alone.data.impact).toMatchObject({ columns: [], tables: [] });
  expect(alone.data.impact.possible).toEqual([
    {
      resource: { title: 'read' },
      reason: 'Reads orders; no use of note was found.',
      strength: null,
      certainty: { unresolved: 0, reasons: [] },
    },
  ]);

  await createLineage(catalog.admin, { fromId: orders.id, toId: drawn.id });
  await trace(catalog, open.id, 'select id from orders');
  const beside = await catalog.graphql(query, { of: [orders.column('amount')] });
  expect(beside.data.impact.tables).toMatchObject([{ resource: { title: 'read' } }]);
  const possible = new Map<string, unknown>(
    beside.data.impact.possible.map((one: { resource: { title: string } }) => [
      one.resource.title,
      one,
    ]),
  );
  expect([...possible.keys()].sort()).toEqual(['drawn', 'open']);
  expect(beside.data.impact.possibleCounts).toEqual([{ kind: 'table', count: 2 }]);
  expect(possible.get('drawn')).toMatchObject({
    reason: 'Reads orders (no column lineage).',
    certainty: { unresolved: 1, reasons: ['The SQL that makes it is not known.'] },
  });
  expect(possible.get('open')).toMatchObject({
    reason: 'Reads orders; its SQL was only partly analyzed.',
    certainty: { unresolved: 1, reasons: ['The SQL names no column lost.'] },
  });
});

test('what is made from something that may be reached may be reached as well, however far', async () => {
  await using catalog = await openCatalog();
  const orders = await table(catalog, 'orders', ['id', 'amount']);
  const read = await table(catalog, 'read', ['amount']);
  const [drawn, next, last] = [
    await table(catalog, 'drawn', ['x']),
    await table(catalog, 'next', ['x']),
    await table(catalog, 'last', ['x']),
  ];
  const beyond = await table(catalog, 'beyond', ['x']);
  const chain = [orders, drawn, next, last, next];
  for (const [n, to] of chain.slice(1).entries()) {
    await createLineage(catalog.admin, { fromId: chain[n]?.id ?? '', toId: to.id });
  }
  // What is reached for sure by one column may be reached by others, and is passed through.
  await trace(catalog, read.id, 'select amount from orders');
  await createLineage(catalog.admin, { fromId: last.id, toId: read.id });
  await createLineage(catalog.admin, { fromId: read.id, toId: beyond.id });

  const found = await impactOf(catalog.admin, { of: [orders.column('amount')] });

  expect(found.tables.map(({ id }) => id)).toEqual([read.id]);
  expect(found.possible.map(({ id, depth, reason }) => [id, depth, reason])).toEqual([
    [drawn.id, 1, 'Reads orders (no column lineage).'],
    [beyond.id, 2, 'Reads read (no column lineage).'],
    [next.id, 2, 'Made from drawn, which may be affected.'],
    [last.id, 3, 'Made from next, which may be affected.'],
  ]);
  expect(found.possible.at(-1)?.path).toEqual([
    orders.column('amount'),
    drawn.id,
    next.id,
    last.id,
  ]);
  const near = await impactOf(catalog.admin, { of: [orders.column('amount')], depth: 2 });
  expect(near.truncatedReason).toBe('depth: it goes on beyond 2 steps.');
  expect(near.possible.map(({ id }) => id)).toEqual([drawn.id, beyond.id, next.id]);
});

test('a table that no column of the table in question is known to reach ends what may be reached', async () => {
  await using catalog = await openCatalog();
  const orders = await table(catalog, 'orders', ['id', 'note']);
  const read = await table(catalog, 'read', ['id']);
  const beyond = await table(catalog, 'beyond', ['id']);
  await trace(catalog, read.id, 'select id from orders');
  await trace(catalog, beyond.id, 'select id from read');

  const found = await impactOf(catalog.admin, { of: [orders.column('note')] });

  expect(found.possible.map(({ id }) => id)).toEqual([read.id]);
});

test('columns that several tables may give are counted, with the candidates', async () => {
  await using catalog = await openCatalog();
  const left = await table(catalog, 'left_one', ['id', 'amount']);
  await table(catalog, 'right_one', ['id', 'amount']);
  const target = await table(catalog, 'target', ['id', 'amount', 'gone']);
  await trace(
    catalog,
    target.id,
    'select l.id, amount, nowhere as gone from left_one l, right_one r where l.id = r.id',
  );

  const answer = await catalog.graphql(query, { of: [left.column('id')] });

  expect(answer.data.impact.tables[0].certainty).toEqual({
    columns: 3,
    traced: 1,
    ambiguous: 1,
    unresolved: 1,
    reasons: [
      expect.stringMatching(/^Column 'amount' may belong to one of .*left_one, .*right_one\.$/),
      "No table of the query is known to have a column 'nowhere'.",
    ],
  });
  const ask = async (as: 'editor' | 'viewer') =>
    (await catalog.graphql(query, { of: [left.column('id')] }, { as })).data.impact.tables[0];
  expect((await ask('editor')).certainty).toEqual(answer.data.impact.tables[0].certainty);
  // The sentences name tables of the whole catalog.
  const counts = { columns: 3, traced: 1, ambiguous: 1, unresolved: 1 };
  expect((await ask('viewer')).certainty).toEqual({ ...counts, reasons: [leftOpen] });
  const { database, workspaceId } = catalog;
  const hide = (title: string) =>
    database.prisma.resource.updateMany({
      where: { workspaceId, parentId: target.id, title },
      data: { published: false },
    });
  await hide('amount');
  const less = { columns: 2, traced: 1, ambiguous: 0, unresolved: 1 };
  expect((await ask('viewer')).certainty).toEqual({ ...less, reasons: [leftOpen] });
  await hide('gone');
  const one = { columns: 1, traced: 1, ambiguous: 0, unresolved: 0 };
  expect((await ask('viewer')).certainty).toEqual({ ...one, reasons: [] });
  expect((await ask('editor')).certainty).toEqual(answer.data.impact.tables[0].certainty);
});

test('what the viewer may not see is neither shown nor named', async () => {
  await using catalog = await openCatalog();
  const orders = await table(catalog, 'orders', ['state']);
  const secret = await table(catalog, 'secret', ['x']);
  const open = await table(catalog, 'open', ['y']);
  await trace(catalog, secret.id, "select 1 as x from orders where state = 'paid'");
  await trace(catalog, open.id, 'select x as y from secret');
  await catalog.database.prisma.resource.updateMany({
    where: { workspaceId: catalog.workspaceId, OR: [{ id: secret.id }, { parentId: secret.id }] },
    data: { published: false },
  });

  const found = await impactOf(catalog.as('viewer'), { of: [orders.column('state')] });

  expect(found.hidden).toBe(1);
  expect(found.tables.map(({ id }) => id)).toEqual([open.id]);
  expect(JSON.stringify(found.tables)).not.toContain('secret');
  expect(found.tables[0]?.path).toEqual([orders.column('state'), open.id]);
});

test('a table that the viewer may not see is no node, though its column is one', async () => {
  await using catalog = await openCatalog();
  const orders = await table(catalog, 'orders', ['state']);
  const secret = await table(catalog, 'secret', ['x']);
  await trace(catalog, secret.id, 'select state as x from orders');
  await catalog.database.prisma.resource.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: secret.id } },
    data: { published: false },
  });
  const ask = async (as: 'editor' | 'viewer') =>
    (await catalog.graphql(query, { of: [orders.column('state')] }, { as })).data.impact;

  const seen = await ask('editor');
  expect(seen.tables).toMatchObject([{ resource: { title: 'secret' } }]);
  expect(seen.hiddenNodes).toBe(0);
  const { columns, tables, possible, hiddenNodes } = await ask('viewer');
  expect(columns).toMatchObject([{ resource: { title: 'x' } }]);
  expect([tables, possible, hiddenNodes]).toEqual([[], [], 1]);
});

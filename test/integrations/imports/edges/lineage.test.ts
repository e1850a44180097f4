// Lineage from JSONL lines: every form an end may have, and what points at nothing.

import { expect, test } from 'vitest';
import { lineage } from '../../../../src/lineage/graph.ts';
import { type Catalog, openCatalog } from '../../../catalog.ts';
import { counts, edgesOf, feedCsv, feedJsonl, listening, resourceAt } from '../feed.ts';

const key = (databuilder_id: string) => ({ internal_resource: { databuilder_id } });
const table = (name: string, more: object = {}) => ({ external_table: { table: name, ...more } });
const column = (name: string, of: string, more: object = {}) => ({
  external_column: { table: of, column: name, ...more },
});
const query = (sql: string, dialect?: string) => ({ tables_from_query: { sql, dialect } });
const line = (from_identifier: object, to_identifier: object) => ({
  from_identifier,
  to_identifier,
});

/** A warehouse of three tables that another integration brought, and a BI tool to draw lineage with. */
async function open(): Promise<{ catalog: Catalog; bi: { id: string } } & AsyncDisposable> {
  const catalog = await openCatalog();
  await feedCsv(
    catalog,
    await catalog.integration({ name: 'warehouse' }),
    `col_name,database,schema,name
id,shop,public,orders
amount,shop,public,orders
id,shop,staging,orders
name,shop,public,customers`,
  );
  const bi = await catalog.integration({ name: 'bi' });
  await feedJsonl(catalog, bi, {
    resources: [
      { entity_type: 'dashboard', databuilder_id: 'd', title: 'Board' },
      { entity_type: 'chart', databuilder_id: 'c', title: 'Chart', parent_databuilder_id: 'd' },
    ],
  });
  return { catalog, bi, [Symbol.asyncDispose]: () => catalog[Symbol.asyncDispose]() };
}

test('an end is a key of the integration, a table or column by name, or the tables of a query', async () => {
  await using opened = await open();
  const { catalog, bi } = opened;

  const made = await feedJsonl(catalog, bi, {
    lineages: [
      line(key('c'), key('d')),
      line(table('Customers'), key('c')),
      line(table('orders', { schema: 'PUBLIC' }), key('c')),
      line(column('AMOUNT', 'orders', { schema: 'public', database: 'shop' }), key('c')),
      line(query('select * from staging.orders o join public.customers c using (id)'), key('d')),
    ],
  });

  // The two tables of the query are two edges.
  expect(made).toEqual(counts({}, { created: 6 }));
  expect(await edgesOf(catalog)).toEqual([
    'Board.Chart > Board',
    'shop.public.customers > Board',
    'shop.public.customers > Board.Chart',
    'shop.public.orders > Board.Chart',
    'shop.public.orders.amount > Board.Chart',
    'shop.staging.orders > Board',
  ]);
  const { workspaceId, database } = catalog;
  const found = await database.prisma.lineageEdge.findMany({ where: { workspaceId } });
  expect(
    new Set(found.map((each) => [each.origin, each.integrationId, each.createdById].join())),
  ).toEqual(new Set([`IMPORT,${bi.id},`]));
  expect(found.filter(({ level }) => level === 'COLUMN')).toHaveLength(1);
});

test('a table by name may be the target, also one of another integration', async () => {
  await using opened = await open();
  const { catalog, bi } = opened;
  await feedJsonl(catalog, bi, {
    lineages: [
      line(table('customers'), table('orders', { schema: 'staging' })),
      line(column('name', 'customers'), column('id', 'orders', { schema: 'staging' })),
    ],
  });
  expect(await edgesOf(catalog)).toEqual([
    'shop.public.customers > shop.staging.orders',
    'shop.public.customers.name > shop.staging.orders.id',
  ]);
});

test('edges between columns imply those of their tables, uncounted, and take them along when they end', async () => {
  await using opened = await open();
  const { catalog, bi } = opened;
  const edge = line(column('name', 'customers'), column('id', 'orders', { schema: 'staging' }));
  const made = await feedJsonl(catalog, bi, { lineages: [edge] });
  expect(made).toEqual(counts({}, { created: 1 }));
  expect(await edgesOf(catalog)).toEqual([
    '(shop.public.customers > shop.staging.orders)',
    'shop.public.customers.name > shop.staging.orders.id',
  ]);
  expect(await feedJsonl(catalog, bi, { lineages: [edge] })).toEqual(counts({}, { unchanged: 1 }));
  expect(await feedJsonl(catalog, bi, { lineages: [] })).toEqual(counts({}, { ended: 1 }));
  expect(await edgesOf(catalog)).toEqual([]);
});

test('lines that point at nothing known are counted and reported, and the others still count', async () => {
  await using opened = await open();
  const { catalog, bi } = opened;
  const { watch, lines } = listening();
  const foreign = await catalog.another();
  await feedCsv(
    foreign,
    await foreign.integration(),
    'col_name,database,schema,name\nid,x,y,elsewhere',
  );

  const made = await feedJsonl(
    catalog,
    bi,
    {
      lineages: [
        line(table('customers'), key('d')),
        line(key('nobody'), key('d')),
        line(table('nowhere'), key('d')),
        line(table('customers', { database: 'lake' }), key('d')),
        // Two tables have the name: it means neither.
        line(table('orders'), key('d')),
        line(column('missing', 'customers'), key('d')),
        // A table of another workspace.
        line(table('elsewhere'), key('d')),
        // The key of another integration.
        line(key('table:shop.public.customers'), key('d')),
        line(key('d'), key('d')),
        line(query('select 1'), key('d')),
        line(query('select from where'), key('d')),
      ],
    },
    { watch },
  );

  const { problems, ...rest } = made;
  expect({ ...rest, problems: [] }).toEqual(counts({}, { created: 1, unknown: 7 }));
  expect(problems).toEqual([
    expect.stringMatching(/^lineages\.jsonl, line 11: .* cannot be read at line 1, column 18/),
    '7 lineage lines name something that the catalog does not have: lines 2, 3, 4, 5, 6 and 2 more.',
    '1 lineage line leads back to where it starts.',
  ]);
  expect(await edgesOf(catalog)).toEqual(['shop.public.customers > Board']);
  const log = lines.join('\n');
  expect(log).toContain(
    '7 lineage lines name something that the catalog does not have: lines 2, 3, 4',
  );
  expect(log).toContain('1 lineage line leads back to where it starts.');
  // A query that cannot be read makes no lineage, and is reported with its line and place.
  expect(log).toMatch(/lineages\.jsonl, line 11: .*sql cannot be read at line 1, column \d+/);
});

test('a statement of a query that cannot be read leaves out its own tables, and is said', async () => {
  await using opened = await open();
  const { catalog, bi } = opened;
  const sql =
    'select * from public.customers; select from where; delete from a; select 1 from staging.orders';
  const made = await feedJsonl(catalog, bi, { lineages: [line(query(sql), key('d'))] });

  expect(made).toMatchObject({ lineage: { created: 2 } });
  expect(made.problems).toEqual([
    expect.stringMatching(/^lineages\.jsonl, line 1: .*sql cannot be read at line 1, column \d+/),
  ]);
  expect(await edgesOf(catalog)).toEqual([
    'shop.public.customers > Board',
    'shop.staging.orders > Board',
  ]);
});

test('an edge named twice, or both by key and by name, is one edge', async () => {
  await using opened = await open();
  const { catalog, bi } = opened;
  const made = await feedJsonl(catalog, bi, {
    lineages: [
      line(table('customers'), key('d')),
      line(table('customers', { schema: 'public', database: 'shop' }), key('d')),
      line(query('select name from customers'), key('d')),
    ],
  });
  expect(made).toEqual(counts({}, { created: 1 }));
});

test('edges no longer named are ended, shown as of before, and named again they hold again', async () => {
  await using opened = await open();
  const { catalog, bi } = opened;
  const [kept, dropped] = [line(key('c'), key('d')), line(table('customers'), key('d'))];
  const board = await resourceAt(catalog, 'Board');
  const upstream = async (asOf?: Date) => {
    const from = [board.id];
    const { nodes } = await lineage(catalog.admin, { from, direction: 'UPSTREAM', asOf });
    const { database } = catalog;
    const ids = nodes.map(({ id }) => id).filter((id) => id !== board.id);
    const found = await database.prisma.resource.findMany({ where: { id: { in: ids } } });
    return found.map(({ titleFull }) => titleFull).sort();
  };
  const day = (n: number) => new Date(Date.UTC(2031, 0, n));
  catalog.setTime(day(1));
  await feedJsonl(catalog, bi, { lineages: [kept, dropped] });
  catalog.setTime(day(3));
  expect(await feedJsonl(catalog, bi, { lineages: [kept] })).toEqual(
    counts({}, { ended: 1, unchanged: 1 }),
  );
  expect(await upstream()).toEqual(['Board.Chart']);
  expect(await upstream(day(2))).toEqual(['Board.Chart', 'shop.public.customers']);

  catalog.setTime(day(5));
  expect(await feedJsonl(catalog, bi, { lineages: [kept, dropped] })).toEqual(
    counts({}, { created: 1, unchanged: 1 }),
  );
  expect(await upstream()).toEqual(['Board.Chart', 'shop.public.customers']);
  expect(await upstream(day(4))).toEqual(['Board.Chart']);
});

test('edges that a person drew or another integration named are not ended', async () => {
  await using opened = await open();
  const { catalog, bi } = opened;
  const other = await catalog.integration();
  const edge = line(table('customers'), table('orders', { schema: 'public' }));
  await feedJsonl(catalog, other, { lineages: [edge] });
  await feedJsonl(catalog, bi, { lineages: [edge] });
  const [board, orders] = [
    await resourceAt(catalog, 'Board'),
    await resourceAt(catalog, 'shop.public.orders'),
  ];
  const drawn = await catalog.graphql(
    'mutation ($a: ID!, $b: ID!) { createLineage(input: { fromId: $a, toId: $b }) { id } }',
    { a: orders.id, b: board.id },
  );
  expect(drawn.errors).toBeUndefined();

  expect(await feedJsonl(catalog, bi, { lineages: [] })).toEqual(counts({}, { ended: 1 }));

  expect(await edgesOf(catalog)).toEqual([
    'shop.public.customers > shop.public.orders',
    'shop.public.orders > Board',
  ]);
});

test('a file of lineages alone leaves the resources, a file of resources alone the lineage', async () => {
  await using opened = await open();
  const { catalog, bi } = opened;
  await feedJsonl(catalog, bi, { lineages: [line(key('c'), key('d'))] });
  expect((await resourceAt(catalog, 'Board')).stale).toBe(false);

  const gone = await feedJsonl(catalog, bi, { resources: [] }, { force: true });
  expect(gone).toEqual(counts({ staled: 2 }));
  expect(await edgesOf(catalog)).toEqual(['Board.Chart > Board']);
});

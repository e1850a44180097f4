// Lineage from queries on the real catalog: what is found, written, replaced and refused.

import { expect, test } from 'vitest';
import { rows } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import { createLineage } from '../../src/lineage/edge.ts';
import {
  createFromQuery,
  previewQuery,
  replaceFromQuery,
} from '../../src/lineage/queries/from-query.ts';
import { keepQuery } from '../../src/lineage/queries/query.ts';
import { archiveResource } from '../../src/resources/editing/archive.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { spreading } from './spreading.ts';
import { table } from './table.ts';

/** Edges that hold, as pairs of titles, with their origin. */
async function edges(catalog: Catalog): Promise<string[]> {
  const found = await rows<{ edge: string }>(
    catalog.admin,
    `select s.title_full || ' > ' || t.title_full || ' ' || e.origin as edge
      from lineage_edge e join resource s on s.id = e.source_id join resource t on t.id = e.target_id
      where e.workspace_id = $1::uuid and e.valid_to is null order by 1`,
    [catalog.workspaceId],
  );
  return found.map(({ edge }) => edge);
}

test('a preview lists tables and columns, and writes nothing', async () => {
  await using catalog = await openCatalog();
  const orders = await table(catalog, 'orders', ['id', 'amount', 'state']);
  const totals = await table(catalog, 'totals', ['total']);

  const found = await previewQuery(catalog.as('viewer'), {
    sql: "insert into totals (total) select sum(amount) from orders where state = 'paid'",
    dialect: 'postgresql',
  });

  expect(found.sources.map(({ known }) => known?.id)).toEqual([orders.id]);
  expect(found.target?.known?.id).toBe(totals.id);
  expect(found.columns.map(({ from, to }) => [from.known?.id, to.known?.id])).toEqual([
    [orders.column('amount'), totals.column('total')],
  ]);
  expect(await edges(catalog)).toEqual([]);
  const kept = await catalog.database.prisma.resource.count({
    where: { workspaceId: catalog.workspaceId, kind: 'query' },
  });
  expect(kept).toBe(0);
});

test('what can be read is answered and stored, what cannot is listed with its place and reason', async () => {
  await using catalog = await openCatalog();
  await table(catalog, 'orders', ['amount']);
  const totals = await table(catalog, 'totals', ['total']);
  const input = {
    sql: 'insert into totals (total) select amount from orders;\nselec x from y;\ngrant select on orders to x',
    dialect: 'postgres',
  };

  const found = await createFromQuery(catalog.as('editor'), input);

  expect(await edges(catalog)).toEqual([
    'orders > totals QUERY',
    'orders.amount > totals.total QUERY',
  ]);
  expect(
    found.statements.map(({ statement, targetTable }) => [statement, targetTable?.known?.id]),
  ).toEqual([
    [1, totals.id],
    [3, undefined],
  ]); // prettier-ignore
  const shown = await catalog.graphql(
    `query ($sql: String!) { lineageFromQuery(sql: $sql, dialect: "postgres") {
      statements { targetTable { name } } skipped { statement line column reason } } }`,
    { sql: input.sql },
  );
  expect(shown.data.lineageFromQuery).toEqual({
    statements: [{ targetTable: { name: 'totals' } }, { targetTable: null }],
    skipped: [{ statement: 2, line: 2, column: 9, reason: "'from' is not expected here." }],
  });
  const strictly = previewQuery(catalog.admin, { ...input, strict: true });
  await expect(strictly).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field: 'sql', message: expect.stringContaining('Statement 2, line 2, column 9') }],
  });
  const unread = previewQuery(catalog.admin, { ...input, sql: 'selec x from y; grant a to b' });
  await expect(unread).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('what a partly read SQL of a table leaves open is said of it', async () => {
  await using catalog = await openCatalog();
  const orders = await table(catalog, 'orders', ['amount']);
  const totals = await table(catalog, 'totals', ['total']);
  const sql = 'selec x from y; select amount as total from orders';
  const input = { sql, dialect: 'postgres', tableId: totals.id };
  await createFromQuery(catalog.as('editor'), input);
  const { data } = await catalog.graphql(
    `query ($id: ID!) { impact(of: [$id]) { tables { certainty { reasons } } } }`,
    { id: orders.id },
  );
  expect(data.impact.tables).toMatchObject([
    { certainty: { reasons: [expect.stringMatching(/^Statement 1, line 1, column 9: /)] } },
  ]);
});

test('a source that the text declares and nothing in it fills keeps its lineage', async () => {
  await using catalog = await openCatalog();
  const target = await table(catalog, 'tgt', ['id']);
  const sql = `create table if not exists raw.src (id int); insert into tgt (id) select id from raw.src;
    create table step (id int); insert into step select id from raw.src; insert into tgt select id from step`;

  const found = await previewQuery(catalog.admin, { sql, dialect: 'postgres' });

  expect(found.sources.map(({ name }) => name)).toEqual(['raw.src']);
  expect(found.target?.known?.id).toBe(target.id);
  expect(
    found.columns.map(({ from, to }) => `${from.table?.name}.${from.name} > ${to.name}`),
  ).toEqual(['raw.src.id > id']);
});

test('creating writes column and table edges once, and keeps the query with its count', async () => {
  await using catalog = await openCatalog();
  await table(catalog, 'orders', ['id', 'amount']);
  await table(catalog, 'totals', ['total']);
  const sql = (limit: number) =>
    `insert into totals (total) select sum(amount) from orders where id < ${limit}`;

  await createFromQuery(catalog.as('editor'), { sql: sql(5), dialect: 'postgres' });
  await createFromQuery(catalog.as('editor'), { sql: `${sql(7)} -- again`, dialect: 'postgres' });

  expect(await edges(catalog)).toEqual([
    'orders > totals QUERY',
    'orders.amount > totals.total QUERY',
    'orders.id > totals QUERY',
  ]);
  const queries = await catalog.database.prisma.resource.findMany({
    where: { workspaceId: catalog.workspaceId, kind: 'query' },
  });
  expect(queries).toMatchObject([{ freq: 2, dialect: 'postgres' }]);
});

test('replacing ends what flowed in before but for what people drew, and keeps the past', async () => {
  await using catalog = await openCatalog();
  await table(catalog, 'orders', ['amount', 'tax']);
  const totals = await table(catalog, 'totals', ['total']);
  const budget = await catalog.resource({ title: 'budget' });
  await createLineage(catalog.admin, { fromId: budget.id, toId: totals.id });
  const query = (column: string) => ({
    sql: `select ${column} as total from orders`,
    dialect: 'snowflake',
    tableId: totals.id,
  });
  catalog.setTime(new Date('2026-01-01T00:00:00Z'));
  await createFromQuery(catalog.admin, query('amount'));
  catalog.setTime(new Date('2026-02-01T00:00:00Z'));

  await replaceFromQuery(catalog.admin, query('tax'));

  expect(await edges(catalog)).toEqual([
    'budget > totals MANUAL',
    'orders > totals QUERY',
    'orders.tax > totals.total QUERY',
  ]);
  const before = await catalog.graphql(
    `query ($from: [ID!]!) { lineage(from: $from, level: COLUMN, direction: UPSTREAM,
      asOf: "2026-01-15T00:00:00Z") { nodes { resource { title } } } }`,
    { from: [totals.column('total')] },
  );
  const titles = before.data.lineage.nodes.map(
    (node: { resource: { title: string } }) => node.resource.title,
  );
  expect(titles).toEqual(['total', 'amount']);
  const { database, workspaceId } = catalog;
  const entry = await database.prisma.auditLog.findFirstOrThrow({
    where: { workspaceId, activityType: 'lineage_replaced' },
  });
  expect(entry.changes).toMatchObject([{ before: ['orders.amount -> totals.total'] }]);
});

test('a text that neither reads nor writes a table takes nothing away', async () => {
  await using catalog = await openCatalog();
  await table(catalog, 'orders', ['amount']);
  const totals = await table(catalog, 'totals', ['total']);
  const fill = 'insert into totals (total) select amount from orders';
  await replaceFromQuery(catalog.admin, { sql: fill, dialect: 'postgres' });
  const before = await edges(catalog);
  for (const sql of ['vacuum totals', 'grant select on orders to x', 'set search_path to a']) {
    const input = { sql, dialect: 'postgres', tableId: totals.id };
    await expect(replaceFromQuery(catalog.admin, input)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  }
  expect(await edges(catalog)).toEqual(before);
});

test('of several tables of one name the integration of the target decides, else none is picked', async () => {
  await using catalog = await openCatalog();
  const one = await catalog.integration({ name: 'one' });
  const two = await catalog.integration({ name: 'two' });
  await table(catalog, 'orders', ['amount'], { integrationId: one.id });
  const right = await table(catalog, 'orders', ['amount'], { integrationId: two.id });
  const target = await table(catalog, 'totals', ['total'], { integrationId: two.id });
  const sql = 'select sum(amount) as total from orders';

  const decided = await previewQuery(catalog.admin, { sql, dialect: 'duckdb', tableId: target.id });
  const open = await previewQuery(catalog.admin, { sql, dialect: 'duckdb' });

  expect(decided.sources.map(({ known }) => known?.id)).toEqual([right.id]);
  expect(open.sources.map(({ known }) => known)).toEqual([null]);
  expect(open.traced.statements[0]?.diagnostics).toMatchObject([{ code: 'AMBIGUOUS_TABLE' }]);
});

test.each([
  [
    'postgres',
    `create temp table step as select amount * 2 as twice from orders;
     insert into totals (total) select max(twice) from step;`,
  ],
  [
    'tsql',
    `CREATE PROCEDURE fill AS BEGIN
       SELECT amount * 2 AS twice INTO #step FROM orders
       INSERT INTO totals (total) SELECT MAX(twice) FROM #step
     END`,
  ],
  [
    'tsql',
    `CREATE PROCEDURE fill AS BEGIN
       DECLARE @step TABLE (twice MONEY)
       INSERT INTO @step SELECT amount * 2 FROM orders
       INSERT INTO totals (total) SELECT MAX(twice) FROM @step
     END`,
  ],
])('a table that the script makes itself is passed through: %s %s', async (dialect, sql) => {
  await using catalog = await openCatalog();
  await table(catalog, 'orders', ['amount']);
  await table(catalog, 'totals', ['total']);

  await createFromQuery(catalog.admin, { sql, dialect });

  expect(await edges(catalog)).toEqual([
    'orders > totals QUERY',
    'orders.amount > totals.total QUERY',
  ]);
});

test('a table of the catalog that the script fills and then reads is an end, with edges on both sides', async () => {
  await using catalog = await openCatalog();
  for (const title of ['orders', 'step', 'totals']) await table(catalog, title, ['amount']);
  const sql = `insert into step (amount) select amount from orders;
    insert into totals (amount) select sum(amount) from step`;

  await createFromQuery(catalog.admin, { sql, dialect: 'postgresql' });

  expect(await edges(catalog)).toEqual([
    'orders > step QUERY',
    'orders.amount > step.amount QUERY',
    'step > totals QUERY',
    'step.amount > totals.amount QUERY',
  ]);
});

test('tables that the catalog does not know are named without an id and make no edges', async () => {
  await using catalog = await openCatalog();
  await table(catalog, 'totals', ['total']);

  const answer = await catalog.graphql(
    `mutation ($input: QueryLineageInput!) { createLineageFromQuery(input: $input) {
      sourceTables { id title schemaName } targetTable { title }
      columnLineages { fromColumn { id title } toColumn { id title } }
      diagnostics { code line column } } }`,
    { input: { sql: 'insert into totals\nselect amount from raw.events', dialect: 'bigquery' } },
  );

  expect(answer.data.createLineageFromQuery).toMatchObject({
    sourceTables: [{ id: null, title: 'events', schemaName: 'raw' }],
    targetTable: { title: 'totals' },
    columnLineages: [{ fromColumn: { id: null, title: 'amount' } }],
    diagnostics: [{ code: 'UNKNOWN_TABLE', line: 2 }],
  });
  expect(await edges(catalog)).toEqual([]);
});

test('what a viewer may not see is unknown to their preview, and they write nothing', async () => {
  await using catalog = await openCatalog();
  await catalog.resource({ title: 'secret', published: false });
  const sql = 'select id from secret';

  const found = await previewQuery(catalog.as('viewer'), { sql, dialect: 'postgres' });
  expect(found.sources.map(({ known }) => known)).toEqual([null]);
  const writing = createFromQuery(catalog.as('viewer'), { sql, dialect: 'postgres' });
  await expect(writing).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('bad SQL says line and column, an unknown dialect what there is, and nothing is written', async () => {
  await using catalog = await openCatalog();
  await table(catalog, 'totals', ['total']);
  for (const [sql, dialect, code, says] of [
    ['select 1\nfrom from', 'postgres', 'BAD_REQUEST', /[Ll]ine 2, column \d/],
    ['selekt 1; selekt 2', 'postgres', 'BAD_REQUEST', /Statement 1/],
    ['', 'postgres', 'BAD_REQUEST', /./],
    ['select 1', 'klingon', 'BAD_REQUEST', /snowflake/],
  ] as const) {
    await expect(createFromQuery(catalog.admin, { sql, dialect })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(says),
    });
  }
  const missing = previewQuery(catalog.admin, { sql: 'select 1', dialect: 'mysql', tableId: 'x' });
  await expect(missing).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await edges(catalog)).toEqual([]);
});

test('of queries that replace the lineage of a table at once, what is left is that of the last', async () => {
  await using catalog = await openCatalog();
  for (let round = 0; round < 10; round += 1) {
    const [a, b, to] = [`a${round}`, `b${round}`, `to${round}`];
    const columns = ['id'];
    await table(catalog, a, columns);
    await table(catalog, b, columns);
    await table(catalog, to, columns);
    const replace = (from: string) =>
      replaceFromQuery(catalog.as('editor'), {
        sql: `insert into ${to} (id) select id from ${from}`,
        dialect: 'postgres',
      });
    await Promise.all([replace(a), replace(b), replace(a), replace(b)]);
    const found = (await edges(catalog)).filter((edge) => edge.includes(` ${to}`));
    expect(found).toHaveLength(2);
    expect(new Set(found.map((edge) => edge.split(/[ .]/)[0])).size).toBe(1);
  }
});

test('columns that flow through several tables of a text are pairs once, however many ways lead there', async () => {
  await using catalog = await openCatalog();
  const found = await previewQuery(catalog.as('viewer'), {
    sql: spreading(4, 20),
    dialect: 'postgresql',
  });
  const pairs = new Set(found.columns.map(({ from, to }) => `${from.name} > ${to.name}`));
  expect([found.columns.length, pairs.size]).toEqual([400, 400]);
  expect(pairs).toContain('t0_0 > t4_19');
  expect(pairs).not.toContain('t0_0 > t3_19');
});

test('a text with more ways through its own tables than anybody could look at is refused', async () => {
  await using catalog = await openCatalog();
  const asked = previewQuery(catalog.as('viewer'), {
    sql: spreading(3, 90),
    dialect: 'postgresql',
  });
  await expect(asked).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('more than 200,000 ways'),
  });
});

test('a query that somebody deleted is back when a person gives it, not when it ran once more', async () => {
  await using catalog = await openCatalog();
  await table(catalog, 'orders', ['amount']);
  await table(catalog, 'totals', ['total']);
  const sql = "insert into totals (total) select amount from orders where amount > '17'";
  const input = { sql, dialect: 'postgres' };
  const { traced } = await createFromQuery(catalog.admin, input);
  const read = () =>
    catalog.database.prisma.resource.findFirstOrThrow({
      where: { workspaceId: catalog.workspaceId, kind: 'query' },
    });
  const { id } = await archiveResource(catalog.admin, (await read()).id);
  const ran = { times: 5, counted: 'since' } as const;
  const again = sql.replace('17', '18');

  const seen = await transaction(catalog.admin, (tx) =>
    keepQuery(tx, {
      ...{ sql: again, traced, integrationId: null, ran },
      holders: { teamIds: [], published: true },
    }),
  );

  expect(seen).toMatchObject({ id, archived: true, sql, freq: 6 });
  expect(seen.archivedAt).not.toBeNull();
  await createFromQuery(catalog.admin, { ...input, sql: again });
  expect(await read()).toMatchObject({ id, archived: false, archivedAt: null, sql: again });
});

test('REST says what could not be determined, with its place', async () => {
  await using catalog = await openCatalog();
  await table(catalog, 'orders', ['id']);
  const sql = 'select nope\nfrom orders; select * from `far.away`';
  const { status, body } = await catalog.rest(
    'GET',
    `/lineage/lineage_from_query?dialect=bigquery&sql=${encodeURIComponent(sql)}`,
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({
    unresolved: [{ name: 'nope', reason: 'UNKNOWN', candidates: [], line: 1, column: 8 }],
    diagnostics: [
      { code: 'UNKNOWN_TABLE', line: 2, column: 28 },
      { code: 'UNEXPANDED_STAR', line: 2, column: 28 },
    ],
  });
});

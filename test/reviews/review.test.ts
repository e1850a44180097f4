// Reviews of a change of a transformation project, before it is made.

import { readdir, readlink } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { importArtifacts } from '../../src/integrations/imports/sync.ts';
import { textSource } from '../../src/integrations/readers/source.ts';
import { createLineage } from '../../src/lineage/edge.ts';
import { runTrace } from '../../src/lineage/queries/trace-job.ts';
import { readDeclaredMonitors } from '../../src/monitors/declarations/declare.ts';
import { createMonitor } from '../../src/monitors/monitor.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { reviewManifest } from '../../src/reviews/review.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { feedCsv } from '../integrations/imports/feed.ts';

interface Models {
  readonly [name: string]: { sql: string; columns: string[]; from?: string };
}

const models: Models = {
  stg_orders: { sql: 'select id, cents / 100 as amount, state from raw.orders', columns: ['id'] },
  revenue: {
    sql: 'select sum(amount) as total, count(id) as orders from main.stg_orders',
    columns: ['total', 'orders'],
    from: 'stg_orders',
  },
  unused: { sql: 'select 1 as one', columns: ['one'] },
};

function manifest(project: Models): string {
  const nodes = Object.entries(project).map(([name, { sql, columns, from }]) => [
    `model.shop.${name}`,
    {
      resource_type: 'model',
      name,
      database: 'shop',
      schema: 'main',
      config: { materialized: 'table' },
      compiled_code: sql,
      columns: Object.fromEntries(columns.map((column) => [column, { name: column }])),
      depends_on: { nodes: from ? [`model.shop.${from}`] : ['source.shop.app.orders'] },
    },
  ]);
  const metadata = {
    dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v11.json',
    adapter_type: 'postgres',
  };
  const orders = {
    name: 'orders',
    database: 'shop',
    schema: 'raw',
    columns: { id: { name: 'id' }, cents: { name: 'cents' }, state: { name: 'state' } },
  };
  return JSON.stringify({
    metadata,
    nodes: Object.fromEntries(nodes),
    sources: { 'source.shop.app.orders': orders },
  });
}

/** The catalog with the project imported and traced, an owned chart on revenue, and a monitor. */
async function project(catalog: Catalog) {
  const integration = await catalog.integration({ type: 'dbt_core' });
  const { columns } = { columns: ['id', 'amount', 'state'] };
  const whole = { ...models, stg_orders: { sql: models.stg_orders?.sql ?? '', columns } };
  const sources = { manifest: textSource('manifest.json', manifest(whole)) };
  await importArtifacts(catalog.admin, integration.id, sources, readDeclaredMonitors);
  const { prisma } = catalog.database;
  const where = { workspaceId: catalog.workspaceId };
  const job = await prisma.job.findFirstOrThrow({ where });
  const run = { job, ctx: catalog.admin, log() {}, progress() {} };
  await runTrace({ ...run, async complete() {}, async fence() {}, async keep() {} });
  const total = await prisma.resource.findFirstOrThrow({ where: { ...where, title: 'total' } });
  const chart = await catalog.resource({
    kind: 'chart',
    title: 'Revenue per day',
    ownerIds: [catalog.idOf('editor')],
  });
  await createLineage(catalog.admin, { fromId: total.id, toId: chart.id });
  const revenue = await prisma.resource.findFirstOrThrow({ where: { ...where, title: 'revenue' } });
  await createMonitor(catalog.admin, { targetId: revenue.id, metricType: 'row_count' });
  return { integration, chart, revenue };
}

const maxBytes = 1_000_000;
const review = (catalog: Catalog, changed: Models) =>
  reviewManifest(catalog.admin, textSource('manifest.json', manifest(changed)), { maxBytes });

test('the same project changes nothing and reaches no one', async () => {
  await using catalog = await openCatalog();
  await project(catalog);

  const found = await review(catalog, models);

  expect(found.comparison).toMatchObject({ added: [], removed: [], changed: [], unchanged: 4 });
  expect(found.impact).toBeNull();
  expect(found.markdown).toContain('No downstream resources affected.');
});

test('what a warehouse calls tables and types is no change of the project', async () => {
  await using catalog = await openCatalog();
  const warehouse = await catalog.integration({ type: 'postgres' });
  await feedCsv(
    catalog,
    warehouse,
    `col_name,database,schema,name,col_type,is_view
ID,SHOP,RAW,ORDERS,NUMBER,false
CENTS,SHOP,RAW,ORDERS,NUMBER,false
TOTAL,SHOP,MAIN,REVENUE,NUMBER,false`,
  );
  const typed = (total: string, materialized: string) => {
    const text = manifest(models).replace('"name":"total"', `$&,"data_type":"${total}"`);
    return textSource('manifest.json', text.replace('"table"', `"${materialized}"`));
  };
  const project = await catalog.integration({ type: 'dbt_core' });
  const asIs = () => typed('integer', 'incremental');
  await importArtifacts(catalog.admin, project.id, { manifest: asIs() }, readDeclaredMonitors);

  const same = await reviewManifest(catalog.admin, asIs(), { maxBytes });
  expect(same.comparison).toMatchObject({ added: [], removed: [], changed: [], unchanged: 4 });

  const other = await reviewManifest(catalog.admin, typed('text', 'view'), { maxBytes });
  expect(other.comparison.changed).toMatchObject([
    { name: 'SHOP.MAIN.stg_orders', reasons: ['incremental becomes view'], changed: [] },
    { name: 'SHOP.MAIN.REVENUE', reasons: [], changed: [{ before: 'integer', after: 'text' }] },
  ]);
});

test('a removed column reaches the columns, tables and charts made from it, their owners and monitors', async () => {
  await using catalog = await openCatalog();
  await project(catalog);
  const stg_orders = { sql: 'select id, state from raw.orders', columns: ['id'] };

  const found = await review(catalog, { ...models, stg_orders });

  expect(found.comparison.changed).toMatchObject([
    { name: 'shop.main.stg_orders', removed: ['amount'], changed: [], added: [] },
  ]);
  expect(found.owners.map(({ email }) => email)).toEqual(['editor@example.com']);
  expect(found.monitors.map(({ name }) => name)).toEqual(['Row count of revenue']);
  expect(found.markdown).toContain('- `shop.main.revenue.total`');
  expect(found.markdown).toContain('- `Revenue per day`');
  expect(found.markdown).not.toContain('shop.main.revenue.orders');
});

test('another expression changes its column alone; another filter may change every row', async () => {
  await using catalog = await openCatalog();
  await project(catalog);

  const expression = await review(catalog, {
    ...models,
    stg_orders: {
      sql: 'select id, cents / 1000 as amount, state from raw.orders',
      columns: ['id'],
    },
  });
  expect(expression.comparison.changed).toMatchObject([
    { removed: [], changed: [{ name: 'amount', after: expect.stringContaining('1000') }] },
  ]);
  expect(expression.markdown).not.toContain('shop.main.revenue.orders');

  const filter = await review(catalog, {
    ...models,
    stg_orders: {
      sql: "select id, cents / 100 as amount, state from raw.orders where state = 'paid'",
      columns: ['id'],
    },
  });
  expect(filter.comparison.changed).toMatchObject([
    { reasons: ['its SQL changed'], removed: [], changed: [] },
  ]);
  expect(filter.markdown).toContain('shop.main.revenue.orders');
});

test('added and removed models are listed, and SQL that cannot be read is said to be unknown', async () => {
  await using catalog = await openCatalog();
  await project(catalog);
  const { unused: _unused, ...kept } = models;

  const found = await review(catalog, {
    ...kept,
    brand_new: { sql: 'select id from main.stg_orders', columns: ['id'], from: 'stg_orders' },
    revenue: { sql: 'select sum(amount as total', columns: ['total'], from: 'stg_orders' },
  });

  expect(found.comparison.added).toMatchObject([{ name: 'shop.main.brand_new', added: ['id'] }]);
  expect(found.comparison.removed).toMatchObject([{ name: 'shop.main.unused' }]);
  expect(found.unknown.join()).toMatch(/shop\.main\.revenue: Line 1/);
});

test('a statement that cannot be read is said, and the columns that a model makes are compared still', async () => {
  await using catalog = await openCatalog();
  await project(catalog);
  const revenue = (sql: string) =>
    review(catalog, { ...models, revenue: { sql, columns: ['total'], from: 'stg_orders' } });

  const first = await revenue('select from where; select sum(id) as total from main.stg_orders');
  expect(first.unknown.join()).toMatch(/shop\.main\.revenue: Statement 1, line 1, column/);
  expect(first.comparison.changed).toMatchObject([
    { name: 'shop.main.revenue', removed: ['orders'], changed: [{ name: 'total' }] },
  ]);

  // What cannot be read may be what makes the columns.
  const last = await revenue('select id as other from main.stg_orders; select sum( as total');
  expect(last.unknown.join()).toMatch(/shop\.main\.revenue: Statement 2, line 1, column/);
  expect(last.comparison.changed).toMatchObject([{ added: [], removed: [], changed: [] }]);
});

test('a review writes nothing, and needs to be asked by somebody who may read sources', async () => {
  await using catalog = await openCatalog();
  await project(catalog);
  const count = () => catalog.database.prisma.auditLog.count();
  const before = await count();

  const { data } = await catalog.graphql(
    'query ($m: String!) { impactOfManifest(manifest: $m) { unchanged markdown } }',
    { m: manifest(models) },
    { as: 'editor' },
  );
  expect(data.impactOfManifest.unchanged).toBe(4);
  expect(await count()).toBe(before);

  const source = textSource('manifest.json', manifest(models));
  const asking = reviewManifest(catalog.as('viewer'), source, { maxBytes });
  await expect(asking).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const nonsense = reviewManifest(catalog.admin, textSource('manifest.json', '{}'), { maxBytes });
  await expect(nonsense).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('a review that is refused before it is read leaves no file open', async () => {
  await using catalog = await openCatalog();
  const ask = () => {
    const body = new FormData();
    body.set('manifest', new Blob([manifest(models)]), 'manifest.json');
    return catalog.rest('POST', '/lineage/impact', { body });
  };
  // There is no project that it could be compared with.
  for (let times = 0; times < 3; times += 1) expect((await ask()).status).toBe(400);
  const open = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  expect(open.filter((path) => path.includes('/upload-'))).toEqual([]);
});

test('names cannot break out of the summary', async () => {
  await using catalog = await openCatalog();
  const { chart, revenue } = await project(catalog);
  await updateResource(catalog.admin, chart.id, { title: '`</code> <img src=x> # ``' });
  const name = '<img src=x> # [a](b) *c* @d';
  await createMonitor(catalog.admin, { targetId: revenue.id, metricType: 'row_count', name });
  const stg_orders = { sql: 'select id, state from raw.orders', columns: ['id'] };

  const { markdown } = await review(catalog, { ...models, stg_orders });

  expect(markdown).toContain('- ``` `</code> <img src=x> # `` ```');
  expect(markdown).toContain('- \\<img src=x\\> \\# \\[a\\]\\(b\\) \\*c\\* \\@d');
  expect(markdown.split('\n').filter((line) => line.startsWith('# '))).toEqual([]);
});

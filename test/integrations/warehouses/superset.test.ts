// Superset as a live source, against a server of ours that speaks its REST interface.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { readsOf } from '../../../src/integrations/connectors/superset/chart-reads.ts';
import { namesOf } from '../../../src/integrations/connectors/superset/database-name.ts';
import { openSupersetConnector } from '../../../src/integrations/connectors/superset/superset.ts';
import { loopback } from '../connectors/read-source.ts';
import { expectFirstPicture } from './first-picture.ts';
import { openLivePlace } from './live-place.ts';
import { loadShop, readDashboards } from './read-dashboards.ts';
import { type SupersetFake, startSuperset } from './superset-fake.ts';

let fake: SupersetFake;
beforeEach(async () => {
  fake = await startSuperset();
});
afterEach(() => fake[Symbol.asyncDispose]());

const login = (more: object = {}) => ({
  ...{ url: `http://127.0.0.1:${fake.http.port}/bi/`, user: 'reader', password: 'hush-hush' },
  ...more,
});
const opened = (more?: object) =>
  openSupersetConnector({ id: 'superset', reach: loopback }, login(more));

const edges = [
  ...['chart:1 > dashboard:2', 'dataset:1 > chart:1', 'dataset:1 > chart:2'],
  ...['dataset:1:amount > chart:1', 'dataset:1:placed_at > chart:1'],
  ...['dataset:1:id > chart:2', 'dataset:1:placed_at > chart:2', 'dataset:1:twice > chart:2'],
  'dataset:1:amount > dataset:1:twice',
  ...['dataset:2 > chart:3', 'dataset:2:day > chart:3', 'dataset:2:total > chart:3'],
  ...['shop.sales.daily > dataset:2', 'shop.sales.daily > dataset:3'],
  ...['shop.sales.daily.day > dataset:2:day', 'shop.sales.daily.total > dataset:2:total'],
  ...['shop.sales.daily.day > dataset:3:day', 'shop.sales.daily.total > dataset:3:total'],
  ...['shop.sales.orders > dataset:1', 'shop.sales.orders.amount > dataset:1:amount'],
  ...['shop.sales.orders.id > dataset:1:id', 'shop.sales.orders.placed_at > dataset:1:placed_at'],
  'web.visits > dataset:5',
].sort();

test.each([true, false])(
  'dashboards, charts and datasets are read with owners, links and lineage of columns (a version of today: %s)',
  async (isNew) => {
    fake.isNew = isNew;
    const read = await readDashboards(opened());
    const of = (kind: string) => read.resources.filter((one) => one.kind === kind);
    expect(of('dashboard').map(({ title, metadata }) => [title, metadata?.status])).toEqual([
      ['Sales', 'published'],
      ['Board', 'draft'],
    ]);
    expect(of('dashboard').map(({ owners }) => owners)).toEqual([
      ['anna@example.com'],
      ['Ben Cole'],
    ]);
    const base = `http://127.0.0.1:${fake.http.port}/bi`;
    expect(of('dashboard')[0]).toMatchObject({ url: `${base}/superset/dashboard/1/` });
    expect(of('chart').map(({ title, parentKey }) => [title, parentKey])).toEqual([
      ['Revenue', 'dashboard:1'],
      ['Orders', 'dashboard:1'],
      ['Own', undefined],
    ]);
    expect(of('chart')[0]).toMatchObject({
      ...{ nativeType: 'line', description: 'By day', url: `${base}/explore/?slice_id=1` },
      ...{ owners: ['anna@example.com', 'Ben Cole'], metadata: { certified_by: 'Finance' } },
      externalUpdatedAt: new Date('2026-03-02T10:00:00Z'),
    });
    expect(
      of('table').map(({ database, schema, title, nativeType }) => [
        [database, schema, title].join(' / '),
        nativeType,
      ]),
    ).toEqual([
      ['Superset / Shop.sales / orders', 'dataset'],
      ['Superset / Shop.sales / per day', 'virtual dataset'],
      ['Superset / Shop.sales / all days', 'virtual dataset'],
      ['Superset / Shop.sales / unreadable', 'virtual dataset'],
      ['Superset / Till / visits', 'dataset'],
    ]);
    expect(of('table')[1]?.metadata?.sql).toContain('select day, sum(total)');
    expect(of('column')[1]).toMatchObject({
      ...{ key: 'dataset:1:amount', title: 'amount', type: 'NUMERIC', description: 'Net' },
    });
    expect(read.edges.sort()).toEqual(edges);
    expect(read.notes).toEqual(['The SQL of the dataset 4 cannot be read.']);
    // One token for all of it.
    expect(fake.tokens).toBe(1);
  },
);

test('pages are read to the end, however short the server cuts them', async () => {
  fake.more = 130;
  const { resources } = await readDashboards(opened());
  const charts = resources.filter(({ kind }) => kind === 'chart');
  expect(new Set(charts.map(({ key }) => key)).size).toBe(133);
  expect(charts).toHaveLength(133);
});

test('an expired token, a busy server and a lost connection are asked again', async () => {
  const faults = [
    undefined,
    { status: 401, body: { msg: 'Token has expired' } },
    { status: 429, headers: { 'retry-after': '0' }, body: 'Too many' },
    undefined,
    { status: 422, body: { msg: 'Signature verification failed' } },
    { status: 502 },
    { body: { count: 1, result: [] }, cutAfter: 3 },
  ];
  fake.fault = ({ url }) => (url.pathname.endsWith('/login') ? undefined : faults.shift());
  const { edges: found } = await readDashboards(opened());
  expect(found.sort()).toEqual(edges);
  expect(faults).toEqual([]);
  expect(fake.tokens).toBe(3);
});

test('what the role may not see is left out and said; names of databases are for those who see them', async () => {
  fake.hidden = /^(dataset\/3$|database\/)/;
  const { resources, edges: found, notes } = await readDashboards(opened());
  expect(notes).toContain('The dataset 3 cannot be read by this login.');
  expect(resources.filter(({ kind }) => kind === 'table')).toHaveLength(4);
  expect(found).toContain('sales.orders.amount > dataset:1:amount');
  const report = await opened().test();
  expect(report).toMatchObject({ ok: true, version: 'Superset' });
  expect(report.checks.map(({ name, state }) => [name, state])).toEqual([
    ['connection', 'ok'],
    ['encryption', 'ok'],
    ['charts', 'ok'],
    ['databases', 'limited'],
  ]);
});

test('a wrong login is said, without its secrets, and what is no answer of Superset is', async () => {
  const wrong = await opened({ password: 'not-this-one' }).test();
  expect(wrong.ok).toBe(false);
  expect(wrong.checks[0]?.message).toContain('check user, password and provider');
  expect(JSON.stringify(wrong)).not.toContain('not-this-one');
  await expect(opened().query('SELECT 1', { timeoutMs: 1_000 })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  fake.fault = ({ url }) =>
    url.pathname.endsWith('/login')
      ? undefined
      : { body: '<html>token-1-of-the-reader</html>', headers: { 'content-type': 'text/html' } };
  await expect(readDashboards(opened())).rejects.toThrow('not an answer of Superset');
  fake.fault = () => ({ status: 405, body: 'hush-hush, token-1-of-the-reader' });
  const said = await opened().test();
  expect(said.ok).toBe(false);
  expect(JSON.stringify(said)).not.toMatch(/hush-hush|token-1/);
});

test('databases are called as their addresses say, and settings name columns wherever they are', () => {
  expect(namesOf('snowflake', 'snowflake://u:X@acc/SHOP/SALES?role=R')).toEqual({
    database: 'SHOP',
    schema: 'SALES',
  });
  expect(namesOf('bigquery', 'bigquery://shop-prod')).toMatchObject({ database: 'shop-prod' });
  expect(namesOf('trino', 'trino://u@h:8080/hive/web%20x')).toEqual({
    database: 'hive',
    schema: 'web x',
  });
  expect(namesOf('mysql', null)).toEqual({ database: undefined, schema: undefined });
  const reads = readsOf(
    JSON.stringify({
      ...{ metrics_b: ['m'], metric: { expressionType: 'SIMPLE', column: { column_name: 'c' } } },
      ...{ spatial: { latitude: 'lat', type: 'latlong' }, color: 'red' },
    }),
  );
  expect([...reads.names].sort()).toEqual(['c', 'lat', 'm']);
  expect(readsOf('no JSON').names.size).toBe(0);
  expect(readsOf(`${'['.repeat(50_000)}${']'.repeat(50_000)}`).names.size).toBe(0);
});

test('a sync brings lineage from tables through datasets to charts, and a second one changes nothing', async () => {
  await using place = await openLivePlace('superset', login());
  await loadShop(place.catalog);
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  const found = await place.edges();
  expect(found).toEqual(
    expect.arrayContaining([
      'shop.sales.orders.amount > Superset.Shop.sales.orders.amount',
      'Superset.Shop.sales.orders.amount > Superset.Shop.sales.orders.twice',
      'Superset.Shop.sales.orders.amount > Sales.Revenue',
      'shop.sales.daily.total > Superset.Shop.sales.per day.total',
      'Superset.Shop.sales.per day > Own',
      'Sales.Revenue > Board',
    ]),
  );
  await expectFirstPicture(place, 'superset');
  const versions = async () =>
    (await Promise.all(['table', 'column', 'chart', 'dashboard'].map(place.resources)))
      .flat()
      .map(({ titleFull, version }) => [titleFull, version]);
  const before = await versions();
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  expect(await versions()).toEqual(before);
  expect(await place.edges()).toEqual(found);
}, 60_000);

// Metabase as a live source, against a server of ours that answers as two of its versions do.

import { expect, test } from 'vitest';
import { openMetabaseConnector } from '../../../src/integrations/connectors/metabase/metabase.ts';
import { readsOf } from '../../../src/integrations/connectors/metabase/question-reads.ts';
import { type Answer, type Asked, startFake } from '../connectors/http-fake.ts';
import { loopback } from '../connectors/read-source.ts';
import { openLivePlace } from './live-place.ts';
import { loadShop, readDashboards } from './read-dashboards.ts';

type Version = 'v0.47.1' | 'v0.57.2';
const apiKey = 'mb_key-of-the-group';

/** A query over a table, in the form of each version. */
const overTable = {
  'v0.47.1': {
    ...{ type: 'query', database: 1 },
    query: {
      'source-table': 12,
      breakout: [['field', 121, null]],
      aggregation: [['sum', ['field-id', 122]]],
    },
  },
  'v0.57.2': {
    ...{ 'lib/type': 'mbql/query', database: 1 },
    stages: [
      {
        ...{ 'lib/type': 'mbql.stage/mbql', 'source-table': 12 },
        breakout: [['field', { 'lib/uuid': 'u' }, 121]],
        aggregation: [['sum', { 'lib/uuid': 'u' }, ['field', { 'lib/uuid': 'u' }, 122]]],
      },
    ],
  },
};
const native = (version: Version, sql: string) =>
  version === 'v0.47.1'
    ? { type: 'native', database: 1, native: { query: sql, 'template-tags': {} } }
    : { database: 1, stages: [{ 'lib/type': 'mbql.stage/native', native: sql }] };

function cardsOf(version: Version) {
  const one = (id: number, name: string, query: object, more: object = {}) => ({
    ...{ id, name, archived: false, database_id: 1, collection_id: 7, dataset_query: query },
    ...{ display: 'bar', view_count: id, updated_at: '2026-03-01T10:00:00Z', ...more },
  });
  const sql = 'select id, total from sales.daily where {{day}} [[and total > {{least}}]]';
  const onCard = { type: 'query', database: 1, query: { 'source-table': 'card__1' } };
  return [
    one(1, 'Amount by day', overTable[version]),
    one(2, 'Totals', native(version, sql)),
    one(3, 'On top', version === 'v0.47.1' ? onCard : { stages: [{ 'source-card': 1 }] }),
    one(4, 'In a circle', { query: { 'source-table': 'card__5' } }),
    one(5, 'In a circle, too', { query: { 'source-table': 'card__4' } }, { type: 'model' }),
    one(6, 'Unreadable', native(version, 'select from where (')),
    one(7, 'Archived', overTable[version], { archived: true }),
    one(8, 'Of somebody', overTable[version], { collection_id: 9 }),
  ];
}

/** The server: how many dashboards there are besides the first, and what is hidden. */
function serverOf(version: Version, dashboards = 130, hidden = 3) {
  const all = Array.from({ length: dashboards }, (_, at) => at + 1);
  return ({ method, url, headers, body }: Asked): Answer => {
    const path = url.pathname.replace('/base/api/', '');
    if (path === 'session' && method === 'POST') {
      const { username, password } = JSON.parse(body);
      const isKnown = username === 'reader' && password === 'hush-hush';
      return isKnown ? { body: { id: 'session-of-the-reader' } } : { status: 401 };
    }
    const isIn =
      headers['x-api-key'] === apiKey || headers['x-metabase-session'] === 'session-of-the-reader';
    if (!isIn) return { status: 401, body: 'Unauthenticated' };
    if (path === 'session/properties') return { body: { version: { tag: version } } };
    if (path === 'database') {
      const list = [{ id: 1, engine: 'postgres', details: { dbname: 'shop' }, later: true }];
      return { body: version === 'v0.47.1' ? list : { data: list, total: 1 } };
    }
    if (path === 'card') return { body: cardsOf(version) };
    if (path === 'collection') {
      return {
        body: [
          { id: 'root', name: 'Our analytics' },
          { id: 7, name: 'Sales' },
          { id: 8, name: 'Old', archived: true },
          { id: 9, name: 'Anna', personal_owner_id: 4 },
        ],
      };
    }
    if (path === 'collection/root/items') return { body: { data: [], total: 0 } };
    if (path === 'collection/7/items') {
      const [from, most] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name)));
      const page = all.slice(from, (from ?? 0) + (most ?? 0));
      return { body: { data: page.map((id) => ({ id, model: 'dashboard' })), total: all.length } };
    }
    const dashboard = Number(/^dashboard\/(\d+)$/.exec(path)?.[1]);
    if (dashboard === hidden) return { status: 403, body: `You don't have permissions` };
    if (dashboard) {
      const shown = dashboard < 3 ? [{ card_id: 1, series: [{ id: 2 }] }, { card_id: null }] : [];
      const cards = version === 'v0.47.1' ? { ordered_cards: shown } : { dashcards: shown };
      return { body: { id: dashboard, name: `Board ${dashboard}`, ...cards } };
    }
    if (path === 'table/12/query_metadata') {
      const fields = [
        { id: 121, name: 'placed_at' },
        { id: 122, name: 'amount' },
        { id: 123, name: 'other' },
      ];
      return { body: { id: 12, db_id: 1, schema: 'sales', name: 'orders', fields } };
    }
    return { status: 404, body: 'Not found.' };
  };
}

async function readAll(version: Version, more: object = { api_key: apiKey }) {
  await using fake = await startFake(serverOf(version));
  const url = `http://127.0.0.1:${fake.port}/base/`;
  const connector = openMetabaseConnector({ id: 'mb', reach: loopback }, { url, ...more });
  return { ...(await readDashboards(connector)), port: fake.port };
}

test.each(['v0.47.1', 'v0.57.2'] as const)(
  '%s: dashboards and questions are read with links, and from where their data comes',
  async (version) => {
    const { resources, edges, notes, port } = await readAll(version);
    const of = (kind: string) => resources.filter((one) => one.kind === kind);
    expect(of('dashboard_group').map(({ title }) => title)).toEqual(['Our analytics', 'Sales']);
    expect(of('dashboard')).toHaveLength(129);
    expect(of('chart').map(({ title, parentKey }) => [title, parentKey])).toEqual([
      ['Amount by day', 'dashboard:1'],
      ['Totals', 'dashboard:1'],
      ['On top', undefined],
      ['In a circle', undefined],
      ['In a circle, too', undefined],
      ['Unreadable', undefined],
    ]);
    expect(of('chart')[4]).toMatchObject({
      ...{ nativeType: 'model', url: `http://127.0.0.1:${port}/base/question/5`, externalUsage: 5 },
    });
    expect(edges.sort()).toEqual(
      [
        'card:1 > card:3',
        'card:1 > dashboard:2',
        'card:2 > dashboard:2',
        'card:4 > card:5',
        'card:5 > card:4',
        'shop.sales.daily > card:2',
        'shop.sales.daily.id > card:2',
        'shop.sales.daily.total > card:2',
        'shop.sales.orders > card:1',
        'shop.sales.orders.amount > card:1',
        'shop.sales.orders.placed_at > card:1',
      ].sort(),
    );
    expect(notes).toEqual([
      'The dashboard 3 cannot be read by this login.',
      'The SQL of the question 6 cannot be read.',
    ]);
  },
);

test('a login by name and password is one, and a wrong one is said without its secrets', async () => {
  const signedIn = { auth: 'password', user: 'reader', password: 'hush-hush' };
  expect((await readAll('v0.57.2', signedIn)).resources.length).toBeGreaterThan(100);
  await using fake = await startFake(serverOf('v0.57.2'));
  const url = `http://127.0.0.1:${fake.port}/base`;
  const source = { id: 'mb', reach: loopback };
  const right = openMetabaseConnector(source, { url, api_key: apiKey });
  expect(await right.test()).toMatchObject({ ok: true, version: 'Metabase v0.57.2' });
  await expect(right.query('SELECT 1', { timeoutMs: 1_000 })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  const wrong = openMetabaseConnector(source, { url, api_key: 'mb_wrong-key' });
  const report = await wrong.test();
  expect(report.ok).toBe(false);
  expect(JSON.stringify(report)).not.toContain('mb_wrong-key');
  for (const address of ['metabase.example', 'ftp://x', 'https://a:b@x', 'https://x/?q=1']) {
    expect(() => openMetabaseConnector(source, { url: address, api_key: 'k' }), address).toThrow(
      'Use an address',
    );
  }
});

test('ids of fields are found in either place, in joins, and in text; SQL keeps its tables', () => {
  const old = JSON.stringify({
    query: {
      joins: [
        {
          'source-table': 5,
          condition: ['=', ['field', 51, null], ['field', 'NAME', { 'base-type': 'x' }]],
        },
      ],
    },
  });
  expect(readsOf(old)).toMatchObject({ tables: new Set([5]), fields: new Set([51]), sql: null });
  const tags = readsOf({
    native: { query: 'select * from {{#34-model}} m where {{day}} and x = {{y}}' },
  });
  expect(tags.cards).toEqual(new Set([34]));
  expect(tags.sql).toBe(`select * from (select 1 as card_34) m where  1 = 1 and x = '1'`);
  let deep: unknown = { 'source-table': 1 };
  for (let i = 0; i < 100_000; i += 1) deep = [deep];
  expect(readsOf(deep).tables.size).toBe(0);
  expect(readsOf(null).sql).toBeNull();
});

test('a sync brings lineage from the tables of a database, and a second one changes nothing', async () => {
  await using fake = await startFake(serverOf('v0.57.2', 4));
  await using place = await openLivePlace('metabase', {
    ...{ url: `http://127.0.0.1:${fake.port}/base`, api_key: apiKey },
  });
  const { catalog } = place;
  await loadShop(catalog);
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  const edges = await place.edges();
  expect(edges.filter((one) => one.includes('shop.sales'))).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^shop\.sales\.orders > .*Amount by day$/),
      expect.stringMatching(/^shop\.sales\.orders\.amount > .*Amount by day$/),
      expect.stringMatching(/^shop\.sales\.daily\.total > .*Totals$/),
    ]),
  );
  const before = (await place.resources('chart')).map(({ title, version }) => [title, version]);
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  expect((await place.resources('chart')).map(({ title, version }) => [title, version])).toEqual(
    before,
  );
  expect(await place.edges()).toEqual(edges);
});

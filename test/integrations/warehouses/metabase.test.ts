// Metabase as a live source, against a server of ours that answers as two of its versions do.

import { expect, test } from 'vitest';
import { openMetabaseConnector } from '../../../src/integrations/connectors/metabase/metabase.ts';
import { readsOf } from '../../../src/integrations/connectors/metabase/question-reads.ts';
import { startFake } from '../connectors/http-fake.ts';
import { loopback } from '../connectors/read-source.ts';
import { expectFirstPicture } from './first-picture.ts';
import { openLivePlace } from './live-place.ts';
import { apiKey, type MetabaseVersion, metabaseServer } from './metabase-fake.ts';
import { loadShop, readDashboards } from './read-dashboards.ts';

async function readAll(version: MetabaseVersion, more: object = { api_key: apiKey }) {
  await using fake = await startFake(metabaseServer(version));
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
  await using fake = await startFake(metabaseServer('v0.57.2'));
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
  await using fake = await startFake(metabaseServer('v0.57.2', 4));
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
  await expectFirstPicture(place, 'metabase');
  const before = (await place.resources('chart')).map(({ title, version }) => [title, version]);
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  expect((await place.resources('chart')).map(({ title, version }) => [title, version])).toEqual(
    before,
  );
  expect(await place.edges()).toEqual(edges);
});

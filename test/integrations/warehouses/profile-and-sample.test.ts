// Profiles and samples of tables in each warehouse that speaks HTTP, against servers of ours over data in DuckDB.

import { expect, test } from 'vitest';
import { updateIntegration } from '../../../src/integrations/integration.ts';
import { serviceAccount, startBigQuery } from './bigquery-fake.ts';
import { clientSecret, startDatabricks } from './databricks-fake.ts';
import { type LivePlace, openLivePlace } from './live-place.ts';
import { startClickHouse, startTrino } from './small-fakes.ts';
import { privateKey, startSnowflake } from './snowflake-fake.ts';
import type { WarehouseFake } from './warehouse-fake.ts';

const here = { host: '127.0.0.1', ssl: 'disable' };

/** Each warehouse: its server, how it is signed in to, and what its orders and their texts are called. */
const cases: Readonly<
  Record<string, [() => Promise<WarehouseFake | null>, (port: number) => object, string, string]>
> = {
  snowflake: [
    startSnowflake,
    (port) => ({
      ...{ ...here, port, account: 'myorg-shop', user: 'reader', private_key: privateKey },
      ...{ role: 'HEADWATER', warehouse: 'W' },
    }),
    '"SHOP".sales.orders',
    'Größe',
  ],
  bigquery: [
    startBigQuery,
    (port) => ({
      ...{ ...here, port, project: 'shop-prod' },
      service_account: serviceAccount('127.0.0.1', port),
    }),
    '"shop-prod".sales.orders',
    'name',
  ],
  databricks: [
    startDatabricks,
    (port) => ({
      ...{ ...here, port, warehouse_id: '/sql/1.0/warehouses/w1', auth: 'service_principal' },
      ...{ client_id: 'principal', client_secret: clientSecret },
    }),
    'shop.sales.orders',
    'name',
  ],
  clickhouse: [
    startClickHouse,
    (port) => ({ ...here, port, user: 'reader' }),
    'shop.sales.orders',
    'Größe',
  ],
  trino: [
    startTrino,
    (port) => ({ ...here, port, user: 'reader', catalog: 'shop' }),
    'shop.sales.orders',
    'Größe',
  ],
};

const fields = `rowCount columns { title isPersonal nullPercentage distinctCount minimum maximum mean earliest latest
  averageLength topValues { value count } problem }`;

/** The orders that a sync has brought, and their column of texts, which each warehouse calls in its own way. */
async function ordersOf({ resources }: LivePlace) {
  const table = (await resources('table')).find(({ title }) => title.toLowerCase() === 'orders');
  const text = (await resources('column')).find(
    ({ title, parentId }) => parentId === table?.id && /^(name|Größe)$/.test(title),
  );
  if (!table || !text) throw new Error('The orders are missing.');
  return { id: table.id, text };
}

test.each(Object.entries(cases))(
  'of a table in %s a profile says each column, and rows are shown to whom an admin allows',
  async (type, [start, login, orders, name]) => {
    await using fake = await start();
    if (!fake) return;
    await fake.warehouse.run(`update ${orders} set amount = null where id <= 5;
      update ${orders} set "${name}" = case when id <= 300 then 'Köln' else 'O''Fallon' end`);
    await using place = await openLivePlace(type, login(fake.http.port));
    const { catalog } = place;
    expect(await place.sync()).toMatchObject({ state: 'succeeded' });
    const { id, text } = await ordersOf(place);
    const take = await catalog.graphql(
      'mutation ($id: ID!) { profileTable(tableId: $id) { id } }',
      {
        id,
      },
    );
    expect(take.errors).toBeUndefined();
    const { workspaceId } = catalog;
    const job = { workspaceId, kind: 'tables.profile' };
    await expect
      .poll(async () => (await catalog.database.prisma.job.findFirst({ where: job }))?.state, {
        timeout: 30_000,
      })
      .toBe('succeeded');
    const profile = async () => {
      const { data } = await catalog.graphql(
        `query ($id: ID!) { resource(id: $id) { ... on Table { profile { ${fields} } } } }`,
        { id },
      );
      const { rowCount, columns } = data.resource.profile;
      expect(rowCount).toBe(500);
      return Object.fromEntries(
        columns.map(({ title, ...facts }: { title: string }) => [
          title === text.title ? 'text' : title.toLowerCase(),
          facts,
        ]),
      );
    };
    const none = {
      ...{ isPersonal: false, problem: null, minimum: null, maximum: null, mean: null },
      ...{ earliest: null, latest: null, averageLength: null, topValues: [], nullPercentage: 0 },
    };
    expect(await profile()).toMatchObject({
      id: { ...none, distinctCount: 500, minimum: 1, maximum: 500, mean: 250.5 },
      amount: {
        ...{ ...none, nullPercentage: 1, distinctCount: 495 },
        ...{ minimum: 9, maximum: 750, mean: 379.5 },
      },
      placed_at: {
        ...{ ...none, distinctCount: 500 },
        ...{ earliest: '2026-01-01T01:00:00.000Z', latest: '2026-01-21T20:00:00.000Z' },
      },
      text: {
        ...{ ...none, distinctCount: 2, averageLength: 5.6 },
        topValues: [
          { value: 'Köln', count: 300 },
          { value: "O'Fallon", count: 200 },
        ],
      },
    });
    await catalog.database.prisma.resource.updateMany({
      where: { id: text.id },
      data: { pii: true },
    });
    expect((await profile()).text).toMatchObject({ isPersonal: true, topValues: [] });

    const sample = (as: 'admin' | 'editor') =>
      catalog.graphql(
        'mutation ($id: ID!) { sampleTable(tableId: $id, rows: 3) { columns rows personal } }',
        { id },
        { as },
      );
    for (const as of ['admin', 'editor'] as const) {
      expect((await sample(as)).errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    }
    await updateIntegration(catalog.admin, place.integrationId, { previewRoles: ['editor'] });
    expect((await sample('admin')).errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    const shown = await sample('editor');
    expect(shown.errors).toBeUndefined();
    const { columns: titles, rows, personal } = shown.data.sampleTable;
    const row = new Map(
      titles.map((title: string, at: number) => [title.toLowerCase(), rows[0][at]]),
    );
    expect([...row.keys()]).toEqual(expect.arrayContaining(['amount', 'id', 'placed_at']));
    expect([personal, titles.includes(text.title)]).toEqual([[text.title], false]);
    expect(rows.length).toBe(3);
    expect([row.get('id'), row.get('amount')]).toEqual([expect.stringMatching(/^\d+$/), null]);
    expect(row.get('placed_at')).toMatch(/^2026-01-01/);
    const kept = [
      await catalog.database.prisma.auditLog.findMany({ where: { workspaceId } }),
      await catalog.database.prisma.job.findMany({ where: { workspaceId } }),
    ];
    const said = JSON.stringify(kept, (_key, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    expect(said).toContain('table_sampled');
    expect(said).not.toContain('2026-01-01');
  },
  90_000,
);

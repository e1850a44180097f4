// What becomes of events: tables, columns, jobs, runs, and the lineage between them.

import { expect, test } from 'vitest';
import { rows } from '../../src/database/rows.ts';
import { openCatalog } from '../catalog.ts';
import { edgesOf, graphOf, report, reportAndDrain } from './drained.ts';
import { type Event, shopEvents } from './events.ts';
import { expectNowhere } from './nowhere.ts';

/** The list in an order that is not its own, and always the same. */
function shuffled<T>(list: readonly T[], seed: number): T[] {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state;
  };
  return list
    .map((one) => [next(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);
}

test('the lineage of a shop is what its jobs said, the most exact of each', async () => {
  await using catalog = await openCatalog();
  expect(shopEvents.length).toBeGreaterThanOrEqual(40);
  await reportAndDrain(catalog, shopEvents);
  const edges = (await edgesOf(catalog)).filter(({ edge }) => !edge.includes('deep/'));
  const of = (isImplied: boolean) =>
    edges
      .filter(({ implied }) => implied === isImplied)
      .map(({ edge, strength, uses }) => [
        edge,
        strength === 'DIRECT' ? '' : strength,
        uses.join(),
      ]);
  const direct = (edge: string) => [edge, '', ''];
  expect(of(false)).toEqual([
    direct('def.till.orders -> shop.public.orders'),
    direct('files.clicks -> web.visits'),
    ['shop.mart.per_customer.name -> shop.mart.top_customers.name', '', 'IDENTITY'],
    ['shop.mart.per_customer.total -> shop.mart.top_customers', 'INDIRECT', 'FILTER'],
    ['shop.mart.per_customer.total -> shop.mart.top_customers.total', '', 'IDENTITY'],
    direct('shop.mart.top_customers -> shop.mart.report'),
    direct(`shop.public."odd -> shop.mart.it's`),
    ['shop.public.customers.id -> shop.mart.per_customer', 'INDIRECT', 'JOIN'],
    ['shop.public.customers.name -> shop.mart.per_customer.name', '', 'TRANSFORMATION'],
    direct('shop.public.orders -> datasets.a.b.c.d.e'),
    direct('shop.public.orders -> datasets.x'),
    direct('shop.public.orders -> shop.mart.declared'),
    direct('shop.public.orders -> shop.mart.late'),
    direct('shop.public.orders -> shop.mart.new_name'),
    ['shop.public.orders.amount -> shop.mart.both.amount', '', 'IDENTITY'],
    ['shop.public.orders.amount -> shop.mart.old_facet.amount', '', 'IDENTITY'],
    ['shop.public.orders.amount -> shop.mart.per_customer.total', '', 'AGGREGATION'],
    ['shop.public.orders.customer_id -> shop.mart.per_customer.customer_id', '', 'IDENTITY'],
    ['shop.public.orders.placed_at -> shop.mart.per_customer', 'INDIRECT', 'FILTER'],
    direct('topics.shop.clicks -> files.clicks'),
    direct('web.sessions -> web.daily_sessions'),
    direct('web.visits -> files.exports/visits.csv'),
  ]);
  expect(of(true).map(([edge]) => edge)).toEqual([
    'shop.mart.per_customer -> shop.mart.top_customers',
    'shop.public.customers -> shop.mart.per_customer',
    'shop.public.orders -> shop.mart.both',
    'shop.public.orders -> shop.mart.old_facet',
    'shop.public.orders -> shop.mart.per_customer',
  ]);
}, 60_000);

test('the graph is the same in any order, in any batches, and where each event comes twice', async () => {
  await using inOrder = await openCatalog();
  await using inBatches = await openCatalog();
  await reportAndDrain(inOrder, shopEvents);
  const expected = await graphOf(inOrder);
  expect(expected.resources?.length).toBeGreaterThan(60);
  const twice = shuffled([...shopEvents, ...shopEvents], 7);
  for (let from = 0; from < twice.length; from += 9) {
    await reportAndDrain(inBatches, twice.slice(from, from + 9));
  }
  expect(await graphOf(inBatches)).toEqual(expected);
  await reportAndDrain(inOrder, shuffled(shopEvents, 3));
  expect(await graphOf(inOrder)).toEqual(expected);
}, 240_000);

test('tables of a warehouse that is known are not doubled, and keep what it says', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration({ name: 'Warehouse', type: 'postgres' });
  await catalog.owner.query(
    `insert into integration_address (workspace_id, integration_id, database, address, origin)
      values ($1, $2, '*', 'postgres://db.example.com:5432', 'credentials')`,
    [catalog.workspaceId, id],
  );
  const lines = [
    { entity_type: 'database', databuilder_id: 'd', title: 'shop' },
    { entity_type: 'schema', databuilder_id: 's', title: 'public', parent: 'd' },
    {
      entity_type: 'table',
      databuilder_id: 't',
      title: 'Orders',
      parent: 's',
      native_type: 'view',
    },
    { entity_type: 'column', databuilder_id: 'c', title: 'Amount', parent: 't', type: 'money' },
  ].map(({ parent, ...line }) =>
    JSON.stringify({ ...line, ...(parent ? { parent_databuilder_id: parent } : {}) }),
  );
  const body = new FormData();
  body.append('resources_file', new Blob([lines.join('\n')]), 'resources.jsonl');
  const path = `/integration/integrations/${id}/import_jsonl_metadata`;
  const imported = await catalog.rest('POST', path, { body });
  expect(imported.text).toBe('');
  await reportAndDrain(catalog, shopEvents);
  const tables = await rows<Record<string, unknown>>(
    catalog.admin,
    `select r.title, r.native_type as "nativeType", i.name, c.type, c.title as "column"
      from resource r join integration i on i.id = r.integration_id
      left join resource c on c.parent_id = r.id and lower(c.title) = 'amount'
      where r.workspace_id = $1::uuid and r.kind = 'table' and r.title_full ilike 'shop.public.orders'`,
    [catalog.workspaceId],
  );
  expect(tables).toEqual([
    { title: 'Orders', nativeType: 'view', name: 'Warehouse', type: 'money', column: 'Amount' },
  ]);
  const edges = (await edgesOf(catalog)).map(({ edge }) => edge);
  expect(edges).toContain('shop.public.orders.amount -> shop.mart.per_customer.total');
}, 120_000);

test('a run that no longer shows an edge takes it back, and other runs keep it', async () => {
  await using catalog = await openCatalog();
  const ends = (at: string, run: string, eventType: string): Event => ({
    ...{ eventTime: at, eventType, job: { namespace: 'a', name: 'copy' }, run: { runId: run } },
    inputs: [{ namespace: 'here', name: 'x.a' }],
    outputs: [{ namespace: 'here', name: 'x.b' }],
  });
  const edges = async () => (await edgesOf(catalog)).map(({ edge }) => edge);
  await reportAndDrain(catalog, [ends('2026-01-01T00:00:00Z', '1', 'COMPLETE')]);
  expect(await edges()).toEqual(['x.a -> x.b']);
  await reportAndDrain(catalog, [ends('2026-01-02T00:00:00Z', '2', 'COMPLETE')]);
  await reportAndDrain(catalog, [ends('2026-01-01T01:00:00Z', '1', 'FAIL')]);
  expect(await edges()).toEqual(['x.a -> x.b']);
  await reportAndDrain(catalog, [ends('2026-01-02T01:00:00Z', '2', 'FAIL')]);
  expect(await edges()).toEqual([]);
}, 60_000);

test('a job whose outputs change keeps the lineage of those before', async () => {
  await using catalog = await openCatalog();
  const writes = (at: string, output: string): Event => ({
    ...{
      eventTime: at,
      eventType: 'COMPLETE',
      job: { namespace: 'a', name: 'j' },
      run: { runId: at },
    },
    inputs: [{ namespace: 'here', name: 'x.a' }],
    outputs: [{ namespace: 'here', name: output }],
  });
  await reportAndDrain(catalog, [writes('2026-01-01T00:00:00Z', 'x.b')]);
  await reportAndDrain(catalog, [writes('2026-01-02T00:00:00Z', 'x.c')]);
  const edges = (await edgesOf(catalog)).map(({ edge }) => edge);
  expect(edges).toEqual(['x.a -> x.b', 'x.a -> x.c']);
}, 60_000);

test('SQL of a run that names nothing that it reads says where its outputs come from', async () => {
  await using catalog = await openCatalog();
  const lies = 'postgres://db.example.com:5432';
  const table = (name: string, ...fields: string[]) => ({
    ...{ namespace: lies, name },
    facets: { schema: { fields: fields.map((name) => ({ name, type: 'text' })) } },
  });
  const event = (job: string, type: string, minute: number, more: object): Event => ({
    ...{
      eventTime: `2026-03-01T10:0${minute}:00Z`,
      eventType: type,
      producer: 'https://p.example',
    },
    ...{ schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json' },
    ...{ run: { runId: `${job} 1` }, inputs: [], outputs: [], ...more },
  });
  const job = (name: string, query: string) => ({
    job: { namespace: 'shop', name, facets: { sql: { query } } },
  });
  const daily = table('shop.mart.daily', 'day', 'total');
  const fill = `with o as (select id, day from shop.raw.orders)
    insert into mart.daily (day, total) select o.day, sum(p.paid) from o join payments p on p.id = o.id group by 1`;
  await reportAndDrain(catalog, [
    event('fill', 'START', 1, job('fill', fill)),
    event('fill', 'COMPLETE', 2, { ...job('fill', fill), outputs: [daily] }),
    // What it reads is known from others, with its columns.
    event('load', 'COMPLETE', 3, {
      ...job('load', ''),
      outputs: [table('shop.mart.payments', 'id', 'paid'), table('shop.raw.orders', 'id', 'day')],
    }),
    // A file lies in no schema, and a name of more parts than its own is none that it could be next to.
    event('file', 'COMPLETE', 4, {
      ...job('file', 'copy into x select a from y'),
      outputs: [{ namespace: 's3://lake', name: 'out/file.csv' }],
    }),
    event('far', 'COMPLETE', 5, {
      ...job('far', 'insert into far select a from one.two.three.four'),
      outputs: [table('shop.mart.far', 'a')],
    }),
    // Inputs that are named are all that it reads.
    event('named', 'COMPLETE', 6, {
      ...job('named', 'insert into named (id) select p.id from payments p cross join elsewhere'),
      ...{ inputs: [table('shop.mart.payments')], outputs: [table('shop.mart.named', 'id')] },
    }),
    event('failed', 'FAIL', 7, {
      ...job('failed', 'insert into broken select id from payments'),
      outputs: [table('shop.mart.broken', 'id')],
    }),
  ]);
  const edges = (await edgesOf(catalog)).filter(({ implied }) => !implied);
  expect(edges.map(({ edge, strength }) => `${edge} ${strength}`)).toEqual([
    'shop.mart.payments.id -> shop.mart.daily INDIRECT',
    'shop.mart.payments.id -> shop.mart.named.id DIRECT',
    'shop.mart.payments.paid -> shop.mart.daily.total DIRECT',
    'shop.raw.orders.day -> shop.mart.daily INDIRECT',
    'shop.raw.orders.day -> shop.mart.daily.day DIRECT',
    'shop.raw.orders.id -> shop.mart.daily INDIRECT',
  ]);
  const before = await graphOf(catalog);
  await reportAndDrain(catalog, [event('fill', 'START', 1, job('fill', fill))]);
  expect((await graphOf(catalog)).edges).toEqual(before.edges);
}, 60_000);

test('what several workers drain at once counts once', async () => {
  await using catalog = await openCatalog();
  const { drain } = await import('./drained.ts');
  await report(catalog, shopEvents.slice(0, 12));
  const ends = await Promise.allSettled([drain(catalog), drain(catalog)]);
  expect(ends.some(({ status }) => status === 'fulfilled')).toBe(true);
  await drain(catalog);
  const [counted] = await rows<{ runs: number }>(
    catalog.admin,
    `select max(runs)::integer as runs from openlineage_flow where workspace_id = $1::uuid`,
    [catalog.workspaceId],
  );
  expect(counted).toEqual({ runs: 3 });
}, 60_000);

test('a password in a facet that is not known is nowhere, once all is drained', async () => {
  await using catalog = await openCatalog({ alone: true });
  const secret = 'zz-correct-horse';
  const facets = { spark_properties: { password: secret }, environment_variables: [secret] };
  const withSecrets = shopEvents
    .slice(0, 14)
    .map((one) =>
      JSON.parse(JSON.stringify(one), (name, value) =>
        name === 'facets' ? { ...value, ...facets } : value,
      ),
    );
  await reportAndDrain(catalog, withSecrets);
  expect((await edgesOf(catalog)).length).toBeGreaterThan(0);
  await expectNowhere(catalog, secret);
}, 60_000);

// Where people say that the databases of an integration lie.

import { expect, test } from 'vitest';
import { setIntegrationAddresses } from '../../../src/integrations/addresses/set-addresses.ts';
import { createMonitor } from '../../../src/monitors/monitor.ts';
import { updateResource } from '../../../src/resources/editing/edit.ts';
import { getResource } from '../../../src/resources/resource.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { digest, feedCsv } from '../imports/feed.ts';
import { look } from '../imports/permuted/look.ts';
import { csv, project } from '../imports/permuted/steps.ts';

const users = project('p', { models: [{ name: 'users', schema: 'public', database: 'app' }] });

/** A project, and two sources that have its table. */
async function openThree() {
  const catalog = await openCatalog();
  const ids = new Map<string, string>();
  for (const [name, type] of [
    ['Staging', 'custom'],
    ['Production', 'custom'],
    ['Project', 'dbt_core'],
  ] as const) {
    ids.set(name, (await catalog.integration({ name, type })).id);
  }
  const idOf = (name: string) => ids.get(name) ?? '';
  const place = { catalog, ids };
  await csv('app.public.users')(place, idOf('Staging'));
  await csv('app.public.users')(place, idOf('Production'));
  const tables = async () => (await look(catalog, ids)).tables;
  return { catalog, idOf, place, tables };
}

const tableOf = (catalog: Catalog, integrationId: string) =>
  catalog.database.prisma.resource.findFirstOrThrow({
    where: { workspaceId: catalog.workspaceId, kind: 'table', integrationId },
  });

test('a database of two sources is left alone and said to be, until people say which it is', async () => {
  const { catalog, idOf, place, tables } = await openThree();
  const counts = await users(place, idOf('Project'));
  expect(counts).toMatchObject({
    problems: [
      'The database app is in 2 sources (Production, Staging): say which of them this project writes to. ' +
        'Its table stands next to them.',
    ],
  });
  const apart = [
    'app.public.users Production',
    'app.public.users Project',
    'app.public.users Staging',
  ];
  expect(await tables()).toEqual(apart);
  const addresses = [{ database: '*', address: `integration:${idOf('Production')}` }];

  const own = await tableOf(catalog, idOf('Project'));
  await updateResource(catalog.admin, own.id, { definition: 'Written by a person' });
  const { id: monitorId } = await createMonitor(catalog.admin, {
    ...{ targetId: own.id, metricType: 'row_count', name: 'Rows' },
  });
  const before = await digest(catalog);
  const tried = await setIntegrationAddresses(catalog.admin, idOf('Project'), addresses, true);
  expect(tried).toMatchObject({ shared: { merged: 4 }, problems: [] });
  expect(await digest(catalog)).toEqual(before);
  const done = await setIntegrationAddresses(catalog.admin, idOf('Project'), addresses);
  expect(done).toMatchObject({ shared: { merged: 4, left: 0 }, problems: [] });

  expect(await tables()).toEqual([
    'app.public.users Production +Project written',
    'app.public.users Staging',
  ]);
  const kept = await tableOf(catalog, idOf('Production'));
  expect((await getResource(catalog.admin, own.id)).id).toBe(kept.id);
  const monitor = await catalog.database.prisma.monitor.findFirstOrThrow({
    where: { id: monitorId },
  });
  expect(monitor.targetId).toBe(kept.id);
  // Its next upload says the same.
  expect(await users(place, idOf('Project'))).toMatchObject({
    ...{ created: 0, updated: 0, staled: 0, problems: [] },
  });
});

test('what was said can be said otherwise: the project describes the other table then', async () => {
  const { catalog, idOf, place, tables } = await openThree();
  const say = (name: string) =>
    setIntegrationAddresses(catalog.admin, idOf('Project'), [
      { database: 'app', address: `integration:${idOf(name)}` },
    ]);
  await say('Production');
  await users(place, idOf('Project'));
  expect(await tables()).toEqual([
    'app.public.users Production +Project',
    'app.public.users Staging',
  ]);
  expect(await say('Staging')).toMatchObject({ shared: { merged: 0 } });
  expect(await tables()).toEqual([
    'app.public.users Production',
    'app.public.users Staging +Project',
  ]);
});

test('a project without database is told in which one its tables lie', async () => {
  const catalog = await openCatalog();
  const [warehouse, spark] = [
    await catalog.integration({ name: 'Finance' }),
    await catalog.integration({ type: 'dbt_core', name: 'Spark' }),
  ];
  const ids = new Map([
    ['Finance', warehouse.id],
    ['Spark', spark.id],
  ]);
  await csv('finance.default.orders')({ catalog, ids }, warehouse.id);
  const address = `integration:${warehouse.id}`;
  await setIntegrationAddresses(catalog.admin, spark.id, [
    { database: null, address, becomes: 'finance' },
  ]);
  const models = [{ name: 'orders', schema: 'default', database: null }];
  await project('eu', { adapter: 'spark', models })({ catalog, ids }, spark.id);
  expect((await look(catalog, ids)).tables).toEqual(['finance.default.orders Finance +Spark']);
});

test('GraphQL says what was found out and what may be said, and refuses what is no address', async () => {
  const { catalog, idOf, place } = await openThree();
  await users(place, idOf('Project'));
  const { data } = await catalog.graphql(
    `query ($id: ID!) { integration(id: $id) {
      addresses { database address origin }
      proposedAddresses { database address integration { name } sharedSchemas sharedTables }
    } }`,
    { id: idOf('Project') },
  );
  expect(data.integration.addresses).toEqual([]);
  expect(data.integration.proposedAddresses).toHaveLength(2);
  expect(data.integration.proposedAddresses).toContainEqual({
    ...{ database: 'app', address: `integration:${idOf('Staging')}` },
    ...{ integration: { name: 'Staging' }, sharedSchemas: 1, sharedTables: 1 },
  });
  await expect(
    setIntegrationAddresses(catalog.admin, idOf('Project'), [{ database: '*', address: 'no one' }]),
  ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(
    setIntegrationAddresses(catalog.as('editor'), idOf('Project'), []),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('what is not decided is listed, and is no more once it is', async () => {
  const { catalog, idOf, place } = await openThree();
  await users(place, idOf('Project'));
  const undecided = async (name: string) => {
    const query = 'query ($id: ID!) { integration(id: $id) { undecidedDatabases } }';
    return (await catalog.graphql(query, { id: idOf(name) })).data.integration.undecidedDatabases;
  };
  expect(await Promise.all(['Project', 'Staging'].map(undecided))).toEqual([['app'], []]);
  const path = `/integration/integrations/${idOf('Project')}`;
  const address = `integration:${idOf('Production')}`;
  const said = await catalog.rest('PATCH', path, {
    body: { addresses: [{ database: '*', address }] },
  });
  expect(said.status).toBe(200);
  expect(said.body.addresses).toMatchObject([{ database: '*', address, origin: 'set' }]);
  expect(await undecided('Project')).toEqual([]);
  const both = await catalog.rest('PATCH', path, { body: { name: 'Other', addresses: [] } });
  expect([both.status, both.body.detail]).toEqual([
    400,
    expect.stringContaining('another request'),
  ]);
  expect((await catalog.rest('GET', path)).body).toMatchObject({
    name: 'Project',
    addresses: [{}],
  });
});

test('lists and counts of an integration have what it describes, its own and that of others', async () => {
  const { catalog, idOf, place } = await openThree();
  const address = `integration:${idOf('Production')}`;
  await setIntegrationAddresses(catalog.admin, idOf('Project'), [{ database: '*', address }]);
  await users(place, idOf('Project'));
  const table = await tableOf(catalog, idOf('Production'));
  const titles = async (where: object) => {
    const query = `query ($where: ResourceWhere) { resources(where: $where) { nodes { titleFull } }
      coverage(where: $where) { by(group: integration) { label total } } }`;
    const { data, errors } = await catalog.graphql(query, { where });
    expect(errors).toBeUndefined();
    return data.resources.nodes.map(({ titleFull }: { titleFull: string }) => titleFull);
  };
  const tables = { kind: { eq: 'table' } };
  const ofProject = { eq: idOf('Project') };
  expect(await titles({ ...tables, describedBy: ofProject })).toEqual(['app.public.users']);
  expect(await titles({ ...tables, integrationId: ofProject })).toEqual([]);
  expect(await titles({ ...tables, describedBy: { isSet: false } })).toEqual([]);
  const listed = await catalog.rest('GET', `/table/tables?integration_id=${idOf('Project')}`);
  expect(listed.body).toMatchObject({ count: 1, results: [{ id: table.id }] });
  const counted = await catalog.graphql(
    `{ coverage(where: { kind: { eq: table } }) { by(group: integration) { label total } } }`,
  );
  expect(counted.data.coverage.by).toEqual([
    { label: 'Production', total: 1 },
    { label: 'Project', total: 1 },
    { label: 'Staging', total: 1 },
  ]);

  // What several describe stays when one of them is deleted, and so does what people wrote there.
  const goes = (name: string) => ({ ...tables, describedOnlyBy: idOf(name), edited: true });
  const other = await tableOf(catalog, idOf('Staging'));
  await updateResource(catalog.admin, table.id, { definition: 'Written' });
  await updateResource(catalog.admin, other.id, { definition: 'Written, too' });
  expect(await titles(goes('Production'))).toEqual([]);
  expect(await titles(goes('Staging'))).toEqual(['app.public.users']);
});

test('the only source with the schemas of a project is taken for its warehouse, and said to be', async () => {
  const catalog = await openCatalog();
  const [warehouse, dbt] = [
    await catalog.integration({ name: 'Warehouse' }),
    await catalog.integration({ type: 'dbt_core', name: 'Project' }),
  ];
  const ids = new Map([
    ['Warehouse', warehouse.id],
    ['Project', dbt.id],
  ]);
  await feedCsv(catalog, warehouse, 'database,schema,name,col_name\napp,public,users,id');
  const taken =
    'The database app is taken for that of Warehouse, the only source with its schemas.';
  expect(await users({ catalog, ids }, dbt.id)).toMatchObject({ problems: [taken] });
  const address = `integration:${warehouse.id}`;
  const { data } = await catalog.graphql(
    'query ($id: ID!) { integration(id: $id) { addresses { database address origin } } }',
    { id: dbt.id },
  );
  expect(data.integration.addresses).toEqual([{ database: 'app', address, origin: 'matched' }]);
  await setIntegrationAddresses(catalog.admin, dbt.id, [{ database: 'app', address }]);
  expect(await users({ catalog, ids }, dbt.id)).toMatchObject({ problems: [] });
});

test.each([
  ['*', 'app'],
  ['app', '*'],
])(
  'saying where %s of a source lies leaves with it what a project says to write there',
  async (ofSource, ofProject) => {
    const { catalog, idOf, place, tables } = await openThree();
    const own = `integration:${idOf('Production')}`;
    await setIntegrationAddresses(catalog.admin, idOf('Project'), [
      { database: ofProject, address: own },
    ]);
    await users(place, idOf('Project'));
    const both = ['app.public.users Production +Project', 'app.public.users Staging'];
    expect(await tables()).toEqual(both);
    const address = 'postgres://db.example.com:5432';
    const say = () =>
      setIntegrationAddresses(catalog.admin, idOf('Production'), [{ database: ofSource, address }]);
    const before = await digest(catalog);
    await setIntegrationAddresses(
      catalog.admin,
      idOf('Production'),
      [{ database: ofSource, address }],
      true,
    );
    expect(await digest(catalog)).toEqual(before);
    expect(await say()).toMatchObject({ created: 0, shared: { left: 0, merged: 0 } });
    expect(await tables()).toEqual(both);
    await users(place, idOf('Project'));
    await csv('app.public.users')(place, idOf('Production'));
    expect(await tables()).toEqual(both);
  },
);

test('an integration that is named in place of an address stands for where it lies', async () => {
  const { catalog, idOf, place, tables } = await openThree();
  const address = 'postgres://db.example.com:5432';
  const say = (name: string, where: string) =>
    setIntegrationAddresses(catalog.admin, idOf(name), [{ database: '*', address: where }]);
  await say('Production', address);
  await say('Project', `integration:${idOf('Production').toUpperCase()}`);
  await users(place, idOf('Project'));
  expect(await tables()).toEqual([
    'app.public.users Production +Project',
    'app.public.users Staging',
  ]);
  await expect(say('Project', `integration:${catalog.workspaceId}`)).rejects.toMatchObject({
    ...{ code: 'BAD_REQUEST', fields: [{ field: 'addresses.0.address' }] },
  });
});

test.each([
  ['PostgreSQL://DB.Example.com./', 'postgres://db.example.com:5432'],
  ['mariadb://db:3307', 'mysql://db:3307'],
  ['redshift://[::1]', 'redshift://[::1]:5439'],
  ['duckdb:///Files/A.duckdb', 'duckdb:///Files/A.duckdb'],
  ['bigquery', 'bigquery'],
  ['trino://host:443#Hive', 'trino://host:443#Hive'],
])('the address %s is that of %s', async (given, address) => {
  const { catalog, idOf } = await openThree();
  const id = idOf('Project');
  await setIntegrationAddresses(catalog.admin, id, [{ database: '*', address: given }]);
  const { body } = await catalog.rest('GET', `/integration/integrations/${id}`);
  expect(body.addresses).toMatchObject([{ address }]);
});

test.each([
  'postgres://ana:hunter2@db:5432',
  'postgres://db:5432/app',
  'postgres://db?password=hunter2',
  'sqlserver://sa:hunter2@db:1433',
  'clickhouse://db',
  'unplaced:postgres',
  'UNPLACED:postgres',
])('the address %s is refused, and not repeated', async (address) => {
  const { catalog, idOf } = await openThree();
  const refused = await setIntegrationAddresses(catalog.admin, idOf('Project'), [
    { database: '*', address },
  ]).catch((error: unknown) => JSON.stringify(error, ['code', 'message', 'fields', 'field']));
  expect(refused).toContain('"BAD_REQUEST"');
  expect(refused).not.toContain('hunter2');
});

test('a source that no longer lies in another one takes nothing of it along', async () => {
  const { catalog, idOf, tables } = await openThree();
  const of = idOf('Production');
  const { id, address } = await tableOf(catalog, idOf('Staging'));
  const say = (addresses: readonly { database: string; address: string }[]) =>
    setIntegrationAddresses(catalog.admin, of, addresses);
  const inStaging = { database: '*', address: `integration:${idOf('Staging')}` };
  for (const next of [[], [{ database: '*', address: 'postgres://db.example.com:5432' }]]) {
    await say([inStaging]);
    expect(await tables()).toEqual(['app.public.users Staging +Production']);
    await say(next);
    expect(await tables()).toEqual(['app.public.users Production', 'app.public.users Staging']);
    expect(await tableOf(catalog, idOf('Staging'))).toMatchObject({ id, address });
  }
});

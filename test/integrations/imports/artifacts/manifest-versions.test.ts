// Manifests of version 1 to 12, each with the fields that its version has, and one as dbt 2.0 writes it.

import { expect, test } from 'vitest';
import { type Catalog, openCatalog } from '../../../catalog.ts';
import { schemaOf } from '../bakery.ts';
import { edgesOf, feedProject, resourceAt, resourcesOf, testsOf } from '../feed.ts';

const versions = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20];

/** A model as a version writes it. */
function model(version: number) {
  return {
    resource_type: 'model',
    unique_id: 'model.shop.orders',
    name: 'orders',
    alias: 'orders',
    database: 'db',
    schema: 'main',
    fqn: ['shop', 'orders'],
    package_name: 'shop',
    original_file_path: 'models/orders.sql',
    description: 'Orders',
    checksum: { name: 'sha256', checksum: '0' },
    ...(version < 4 ? { root_path: '/project' } : {}),
    ...(version < 12 ? { tags: ['core'], meta: { level: 1 }, docs: { show: true } } : {}),
    config: {
      enabled: true,
      materialized: 'table',
      ...(version < 12 ? {} : { tags: ['core'], meta: { level: 1 }, group: 'money' }),
      // A version may write one tag as a text.
      ...(version === 12 ? { tags: 'core' } : {}),
    },
    columns: {
      id: {
        name: 'id',
        description: 'Key',
        data_type: version < 9 ? null : 'integer',
        meta: {},
        quote: null,
        tags: [],
        ...(version < 9 ? {} : { constraints: [{ type: 'primary_key' }] }),
      },
    },
    // Since version 7 the SQL is called code, as it may be in another language.
    ...(version < 7
      ? { raw_sql: 'select {{ x }}', compiled_sql: 'select 1', compiled: true }
      : { raw_code: 'select {{ x }}', compiled_code: 'select 1', language: 'sql' }),
    depends_on: { macros: [], nodes: ['source.shop.app.raw', 'seed.shop.rates'] },
    ...(version < 9 ? {} : { access: 'protected', group: version < 12 ? 'money' : undefined }),
  };
}

/** A seed: of old versions with what all nodes have, of later ones without a list of nodes. */
function seed(version: number) {
  return {
    resource_type: 'seed',
    name: 'rates',
    database: 'db',
    schema: 'main',
    config: { materialized: 'seed' },
    columns: {},
    ...(version < 8
      ? { depends_on: { macros: [], nodes: [] } }
      : version < 9
        ? {}
        : { depends_on: { macros: [] } }),
  };
}

/** A test of a column: what it is about was said in the macro's arguments, and later by itself. */
function relationship(version: number) {
  const model =
    version < 2 ? "{{ ref('orders') }}" : "{{ get_where_subquery(ref('shop', 'orders')) }}";
  return {
    resource_type: 'test',
    name: 'relationships_orders_id',
    database: 'db',
    schema: version < 2 ? 'main' : 'main_dbt_test__audit',
    column_name: 'id',
    test_metadata: {
      name: 'relationships',
      kwargs: { column_name: 'id', model, to: "ref('rates')", field: 'id' },
      ...(version < 2 ? {} : { namespace: null }),
    },
    config: { severity: version === 1 ? 'WARN' : 'warn', materialized: 'test' },
    // The order of the nodes differs: of two, the tested one is not always the last.
    depends_on: {
      nodes:
        version % 2 === 0
          ? ['model.shop.orders', 'seed.shop.rates']
          : ['seed.shop.rates', 'model.shop.orders'],
    },
    ...(version < 9 ? {} : { attached_node: 'model.shop.orders' }),
  };
}

/** A metric: since version 4, of three different shapes. */
function metric(version: number) {
  const common = { name: 'total', label: 'Total', description: 'In all', tags: [], meta: {} };
  if (version < 7) return { ...common, type: 'sum', sql: 'amount', depends_on: onModel };
  if (version < 10) {
    return { ...common, calculation_method: 'sum', expression: 'amount', depends_on: onModel };
  }
  const depends_on = { nodes: ['semantic_model.shop.orders'] };
  return { ...common, type: 'simple', type_params: { expr: 'amount' }, depends_on };
}

const onModel = { macros: [], nodes: ['model.shop.orders'] };

function manifest(version: number) {
  return {
    metadata: {
      dbt_schema_version: schemaOf('manifest', version),
      generated_at: '2026-01-01T00:00:00Z',
      adapter_type: 'duckdb',
    },
    nodes: {
      'model.shop.orders': model(version),
      'seed.shop.rates': seed(version),
      'test.shop.relationships': relationship(version),
      // Hooks and stored procedures stand among the nodes, too, and are no resources.
      'operation.shop.hook': {
        resource_type: 'operation',
        name: 'hook',
        depends_on: { nodes: [] },
      },
      ...(version < 6 ? { 'rpc.shop.call': { resource_type: 'rpc', name: 'call' } } : {}),
      ...(version < 11
        ? {}
        : { 'sql_operation.shop.x': { resource_type: 'sql_operation', name: 'x' } }),
    },
    sources: {
      'source.shop.app.raw': {
        resource_type: 'source',
        name: 'raw',
        source_name: 'app',
        source_description: 'The app',
        identifier: 'raw_v1',
        database: 'db',
        schema: 'landing',
        loader: '',
        columns: {},
        description: '',
      },
    },
    exposures: {
      'exposure.shop.board': {
        name: 'board',
        type: 'dashboard',
        owner: {
          name: null,
          email: version < 12 ? 'ann@example.com' : ['ann@example.com', 'bob@example.com'],
        },
        url: null,
        description: '',
        ...(version < 7 ? {} : { label: 'Board of all' }),
        depends_on: onModel,
      },
    },
    ...(version < 4 ? {} : { metrics: { 'metric.shop.total': metric(version) } }),
    ...(version < 10
      ? {}
      : {
          semantic_models: {
            'semantic_model.shop.orders': { name: 'orders', depends_on: onModel },
          },
        }),
    ...(version < 9
      ? {}
      : { groups: { 'group.shop.money': { name: 'money', owner: { email: 'cfo@example.com' } } } }),
    ...(version < 12
      ? {}
      : { saved_queries: {}, unit_tests: { 'unit_test.shop.u': { name: 'u' } } }),
    ...(version < 20 ? {} : { functions: { 'function.shop.tax': { name: 'tax' } } }),
    macros: {},
    docs: { 'shop.overview': { block_contents: '{"a": [}' } },
    selectors: {},
    disabled: version < 3 ? [] : {},
    parent_map: {},
    child_map: {},
  };
}

async function people(catalog: Catalog): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const name of ['ann', 'bob', 'cfo']) {
    ids.set((await catalog.user({ email: `${name}@example.com` })).id, name);
  }
  return ids;
}

test.each(versions)('a manifest of version %i is read with all it says', async (version) => {
  await using catalog = await openCatalog();
  const names = await people(catalog);
  const project = await catalog.integration({ type: 'dbt_core' });

  const made = await feedProject(catalog, project, { manifest: manifest(version) });

  const board = version < 7 ? 'board' : 'Board of all';
  const titles = [...(await resourcesOf(catalog)).keys()].sort();
  expect(titles).toEqual(
    [
      board,
      'db',
      'db.landing',
      'db.landing.raw_v1',
      'db.main',
      'db.main.orders',
      'db.main.orders.id',
      'db.main.rates',
      ...(version < 4 ? [] : ['Total']),
    ].sort(),
  );
  expect(made).toMatchObject({ created: titles.length, tests: { created: version < 12 ? 1 : 2 } });
  const orders = await resourceAt(catalog, 'db.main.orders');
  expect(orders).toMatchObject({
    creationQuery: 'select 1',
    nativeType: 'table',
    description: 'Orders',
    sourceMetadata: { meta: { level: 1 } },
  });
  const tags = await catalog.database.prisma.tag.findMany({ where: { id: { in: orders.tagIds } } });
  expect(tags.map(({ name }) => name)).toEqual(['core']);
  expect(orders.ownerIds.map((id) => names.get(id))).toEqual(version < 9 ? [] : ['cfo']);
  expect(await resourceAt(catalog, 'db.main.orders.id')).toMatchObject({
    type: version < 9 ? null : 'integer',
    isPk: version >= 9,
  });
  const owners = (await resourceAt(catalog, board)).ownerIds.map((id) => names.get(id));
  expect(owners.sort()).toEqual(version < 12 ? ['ann'] : ['ann', 'bob']);
  expect(await edgesOf(catalog)).toEqual(
    [
      `db.landing.raw_v1 > db.main.orders`,
      `db.main.orders > ${board}`,
      `db.main.rates > db.main.orders`,
      ...(version < 4 ? [] : ['db.main.orders > Total']),
    ].sort(),
  );
  if (version >= 4) {
    expect(await resourceAt(catalog, 'Total')).toMatchObject({
      kind: 'chart',
      sourceMetadata: { type: version < 10 ? 'sum' : 'simple', expression: 'amount' },
    });
  }
  const [test] = (await testsOf(catalog)).values();
  expect(test).toMatchObject({
    testKind: 'relationships',
    severity: 'warn',
    resourceId: orders.id,
    columnId: (await resourceAt(catalog, 'db.main.orders.id')).id,
    status: null,
  });
  const again = await feedProject(catalog, project, { manifest: manifest(version) });
  expect(again).toMatchObject({ created: 0, updated: 0, staled: 0, unchanged: titles.length });
  expect(again.tests).toMatchObject({ created: 0, updated: 0, staled: 0 });
});

test('a project that moves from the first version to the last keeps what it made', async () => {
  await using catalog = await openCatalog();
  await people(catalog);
  const project = await catalog.integration({ type: 'dbt_core' });
  const ids = new Map<string, string>();
  for (const version of versions) {
    await feedProject(catalog, project, { manifest: manifest(version) });
    for (const { id, databuilderId, stale } of (await resourcesOf(catalog)).values()) {
      const key = databuilderId ?? '';
      expect({ key, stale, id }).toEqual({ key, stale: false, id: ids.get(key) ?? id });
      ids.set(key, id);
    }
  }
  expect(ids.size).toBe(9);
});

test('the file may be written on one line or on many, begin with a mark and name its parts in any order', async () => {
  await using catalog = await openCatalog();
  const project = await catalog.integration({ type: 'dbt_core' });
  const whole = manifest(12);
  await feedProject(catalog, project, { manifest: whole });
  const nothing = { created: 0, updated: 0, staled: 0 };
  const pretty = `\uFEFF${JSON.stringify(whole, null, 4).replaceAll('\n', '\r\n')}\r\n\r\n`;
  expect(await feedProject(catalog, project, { manifest: pretty })).toMatchObject(nothing);
  // Groups and metadata behind the models that need them: only what the SQL is written in is lost.
  const backwards = Object.fromEntries(Object.entries(whole).reverse());
  const read = await feedProject(catalog, project, { manifest: backwards });
  expect(read).toMatchObject({ created: 0, staled: 0, lineage: { created: 0, ended: 0 } });
});

// A small transformation project of our own, a bakery's, as its artifacts say it.

/** The address of a version of an artifact, as artifacts carry it. */
export const schemaOf = (
  artifact: 'manifest' | 'run-results' | 'catalog' | 'sources',
  version: number,
) => `https://schemas.getdbt.com/dbt/${artifact}/v${version}.json`;

/** What the lists of a manifest hold, by key. */
export type Members = Record<string, Node>;

interface Node {
  readonly depends_on?: { readonly macros?: readonly string[]; readonly nodes?: readonly string[] };
  readonly [field: string]: unknown;
}

export interface Manifest {
  metadata: object;
  nodes: Members;
  sources: Members;
  exposures: Members;
  metrics: Members;
  semantic_models: Members;
  groups: Members;
  [passedOver: string]: unknown;
}

const place = { database: 'bakery', schema: 'main', package_name: 'bakery' };
const columns = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { name, description: '', tags: [], meta: {} }]));

function model(name: string, from: string[], more: Node = {}): Members {
  return {
    [`model.bakery.${name}`]: {
      resource_type: 'model',
      name,
      alias: name,
      ...place,
      original_file_path: `models/${name}.sql`,
      config: { materialized: 'table' },
      compiled_code: `select 1 as ${name}`,
      columns: {},
      depends_on: { macros: [], nodes: from },
      ...more,
    },
  };
}

const macro = 'test.bakery';
const test = (name: string, more: Node): Members => ({
  [`${macro}.${name}`]: {
    resource_type: 'test',
    name,
    ...place,
    schema: 'main_dbt_test__audit',
    config: { severity: 'ERROR' },
    depends_on: { nodes: ['model.bakery.order_lines'] },
    ...more,
  },
});

/** The manifest of the bakery, of the latest version. Each call makes a new one, to be changed at will. */
export function bakery(): Manifest {
  return {
    metadata: {
      dbt_schema_version: schemaOf('manifest', 12),
      generated_at: '2026-03-01T06:00:00.000000Z',
      invocation_id: 'a3c1',
      project_name: 'bakery',
      adapter_type: 'duckdb',
    },
    nodes: {
      ...model('stg_orders', ['source.bakery.till.orders'], {
        config: { materialized: 'view', tags: ['nightly'], docs: { show: false } },
        tags: ['nightly', 'till'],
        description: 'Orders as the till tells them',
        columns: {
          id: {
            name: 'id',
            description: 'Number of the receipt',
            data_type: 'bigint',
            tags: ['key'],
            constraints: [{ type: 'not_null' }, { type: 'primary_key' }],
          },
          '"Bought At"': { name: '"Bought At"', description: '', meta: { unit: 'UTC' } },
        },
        meta: { owner: 'Baker@Example.com', level: 2 },
      }),
      ...model('stg_items', ['source.bakery.till.items'], {
        config: { materialized: 'ephemeral' },
      }),
      ...model('clean_items', ['model.bakery.stg_items'], {
        config: { materialized: 'ephemeral' },
      }),
      ...model(
        'order_lines',
        ['model.bakery.stg_orders', 'model.bakery.clean_items', 'seed.bakery.breads'],
        {
          alias: 'Order_Lines',
          group: 'sales',
          access: 'public',
          version: 2,
          columns: columns('order_id', 'bread', 'price'),
          primary_key: ['order_id', 'bread'],
        },
      ),
      ...model('daily', ['model.bakery.order_lines', 'snapshot.bakery.breads_history'], {
        config: {
          materialized: 'incremental',
          group: 'sales',
          meta: { owner: 'daily@example.com' },
        },
        columns: columns('day', 'revenue'),
      }),
      ...model('alone', []),
      'seed.bakery.breads': {
        resource_type: 'seed',
        name: 'breads',
        ...place,
        config: { materialized: 'seed' },
        columns: columns('bread', 'price'),
        depends_on: { macros: [] },
      },
      'snapshot.bakery.breads_history': {
        resource_type: 'snapshot',
        name: 'breads_history',
        ...place,
        schema: 'history',
        config: { materialized: 'snapshot' },
        columns: columns('bread', 'dbt_valid_from'),
        depends_on: { nodes: ['seed.bakery.breads'] },
      },
      'analysis.bakery.look': {
        resource_type: 'analysis',
        name: 'look',
        depends_on: { nodes: ['model.bakery.daily'] },
      },
      ...test('not_null_price', {
        column_name: 'price',
        attached_node: 'model.bakery.order_lines',
        test_metadata: { name: 'not_null', kwargs: { column_name: 'price' } },
      }),
      ...test('bread_is_known', {
        column_name: 'bread',
        attached_node: 'model.bakery.order_lines',
        test_metadata: { name: 'relationships', kwargs: { column_name: 'bread' } },
        depends_on: { nodes: ['seed.bakery.breads', 'model.bakery.order_lines'] },
      }),
      ...test('rows_in_range', {
        attached_node: 'model.bakery.daily',
        config: { severity: 'warn' },
        test_metadata: { name: 'rows_between', namespace: 'dough', kwargs: {} },
        depends_on: { nodes: ['model.bakery.daily'] },
      }),
      ...test('revenue_adds_up', {
        description: 'What the days say is what the lines say',
        depends_on: { nodes: ['model.bakery.daily', 'model.bakery.order_lines'] },
      }),
    },
    sources: {
      'source.bakery.till.orders': {
        resource_type: 'source',
        name: 'orders',
        source_name: 'till',
        ...place,
        schema: 'raw',
        description: 'One row a receipt',
        loader: 'copy',
        columns: columns('id', 'at'),
      },
      'source.bakery.till.items': {
        resource_type: 'source',
        name: 'items',
        identifier: 'order_items_v2',
        source_name: 'till',
        source_description: 'What the till sends every night',
        ...place,
        schema: 'raw',
        description: '',
        columns: columns('order_id', 'bread'),
      },
    },
    exposures: {
      'exposure.bakery.board': {
        name: 'board',
        label: 'The Board',
        type: 'dashboard',
        url: 'https://bi.example.com/board',
        maturity: 'high',
        description: 'What we sold',
        owner: { name: 'Baker', email: 'baker@example.com' },
        depends_on: { nodes: ['model.bakery.daily', 'metric.bakery.revenue'] },
      },
    },
    metrics: {
      'metric.bakery.revenue': {
        name: 'revenue',
        label: 'Revenue',
        description: 'All that was paid',
        type: 'simple',
        type_params: { measure: { name: 'price' }, expr: 'sum(price)' },
        depends_on: { nodes: ['semantic_model.bakery.lines'] },
      },
    },
    semantic_models: {
      'semantic_model.bakery.lines': {
        name: 'lines',
        depends_on: { nodes: ['model.bakery.order_lines'] },
      },
    },
    groups: {
      'group.bakery.sales': { name: 'sales', owner: { name: 'Sales', email: 'sales@example.com' } },
    },
    macros: { 'macro.bakery.round': { name: 'round', macro_sql: '{{ "}" }}' } },
    docs: {},
    parent_map: {},
    child_map: {},
    disabled: { 'model.bakery.gone': [{ resource_type: 'model', name: 'gone' }] },
  };
}

/** Keys of what the bakery's project makes in the warehouse or shows to people. */
export const bakeryResources = [
  'exposure.bakery.board',
  'metric.bakery.revenue',
  'model.bakery.alone',
  'model.bakery.daily',
  'model.bakery.order_lines',
  'model.bakery.stg_orders',
  'seed.bakery.breads',
  'snapshot.bakery.breads_history',
  'source.bakery.till.items',
  'source.bakery.till.orders',
];

/** What a run of the bakery's project said, of the latest version. */
export function bakeryRun(
  invocation_id: string,
  statuses: Readonly<Record<string, string>>,
  more: { at?: string; version?: number; which?: string; failures?: number } = {},
) {
  const { at = '2026-03-01T06:10:00.000000Z', version = 6, which = 'build', failures = 0 } = more;
  return {
    metadata: {
      dbt_schema_version: schemaOf('run-results', version),
      generated_at: at,
      invocation_id,
    },
    results: Object.entries(statuses).map(([unique_id, status]) => ({
      unique_id,
      status,
      execution_time: 1.25,
      failures: status === 'fail' || status === 'warn' ? failures : null,
      message: status === 'fail' ? `Got ${failures} results` : null,
      timing: [
        { name: 'compile', started_at: at, completed_at: at },
        { name: 'execute', started_at: at, completed_at: at },
      ],
    })),
    elapsed_time: 3.5,
    args: { which },
  };
}

/** What the warehouse says about the bakery's tables. */
export function bakeryCatalog() {
  const table = (
    type: string,
    columns: readonly (readonly [string, string])[],
    stats: object = {},
  ) => ({
    metadata: { type, schema: 'main', name: 'any' },
    columns: Object.fromEntries(
      columns.map(([name, dataType], i) => [name, { name, type: dataType, index: i + 1 }]),
    ),
    stats,
  });
  return {
    metadata: { dbt_schema_version: schemaOf('catalog', 1), generated_at: '2026-03-01T06:20:00Z' },
    nodes: {
      'model.bakery.order_lines': table(
        'BASE TABLE',
        [
          ['PRICE', 'DECIMAL(10,2)'],
          ['ORDER_ID', 'BIGINT'],
          ['BREAD', 'VARCHAR'],
          ['LOADED_AT', 'TIMESTAMP'],
        ],
        {
          row_count: { id: 'row_count', value: 1200, include: true },
          bytes: { id: 'bytes', value: '65536', include: true },
        },
      ),
      'model.bakery.not_in_manifest': table('VIEW', [['x', 'INT']]),
    },
    sources: { 'source.bakery.till.orders': table('BASE TABLE', [['id', 'BIGINT']]) },
    errors: null,
  };
}

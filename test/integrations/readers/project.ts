// A small transformation project of our own, as the artifacts of each version write it.

import type { FileSource } from '../../../src/integrations/readers/source.ts';
import { inPieces } from './reading.ts';

// What differs between the versions, as far as we read it: SQL is called code since 7, groups and
// access came with 9, semantic models and attached nodes with 10; references became objects with 10;
// later releases of 12 keep tags and meta in the configuration only.

const address = (artifact: string, version: number) =>
  `https://schemas.getdbt.com/dbt/${artifact}/v${version}.json`;

const metadata = (artifact: string, version: number, extra: object = {}) => ({
  dbt_schema_version: address(artifact, version),
  dbt_version: '0.0.0',
  generated_at: '2026-03-01T10:00:00.123456Z',
  invocation_id: 'run-1',
  env: {},
  ...extra,
});

const column = (name: string, version: number, extra: object = {}) => ({
  [name]: {
    name,
    description: '',
    meta: {},
    data_type: null,
    quote: null,
    tags: [],
    ...(version >= 10 ? { constraints: [] } : {}),
    ...(version >= 12 ? { config: { meta: {}, tags: [] } } : {}),
    ...extra,
  },
});

function node(version: number, type: string, name: string, extra: Record<string, unknown> = {}) {
  const { materialized = type, tags = [], meta = {}, config = {}, sql, ...rest } = extra;
  const inConfig = version >= 12;
  const sqlFields =
    version >= 7
      ? { raw_code: '...', compiled_code: sql ?? null, language: 'sql' }
      : { raw_sql: '...', compiled_sql: sql ?? null };
  return {
    resource_type: type,
    package_name: 'shop',
    path: `${name}.sql`,
    original_file_path: `models/${name}.sql`,
    unique_id: `${type}.shop.${name}`,
    fqn: ['shop', name],
    name,
    alias: name,
    database: 'warehouse',
    schema: 'analytics',
    description: '',
    columns: {},
    docs: { show: true },
    tags: inConfig ? [] : tags,
    meta: inConfig ? {} : meta,
    config: { enabled: true, materialized, tags, meta, ...(config as object) },
    refs: version >= 10 ? [{ name: 'raw_orders', package: null, version: null }] : [['raw_orders']],
    depends_on: type === 'seed' && version >= 8 ? { macros: [] } : { macros: [], nodes: [] },
    ...sqlFields,
    ...rest,
  };
}

/** The manifest of a version, before it is written; `change` may break it. */
export function manifest(version = 12) {
  const on = (...nodes: string[]) => ({ depends_on: { macros: [], nodes } });
  const generic = (name: string, kwargs: object, extra: object) =>
    node(version, 'test', name, {
      materialized: 'test',
      config: { severity: version >= 3 ? 'ERROR' : 'error' },
      test_metadata: { name: name.split('__')[0], namespace: null, kwargs },
      ...extra,
    });
  const ordersKey = 'model.shop.orders';
  return {
    metadata: metadata('manifest', version, { project_name: 'shop' }),
    nodes: {
      'seed.shop.countries': node(version, 'seed', 'countries', { schema: 'raw' }),
      'model.shop.staged': node(version, 'model', 'staged', {
        materialized: 'ephemeral',
        ...on('source.shop.app.raw_orders'),
      }),
      'model.shop.orders': node(version, 'model', 'orders', {
        materialized: 'table',
        alias: 'fct_orders',
        description: 'Every order, once.',
        sql: 'select * from "warehouse"."raw"."orders"',
        tags: ['finance', 'daily'],
        meta: { owner: 'Ada@example.com', tier: 1 },
        columns: {
          ...column('order_id', version, { description: 'The key.', data_type: 'int' }),
          ...column('Country', version, { tags: ['pii'] }),
        },
        ...(version >= 9 ? { group: 'finance', access: 'public' } : {}),
        ...on('model.shop.staged', 'seed.shop.countries'),
      }),
      'model.shop.daily': node(version, 'model', 'daily', {
        materialized: 'incremental',
        docs: { show: false },
        ...(version >= 9 ? { group: 'finance' } : {}),
        ...on(ordersKey),
      }),
      'snapshot.shop.orders_history': node(version, 'snapshot', 'orders_history', {
        schema: 'snapshots',
        ...on(ordersKey),
      }),
      'test.shop.not_null__order_id': generic(
        'not_null__order_id',
        { column_name: 'order_id', model: "{{ get_where_subquery(ref('orders')) }}" },
        { column_name: 'order_id', ...on(ordersKey), ...attached(version, ordersKey) },
      ),
      'test.shop.relationships__country': generic(
        'relationships__country',
        {
          column_name: '"Country"',
          to: "ref('countries')",
          model: "{{ get_where_subquery(ref('orders')) }}",
        },
        {
          column_name: null,
          ...on('seed.shop.countries', ordersKey),
          ...attached(version, ordersKey),
        },
      ),
      'test.shop.totals_are_positive': node(version, 'test', 'totals_are_positive', {
        materialized: 'test',
        config: { severity: 'warn' },
        ...on('model.shop.daily'),
      }),
      'analysis.shop.idea': node(version, 'analysis', 'idea', on(ordersKey)),
    },
    sources: {
      'source.shop.app.raw_orders': {
        resource_type: 'source',
        package_name: 'shop',
        unique_id: 'source.shop.app.raw_orders',
        source_name: 'app',
        source_description: 'What the app writes.',
        name: 'raw_orders',
        identifier: 'orders',
        loader: 'fivetran',
        database: 'warehouse',
        schema: 'raw',
        description: '',
        columns: column('id', version),
        meta: {},
        source_meta: { contact: 'app team' },
        tags: ['raw'],
        config: { enabled: true },
      },
    },
    macros: { 'macro.shop.x': { macro_sql: '{% macro x() %} "} ] {" {% endmacro %}' } },
    docs: {},
    exposures: {
      'exposure.shop.board': {
        name: 'board',
        ...(version >= 6 ? { label: 'The board' } : {}),
        type: 'dashboard',
        url: 'https://bi.example.com/board',
        description: 'What the board looks at.',
        maturity: 'high',
        owner: {
          name: 'Grace',
          email: version >= 12 ? ['grace@example.com'] : 'grace@example.com',
        },
        tags: [],
        meta: {},
        ...on('model.shop.daily'),
      },
    },
    ...(version >= 3 ? { metrics: metrics(version) } : {}),
    ...(version >= 10 ? { semantic_models: semanticModels() } : {}),
    ...(version >= 9
      ? {
          groups: {
            'group.shop.finance': {
              name: 'finance',
              resource_type: 'group',
              owner: { name: 'Finance', email: 'finance@example.com' },
            },
          },
        }
      : {}),
    selectors: {},
    disabled: version === 1 ? [] : {},
    parent_map: {},
    child_map: {},
  };
}

function attached(version: number, key: string): object {
  return version >= 10 ? { attached_node: key } : {};
}

function metrics(version: number) {
  const common = { name: 'revenue', label: 'Revenue', description: 'Money.', tags: [], meta: {} };
  const on = (key: string) => ({ depends_on: { macros: [], nodes: [key] } });
  const metric =
    version >= 10
      ? { type: 'simple', type_params: { expr: 'amount' }, ...on('semantic_model.shop.orders') }
      : version >= 7
        ? { calculation_method: 'sum', expression: 'amount', ...on('model.shop.orders') }
        : { type: 'sum', sql: 'amount', ...on('model.shop.orders') };
  return { 'metric.shop.revenue': { ...common, ...metric } };
}

function semanticModels() {
  return {
    'semantic_model.shop.orders': {
      name: 'orders',
      depends_on: { macros: [], nodes: ['model.shop.orders'] },
    },
  };
}

/** The results of a run that built and tested the project. */
export function runResults(version = 6, which = 'build') {
  const timing = (at: string) => [
    { name: 'compile', started_at: at, completed_at: at },
    { name: 'execute', started_at: at, completed_at: at },
  ];
  const result = (unique_id: string, status: string, failures: number | null = null) => ({
    unique_id,
    status,
    timing: timing('2026-03-01T09:59:00.5Z'),
    thread_id: 'Thread-1',
    execution_time: 1.5,
    adapter_response: {},
    // The first version has no field for failures: the message is their number.
    message: version === 1 ? failures : failures === null ? null : `Got ${failures} results`,
    ...(version >= 2 ? { failures } : {}),
    ...(version >= 6 ? { compiled: true, compiled_code: '...', relation_name: null } : {}),
  });
  return {
    metadata: metadata('run-results', version),
    results: [
      result('model.shop.orders', 'success'),
      result('test.shop.not_null__order_id', 'fail', 3),
      result('test.shop.relationships__country', 'pass', 0),
      result('test.shop.totals_are_positive', 'warn', 1),
    ],
    elapsed_time: 3,
    args: { which },
  };
}

/** What the warehouse says of the project's tables: capitals, an order, and a column more. */
export function catalog() {
  const columns = (...names: string[]) =>
    Object.fromEntries(
      names.map((name, i) => [name, { type: 'VARCHAR', index: i + 1, name, comment: null }]),
    );
  const table = (...names: string[]) => ({
    metadata: { type: 'BASE TABLE', schema: 'analytics', name: 'x', database: 'warehouse' },
    columns: columns(...names),
    stats: { row_count: { id: 'row_count', label: 'Rows', value: 120, include: true } },
  });
  return {
    metadata: metadata('catalog', 1),
    nodes: {
      'model.shop.orders': table('COUNTRY', 'ORDER_ID', 'TOTAL'),
      'model.shop.unknown': table('X'),
    },
    sources: {},
    errors: null,
  };
}

/** An artifact as a file. */
export function artifact(file: string, content: unknown): FileSource {
  return inPieces(file, typeof content === 'string' ? content : JSON.stringify(content), 4096);
}

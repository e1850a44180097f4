// Events of pipelines of a shop, written from the specification of OpenLineage: what its producers send, and how.

export type Event = Record<string, unknown>;

const facet = (name: string, body: object) => ({
  [name]: {
    _producer: 'https://example.com/producer',
    _schemaURL: `https://openlineage.io/spec/facets/1-0-0/${name}.json`,
    ...body,
  },
});

const warehouse = 'postgres://db.example.com:5432';
const lake = 's3://lake';

interface More {
  readonly facets?: object;
  readonly inputFacets?: object;
  readonly outputFacets?: object;
}

const dataset = (namespace: string, name: string, more: More = {}) => ({
  ...{ namespace, name },
  ...more,
});
const table = (name: string, more: More = {}) => dataset(warehouse, `shop.${name}`, more);

const schema = (...fields: readonly (string | object)[]) =>
  facet('schema', {
    fields: fields.map((field) => {
      if (typeof field !== 'string') return field;
      const [name, type] = field.split(':');
      return { name, type };
    }),
  });

interface Sent {
  readonly at: string;
  readonly type?: string;
  readonly job: string;
  readonly namespace?: string;
  readonly run?: string;
  readonly jobFacets?: object;
  readonly runFacets?: object;
  readonly inputs?: readonly unknown[];
  readonly outputs?: readonly object[];
}

/** An event of a run. */
function event({ at, type = 'COMPLETE', job, namespace = 'shop', ...more }: Sent): Event {
  const { run, jobFacets = {}, runFacets = {}, inputs = [], outputs = [] } = more;
  return {
    ...{ eventTime: at, eventType: type, producer: 'https://example.com/producer' },
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json',
    job: { namespace, name: job, facets: jobFacets },
    run: { runId: run ?? `${job} ${at.slice(0, 10)}`, facets: runFacets },
    ...{ inputs, outputs },
  };
}

const from = (name: string, field: string, type = 'DIRECT', subtype = 'IDENTITY') => ({
  ...{ namespace: warehouse, name: `shop.${name}`, field },
  transformations: [{ type, subtype, description: '', masking: false }],
});

const parent = (job: string, run: string, root?: { job: string; run: string }) =>
  facet('parent', {
    job: { namespace: 'airflow', name: job },
    run: { runId: run },
    ...(root
      ? { root: { job: { namespace: 'airflow', name: root.job }, run: { runId: root.run } } }
      : {}),
  });

const orders = schema('id:bigint', 'customer_id:bigint', 'amount:numeric', 'placed_at:timestamp');
const customers = schema('id:bigint', 'name:text', 'email:text');
const perCustomer = schema('customer_id:bigint', 'name:text', 'total:numeric');

const columnLineage = facet('columnLineage', {
  fields: {
    customer_id: { inputFields: [from('public.orders', 'customer_id')] },
    name: { inputFields: [from('public.customers', 'name', 'DIRECT', 'TRANSFORMATION')] },
    total: {
      inputFields: [
        from('public.orders', 'AMOUNT', 'DIRECT', 'AGGREGATION'),
        from('public.orders', 'placed_at', 'INDIRECT', 'FILTER'),
      ],
    },
  },
  dataset: [from('public.customers', 'id', 'INDIRECT', 'JOIN')],
});

/** A run of an extraction by Airflow: inputs with its start, outputs with its end. */
const extracts = ['2026-01-01', '2026-01-02', '2026-01-03'].flatMap((day) => [
  event({
    ...{ at: `${day}T01:00:00Z`, type: 'START', job: 'extract.orders', namespace: 'airflow' },
    jobFacets: {
      ...facet('jobType', { integration: 'AIRFLOW', jobType: 'TASK', processingType: 'BATCH' }),
      ...facet('documentation', { description: 'Copies orders out of the till.' }),
      ...facet('ownership', { owners: [{ name: 'data@example.com', type: 'MAINTAINER' }] }),
    },
    runFacets: {
      ...facet('nominalTime', { nominalStartTime: `${day}T00:00:00Z` }),
      ...parent('extract', `extract ${day}`),
    },
    inputs: [dataset('mysql://till.example.com:3306', 'till.orders', { facets: orders })],
  }),
  event({
    ...{ at: `${day}T01:05:00.123456789Z`, job: 'extract.orders', namespace: 'airflow' },
    outputs: [
      table('public.orders', {
        facets: orders,
        outputFacets: facet('outputStatistics', { rowCount: 100, size: 4_000 }),
      }),
    ],
  }),
]);

const dags = ['2026-01-01', '2026-01-02'].flatMap((day) => [
  event({
    ...{ at: `${day}T00:59:00Z`, type: 'START', job: 'extract', run: `extract ${day}` },
    ...{
      namespace: 'airflow',
      jobFacets: facet('jobType', { integration: 'AIRFLOW', jobType: 'DAG' }),
    },
  }),
  event({
    ...{ at: `${day}T01:06:00Z`, job: 'extract', run: `extract ${day}`, namespace: 'airflow' },
  }),
]);

/** Runs of Spark below an application, which say their columns. */
const spark = ['2026-01-01', '2026-01-02'].map((day) =>
  event({
    ...{ at: `${day}T02:00:00Z`, job: 'app.execute_insert', run: `app ${day}` },
    jobFacets: facet('jobType', { integration: 'SPARK', processingType: 'BATCH' }),
    runFacets: parent('app', `whole app ${day}`, { job: 'nightly', run: `nightly ${day}` }),
    inputs: [
      table('public.orders', { facets: orders }),
      table('public.customers', { facets: customers }),
      table('public.unused'),
    ],
    outputs: [table('mart.per_customer', { facets: { ...perCustomer, ...columnLineage } })],
  }),
);

const statement = `insert into mart.top_customers (name, total)
  select name, total from mart.per_customer where total > 100`;

/** Jobs of which only the SQL says the columns. */
const sql = [
  event({
    ...{ at: '2026-01-01T03:00:00Z', job: 'top_customers' },
    jobFacets: facet('sql', { query: statement, dialect: 'postgres' }),
    inputs: [table('mart.per_customer')],
    outputs: [table('mart.top_customers', { facets: schema('name:text', 'total:numeric') })],
  }),
  // Names in another case mean the same.
  event({
    ...{ at: '2026-01-02T03:00:00Z', job: 'top_customers' },
    jobFacets: facet('sql', { query: statement.toUpperCase() }),
    inputs: [dataset(warehouse, 'SHOP.MART.PER_CUSTOMER')],
    outputs: [table('Mart.Top_Customers')],
  }),
  // What can't be read is no obstacle.
  event({
    ...{ at: '2026-01-02T04:00:00Z', job: 'unreadable' },
    jobFacets: facet('sql', { query: 'selekt * frm' }),
    inputs: [table('mart.top_customers')],
    outputs: [table('mart.report')],
  }),
];

const failed = [
  event({
    at: '2026-01-01T05:00:00Z',
    type: 'START',
    job: 'broken',
    inputs: [table('public.orders')],
  }),
  event({
    ...{ at: '2026-01-01T05:01:00Z', type: 'FAIL', job: 'broken' },
    runFacets: facet('errorMessage', { message: 'The disk is full.', programmingLanguage: 'SQL' }),
    outputs: [table('mart.never')],
  }),
  event({
    ...{ at: '2026-01-02T05:01:00Z', type: 'ABORT', job: 'broken' },
    ...{ inputs: [table('public.orders')], outputs: [table('mart.never')] },
  }),
  // It ran again by the same id, and succeeded in the end.
  event({
    at: '2026-01-03T05:00:00Z',
    type: 'FAIL',
    job: 'retried',
    run: 'once',
    outputs: [table('mart.late')],
  }),
  event({
    ...{ at: '2026-01-03T06:00:00Z', job: 'retried', run: 'once' },
    ...{ inputs: [table('public.orders')], outputs: [table('mart.late')] },
  }),
];

/** A stream that never ends. */
const stream = [
  event({
    ...{
      at: '2026-01-01T00:00:00Z',
      type: 'START',
      job: 'clicks',
      namespace: 'flink',
      run: 'flink',
    },
    jobFacets: facet('jobType', { integration: 'FLINK', processingType: 'STREAMING' }),
    inputs: [dataset('kafka://broker:9092', 'shop.clicks', { facets: schema('id:string') })],
  }),
  event({
    ...{
      at: '2026-01-01T00:10:00Z',
      type: 'RUNNING',
      job: 'clicks',
      namespace: 'flink',
      run: 'flink',
    },
    outputs: [dataset(lake, 'clicks/day=2026-01-01/hour=00')],
  }),
  event({
    ...{
      at: '2026-01-02T00:10:00Z',
      type: 'RUNNING',
      job: 'clicks',
      namespace: 'flink',
      run: 'flink',
    },
    outputs: [dataset(lake, '/clicks/day=2026-01-02')],
  }),
];

/** Names of one thing: a table and where it is stored, and a new name. */
const names = [
  event({
    ...{ at: '2026-01-01T07:00:00Z', job: 'to_hive' },
    inputs: [dataset(lake, '/clicks')],
    outputs: [
      dataset('hive://meta:9083', 'web.visits', {
        facets: {
          ...schema('id:string', 'seen:date'),
          ...facet('symlinks', {
            identifiers: [{ namespace: lake, name: 'warehouse/web.db/visits', type: 'LOCATION' }],
          }),
        },
      }),
    ],
  }),
  event({
    ...{ at: '2026-01-01T08:00:00Z', job: 'from_location' },
    inputs: [dataset(lake, '/warehouse/web.db/visits')],
    outputs: [dataset(lake, 'exports/visits.csv')],
  }),
  event({
    ...{ at: '2026-01-01T09:00:00Z', job: 'from_symlink' },
    inputs: [
      dataset(lake, 'raw/sessions', {
        facets: facet('symlinks', {
          identifiers: [{ namespace: 'hive://meta:9083', name: 'web.sessions', type: 'TABLE' }],
        }),
      }),
    ],
    outputs: [dataset('hive://meta:9083', 'web.daily_sessions')],
  }),
  event({
    ...{ at: '2026-01-01T10:00:00Z', job: 'make_old' },
    inputs: [table('public.orders')],
    outputs: [table('mart.old_name')],
  }),
  event({
    ...{ at: '2026-01-02T10:00:00Z', job: 'rename' },
    outputs: [
      table('mart.new_name', {
        facets: facet('lifecycleStateChange', {
          lifecycleStateChange: 'RENAME',
          previousIdentifier: { namespace: warehouse, name: 'shop.mart.old_name' },
        }),
      }),
    ],
  }),
  event({
    ...{ at: '2026-01-01T11:00:00Z', job: 'make_dropped' },
    inputs: [table('public.orders')],
    outputs: [table('mart.dropped', { facets: schema('id:bigint') })],
  }),
  event({
    ...{ at: '2026-01-02T11:00:00Z', job: 'drop' },
    outputs: [
      table('mart.dropped', {
        facets: facet('lifecycleStateChange', { lifecycleStateChange: 'DROP' }),
      }),
    ],
  }),
];

/** What is said of tables besides. */
const described = [
  {
    ...{ eventTime: '2026-01-01T12:00:00Z', producer: 'https://example.com/producer' },
    dataset: table('public.customers', {
      facets: {
        ...customers,
        ...facet('documentation', { description: 'Everybody who bought something.' }),
        ...facet('tags', {
          tags: [
            { key: 'pii', value: 'true' },
            { key: 'tier', value: 'gold' },
          ],
        }),
        ...facet('datasetType', { datasetType: 'VIEW' }),
      },
    }),
  },
  event({
    ...{ at: '2026-01-01T12:30:00Z', job: 'nested' },
    outputs: [
      dataset('bigquery', 'proj.web.events', {
        facets: schema('id:STRING', {
          name: 'geo',
          type: 'STRUCT',
          fields: [{ name: 'city', type: 'STRING' }, { name: 'zip' }],
        }),
      }),
    ],
  }),
  event({
    ...{ at: '2026-01-01T13:00:00Z', job: 'check' },
    inputs: [
      table('public.customers', {
        inputFacets: facet('dataQualityAssertions', {
          assertions: [
            { assertion: 'not_null', success: true, column: 'email' },
            { assertion: 'unique', success: false, column: 'email' },
          ],
        }),
      }),
    ],
  }),
  event({
    ...{ at: '2026-01-02T13:00:00Z', job: 'check' },
    runFacets: facet('test', {
      tests: [
        {
          name: 'orders_are_paid',
          status: 'fail',
          severity: 'warn',
          type: 'singular',
          expected: '0',
          actual: '5',
        },
        { name: 'orders_have_ids', status: 'pass', severity: 'error' },
      ],
    }),
    inputs: [table('public.orders')],
  }),
  // A job whose lineage is stated without a run.
  {
    ...{ eventTime: '2026-01-01T14:00:00Z', producer: 'https://example.com/producer' },
    job: {
      namespace: 'shop',
      name: 'declared',
      facets: facet('lineage', {
        lineage: [
          {
            ...{ namespace: warehouse, name: 'shop.mart.declared', type: 'DATASET' },
            inputs: [{ namespace: warehouse, name: 'shop.public.orders', type: 'DATASET' }],
          },
        ],
      }),
    },
  },
  // A column of the facet `lineage`, which is read before `columnLineage`.
  event({
    ...{ at: '2026-01-01T15:00:00Z', job: 'both' },
    inputs: [table('public.orders'), table('public.customers')],
    outputs: [
      table('mart.both', {
        facets: {
          ...schema('amount:numeric'),
          ...facet('columnLineage', {
            fields: { amount: { inputFields: [from('public.customers', 'id')] } },
          }),
          ...facet('lineage', {
            inputs: [],
            fields: {
              amount: { inputs: [{ ...from('public.orders', 'amount'), type: 'DATASET' }] },
            },
          }),
        },
      }),
    ],
  }),
  // Before version 1-1 no transformations were named.
  event({
    ...{ at: '2026-01-01T16:00:00Z', job: 'old_facet' },
    inputs: [table('public.orders')],
    outputs: [
      table('mart.old_facet', {
        facets: {
          ...schema('amount:numeric'),
          ...facet('columnLineage', {
            fields: {
              amount: {
                inputFields: [
                  { namespace: warehouse, name: 'shop.public.orders', field: 'amount' },
                ],
                transformationType: 'IDENTITY',
              },
            },
          }),
        },
      }),
    ],
  }),
];

/** What is odd, and is taken all the same. */
const odd = [
  event({ at: '2026-01-01T17:00:00', type: 'SOMETHING', job: 'no zone, no such type' }),
  event({
    ...{ at: '2026-01-01T18:00:00+10:00[Australia/Sydney]', job: 'zone with a name' },
    inputs: [{ name: 'without a namespace' }, null, 7, table('public.orders')],
    outputs: [dataset('free words', 'a.b.c.d.e'), dataset('free words', 'x')],
  }),
  event({
    ...{ at: '2026-01-01T19:00:00Z', job: 'j'.repeat(1_500), run: 'r'.repeat(1_500) },
    inputs: [dataset('file', `/${'deep/'.repeat(300)}end`)],
    outputs: [dataset('file', '/tmp/out.parquet')],
  }),
  event({
    ...{ at: '2026-01-01T19:30:00Z', job: 'child' },
    runFacets: facet('parent', { job: { namespace: 'shop', name: 'parent without a run' } }),
  }),
  event({
    ...{ at: '2026-01-01T20:00:00Z', job: 'itself' },
    inputs: [table('public.orders')],
    outputs: [table('public.orders')],
  }),
  event({
    ...{ at: '2026-01-01T21:00:00Z', job: 'quote\'d " job 🕷' },
    inputs: [table('public."odd')],
    outputs: [table("mart.it's")],
  }),
];

/** All of them, in the order in which they happened. */
export const shopEvents: readonly Event[] = [
  ...[...extracts, ...dags, ...spark, ...sql, ...failed, ...stream, ...names, ...described, ...odd],
];

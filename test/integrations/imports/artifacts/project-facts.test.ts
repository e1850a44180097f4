// What a project says beyond its tables: kept where the catalog has a place for it, counted where it has none.

import { expect, test } from 'vitest';
import { openCatalog } from '../../../catalog.ts';
import { bakery, bakeryRun, schemaOf } from '../bakery.ts';
import { counts, feedProject, resourceAt, testsOf } from '../feed.ts';

const open = async () => {
  const catalog = await openCatalog();
  return { catalog, project: await catalog.integration({ type: 'dbt_core' }) };
};

const key = (name: string) => `test.bakery.${name}`;
const statusOf = ({ status, failures, lastRunAt, skippedAt }: Record<string, unknown>) => ({
  ...{ status, failures, lastRunAt, skippedAt },
});

test('later versions and unknown words are read as far as they are known, and said', async () => {
  const { catalog, project } = await open();
  const manifest = bakery();
  manifest.metadata = { ...manifest.metadata, dbt_schema_version: schemaOf('manifest', 20) };
  manifest.nodes['function.bakery.tax'] = { resource_type: 'function', name: 'tax' };
  manifest.oven_settings = { hot: {}, ['cold'.repeat(200)]: {} };
  const run = bakeryRun(
    'run-1',
    {
      [key('not_null_price')]: 'fail',
      [key('rows_in_range')]: 'quarantined',
      [key('bread_is_known')]: 'quarantined',
      [key('revenue_adds_up')]: 'reused',
    },
    { version: 9, failures: 2 },
  );

  const made = await feedProject(catalog, project, { manifest, runResults: run });

  expect(made.tests).toMatchObject({ created: 4, results: 4 });
  expect(made.ignored).toEqual([
    { sort: 'oven_settings', count: 2 },
    { sort: 'analysis', count: 1 },
    { sort: 'disabled', count: 1 },
    { sort: 'function', count: 1 },
  ]);
  expect(made.problems).toEqual([
    expect.stringContaining('is manifest version 20, later than the last known one, 12'),
    expect.stringContaining('is run-results version 9, later than the last known one, 6'),
    'run_results.json: 2 results have the status "quarantined", which is not known, and is taken as skipped.',
    expect.stringContaining('neither users nor groups of this workspace'),
  ]);
  const tests = await testsOf(catalog);
  expect(tests.get(key('not_null_price'))).toMatchObject({ status: 'fail', failures: 2 });
  expect(tests.get(key('rows_in_range'))).toMatchObject({ status: 'skipped', lastRunAt: null });
  expect(tests.get(key('revenue_adds_up'))).toMatchObject({ status: 'skipped' });
});

test('owners of models, groups and exposures go by name as well as by address', async () => {
  const { catalog, project } = await open();
  const finance = await catalog.group({ name: 'Finance' });
  const ana = await catalog.user({ email: 'ana@example.com', firstName: 'Ana', lastName: 'Silva' });
  const manifest = bakery();
  const own = (name: string, more: object) => {
    const node = `model.bakery.${name}`;
    manifest.nodes[node] = {
      ...manifest.nodes[node],
      meta: null,
      config: {},
      group: null,
      ...more,
    };
  };
  own('alone', { meta: { owner: 'Finance' } });
  own('daily', {
    config: { meta: { owners: [{ name: 'Ana Silva' }, { email: 'who@example.com' }] } },
  });
  own('order_lines', { group: 'till' });
  manifest.groups = { 'group.bakery.till': { name: 'till', owner: { name: 'finance' } } };
  manifest.exposures = {
    'exposure.bakery.sheet': { name: 'sheet', owner: { name: '@ana' }, depends_on: { nodes: [] } },
  };
  const { problems } = await feedProject(catalog, project, { manifest });
  const ownersOf = async (title: string) => {
    const { ownerIds, ownerGroupIds } = await resourceAt(catalog, title);
    return [...ownerIds, ...ownerGroupIds];
  };
  expect(await ownersOf('bakery.main.alone')).toEqual([finance.id]);
  expect(await ownersOf('bakery.main.daily')).toEqual([ana.id]);
  expect(await ownersOf('bakery.main.Order_Lines')).toEqual([finance.id]);
  expect(await ownersOf('sheet')).toEqual([ana.id]);
  const daily = await resourceAt(catalog, 'bakery.main.daily');
  expect(daily.sourceMetadata).toMatchObject({ unknown_owners: ['who@example.com'] });
  expect(problems).toEqual([
    '2 owners are neither users nor groups of this workspace: baker@example.com, who@example.com.',
  ]);
  expect(await feedProject(catalog, project, { manifest })).toMatchObject({ updated: 0 });
});

test('a run without a time or a name is the same run when it is sent again', async () => {
  const { catalog, project } = await open();
  await feedProject(catalog, project, { manifest: bakery() });
  const { metadata, ...run } = bakeryRun('x', { [key('rows_in_range')]: 'pass' });
  const runResults = { ...run, metadata: { dbt_schema_version: metadata.dbt_schema_version } };
  const once = await feedProject(catalog, project, { runResults });
  expect(once).toEqual(counts({}, {}, { results: 1 }));
  expect(await feedProject(catalog, project, { runResults })).toEqual(counts({}));
  const unnamed = { ...metadata, invocation_id: null, generated_at: null };
  expect(
    await feedProject(catalog, project, { runResults: { ...run, metadata: unnamed } }),
  ).toEqual(counts({}));
});

test('a test that is skipped keeps what it found last, in any order of the runs', async () => {
  const runs = [
    bakeryRun(
      'one',
      { [key('rows_in_range')]: 'fail' },
      { at: '2026-03-01T06:00:00Z', failures: 7 },
    ),
    bakeryRun('two', { [key('rows_in_range')]: 'skipped' }, { at: '2026-03-02T06:00:00Z' }),
    bakeryRun('three', { [key('rows_in_range')]: 'skipped' }, { at: '2026-03-03T06:00:00Z' }),
  ];
  const expected = {
    ...{ status: 'fail', failures: 7 },
    lastRunAt: new Date('2026-03-01T06:00:00Z'),
    skippedAt: new Date('2026-03-03T06:00:00Z'),
  };
  for (const order of [runs, runs.toReversed(), [runs]]) {
    const { catalog, project } = await open();
    await feedProject(catalog, project, { manifest: bakery() });
    for (const runResults of order) {
      if (runResults) await feedProject(catalog, project, { runResults });
    }
    const found = (await testsOf(catalog)).get(key('rows_in_range'));
    expect(statusOf(found ?? {})).toEqual(expected);
    const passes = bakeryRun(
      'four',
      { [key('rows_in_range')]: 'pass' },
      { at: '2026-03-04T06:00:00Z' },
    );
    await feedProject(catalog, project, { runResults: passes });
    const { data } = await catalog.graphql(
      'query ($id: ID!) { resource(id: $id) { ... on Table { dataTests { name status skippedAt } } } }',
      { id: (await resourceAt(catalog, 'bakery.main.daily')).id },
    );
    expect(data.resource.dataTests).toContainEqual({
      ...{ name: 'rows_in_range', status: 'pass', skippedAt: null },
    });
  }
});

test('a table says when its model last ran, how long and how it ended', async () => {
  const { catalog, project } = await open();
  const daily = 'model.bakery.daily';
  const runs = [
    bakeryRun('one', { [daily]: 'success' }, { at: '2026-03-01T06:00:00Z' }),
    bakeryRun(
      'two',
      { [daily]: 'error', [key('rows_in_range')]: 'pass' },
      { at: '2026-03-02T06:00:00Z' },
    ),
    bakeryRun('three', { [daily]: 'skipped' }, { at: '2026-03-03T06:00:00Z' }),
    bakeryRun('four', { [daily]: 'success' }, { at: '2026-03-04T06:00:00Z', which: 'compile' }),
  ];
  await feedProject(catalog, project, { manifest: bakery(), runResults: runs });
  const { id } = await resourceAt(catalog, 'bakery.main.daily');
  const query = `query ($id: ID!) { resource(id: $id) { ... on Table {
    lastRun { status completedAt executionSeconds message } } } }`;
  const { data } = await catalog.graphql(query, { id });
  expect(data.resource.lastRun).toEqual({
    ...{ status: 'error', executionSeconds: 1.25, message: null },
    completedAt: '2026-03-02T06:00:00.000Z',
  });
  const never = await resourceAt(catalog, 'bakery.main.alone');
  expect((await catalog.graphql(query, { id: never.id })).data.resource.lastRun).toBeNull();
});

test('several runs come in one upload; of the other files one each', async () => {
  const { catalog, project } = await open();
  await feedProject(catalog, project, { manifest: bakery() });
  const upload = async (field: string, files: readonly object[]) => {
    const body = new FormData();
    for (const file of files) body.append(field, new Blob([JSON.stringify(file)]), `${field}.json`);
    const path = `/integration/transform/${project.id}/upload_artifacts/`;
    return catalog.rest('POST', path, { body });
  };
  const one = bakeryRun('one', { [key('rows_in_range')]: 'pass' });
  const two = bakeryRun('two', { [key('not_null_price')]: 'warn' }, { failures: 1 });
  expect((await upload('run_results', [one, two])).status).toBe(204);
  const tests = await testsOf(catalog);
  expect(tests.get(key('rows_in_range'))?.status).toBe('pass');
  expect(tests.get(key('not_null_price'))?.status).toBe('warn');
  const twice = await upload('manifest', [bakery(), bakery()]);
  expect([twice.status, twice.text]).toEqual([400, expect.stringContaining('only once')]);
  const many = await upload(
    'run_results',
    Array.from({ length: 41 }, () => one),
  );
  expect(many.status).toBe(400);
});

test('the freshness of a source is a test of its table, and says when data last came', async () => {
  const { catalog, project } = await open();
  const manifest = bakery();
  const orders = 'source.bakery.till.orders';
  manifest.sources[orders] = {
    ...manifest.sources[orders],
    freshness: {
      warn_after: { count: 12, period: 'hour' },
      error_after: { count: 1, period: 'day' },
      filter: null,
    },
    loaded_at_field: 'at',
  };
  const result = (status: string, more: object = {}) => ({
    metadata: { dbt_schema_version: schemaOf('sources', 3), invocation_id: status },
    results: [
      {
        unique_id: orders,
        status,
        max_loaded_at: '2026-03-01T00:00:00Z',
        snapshotted_at: '2026-03-02T06:00:00Z',
        max_loaded_at_time_ago_in_s: 108_000,
        ...more,
      },
    ],
  });
  const made = await feedProject(catalog, project, { manifest, sources: result('error') });
  expect(made.tests).toMatchObject({ created: 5, results: 1 });
  const table = await resourceAt(catalog, 'bakery.raw.orders');
  expect(table.externalUpdatedAt).toEqual(new Date('2026-03-01T00:00:00Z'));
  expect(table.sourceMetadata).toMatchObject({ loaded_at_field: 'at' });
  const fresh = async () => (await testsOf(catalog)).get(`freshness.${orders}`);
  expect(await fresh()).toMatchObject({
    ...{ name: 'freshness_till_orders', testKind: 'freshness', severity: 'error' },
    ...{ status: 'fail', resourceId: table.id },
    description: 'Without new data it warns after 12 hours and fails after 1 day.',
    message: 'The newest data was loaded at 2026-03-01T00:00:00.000Z, 30 hours before.',
  });
  // Alone, as after `dbt source freshness`.
  await feedProject(catalog, project, {
    sources: result('pass', { snapshotted_at: '2026-03-02T09:00:00Z' }),
  });
  expect((await fresh())?.status).toBe('pass');
  await feedProject(catalog, project, {
    sources: result('runtime error', {
      ...{ snapshotted_at: '2026-03-03T09:00:00Z', max_loaded_at: null },
      error: 'relation does not exist',
    }),
  });
  expect(await fresh()).toMatchObject({ status: 'error', message: 'relation does not exist' });
});

test('contracts, code, arguments, semantic models, saved queries and unit tests are kept', async () => {
  const { catalog, project } = await open();
  const manifest = bakery();
  const lines = 'model.bakery.order_lines';
  manifest.nodes[lines] = {
    ...manifest.nodes[lines],
    raw_code: "select * from {{ ref('stg_orders') }}",
    contract: { enforced: true },
    constraints: [{ type: 'check', expression: 'price > 0' }],
    deprecation_date: '2027-01-01',
    relation_name: '"bakery"."main"."Order_Lines"',
    config: { materialized: 'incremental', unique_key: ['order_id'], grants: {} },
  };
  manifest.nodes['model.bakery.forecast'] = {
    ...manifest.nodes['model.bakery.alone'],
    ...{ name: 'forecast', alias: 'forecast', language: 'python' },
    ...{ raw_code: 'def model(dbt, session): ...', compiled_code: 'import dough' },
  };
  manifest.nodes[key('bread_is_known')] = {
    ...manifest.nodes[key('bread_is_known')],
    config: { severity: 'ERROR', where: 'price > 1', warn_if: '!= 0', error_if: '> 10' },
    test_metadata: {
      name: 'accepted_values',
      kwargs: { column_name: 'bread', model: '{{ x }}', values: ['rye', 'wheat'] },
    },
  };
  manifest.semantic_models['semantic_model.bakery.lines'] = {
    name: 'lines',
    measures: [{ name: 'price', agg: 'sum' }],
    depends_on: { nodes: [lines] },
  };
  manifest.saved_queries = {
    'saved_query.bakery.weekly': {
      name: 'weekly',
      description: 'Revenue by week',
      query_params: { metrics: ['revenue'], group_by: ["TimeDimension('day', 'week')"] },
      exports: [{ name: 'weekly', config: { export_as: 'table' } }],
      depends_on: { nodes: ['metric.bakery.revenue'] },
    },
  };
  manifest.unit_tests = {
    'unit_test.bakery.order_lines.rounds': {
      name: 'rounds',
      model: 'order_lines',
      depends_on: { nodes: [lines] },
    },
  };
  const runResults = bakeryRun('one', { 'unit_test.bakery.order_lines.rounds': 'pass' });

  const made = await feedProject(catalog, project, { manifest, runResults });

  const table = await resourceAt(catalog, 'bakery.main.Order_Lines');
  expect(table.sourceMetadata).toMatchObject({
    raw_code: "select * from {{ ref('stg_orders') }}",
    contract: { enforced: true },
    constraints: [{ type: 'check', expression: 'price > 0' }],
    ...{ deprecation_date: '2027-01-01', unique_key: ['order_id'] },
    'semantic_model.lines': { measures: [{ name: 'price', agg: 'sum' }] },
  });
  expect(table.sourceMetadata).not.toHaveProperty('grants');
  const forecast = await resourceAt(catalog, 'bakery.main.forecast');
  expect(forecast.creationQuery).toBeNull();
  expect(forecast.sourceMetadata).toMatchObject({ language: 'python' });
  const tests = await testsOf(catalog);
  expect(tests.get(key('bread_is_known'))?.arguments).toEqual({
    ...{ values: ['rye', 'wheat'], where: 'price > 1', error_if: '> 10' },
  });
  expect(tests.get('unit_test.bakery.order_lines.rounds')).toMatchObject({
    ...{ testKind: 'unit_test', status: 'pass', resourceId: table.id },
  });
  expect(await resourceAt(catalog, 'weekly')).toMatchObject({
    ...{ kind: 'query', nativeType: 'saved_query', description: 'Revenue by week' },
    sourceMetadata: { query_params: { metrics: ['revenue'] }, exports: [{ name: 'weekly' }] },
  });
  expect(made.ignored).toEqual([
    { sort: 'analysis', count: 1 },
    { sort: 'disabled', count: 1 },
  ]);
  const again = await feedProject(catalog, project, { manifest, runResults });
  expect(again).toMatchObject({ created: 0, updated: 0, staled: 0, tests: { results: 0 } });
});

test('a model of a project that was only parsed has the lineage of its SQL as somebody wrote it', async () => {
  const { catalog, project } = await open();
  const manifest = bakery();
  const [id, model] = Object.entries(manifest.nodes).find(
    ([, node]) => node.resource_type === 'model',
  ) ?? ['', {}];
  const raw = `SELECT '{{ var('d') }}' AS d FROM {{ ref('other') }}`;
  const { compiled_code: _, compiled_sql: __, ...parsed } = model;
  manifest.nodes[id] = { ...parsed, raw_code: raw };

  await feedProject(catalog, project, { manifest });

  const { database, workspaceId } = catalog;
  const table = await database.prisma.resource.findFirstOrThrow({
    where: { workspaceId, databuilderId: id },
  });
  expect(table.creationQuery).toBe(raw);
});

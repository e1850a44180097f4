// Tests of a project and what its runs said of them: passing, failing, warning, and gone.

import { expect, test } from 'vitest';
import {
  keptDays,
  keptRuns,
  listFailingTests,
} from '../../../../src/integrations/data-tests/data-test.ts';
import { type Catalog, openCatalog } from '../../../catalog.ts';
import { bakery, bakeryRun, schemaOf } from '../bakery.ts';
import { counts, feedProject, resourceAt, testsOf } from '../feed.ts';

const open = async () => {
  const catalog = await openCatalog();
  return { catalog, project: await catalog.integration({ type: 'dbt_core' }) };
};

const key = (name: string) => `test.bakery.${name}`;

async function statuses(catalog: Catalog) {
  const found = [...(await testsOf(catalog)).values()];
  return Object.fromEntries(
    found.map(({ name, status, failures }) => [name, failures ? `${status} ${failures}` : status]),
  );
}

test('each test knows its kind, its severity and the table or column it is about', async () => {
  const { catalog, project } = await open();
  const made = await feedProject(catalog, project, { manifest: bakery() });
  expect(made.tests).toEqual({ created: 4, updated: 0, staled: 0, unchanged: 0, results: 0 });
  const tests = await testsOf(catalog);
  const lines = await resourceAt(catalog, 'bakery.main.Order_Lines');
  const price = await resourceAt(catalog, 'bakery.main.Order_Lines.price');
  const daily = await resourceAt(catalog, 'bakery.main.daily');
  expect(tests.get(key('not_null_price'))).toMatchObject({
    testKind: 'not_null',
    severity: 'error',
    resourceId: lines.id,
    columnId: price.id,
    status: null,
    lastRunAt: null,
  });
  expect(tests.get(key('bread_is_known'))).toMatchObject({
    testKind: 'relationships',
    resourceId: lines.id,
  });
  expect(tests.get(key('rows_in_range'))).toMatchObject({
    testKind: 'dough.rows_between',
    severity: 'warn',
    resourceId: daily.id,
    columnId: null,
  });
  // A test of its own SQL is about the first table that it reads.
  expect(tests.get(key('revenue_adds_up'))).toMatchObject({
    testKind: null,
    description: 'What the days say is what the lines say',
    resourceId: daily.id,
  });
});

test('a run says which tests pass, warn, fail and break, and whose resources they are', async () => {
  const { catalog, project } = await open();
  const manifest = bakery();
  const run = bakeryRun(
    'run-1',
    {
      'model.bakery.daily': 'success',
      'model.bakery.alone': 'skipped',
      'seed.bakery.breads': 'error',
      [key('not_null_price')]: 'fail',
      [key('bread_is_known')]: 'pass',
      [key('rows_in_range')]: 'warn',
      [key('revenue_adds_up')]: 'error',
    },
    { failures: 3 },
  );

  const made = await feedProject(catalog, project, { manifest, runResults: run });

  expect(made.tests).toMatchObject({ created: 4, results: 7 });
  expect(await statuses(catalog)).toEqual({
    not_null_price: 'fail 3',
    bread_is_known: 'pass',
    rows_in_range: 'warn 3',
    revenue_adds_up: 'error',
  });
  expect((await testsOf(catalog)).get(key('not_null_price'))).toMatchObject({
    message: 'Got 3 results',
    lastRunAt: new Date('2026-03-01T06:10:00Z'),
  });
  const [price, daily] = [
    await resourceAt(catalog, 'bakery.main.Order_Lines.price'),
    await resourceAt(catalog, 'bakery.main.daily'),
  ];
  // The day's table fails one test and warns in another: it is failing, not both.
  expect(await listFailingTests(catalog.admin, project.id)).toEqual({
    failing: [price.id, daily.id].sort(),
    warning: [],
  });
  const results = await catalog.database.prisma.runResult.findMany({
    where: { integrationId: project.id, nodeKey: 'model.bakery.daily' },
  });
  expect(results).toMatchObject([
    { invocationId: 'run-1', status: 'success', executionSeconds: 1.25, resourceId: daily.id },
  ]);
});

test('results may come alone, after the manifest, and leave all else as it is', async () => {
  const { catalog, project } = await open();
  await feedProject(catalog, project, { manifest: bakery() });
  const runResults = bakeryRun('run-1', { [key('rows_in_range')]: 'warn' }, { failures: 9 });

  const made = await feedProject(catalog, project, { runResults });

  expect(made).toEqual(counts({}, {}, { results: 1 }));
  expect((await statuses(catalog)).rows_in_range).toBe('warn 9');
  // That the run did not name them says nothing about the other tests: they are still declared.
  expect([...(await testsOf(catalog)).values()].filter(({ stale }) => stale)).toEqual([]);
  const daily = await resourceAt(catalog, 'bakery.main.daily');
  expect(daily.stale).toBe(false);
  expect(await listFailingTests(catalog.admin, project.id)).toEqual({
    failing: [],
    warning: [daily.id],
  });
});

test('a run that is sent again is known already; a later one replaces it, an older one does not', async () => {
  const { catalog, project } = await open();
  const manifest = bakery();
  const test = key('bread_is_known');
  const at = (day: number) => ({ at: `2026-03-0${day}T00:00:00Z`, failures: day });
  const feed = async (id: string, status: string, day: number) => {
    const runResults = bakeryRun(id, { [test]: status }, at(day));
    return (await feedProject(catalog, project, { manifest, runResults })).tests;
  };
  expect(await feed('two', 'fail', 2)).toMatchObject({ created: 4, results: 1 });
  expect(await feed('two', 'fail', 2)).toEqual({
    created: 0,
    updated: 0,
    staled: 0,
    unchanged: 4,
    results: 0,
  });
  expect(await feed('one', 'pass', 1)).toMatchObject({ results: 1 });
  expect((await statuses(catalog)).bread_is_known).toBe('fail 2');
  expect(await feed('three', 'pass', 3)).toMatchObject({ results: 1 });
  expect((await statuses(catalog)).bread_is_known).toBe('pass');
  expect(await listFailingTests(catalog.admin, project.id)).toEqual({ failing: [], warning: [] });
});

test('a run that only compiles says nothing about the data', async () => {
  const { catalog, project } = await open();
  const manifest = bakery();
  const test = key('bread_is_known');
  const failing = bakeryRun('one', { [test]: 'fail' }, { at: '2026-03-01T00:00:00Z', failures: 4 });
  await feedProject(catalog, project, { manifest, runResults: failing });
  const more = { which: 'compile', at: '2026-03-02T00:00:00Z' };
  const runResults = bakeryRun('two', { [test]: 'success' }, more);
  await feedProject(catalog, project, { manifest, runResults });
  expect((await statuses(catalog)).bread_is_known).toBe('fail 4');
});

test('a test that the project drops is stale and fails no one, and comes back fresh', async () => {
  const { catalog, project } = await open();
  const runResults = bakeryRun('one', { [key('not_null_price')]: 'fail' }, { failures: 1 });
  await feedProject(catalog, project, { manifest: bakery(), runResults });
  const manifest = bakery();
  delete manifest.nodes[key('not_null_price')];

  const gone = await feedProject(catalog, project, { manifest });
  expect(gone.tests).toMatchObject({ staled: 1, unchanged: 3 });
  expect(await listFailingTests(catalog.admin, project.id)).toEqual({ failing: [], warning: [] });
  expect((await feedProject(catalog, project, { manifest })).tests).toMatchObject({ staled: 0 });

  const back = await feedProject(catalog, project, { manifest: bakery() });
  expect(back.tests).toMatchObject({ created: 0, updated: 1, staled: 0 });
  expect((await testsOf(catalog)).get(key('not_null_price'))).toMatchObject({
    stale: false,
    status: 'fail',
  });
});

test('without staleness, tests that a partial manifest leaves out stay declared', async () => {
  const { catalog, project } = await open();
  await feedProject(catalog, project, { manifest: bakery() });
  const manifest = bakery();
  manifest.nodes = {};
  const made = await feedProject(catalog, project, { manifest }, { stale: false });
  expect(made.tests).toEqual({ created: 0, updated: 0, staled: 0, unchanged: 0, results: 0 });
});

test.each([1, 2, 3, 4, 5, 6])('run results of version %i are read', async (version) => {
  const { catalog, project } = await open();
  const test = key('bread_is_known');
  const runResults = {
    metadata: {
      dbt_schema_version: schemaOf('run-results', version),
      generated_at: '2026-03-01T06:10:00.123456Z',
      invocation_id: 'x',
    },
    results: [
      {
        unique_id: test,
        status: 'fail',
        thread_id: 'Thread-1',
        execution_time: 0.5,
        timing: [],
        adapter_response: {},
        // Version 1 has no field for failures: the message is their number.
        ...(version === 1
          ? { message: 7 }
          : { message: 'Got 7 results, configured to fail if != 0', failures: 7 }),
        ...(version < 5 ? {} : { compiled: true, compiled_code: 'select 1', relation_name: null }),
        ...(version < 6 ? {} : { batch_results: null }),
      },
      // The words for an error have changed over the versions.
      { unique_id: key('not_null_price'), status: version === 3 ? 'runtime error' : 'error' },
      { unique_id: 'model.bakery.daily', status: version < 6 ? 'success' : 'partial success' },
      { unique_id: 'model.elsewhere.unknown', status: version < 6 ? 'skipped' : 'no-op' },
    ],
    elapsed_time: 1,
    args: { which: 'build' },
  };
  const made = await feedProject(catalog, project, { manifest: bakery(), runResults });
  expect(made.tests.results).toBe(4);
  expect(await statuses(catalog)).toMatchObject({
    bread_is_known: 'fail 7',
    not_null_price: 'error',
    rows_in_range: null,
  });
  const results = await catalog.database.prisma.runResult.findMany({
    where: { integrationId: project.id },
    orderBy: { nodeKey: 'asc' },
  });
  expect(results.map(({ status, completedAt }) => [status, completedAt.toISOString()])).toEqual(
    [version < 6 ? 'success' : 'error', 'skipped', 'fail', 'error'].map((status) => [
      status,
      '2026-03-01T06:10:00.123Z',
    ]),
  );
});

test('of each node the newest results are kept, and whatever is young', async () => {
  const { catalog, project } = await open();
  const { database, workspaceId } = catalog;
  const old = new Date(Date.now() - (keptDays + 1) * 86_400_000);
  const result = (nodeKey: string, i: number, completedAt: Date) => ({
    ...{ workspaceId, integrationId: project.id, nodeKey, status: 'pass', completedAt },
    invocationId: `${completedAt.getTime()} ${i}`,
  });
  const [often, seldom] = [key('not_null_price'), key('bread_is_known')];
  const results = [
    ...Array.from({ length: keptRuns + 50 }, (_, i) =>
      result(often, i, new Date(old.getTime() - i * 60_000)),
    ),
    ...Array.from({ length: keptRuns + 50 }, (_, i) => result('another', i, old)),
    ...Array.from({ length: 3 }, (_, i) => result(seldom, i, old)),
  ];
  await database.prisma.runResult.createMany({ data: results });
  const at = new Date().toISOString();
  const run = bakeryRun('run-new', { [often]: 'pass', [seldom]: 'pass' }, { at });
  await feedProject(catalog, project, { manifest: bakery(), runResults: run });
  const count = (nodeKey: string) =>
    database.prisma.runResult.count({ where: { workspaceId, nodeKey } });
  expect(await count(often)).toBe(keptRuns);
  expect(await count(seldom)).toBe(4);
  // It has no new result: no one asked about it.
  expect(await count('another')).toBe(keptRuns + 50);
  const oldest = await database.prisma.runResult.findFirst({
    where: { workspaceId, nodeKey: often },
    orderBy: { completedAt: 'asc' },
  });
  expect(oldest?.completedAt).toEqual(new Date(old.getTime() - (keptRuns - 2) * 60_000));

  const young = Array.from({ length: keptRuns + 50 }, (_, i) =>
    result(seldom, i, new Date(Date.now() - i * 60_000)),
  );
  await database.prisma.runResult.createMany({ data: young });
  const next = bakeryRun('run-next', { [seldom]: 'pass' }, { at });
  await feedProject(catalog, project, { manifest: bakery(), runResults: next });
  expect(await count(seldom)).toBeGreaterThanOrEqual(keptRuns + 50);
});

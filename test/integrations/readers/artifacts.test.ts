// The artifacts of a project in each of their versions: what they say, and what is refused.

import { expect, test } from 'vitest';
import { readArtifacts } from '../../../src/integrations/readers/artifacts/artifacts.ts';
import type { Extracted } from '../../../src/integrations/readers/extraction.ts';
import { artifact, catalog, manifest, runResults } from './project.ts';
import { all, refusalOf } from './reading.ts';

const manifestVersions = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

interface Files {
  manifest?: unknown;
  runResults?: unknown;
  catalog?: unknown;
}

function read(files: Files, count: (sort: string) => void = () => {}) {
  const file = (name: string, content: unknown) =>
    content === undefined ? undefined : artifact(name, content);
  return readArtifacts(
    {
      manifest: file('manifest', files.manifest),
      runResults: [files.runResults].flatMap((run) => file('run_results', run) ?? []),
      catalog: file('catalog', files.catalog),
    },
    { maxBytes: 10_000_000, count, now: new Date('2026-05-01T00:00:00Z') },
  );
}

const named = (pieces: readonly Extracted[], key: string) =>
  pieces.flatMap((piece) =>
    piece.is === 'resource' && piece.resource.key === key ? [piece.resource] : [],
  );

test.each(manifestVersions)(
  'version %i names tables, columns and what they are',
  async (version) => {
    const pieces = await all(read({ manifest: manifest(version) }));
    const [orders] = named(pieces, 'model.shop.orders');
    expect(orders).toMatchObject({
      kind: 'table',
      title: 'fct_orders',
      database: 'warehouse',
      schema: 'analytics',
      parentKey: 'schema:warehouse.analytics',
      description: 'Every order, once.',
      nativeType: 'table',
      creationQuery: 'select * from "warehouse"."raw"."orders"',
      tags: ['finance', 'daily'],
      owners: ['ada@example.com'],
      hidden: false,
      metadata: { name: 'orders', meta: { owner: 'Ada@example.com', tier: 1 } },
    });
    expect(named(pieces, 'model.shop.orders.order_id')[0]).toMatchObject({
      kind: 'column',
      parentKey: 'model.shop.orders',
      title: 'order_id',
      description: 'The key.',
      type: 'int',
      sortOrder: 1,
    });
    expect(named(pieces, 'model.shop.orders.country')[0]).toMatchObject({
      title: 'Country',
      tags: ['pii'],
    });
    const types = (key: string) => named(pieces, key).map(({ nativeType }) => nativeType);
    expect(types('model.shop.daily')).toEqual(
      version >= 9 ? ['incremental', undefined] : ['incremental'],
    );
    expect(named(pieces, 'model.shop.daily')[0]?.hidden).toBe(true);
    expect(types('seed.shop.countries')).toEqual(['seed']);
    expect(types('snapshot.shop.orders_history')).toEqual(['snapshot']);
    expect(named(pieces, 'source.shop.app.raw_orders')[0]).toMatchObject({
      title: 'orders',
      nativeType: 'source',
      // What the whole system is, not what this table is.
      description: '',
      metadata: { source_description: 'What the app writes.' },
      tags: ['raw'],
    });
    expect(named(pieces, 'model.shop.staged')).toEqual([]);
    expect(named(pieces, 'analysis.shop.idea')).toEqual([]);
  },
);

test.each(manifestVersions)(
  'version %i passes lineage through what is no table',
  async (version) => {
    const pieces = await all(read({ manifest: manifest(version) }));
    const edges = pieces.flatMap((piece) =>
      piece.is === 'lineage' && piece.lineage.from.by === 'key' && piece.lineage.to.by === 'key'
        ? [`${piece.lineage.from.key} > ${piece.lineage.to.key}`]
        : [],
    );
    expect(edges.sort()).toEqual(
      [
        'source.shop.app.raw_orders > model.shop.orders',
        'seed.shop.countries > model.shop.orders',
        'model.shop.orders > model.shop.daily',
        'model.shop.orders > snapshot.shop.orders_history',
        'model.shop.daily > exposure.shop.board',
        ...(version >= 3 ? ['model.shop.orders > metric.shop.revenue'] : []),
      ].sort(),
    );
  },
);

test.each(manifestVersions)('version %i names tests and what they are about', async (version) => {
  const pieces = await all(read({ manifest: manifest(version) }));
  const tests = pieces.flatMap((piece) => (piece.is === 'test' ? [piece.test] : []));
  expect(tests).toEqual([
    expect.objectContaining({
      key: 'test.shop.not_null__order_id',
      testKind: 'not_null',
      severity: 'error',
      tableKey: 'model.shop.orders',
      columnKey: 'model.shop.orders.order_id',
    }),
    expect.objectContaining({
      testKind: 'relationships',
      tableKey: 'model.shop.orders',
      columnKey: 'model.shop.orders.country',
    }),
    expect.objectContaining({
      key: 'test.shop.totals_are_positive',
      testKind: undefined,
      severity: 'warn',
      tableKey: 'model.shop.daily',
      columnKey: undefined,
    }),
  ]);
});

test('dashboards, metrics and the owners of groups are read, and all is counted', async () => {
  const counts = new Map<string, number>();
  const count = (sort: string) => counts.set(sort, (counts.get(sort) ?? 0) + 1);
  const pieces = await all(read({ manifest: manifest(12) }, count));
  expect(named(pieces, 'exposure.shop.board')[0]).toMatchObject({
    kind: 'dashboard',
    title: 'The board',
    nativeType: 'dashboard',
    url: 'https://bi.example.com/board',
    owners: ['grace@example.com'],
  });
  expect(named(pieces, 'metric.shop.revenue')[0]).toMatchObject({
    kind: 'chart',
    title: 'Revenue',
    nativeType: 'metric',
    metadata: { expression: 'amount' },
  });
  // A model in a group belongs to the group's owner, unless it names its own.
  expect(named(pieces, 'model.shop.daily').map(({ owners }) => owners)).toEqual([
    undefined,
    ['finance@example.com'],
  ]);
  expect(named(pieces, 'model.shop.orders')).toHaveLength(1);
  expect(Object.fromEntries(counts)).toEqual({
    ...{ models: 3, seeds: 1, snapshots: 1, sources: 1, tests: 3 },
    ...{ exposures: 1, metrics: 1, groups: 1, 'semantic models': 1, 'other nodes': 1 },
  });
});

test.each([1, 2, 3, 4, 5, 6])('run results of version %i are read', async (version) => {
  const pieces = await all(read({ runResults: runResults(version) }));
  const runs = pieces.flatMap((piece) => (piece.is === 'run' ? [piece.run] : []));
  expect(runs.map(({ nodeKey, status, failures }) => [nodeKey, status, failures])).toEqual([
    ['model.shop.orders', 'success', undefined],
    ['test.shop.not_null__order_id', 'fail', 3],
    ['test.shop.relationships__country', 'pass', 0],
    ['test.shop.totals_are_positive', 'warn', 1],
  ]);
  expect(runs[0]).toMatchObject({
    invocationId: 'run-1',
    executionSeconds: 1.5,
    completedAt: new Date('2026-03-01T09:59:00.500Z'),
    executed: true,
  });
});

test('a command that only compiled has tested nothing', async () => {
  const pieces = await all(read({ runResults: runResults(6, 'generate') }));
  expect(pieces.every((piece) => piece.is === 'run' && !piece.run.executed)).toBe(true);
});

test('a catalog adds what the warehouse says of columns', async () => {
  const pieces = await all(read({ manifest: manifest(), catalog: catalog() }));
  expect(named(pieces, 'model.shop.orders.total')).toEqual([
    expect.objectContaining({
      standing: 'addition',
      title: 'TOTAL',
      type: 'VARCHAR',
      sortOrder: 3,
    }),
  ]);
  const [warehouse, project] = named(pieces, 'model.shop.orders.country');
  expect(warehouse).toMatchObject({ standing: 'addition', title: 'COUNTRY', sortOrder: 1 });
  expect(project).toMatchObject({ standing: 'named', title: 'Country' });
});

const of = (version: string) => ({
  metadata: { dbt_schema_version: version, generated_at: '2026-01-01T00:00:00Z' },
});
const address = (path: string) => `https://schemas.getdbt.com/dbt/${path}.json`;

test.each<[Files, string]>([
  [{ manifest: of(address('run-results/v6')) }, 'which is no manifest.'],
  [{ manifest: of('anything') }, 'metadata.dbt_schema_version is "anything", which is no manifest'],
  [{ manifest: { metadata: {} } }, 'metadata.dbt_schema_version cannot be read: '],
  [{ manifest: { nodes: {} } }, 'manifest: has no metadata; it is not a manifest.'],
  [{ manifest: '[]' }, 'manifest, line 1, column 1: is not JSON: expected an object'],
  [{ manifest: '{"metadata": {"a": 1,}}' }, 'manifest, line 1, column 22: is not JSON: expected'],
  [
    { manifest: '{"metadata"\n: {"a":\n tru}}' },
    'manifest, line 3, column 2: is not JSON: expected',
  ],
  [{ manifest: '{"nodes": {"a": {"b": 1}' }, 'nodes.a.resource_type cannot be read: '],
  [{ manifest: { ...manifest(), nodes: { 'model.x': 5 } } }, 'nodes.model.x cannot be read: '],
  [
    { manifest: { ...manifest(), sources: { 'source.x': { name: 'x', columns: { id: 5 } } } } },
    'sources.source.x.columns',
  ],
  [
    { manifest: `{"metadata": ${'['.repeat(70)}${']'.repeat(70)}}` },
    'manifest, line 1, column 78: is nested deeper than 64 levels.',
  ],
  [{ manifest: '{"macros": {"a": "}' }, 'is not JSON: expected a closing quote, found the end.'],
])('%j is refused', async (files, message) => {
  expect(await refusalOf(read(files))).toContain(message);
});

test('a manifest is read the same wherever its pieces end, with members in any order', async () => {
  const { metadata, ...rest } = manifest();
  const expected = await all(read({ manifest: manifest() }));
  const reordered = { ...Object.fromEntries(Object.entries(rest).reverse()), metadata };
  const pretty = JSON.stringify(reordered, null, 2);
  const pieces = await all(read({ manifest: pretty }));
  const keys = (list: readonly Extracted[]) =>
    list.map((piece) => (piece.is === 'resource' ? piece.resource.key : piece.is)).sort();
  expect(keys(pieces)).toEqual(keys(expected));
});

test('a node was done when the last of its steps that ended did, or else when the run was', async () => {
  const step = (name: string, completed_at: string | null) => ({ name, completed_at });
  const run = runResults();
  const [result] = run.results;
  const doneAt = async (timing: unknown) => {
    const results = [{ ...result, timing }];
    const pieces = await all(read({ manifest: manifest(12), runResults: { ...run, results } }));
    return pieces.flatMap((piece) => (piece.is === 'run' ? [piece.run.completedAt] : []));
  };
  const [early, late] = ['2026-03-01T09:00:00Z', '2026-03-01T09:05:00Z'];
  const compiled = step('compile', early);
  expect(await doneAt([compiled, step('execute', late)])).toEqual([new Date(late)]);
  expect(await doneAt([compiled, step('execute', null)])).toEqual([new Date(early)]);
  expect(await doneAt([])).toEqual([new Date(run.metadata.generated_at)]);
});

test('a message of 4,000 characters is kept, and a longer one is cut there', async () => {
  const run = runResults();
  const results = run.results
    .slice(0, 1)
    .map((result) => ({ ...result, message: 'x'.repeat(4_001) }));
  const pieces = await all(read({ manifest: manifest(12), runResults: { ...run, results } }));
  const messages = pieces.flatMap((piece) => (piece.is === 'run' ? [piece.run.message] : []));
  expect(messages).toEqual(['x'.repeat(4_000)]);
});

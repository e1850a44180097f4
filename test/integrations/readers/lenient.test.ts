// What people write freely into a project never refuses it; what a node is and depends on must be right.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readArtifacts } from '../../../src/integrations/readers/artifacts/artifacts.ts';
import type { Extracted } from '../../../src/integrations/readers/extraction.ts';
import { artifact, manifest } from './project.ts';
import { all, refusalOf } from './reading.ts';

type Piece = Record<string, unknown>;

const read = (content: unknown) =>
  readArtifacts(
    { manifest: artifact('manifest', content) },
    { maxBytes: 10_000_000, count() {}, now: new Date() },
  );

/** The sample's manifest with one thing in it changed. */
function changed(section: 'nodes' | 'sources' | 'exposures', key: string, more: Piece) {
  const project: Record<string, Record<string, Piece>> = JSON.parse(JSON.stringify(manifest()));
  const pieces = project[section] ?? {};
  return { ...project, [section]: { ...pieces, [key]: { ...pieces[key], ...more } } };
}

const problemsIn = (pieces: readonly Extracted[]) =>
  pieces.flatMap((piece) => (piece.is === 'problem' ? [piece.problem] : []));
const keysIn = (pieces: readonly Extracted[]) =>
  pieces.flatMap((piece) => (piece.is === 'resource' ? [piece.resource.key] : []));

const sourceKey = 'source.shop.app.raw_orders';
const modelKey = 'model.shop.orders';

test('text that a template made of true and false is understood, other text is left out and reported', async () => {
  const before = keysIn(await all(read(manifest())));
  const odd = await all(
    read(changed('sources', sourceKey, { config: { enabled: 'True and True' } })),
  );
  expect(keysIn(odd)).toEqual(before);
  expect(problemsIn(odd)).toEqual([
    expect.stringMatching(
      /^manifest, line 1, column \d+: sources\.source\.shop\.app\.raw_orders\.config\.enabled is left out/,
    ),
  ]);
  const understood = await all(
    read(changed('sources', sourceKey, { config: { enabled: 'True' } })),
  );
  expect(problemsIn(understood)).toEqual([]);
});

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('True and True', '', 0, 1, -1.5, [], {}, [null], [[1]], { a: [{}] }, null),
);
const nodeFields = [
  ...['config', 'docs', 'meta', 'tags', 'group', 'access', 'constraints', 'description'],
  ...['primary_key', 'original_file_path', 'raw_sql', 'compiled_sql', 'compiled_code'],
];
const configFields = ['enabled', 'materialized', 'tags', 'meta', 'docs', 'group', 'severity'];
const columnFields = ['description', 'data_type', 'tags', 'meta', 'config', 'constraints'];
const spoiled = fc.oneof(
  fc.record({ field: fc.constantFrom(...nodeFields), value: odd }).map(({ field, value }) => ({
    [field]: value,
  })),
  fc.record({ field: fc.constantFrom(...configFields), value: odd }).map(({ field, value }) => ({
    config: { [field]: value },
  })),
  fc.record({ field: fc.constantFrom(...columnFields), value: odd }).map(({ field, value }) => ({
    columns: { order_id: { name: 'order_id', [field]: value } },
  })),
);

test('an odd value in any free field of a node refuses no project', async () => {
  await fc.assert(
    fc.asyncProperty(spoiled, async (more) => {
      const pieces = await all(read(changed('nodes', modelKey, more)));
      const isEphemeral = JSON.stringify(more).includes('ephemeral');
      expect(keysIn(pieces).includes(modelKey)).toBe(!isEphemeral);
    }),
    { numRuns: 300, seed: 1 },
  );
});

test.each(['owner', 'label', 'type', 'url', 'maturity', 'description', 'tags', 'meta', 'config'])(
  'an odd %s of an exposure refuses no project',
  async (field) => {
    for (const value of [5, true, 'x', [1], { a: 1 }]) {
      const exposure = { name: 'board', depends_on: { nodes: [modelKey] }, [field]: value };
      const pieces = await all(read(changed('exposures', 'exposure.shop.board', exposure)));
      expect(keysIn(pieces)).toContain('exposure.shop.board');
    }
  },
);

test.each([
  ['name', { name: 5 }],
  ['alias', { alias: ['x'] }],
  ['database', { database: 5 }],
  ['schema', { schema: {} }],
  ['depends_on', { depends_on: 'model.shop.staged' }],
  ['depends_on.nodes', { depends_on: { nodes: [5] } }],
  ['resource_type', { resource_type: null }],
  ['columns', { columns: 'id' }],
  // A column may be called as a free field is.
  ['columns.config.name', { columns: { config: { name: 5 } } }],
])('what says which node it is, or what it depends on, is refused: %s', async (field, more) => {
  const message = await refusalOf(read(changed('nodes', modelKey, more)));
  expect(message).toContain(`nodes.${modelKey}.${field}`);
});

const node = (more: Piece) => ({
  ...{ package_name: 'shop', database: 'warehouse', schema: 'raw', columns: {}, config: {} },
  ...{ depends_on: { nodes: [] }, tags: [], ...more },
});

test('a seed and the source over it are one table, with what both say', async () => {
  const [seed, source, user] = ['seed.shop.countries', 'source.shop.raw.countries', 'model.shop.m'];
  const pieces = await all(
    read({
      metadata: manifest().metadata,
      nodes: {
        [seed]: node({ resource_type: 'seed', name: 'countries' }),
        [user]: node({ resource_type: 'model', name: 'm', depends_on: { nodes: [source] } }),
        'test.shop.t': node({
          ...{ resource_type: 'test', name: 't', column_name: 'Code', attached_node: source },
          depends_on: { nodes: [source] },
        }),
      },
      sources: {
        [source]: {
          ...{ name: 'countries', source_name: 'raw', schema: 'RAW', database: 'warehouse' },
          ...{ description: 'All of them.', columns: { code: { name: 'code' } } },
        },
        'source.shop.raw.other': { name: 'other', source_name: 'raw', database: 'warehouse' },
      },
    }),
  );
  const tables = pieces.flatMap((piece) =>
    piece.is === 'resource' && piece.resource.kind === 'table' ? [piece.resource] : [],
  );
  expect(tables.map(({ key, standing }) => [key, standing])).toEqual([
    [seed, 'named'],
    [user, 'named'],
    [seed, 'addition'],
    ['source.shop.raw.other', 'named'],
  ]);
  expect(tables[2]?.description).toBe('All of them.');
  expect(keysIn(pieces)).toContain(`${seed}.code`);
  const lineage = pieces.flatMap((piece) => (piece.is === 'lineage' ? [piece.lineage] : []));
  expect(lineage).toEqual([
    { line: 1, from: { by: 'key', key: seed }, to: { by: 'key', key: user } },
  ]);
  const tests = pieces.flatMap((piece) => (piece.is === 'test' ? [piece.test] : []));
  expect(tests).toEqual([expect.objectContaining({ tableKey: seed, columnKey: `${seed}.code` })]);
});

test('a test of an ephemeral model is at the first table that uses it', async () => {
  const ephemeral = (name: string, ...nodes: string[]) =>
    node({
      ...{ resource_type: 'model', name, config: { materialized: 'ephemeral' } },
      depends_on: { nodes },
    });
  const tested = (key: string) =>
    node({ resource_type: 'test', name: 't', column_name: 'id', depends_on: { nodes: [key] } });
  const pieces = await all(
    read({
      metadata: manifest().metadata,
      nodes: {
        'test.shop.used': tested('model.shop.inner'),
        'test.shop.unused': tested('model.shop.lonely'),
        'model.shop.inner': ephemeral('inner'),
        'model.shop.outer': ephemeral('outer', 'model.shop.inner', 'model.shop.lonely'),
        'model.shop.lonely': ephemeral('lonely'),
        'model.shop.table': node({
          ...{ resource_type: 'model', name: 'table' },
          depends_on: { nodes: ['model.shop.inner'] },
        }),
      },
      sources: {},
    }),
  );
  const tests = pieces.flatMap((piece) => (piece.is === 'test' ? [piece.test] : []));
  expect(tests.map(({ key, tableKey, columnKey }) => [key, tableKey, columnKey])).toEqual([
    ['test.shop.used', 'model.shop.table', undefined],
    ['test.shop.unused', undefined, undefined],
  ]);
});

// Every field that a real project has, with something odd in it: only what says which node it is refuses a project.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readArtifacts } from '../../../src/integrations/readers/artifacts/artifacts.ts';
import { root } from '../../house/sources.ts';
import { artifact } from './project.ts';
import { all, refusalOf } from './reading.ts';

type Piece = Readonly<Record<string, unknown>>;

const manifest: Readonly<Record<string, Readonly<Record<string, Piece>>>> = JSON.parse(
  readFileSync(join(root, 'prisma/demo/project/manifest.json'), 'utf8'),
);

/** A piece of a project, alone in it. */
interface Alone {
  readonly section: string;
  readonly key: string;
  readonly piece: Piece;
}

/** Of every kind of piece the one that says most. */
const pieces = new Map<string, Alone>();
const sections = ['nodes', 'sources', 'exposures', 'metrics', 'semantic_models', 'groups'];
for (const section of sections) {
  for (const [key, piece] of Object.entries(manifest[section] ?? {})) {
    const kind = String(piece.resource_type ?? section);
    const size = (one: Alone | undefined) => JSON.stringify(one?.piece ?? null).length;
    const found = { section, key, piece };
    if (size(found) > size(pieces.get(kind))) pieces.set(kind, found);
  }
}

/** Which node it is, what kind of thing, what it depends on, and what its columns are called. */
const identity = new Set([
  ...['name', 'alias', 'identifier', 'source_name', 'package_name', 'database', 'schema'],
  ...['resource_type', 'depends_on', 'columns', 'column_name', 'attached_node', 'test_metadata'],
]);

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>('True and True', '', 0, -1.5, true, [], {}, [null], [[1]], {
    a: [{ b: null }],
  }),
);

const read = ({ section, key, piece }: Alone) =>
  readArtifacts(
    {
      manifest: artifact('manifest', { metadata: manifest.metadata, [section]: { [key]: piece } }),
    },
    { maxBytes: 10_000_000, count() {}, now: new Date() },
  );

test.each([...pieces])(
  'an odd value in any free field of one is no reason to refuse a project: %s',
  async (_, one) => {
    const { piece } = one;
    const config: object = Object(piece.config);
    const free = Object.keys(piece).filter((field) => !identity.has(field));
    const places = [
      ...free.map((field) => (value: unknown) => ({ ...piece, [field]: value })),
      ...Object.keys(config).map((field) => (value: unknown) => ({
        ...piece,
        config: { ...config, [field]: value },
      })),
    ];
    expect(places.length).toBeGreaterThan(1);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), odd, async (place, value) => {
        await all(read({ ...one, piece: place(value) }));
      }),
      { numRuns: 20 * places.length, seed: 14 },
    );
  },
);

test('the kinds are those of a real project, and what says which node it is refuses it', async () => {
  expect([...pieces.keys()]).toEqual(
    expect.arrayContaining(['model', 'seed', 'snapshot', 'test', 'source', 'exposure', 'metric']),
  );
  for (const [kind, one] of pieces) {
    const message = await refusalOf(read({ ...one, piece: { ...one.piece, name: 5 } }));
    expect([kind, message]).toEqual([kind, expect.stringContaining('.name cannot be read')]);
  }
});

const told = {
  catalog: factsOf('catalog', 'nodes'),
  run_results: factsOf('run_results', 'results'),
};

/** A file of the project, and what it says of a node. */
function factsOf(file: 'catalog' | 'run_results', section: string) {
  const whole = JSON.parse(readFileSync(join(root, `prisma/demo/project/${file}.json`), 'utf8'));
  const one: Piece = Object.values<Piece>(whole[section])[0] ?? {};
  return { whole, section, one };
}

/** The pieces of a project whose catalog or run says something of one node. */
function readTold(file: 'catalog' | 'run_results', one: Piece, more: object = {}) {
  const { whole, section } = told[file];
  const said = { ...whole, [section]: Array.isArray(whole[section]) ? [one] : { x: one }, ...more };
  const source = artifact(file, said);
  const artifacts =
    file === 'catalog'
      ? { manifest: artifact('manifest', { metadata: manifest.metadata }), catalog: source }
      : { runResults: [source] };
  return readArtifacts(artifacts, { maxBytes: 10_000_000, count() {}, now: new Date() });
}

test.each([
  ['catalog', ['metadata', 'stats']],
  [
    'run_results',
    ['message', 'failures', 'execution_time', 'timing', 'adapter_response', 'thread_id'],
  ],
] as const)('an odd value in what a %s says beside is none either', async (file, free) => {
  const { one } = told[file];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom<string>(...free), odd, async (field, value) => {
      await all(readTold(file, { ...one, [field]: value }));
    }),
    { numRuns: 40 * free.length, seed: 14 },
  );
});

test('an odd type or place of a column in a catalog is left out and reported, and its name is not', async () => {
  const columns = (column: object) => ({
    ...told.catalog.one,
    columns: { id: { name: 'id', ...column } },
  });
  const pieces = await all(
    readTold('catalog', columns({ type: [1], index: 'first', comment: {} })),
  );
  const problems = pieces.flatMap((piece) => (piece.is === 'problem' ? [piece.problem] : []));
  expect(problems).toEqual([
    expect.stringMatching(/^catalog, .*nodes\.x\.columns\.id\.index is left out: /),
    expect.stringMatching(/^catalog, .*nodes\.x\.columns\.id\.type is left out: /),
  ]);
  expect(await refusalOf(readTold('catalog', columns({ name: 5 })))).toMatch(/columns\.id\.name/);
});

test('odd arguments of a run are none, and a result still names its node', async () => {
  const { one } = told.run_results;
  for (const args of [false, 'x', [1], { which: 7 }, null]) {
    await all(readTold('run_results', one, { args }));
  }
  expect(await refusalOf(readTold('run_results', { ...one, unique_id: 5 }))).toContain('unique_id');
});

// Artifacts that are wrong: what is said about each, and that nothing is half done.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { importArtifacts } from '../../../../src/integrations/imports/sync.ts';
import { readDeclaredMonitors } from '../../../../src/monitors/declarations/declare.ts';
import { openCatalog } from '../../../catalog.ts';
import { bakery, bakeryCatalog, bakeryRun, type Manifest } from '../bakery.ts';
import { countedSource, digest, feedProject, leftovers, type Project, refusal } from '../feed.ts';

type Case = readonly [project: Project, field: string, says: RegExp];

/** Feed one bad project after the other to one that is there: each is refused, and changes nothing. */
async function refuseAll(cases: readonly Case[]) {
  const catalog = await openCatalog();
  const integration = await catalog.integration({ type: 'dbt_core' });
  const runResults = bakeryRun('one', { 'test.bakery.bread_is_known': 'pass' });
  await feedProject(catalog, integration, { manifest: bakery(), runResults });
  const before = await digest(catalog);
  for (const [project, field, says] of cases) {
    const refused = await refusal(feedProject(catalog, integration, project));
    expect({ says, ...refused }).toEqual({
      says,
      code: 'BAD_REQUEST',
      field,
      message: expect.stringMatching(says),
    });
    expect({ says, left: await digest(catalog) }).toEqual({ says, left: before });
  }
  expect(await leftovers(catalog)).toEqual([]);
  // The way is not blocked: what is in order is taken.
  expect(await feedProject(catalog, integration, { manifest: bakery() })).toMatchObject({
    created: 0,
    staled: 0,
  });
}

/** The bakery's manifest with one thing wrong. */
function spoiled(spoil: (manifest: Manifest) => unknown): Project {
  const manifest = bakery();
  spoil(manifest);
  return { manifest };
}

const of = (dbt_schema_version: string) => ({ ...bakery(), metadata: { dbt_schema_version } });
const withNode = (node: object) =>
  spoiled((manifest) => {
    manifest.nodes['model.bakery.bad'] = { resource_type: 'model', name: 'bad', ...node };
  });
const version = 'metadata.dbt_schema_version';
const file = 'manifest.json';
const whole = JSON.stringify(bakery(), null, 2);

test('another file in place of an artifact is refused by name', async () => {
  await refuseAll([
    [
      { manifest: bakeryCatalog() },
      version,
      /^manifest\.json, line 1, column \d+: .*catalog\/v1\.json", which is no manifest\./,
    ],
    [{ manifest: bakeryRun('x', {}) }, version, /run-results\/v6\.json", which is no manifest/],
    [{ manifest: of('my own') }, version, /is "my own", which is no manifest/],
    [{ manifest: { ...bakery(), metadata: {} } }, version, /metadata\.dbt_schema_version/],
    [
      { manifest: { ...bakery(), metadata: [] } },
      'metadata',
      /^manifest\.json, line 1, column \d+: metadata/,
    ],
    [{ manifest: '{}' }, file, /^manifest\.json: has no metadata; it is not a manifest/],
    [{ manifest: '{"nodes": {}}' }, file, /has no metadata/],
    [
      { manifest: bakery(), runResults: bakery() },
      version,
      /^run_results\.json, line 1, column \d+: .*which is no run-results\./,
    ],
    [{ manifest: bakery(), catalog: '{"nodes": {}}' }, 'catalog.json', /it is not a catalog/],
    [{ manifest: bakery(), runResults: '{}' }, 'run_results.json', /these are not run results/],
  ]);
});

test('what is not JSON, cut off, or nested too deep is refused with line and column', async () => {
  const deep = `${'['.repeat(70)}${']'.repeat(70)}`;
  const lines = whole.split('\n');
  await refuseAll([
    [
      { manifest: '' },
      file,
      /^manifest\.json, line 1, column 1: is not JSON: expected .*, found the end/,
    ],
    [{ manifest: 'hello' }, file, /line 1, column 1: is not JSON: expected .*, found "h"/],
    [{ manifest: '[]' }, file, /line 1, column 1: is not JSON: expected .*, found "\["/],
    [
      { manifest: whole.slice(0, -2) },
      file,
      /manifest\.json, line \d+, column \d+: .*found the end/,
    ],
    [{ manifest: lines.slice(0, 40).join('\n') }, file, /line \d+, column \d+: .*found the end/],
    [
      { manifest: `${whole}x` },
      file,
      /column 2: is not JSON: expected the end of the file, found "x"/,
    ],
    [{ manifest: whole.replace('"stg_orders",', '"stg_orders"') }, file, /line \d+, column \d+/],
    [withNode({ meta: JSON.parse(deep) }), file, /line 1, column \d+: is nested deeper than 64/],
    [{ manifest: `{"macros": ${deep}}` }, file, /line 1, column \d+: is nested deeper than 64/],
    [withNode({ description: 'a\u0000b' }), file, /line 1, column \d+: .*U\+0000/],
    [withNode({ description: '\ud83e' }), file, /line 1, column \d+: .*half of a surrogate/],
    [
      { manifest: bakery(), runResults: '{"metadata": {}, "results": [' },
      version,
      /^run_results\.json, line 1/,
    ],
    [
      { manifest: bakery(), catalog: '{"metadata"' },
      'catalog.json',
      /line 1, column 12: .*a colon/,
    ],
  ]);
});

test('the line of a mistake is the line on which it stands', async () => {
  const at = whole.split('\n').findIndex((line) => line.includes('"price": {')) + 1;
  const manifest = whole.replace('"price": {', '"price": {{');
  await refuseAll([
    [{ manifest }, file, new RegExp(`^manifest\\.json, line ${at}, column \\d+: is not JSON`)],
  ]);
});

test('a part of the wrong type is refused by its name', async () => {
  const node = 'nodes.model.bakery.bad';
  await refuseAll([
    [
      withNode({ name: 5 }),
      `${node}.name`,
      /^manifest\.json, line 1, column \d+: nodes\.model\.bakery\.bad\.name/,
    ],
    [withNode({ columns: 'id' }), `${node}.columns`, /bad\.columns cannot be read/],
    [withNode({ depends_on: { nodes: 'x' } }), `${node}.depends_on.nodes`, /expected array/],
    [
      spoiled((manifest) => Object.assign(manifest.nodes, { x: null })),
      'nodes.x',
      /nodes\.x cannot/,
    ],
    [
      spoiled((manifest) => Object.assign(manifest.sources, { s: { name: null } })),
      'sources.s.name',
      /sources\.s\.name cannot be read/,
    ],
    [
      spoiled((manifest) => Object.assign(manifest.exposures, { e: { name: 5, owner: 'Ann' } })),
      'exposures.e.name',
      /exposures\.e\.name cannot be read/,
    ],
  ]);
});

test('results that are wrong are refused by their name, and undo the manifest next to them', async () => {
  const manifest = { ...bakery(), nodes: {} };
  const results = (result: object, metadata: object = {}) => {
    const run = bakeryRun('two', { 'model.bakery.alone': 'success' });
    const [first] = run.results;
    return {
      manifest,
      runResults: {
        ...run,
        metadata: { ...run.metadata, ...metadata },
        results: [{ ...first, ...result }],
      },
    };
  };
  await refuseAll([
    [results({ unique_id: 5 }), 'results.0.unique_id', /unique_id cannot be read/],
    [results({ unique_id: 'x'.repeat(501) }), 'results.0.unique_id', /500/],
    [results({}, { invocation_id: 'x'.repeat(501) }), 'metadata.invocation_id', /500/],
  ]);
});

test('keys that the catalog cannot keep are refused by their name', async () => {
  const name = Array.from({ length: 3_000 }, () => Math.random().toString(36).at(-1)).join('');
  await refuseAll([
    [
      spoiled(({ nodes }) => Object.assign(nodes, { [name]: nodes['model.bakery.alone'] })),
      file,
      /^manifest\.json: nodes\..* is longer than 500 characters/,
    ],
    [
      withNode({ columns: { [name]: { name } } }),
      expect.stringMatching(/^nodes\.model\.bakery\.bad\.columns.{1,570}\.\.\.$/),
      /bad\.columns.*\.\.\. cannot be read: .*500/,
    ],
  ]);
});

test('numbers that the catalog cannot keep are left out, and named with their place', async () => {
  const catalog = await openCatalog();
  const integration = await catalog.integration({ type: 'dbt_core' });
  for (const number of [1.5, 1e12, 'many']) {
    const sizes = bakeryCatalog();
    const columns = { x: { name: 'x', type: 'INT', index: number } };
    Object.assign(sizes.nodes['model.bakery.order_lines'], { columns });
    const run = bakeryRun('two', { 'model.bakery.alone': 'success' });
    const results = run.results.map((result) => ({
      ...result,
      failures: number,
      execution_time: 'long',
    }));
    const { problems } = await feedProject(catalog, integration, {
      ...{ manifest: bakery(), catalog: sizes, runResults: { ...run, results } },
    });
    for (const field of [
      'nodes.model.bakery.order_lines.columns.x.index',
      'results.0.failures',
      'results.0.execution_time',
    ]) {
      expect(problems.join('\n'), `${number}`).toContain(field);
    }
  }
});

test('a broken archive is refused, whatever the file is called', async () => {
  const catalog = await openCatalog();
  const { id } = await catalog.integration({ type: 'dbt_core' });
  const before = await digest(catalog);
  const packed = gzipSync(whole);
  for (const bytes of [packed.subarray(0, 200), Buffer.from([0x1f, 0x8b, 1, 2, 3])]) {
    const { source, taken } = countedSource(file, [bytes]);
    const refused = await refusal(
      importArtifacts(catalog.admin, id, { manifest: source }, readDeclaredMonitors),
    );
    expect(refused).toMatchObject({ code: 'BAD_REQUEST', field: file });
    expect(refused.message).toMatch(/^manifest\.json: is not a readable gzip archive/);
    expect(taken.closed).toBe(true);
  }
  expect(await digest(catalog)).toEqual(before);
  // The archive as a whole is taken.
  const { source } = countedSource(file, [packed]);
  const made = await importArtifacts(catalog.admin, id, { manifest: source }, readDeclaredMonitors);
  expect(made.created).toBeGreaterThan(20);
});

test('an import without any file is refused', async () => {
  const catalog = await openCatalog();
  const { id } = await catalog.integration({ type: 'dbt_core' });
  const refused = await refusal(importArtifacts(catalog.admin, id, {}, readDeclaredMonitors));
  expect(refused).toMatchObject({ code: 'BAD_REQUEST', field: 'manifest' });
});

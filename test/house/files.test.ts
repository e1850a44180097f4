// The shape of the project's files.

import { expect, test } from 'vitest';
import { filesMatching } from './sources.ts';

/** Files of one folder, those of folders within not counted. */
const mostFiles = 22;

const sources = filesMatching(
  /^(src|test|bench|scripts|prisma)\/(?!.*generated\/).*\.(tsx?|mjs|js)$/,
);
const code = filesMatching(/^src\/(?!.*generated\/).*\.(tsx?|js)$/);

test('no source file has 300 lines or more', () => {
  const long = sources
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ path, lines }) => lines >= (path.startsWith('src/') ? 300 : 500));
  expect(long).toEqual([]);
});

test('every file of the program begins by saying what it is in charge of', () => {
  const opening = /^(?:#!.*\n)?\/\/ \S[^\n]*(?:\n\/\/ [^\n]*)*[.:]\n/;
  const silent = code.filter(({ text }) => !opening.test(text));
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('files are called after what they are, none after being of use', () => {
  const vague =
    /(?:[/-](?:utils?|helpers?|services?|managers?|misc)|\/(?:types?|common|index))\.\w+$/;
  const found = sources.filter(({ path }) => vague.test(path));
  expect(found.map(({ path }) => path)).toEqual([]);
});

test('no file only hands on what others export', () => {
  const barrels = code.filter(({ text }) => {
    const statements = text
      .replace(/^\s*\/\/.*$/gm, '')
      .split(';')
      .map((statement) => statement.trim())
      .filter((statement) => statement !== '');
    return (
      statements.length > 0 &&
      statements.every((statement) => /^export\b[^;]*\bfrom\b/.test(statement))
    );
  });
  expect(barrels.map(({ path }) => path)).toEqual([]);
});

test('there are no default exports but in configurations', () => {
  const found = sources.filter(
    ({ path, text }) => !path.endsWith('/vitest.config.ts') && /^export default\b/m.test(text),
  );
  expect(found.map(({ path }) => path)).toEqual([]);
});

test.each(['', 'tools/'])(
  'the lock file in ./%s holds no address of a package registry',
  (folder) => {
    const [lock] = filesMatching(new RegExp(`^${folder}package-lock\\.json$`));
    expect(lock?.text).toMatch(/"integrity":/);
    expect(lock?.text).not.toMatch(/"resolved":/);
    expect(lock?.text).not.toMatch(/registry\./);
    const [npmrc] = filesMatching(new RegExp(`^${folder}\\.npmrc$`));
    expect(npmrc?.text).not.toMatch(/^\s*(@\S+:)?registry\s*=/m);
  },
);

test('nothing asks npm to run a script of a package', () => {
  const [manifest] = filesMatching(/^package\.json$/);
  const { allowScripts } = JSON.parse(manifest?.text ?? '{}');
  expect(Object.values(allowScripts)).not.toContain(true);
});

test('a folder of the program or of its tests can be taken in at a glance', () => {
  const files = filesMatching(/^(src|test)\/(?!.*generated\/)/);
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > mostFiles)).toEqual([]);
});

test('state by database is made by ofDatabase alone', () => {
  const maps = code.filter(({ text }) => /new Weak(?:Map|Set)<Database\b/.test(text));
  expect(maps.map(({ path }) => path)).toEqual(['src/database/database.ts']);
});

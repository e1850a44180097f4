// A name means one thing: that of a file, the same wherever it stands, and that of a type. Pages are folders with names of
// their own.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesMatching, root } from './sources.ts';

test('a name that stands in several folders is one that the page of architecture explains', () => {
  const files = filesMatching(/^src\/(?!.*generated\/|explorer\/).*(?<!-schema)\.(ts|graphql)$/);
  const names = files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  const repeated = new Set(names.filter((name, i) => names.indexOf(name) !== i));
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const [, section = ''] = page.split('\n### Names\n');
  const rows = section.split('\n###')[0]?.match(/^\| `.*?(?= \|)/gm) ?? [];
  const explained = rows.flatMap((row) => [...row.matchAll(/`(.+?)`/g)].map(([, name]) => name));
  expect(explained.toSorted()).toEqual([...repeated].toSorted());
});

/** What the files of the server and of the explorer export: where, and under which name. */
function exportsOf(files: RegExp, what: RegExp) {
  return filesMatching(files).flatMap(({ path, text }) =>
    [...text.matchAll(what)].map(([, name = '']) => ({ path, name })),
  );
}

/** Types of TypeScript, and the tables of the database, which Prisma makes types of. */
const types = /^(?:export (?:declare )?(?:abstract )?(?:interface|type|class|enum)|model) (\w+)/gm;

test.each([
  ['the server', /^(src\/(?!explorer\/).*\.ts|prisma\/schema\.prisma)$/],
  ['the explorer', /^src\/explorer\/.*\.tsx?$/],
])('an exported type of %s means one thing', (_whose, files) => {
  const exported = exportsOf(files, types);
  expect(exported.length).toBeGreaterThan(20);
  const names = exported.map(({ name }) => name);
  const repeated = exported.filter(({ name }, i) => names.indexOf(name) !== i);
  expect(repeated).toEqual([]);
});

/** Words that one would have to learn, and the field's own ones. */
const metaphors: Readonly<Record<string, string>> = {
  tell: 'notify, report',
  tells: 'notifies, reports',
  told: 'notified, reported',
  hear: 'listen, receive',
  heard: 'received, notified',
  heir: 'successor',
  lesson: 'learned',
  bell: 'announcement',
  desk: 'board',
  tour: 'introduction',
  entrance: 'start',
};

test('files and what they export are called what the field calls them', () => {
  const anything = /^export (?:default )?(?:async )?(?:\w+ )?(?:function\*?|const|\w+) (\w+)/gm;
  const files =
    /^(src\/(?!generated\/)|test\/|bench\/|gates\/|scripts\/).*\.(ts|tsx|mjs|md|graphql)$/;
  const named = [
    ...filesMatching(files).map(({ path }) => ({ path, name: path.replace(/^.*\/|\..*$/g, '') })),
    ...exportsOf(files, anything),
  ];
  const words = named.flatMap(({ path, name }) =>
    name
      .split(/[-_.]|(?=[A-Z])/)
      .map((word) => word.toLowerCase())
      .filter((word) => Object.hasOwn(metaphors, word))
      .map((word) => `${path}: ${name}; rather ${metaphors[word]}`),
  );
  expect(words).toEqual([]);
});

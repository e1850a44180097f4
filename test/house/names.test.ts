// A file's name means one thing: the same wherever it stands. Pages are folders with names of their own.

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

// CONTRIBUTING.md, walked: every file, name and command that its steps send a newcomer to is there.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recipes } from '../recipes/all.ts';
import { filesMatching, root } from './sources.ts';

const [page] = filesMatching(/^CONTRIBUTING\.md$/);
const text = page?.text ?? '';

const chapters = new Map(
  text.split(/^## /m).map((part) => {
    const [title = '', ...lines] = part.split('\n');
    return [title, lines.join(' ').replaceAll(/\s+/g, ' ')] as const;
  }),
);

const guides = recipes.map(({ title }) => title);

const pathsIn = (chapter: string) =>
  [...chapter.matchAll(/`((?:src|test|docs|prisma)\/[\w./-]+\.\w+)`/g)].map(
    ([, path = '']) => path,
  );

describe.each(guides)('%s', (title) => {
  const chapter = chapters.get(title) ?? '';

  test('is steps in order, with files to change, to test and to document', () => {
    const steps = [...chapter.matchAll(/(?<=^| )(\d+)\. [A-Z]/g)].map(([, n]) => Number(n));
    expect(steps.length).toBeGreaterThanOrEqual(6);
    expect(steps).toEqual(steps.map((_, i) => i + 1));
    const paths = pathsIn(chapter);
    for (const start of ['src/', 'test/', 'docs/']) {
      expect(paths.filter((path) => path.startsWith(start)).length, start).toBeGreaterThan(0);
    }
    expect(new Set(paths).size).toBeGreaterThanOrEqual(8);
  });

  test('names files that are there', () => {
    const missing = pathsIn(chapter).filter((path) => !existsSync(join(root, path)));
    expect(missing).toEqual([]);
  });

  test('ends with the tests to run, which are there', () => {
    const [, run = ''] = chapter.match(/`npx vitest run --project tests ([^`]+)`/) ?? [];
    const paths = run.split(' ').filter((path) => path !== '');
    expect(paths.length).toBeGreaterThan(1);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

test('what is said to stand in a file stands there', () => {
  const flat = text.replaceAll(/\s+/g, ' ');
  const places = [...flat.matchAll(/`([^`]+)` in `((?:src|test)\/[^`]+)`/g)];
  expect(places.length).toBeGreaterThan(15);
  const missing = places.filter(([, name = '', path = '']) => {
    const [file] = filesMatching(new RegExp(`^${path.replaceAll('.', '\\.')}$`));
    return !file?.text.includes(name);
  });
  expect(missing.map(([said]) => said)).toEqual([]);
});

test('every command of npm is one of package.json', () => {
  const [manifest] = filesMatching(/^package\.json$/);
  const { scripts } = JSON.parse(manifest?.text ?? '{}');
  const named = [...text.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name);
  expect(new Set(named).size).toBeGreaterThan(4);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

/** What each line of the table has to find: part of a line, and the file that it stands in. */
const answers: Record<string, [string, string]> = {
  'title_full:': ['title_full: titleFull', 'src/resources/rest/record.rest.graphql'],
  'Delete a tag': ['Editors may.', 'src/tags/tag.ts'],
  'when a measurement is out of range': ['what happens', 'src/monitors/incidents/rules.ts'],
  'What an import writes': ['each column', 'src/integrations/imports/planning/desired.ts'],
};

test('one line finds the answer to what a newcomer asks', () => {
  const rows = [
    ...text.matchAll(/^\| .+\? \| `grep -rn "([^"]+)" (\S+)(?: --include='(\S+)')?` \|$/gm),
  ];
  expect(rows.map(([, words]) => words)).toEqual(Object.keys(answers));
  for (const [, words = '', folder = '', include] of rows) {
    const options = [
      '-rn',
      '--exclude-dir=generated',
      ...(include ? [`--include=${include}`] : []),
    ];
    const { stdout } = spawnSync('grep', [...options, words, folder], {
      cwd: root,
      encoding: 'utf8',
    });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length, `few enough to read: ${words}`).toBeLessThan(8);
    const [part = '', file = ''] = answers[words] ?? [];
    const found = lines.filter((line) => line.startsWith(`${file}:`) && line.includes(part));
    expect(found, words).toHaveLength(1);
  }
});

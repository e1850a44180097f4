// The rest.graphql files say each thing once: what operations share is a body, a kind or a fragment.

import { expect, test } from 'vitest';
import { operations } from '../../src/rest/api.ts';
import { filesMatching } from './sources.ts';

const files = filesMatching(/^src\/.*rest\.graphql$/);

/** As many lines in a row are no accident of two operations that are alike. */
const run = 8;

/** The lines of a file's operations, without what only closes one. */
function linesOf(text: string): string[] {
  const operations = text.split(/^(?=(?:query|mutation|fragment) )/m);
  return operations
    .filter((part) => !part.startsWith('fragment ') || part.includes('@kind('))
    .flatMap((part) => part.split('\n').map((line) => line.trim()))
    .filter((line) => line !== '' && !line.startsWith('#'));
}

test('no operation says again what eight lines of another say', () => {
  const seen = new Map<string, string>();
  const again: string[] = [];
  for (const { path, text } of files) {
    const lines = linesOf(text);
    for (let at = 0; at + run <= lines.length; at += 1) {
      const part = lines.slice(at, at + run).join('\n');
      const other = seen.get(part);
      if (other) again.push(`${path} and ${other}:\n${part}`);
      seen.set(part, path);
    }
  }
  expect(seen.size).toBeGreaterThan(500);
  expect(again, 'share them: see directives.graphql for @body and @eachKind').toEqual([]);
});

test('a body of more than five fields is a fragment on its input type', () => {
  const long = files.flatMap(({ path, text }) =>
    [...text.matchAll(/input: \{([^}]*)\}/g)]
      .filter(([, fields = '']) => fields.split('$').length - 1 > 5)
      .map(([input]) => `${path}: ${input}`),
  );
  expect(long).toEqual([]);
});

test('every kind that is declared is listed, created, read, changed and deleted', () => {
  const served = new Set(operations.map(({ name }) => name));
  const kinds = files.flatMap(({ text }) => [
    ...text.matchAll(/^fragment (\w+) on \w+\s+@kind\([^)]*?plural: "(\w+)"/gm),
  ]);
  expect(kinds.length).toBeGreaterThan(13);
  const wanted = kinds.flatMap(([, name, plural]) => [
    ...[`List${plural}`, `Create${name}`, `Get${name}`, `Update${name}`, `Delete${name}`],
  ]);
  expect(wanted.filter((name) => !served.has(name))).toEqual([]);
});

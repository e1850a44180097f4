// What is disposed at the end of a function is still there while what it returns goes on.

import { expect, test } from 'vitest';
import { filesMatching } from './sources.ts';

/** Lines of a text that return a call which is not awaited, in a block that disposes something. */
function unawaitedIn(text: string): string[] {
  const lines = text.split('\n');
  const indent = (line: string) => line.length - line.trimStart().length;
  return lines.flatMap((line, at) => {
    if (!/^\s*(?:await )?using \w+ =/.test(line)) return [];
    const end = lines.findIndex((one, i) => i > at && one !== '' && indent(one) < indent(line));
    const block = lines.slice(at + 1, end === -1 ? undefined : end);
    return block.filter(
      // What stands deeper than a branch is a function of its own.
      (one) => indent(one) <= indent(line) + 2 && /^\s*return (?!await\b)[\w.]+\(/.test(one),
    );
  });
}

test('what a function that disposes something returns is awaited first', () => {
  const files = filesMatching(/^(?:src|bench|scripts)\/.*\.(?:ts|mjs)$/);
  const found = files
    .filter(({ path }) => !path.startsWith('src/generated/'))
    .flatMap(({ path, text }) => unawaitedIn(text).map((line) => `${path}: ${line.trim()}`));
  expect(found).toEqual([]);
  expect(unawaitedIn('  await using a = b();\n  return work(a);\n}')).toEqual([
    '  return work(a);',
  ]);
  expect(unawaitedIn('  using a = b();\n  return await work(a);\n}')).toEqual([]);
});

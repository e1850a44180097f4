// What is opened and closed: no connection ends the process, and nothing is closed while it is still used.

import { expect, test } from 'vitest';
import { filesMatching } from './sources.ts';

test('every connection that is opened by hand has a listener for its errors', () => {
  // Without one, a connection that the server ends while it is idle ends the process as well.
  const files = filesMatching(/^(src|test|bench|gates)\/(?!.*generated\/).*\.ts$/);
  const opened = files.flatMap(({ path, text }) =>
    [...text.matchAll(/const (\w+) = new pg\.Client\(/g)].map(([, name = '']) => {
      const handled = text.split(`${name}.on('error'`).length - 1;
      const made = text.split(`const ${name} = new pg.Client(`).length - 1;
      return { path, isHandled: handled >= made };
    }),
  );
  expect(opened.length).toBeGreaterThan(10);
  expect(opened.filter(({ isHandled }) => !isHandled)).toEqual([]);
});

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

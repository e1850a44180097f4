// Messages are for a person in a hurry: they say what to do, in English that no one stops at.

import { expect, test } from 'vitest';
import { filesMatching } from './sources.ts';

const sources = filesMatching(/^src\/(?!generated\/).*\.ts$/).map(({ path, text }) => ({
  path,
  code: text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, ''),
}));

/** What is wrong with the wording of some code, as `file: words`. */
function found(pattern: RegExp): string[] {
  return sources.flatMap(({ path, code }) =>
    [...code.matchAll(pattern)].map(([words]) => `${path}: ${words}`),
  );
}

test('a limit is said as what to do: "Use at most 10", not "It has at most 10"', () => {
  // Such a sentence is false of the very value that it is said of.
  expect(found(/['"`](?:It|They) (?:has|have|takes?|names?|lies|goes) [^'"`]*/g)).toEqual([]);
  const wrong = /(?:invalidField|wrong)\(\s*[^,]+,\s*['"`]It is (?!nested)[^'"`]*/g;
  expect(found(wrong)).toEqual([]);
});

test('cannot is one word, and what is not something is not "no" something', () => {
  expect(found(/['"`][^'"`\n]*\bcan not\b[^'"`\n]*/g)).toEqual([]);
  const place = /\b(?:there|that|which) is no\b|\bis no (?:longer|more)\b/;
  const said = found(/['"`][^'"`\n]*\bis no\b[^'"`\n]*/g);
  expect(said.filter((words) => !place.test(words.toLowerCase()))).toEqual([]);
});

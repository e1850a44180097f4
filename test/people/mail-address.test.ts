// Email addresses are compared in one way, by src/people/mail-address.ts: a function that folds more letters would take
// one person for another.

import { expect, test } from 'vitest';
import { filesMatching } from '../house/sources.ts';

const folding = /\blower\([^)`]*(?:email|address)|(?:email|address)\w*\.to(?:Locale)?LowerCase\(/gi;

test('no address is folded but by the functions made for it', () => {
  const found = filesMatching(/^src\/(?!generated\/|people\/mail-address).*\.tsx?$/).flatMap(
    ({ path, text }) => [...text.matchAll(folding)].map(([words]) => `${path}: ${words}`),
  );
  expect(found).toEqual([]);
  expect('lower(u.email) = lower($1)'.match(folding)).toHaveLength(1);
  expect('destination.address.toLowerCase()'.match(folding)).toHaveLength(1);
});

// What went wrong with a request: whether the same one may work in a moment.

import { expect, test } from 'vitest';
import { isPassing, Refused } from '../../../src/explorer/asking/operation.ts';

test.each([
  [new Refused('away', 'UNREACHABLE'), true],
  [new Refused('too many', 'RATE_LIMITED'), true],
  [new Refused('not allowed', 'FORBIDDEN'), false],
  [Object.assign(new Error('not ours'), { code: 'UNREACHABLE' }), false],
])('%s passes: %s', (error, passes) => {
  expect(isPassing(error)).toBe(passes);
});

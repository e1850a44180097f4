// What went wrong with a request: whether the same one may work in a moment.

import { expect, test, vi } from 'vitest';
import { isPassing, patiently, Refused } from '../../../src/explorer/asking/operation.ts';

test.each([
  [new Refused('away', 'UNREACHABLE'), true],
  [new Refused('too many', 'RATE_LIMITED'), true],
  [new Refused('not allowed', 'FORBIDDEN'), false],
  [Object.assign(new Error('not ours'), { code: 'UNREACHABLE' }), false],
])('%s passes: %s', (error, passes) => {
  expect(isPassing(error)).toBe(passes);
});

test('what passes is tried again until there is an answer; anything else is said at once', async () => {
  vi.useFakeTimers();
  try {
    const failures = [new Refused('away', 'UNREACHABLE'), new Refused('too many', 'RATE_LIMITED')];
    const asked = patiently(async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return 'answer';
    });
    await vi.runAllTimersAsync();
    expect(await asked).toBe('answer');
    expect(failures).toEqual([]);

    const refused = patiently(() => Promise.reject(new Refused('not allowed', 'FORBIDDEN')));
    await expect(refused).rejects.toThrow('not allowed');
  } finally {
    vi.useRealTimers();
  }
});

// A test that passes and leaves an error behind the first time; outcomes.process.test.ts runs it.

import { test } from 'vitest';

test('leaves an error behind', () => {
  if (!process.env.AGAIN) Promise.reject(new Error('nobody hears'));
});

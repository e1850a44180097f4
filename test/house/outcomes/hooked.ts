// A test whose hook fails the first time; outcomes.process.test.ts runs it.

import { beforeAll, describe, expect, test } from 'vitest';

describe('behind a hook', () => {
  beforeAll(() => expect(process.env.AGAIN).toBeDefined());
  test('is reached', () => expect(1).toBe(1));
});

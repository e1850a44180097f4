// In charge of the one vitest project that a run of `npm run mutate` uses: the usual settings, with
// the test files that scripts/mutate.mjs chose.

import { defineConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';

const { projects: _, ...test } = usual.test ?? {};

export default defineConfig({
  ...usual,
  test: {
    ...test,
    include: (process.env.MUTATE_TESTS ?? '').split(',').filter((path) => path !== ''),
    exclude: [],
  },
});

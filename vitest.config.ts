import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Two builds of graphql (index.js and index.mjs) would be two realms: types of one fail in the other.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'forks',
    // A process loads the program once and runs many files, each on a database of its own.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    server: { deps: { inline: [/@pothos/, /graphql-scalars/, /sofa-api/] } },
  },
});

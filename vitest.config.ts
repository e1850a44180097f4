import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Two builds of graphql (index.js and index.mjs) would be two realms: types of one fail in the other.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    server: { deps: { inline: [/@pothos/, /graphql-scalars/, /sofa-api/] } },
  },
});

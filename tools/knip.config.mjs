// Settings of `npm run unused`: a file, an export or a package that nothing leads to is dead, and is removed.
// What is begun in a way that cannot be read from the imports is named here.

export default {
  entry: [
    'src/main.ts',
    // scripts/explorer.mjs makes the web application of them.
    'src/explorer/main.tsx',
    'src/explorer/lineage/drawing/painting.ts',
    'src/explorer/lineage/layout/thread.ts',
    'src/explorer/markdown/thread.ts',
    'src/commands/*.ts',
    // scripts/command-line.mjs makes one file of it.
    'src/cli/headwater.ts',
    // scripts/bundle.mjs makes a program of it, which scripts/build.mjs starts.
    'src/database/server/template.ts',
    'scripts/*.{mjs,ts}',
    'gates/*.{ts,mjs}',
    'bench/*.{ts,mjs}',
    'test/**/*.test.ts',
    // Tests start these as processes of their own.
    'test/database/server/writer.ts',
    'test/integrations/imports/importer.ts',
    'test/lineage/sql/closer.ts',
    'test/house/outcomes/*.ts',
  ],
  project: ['{src,test,bench,gates,scripts,prisma}/**/*.{ts,tsx,mjs}', '*.ts'],
  ignoreDependencies: [
    // The generator of that name in prisma/schema.prisma, which comes with @pothos/plugin-prisma.
    'prisma-pothos-types',
    // Its files are served, and no code of it runs here.
    'swagger-ui-dist',
    // Packages of tools/package.json, which tests load from there.
    'playwright-core',
    '@apollo/client',
    'graphql-http',
    'oidc-provider',
  ],
  // An exported function has exported types in its signature, whether anybody names them or not.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Servers that a bench starts, with packages of their own.
  ignore: ['bench/requests/*.mjs'],
  exclude: ['binaries'],
};

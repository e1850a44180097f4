// Generates the database client and the types of its GraphQL plugin from prisma/schema.prisma.
//
// It calls the generators that `prisma generate` calls: the package of that command is 160 MB of things
// that a server has no use for. docs/decisions/packages.md has the figures.

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

// As ES modules these packages name files that Node.js does not find.
const require = createRequire(import.meta.url);
const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts');
const { getGenerators, loadSchemaContext } = require('@prisma/internals');

const absolute = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const schemaContext = await loadSchemaContext({
  schemaPath: { cliProvidedPath: absolute('prisma/schema.prisma') },
  printLoadMessage: false,
});
const generators = await getGenerators({
  schemaContext,
  registry: {
    'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() },
    'prisma-pothos-types': {
      type: 'rpc',
      isNode: true,
      generatorPath: absolute('node_modules/@pothos/plugin-prisma/bin/generator.js'),
    },
  },
  // Neither generator needs an engine; nothing is to be fetched for one that would.
  skipDownload: true,
});
await Promise.all(generators.map((generator) => generator.generate()));
for (const generator of generators) generator.stop();

// Adding a connector: a source called Acme, over HTTP, whose SQL is PostgreSQL's.

import { after, type Recipe } from './recipe.ts';

const open = 'src/integrations/connectors/open.ts';

export const connector: Recipe = {
  title: 'Adding a connector',
  files: {
    'src/integrations/connectors/acme/manifest.ts': 'acme/manifest.ts.txt',
    'src/integrations/connectors/acme/acme.ts': 'acme/acme.ts.txt',
  },
  edits: [
    {
      file: open,
      from: `import { clickhouse } from './clickhouse/manifest.ts';\n`,
      to: `import { acme } from './acme/manifest.ts';\nimport { clickhouse } from './clickhouse/manifest.ts';\n`,
    },
    after(
      open,
      `  mysql: { ...mysql, open: async (...given) => (await openMySql())('mysql', ...given) },`,
      '  acme: {',
      '    ...acme,',
      `    open: async (...given) => (await import('./acme/acme.ts')).openAcmeConnector(...given),`,
      '  },',
    ),
    {
      file: 'test/integrations/connectors/examples.ts',
      from: '    clickhouse: ',
      to: '    acme: login,\n    clickhouse: ',
    },
    {
      file: 'src/lineage/sql/dialects/postgres.ts',
      from: `aliases: ['postgresql',`,
      to: `aliases: ['acme', 'postgresql',`,
    },
    after(
      'docs/sources/README.md',
      '| [DuckDB](duckdb.md) | `duckdb` | comments, row counts and sizes, keys, SQL of views, monitors |',
      '| [Acme](README.md) | `acme` | monitors |',
    ),
  ],
};

// Adding a metric: the median of a column of numbers.

import { after, type Recipe } from './recipe.ts';

const dialect = 'src/monitors/scans/source-dialect.ts';

export const metric: Recipe = {
  title: 'Adding a metric',
  edits: [
    after(
      'src/monitors/metric.ts',
      `  mean: column('Mean', 'numeric', UNITS.number),`,
      `  median: column('Median', 'numeric', UNITS.number),`,
    ),
    after(
      'src/monitors/scans/column-metrics.ts',
      `  sum: (on) => on.double(on.sum(number(on))),`,
      `  median: (on) => on.double(on.median(number(on))),`,
    ),
    after(dialect, '  sum(quoted: string): string;', '  median(quoted: string): string;'),
    after(
      dialect,
      `  sum: (quoted) => \`SUM(\${quoted})\`,`,
      '  median() {',
      `    throw invalid('This source has no exact median.');`,
      '  },',
    ),
    {
      file: dialect,
      from: `  double: cast('double precision'),\n`,
      to:
        `  double: cast('double precision'),\n` +
        `  median: (quoted) => \`PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY \${quoted})\`,\n`,
    },
    {
      file: dialect,
      from: `    epoch: (moment) => \`EPOCH(\${moment})\`,\n`,
      to:
        `    epoch: (moment) => \`EPOCH(\${moment})\`,\n` +
        `    median: (quoted) => \`MEDIAN(\${quoted})\`,\n`,
    },
    after('src/explorer/words/names/metrics.ts', `  mean: 'Mean',`, `  median: 'Median',`),
    {
      file: 'src/monitors/rest.graphql',
      from: 'minimum, maximum, mean, sum,',
      to: 'minimum, maximum, mean, median, sum,',
    },
    after(
      'test/monitors/scans/odd-table.ts',
      `    ['mean', 'rate', mean(rates)],`,
      `    ['median', 'rate', rates.toSorted((a, b) => a - b)[rates.length >> 1] ?? null],`,
    ),
    {
      file: 'docs/monitors.md',
      from: '`maximum`, `mean`, `sum`,',
      to: '`maximum`, `mean`, `median`, `sum`,',
    },
  ],
};

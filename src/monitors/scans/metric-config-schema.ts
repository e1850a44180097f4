// The settings of a metric, as GraphQL takes them.

import { builder } from '../../graphql/builder.ts';

export const MetricConfigInput = builder.inputType('MetricConfigInput', {
  description: 'Settings of a metric.',
  fields: (t) => ({
    querySelect: t.string({
      description:
        'The SQL of custom_sql: one row with one number; of the freshness of a table: one with the newest time.',
    }),
    where: t.string({ description: 'A condition of SQL that narrows another metric.' }),
    timestampColumn: t.string({ description: 'Name of the column that shows freshness.' }),
    timeColumn: t.string({
      description:
        'Name of the column of times by which each value is of one closed period of the schedule, not of all ' +
        'rows. The last 90 periods are measured at once when the monitor is made.',
    }),
    dimension: t.string({
      description:
        'Name of a column whose 50 largest values are measured one by one as well. For those who may write SQL.',
    }),
    values: t.stringList({
      description: 'The values that accepted_values accepts; 1,000 at most.',
    }),
    pattern: t.string({
      description: 'The regular expression of pattern, as the source writes them.',
    }),
    references: t.id({
      description: 'The column of the same source that references refers to.',
    }),
    keyColumns: t.stringList({
      description:
        'Names of the columns of unique_key, or of those by which comparison finds rows.',
    }),
    otherQuery: t.string({
      description: 'The SQL of comparison that the first query is compared with.',
    }),
    otherIntegration: t.id({
      description: 'The integration whose source runs it, unless that is the same source.',
    }),
    compareBy: t.string({
      description:
        'What comparison answers: the difference of two numbers, their ratio, or by keys how many rows are missing or differ.',
    }),
    exclude: t.stringList({
      description:
        'Tables of a schema or database that are not watched, such as tmp_* or staging.*; 1,000 at most.',
    }),
  }),
});

// Strength of lineage and use of columns, in GraphQL.

import { builder } from '../graphql/builder.ts';

export const LineageStrength = builder.enumType('LineageStrength', {
  description: 'How strong lineage is; OpenLineage has the same terms.',
  values: {
    DIRECT: { description: 'The value flows from the source to the target.' },
    INDIRECT: {
      description: 'The source, a column, decides about the rows of the target, a table.',
    },
  } as const,
});

export const LineageUse = builder.enumType('LineageUse', {
  description: 'What a column is used for in the SQL that makes another, or a table.',
  values: {
    IDENTITY: { description: 'The value is handed on as it is.' },
    TRANSFORMATION: { description: 'The value is computed from it, row by row.' },
    AGGREGATION: { description: 'The value is computed from many of its rows.' },
    WINDOW: { description: 'It partitions or orders the window of a value.' },
    CONDITIONAL: { description: 'It decides which of several values is taken.' },
    FILTER: { description: 'It decides which rows count.' },
    JOIN: { description: 'It decides which rows belong together.' },
    GROUP_BY: { description: 'Rows are grouped by it.' },
    SORT: { description: 'Rows are sorted by it.' },
  } as const,
});

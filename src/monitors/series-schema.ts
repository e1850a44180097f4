// Charts of monitors in GraphQL.

import { builder } from '../graphql/builder.ts';
import { numberOf, statement, weighing } from '../graphql/limits/weight.ts';
import { MeasurementRef } from './incidents/schema.ts';
import { loadSeries, type Series } from './series.ts';

const SeriesRef = builder.objectRef<Series>('MeasurementSeries').implement({
  description: 'Measurements of a monitor over a range of time, as many as a chart can show.',
  fields: (t) => ({
    points: t.field({
      type: [MeasurementRef],
      description: 'Measurements as they were made, the earliest first.',
      resolve: ({ points }) => [...points],
    }),
    totalCount: t.exposeInt('total', { description: 'How many there are in that time.' }),
    isThinned: t.boolean({
      description: 'Whether there are more of them than points.',
      resolve: ({ points, total }) => total > points.length,
    }),
  }),
});

builder.prismaObjectField('Monitor', 'series', (t) =>
  t.field({
    type: SeriesRef,
    description:
      'What it measured over a range of time, for a chart. Where there are more measurements than ' +
      'points, the time is cut into buckets of equal length, and of each are kept the first and the ' +
      'last, the lowest and the highest (M4, Jugel et al., VLDB 2014), and the one farthest out of its ' +
      'range, if any is. None is averaged.',
    args: {
      from: t.arg({ type: 'DateTime', required: true, description: 'From this time on.' }),
      to: t.arg({ type: 'DateTime', description: 'Before this time; until now if absent.' }),
      points: t.arg.int({ defaultValue: 500, description: 'At most this many: 10 to 2,000.' }),
    },
    extensions: weighing({ own: statement, rows: numberOf('points') }),
    resolve: ({ id }, { from, to, points }, ctx) =>
      loadSeries(ctx, id, { from, to: to ?? null, points: points ?? 500 }),
  }),
);

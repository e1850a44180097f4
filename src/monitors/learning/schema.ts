// Backtests in GraphQL: what a monitor would have said about a series.

import { builder } from '../../graphql/builder.ts';
import { lengthOf, weighing } from '../../graphql/limits/weight.ts';
import { AdaptationEnum, IncidentEndEnum, MetricTypeEnum, VerdictEnum } from '../enum-schema.ts';
import { ScheduleInput } from '../mutation-schema.ts';
import type { Backtest, BacktestIncident, BacktestPoint } from './backtests/backtest.ts';
import { backtestMonitor, backtestSeries } from './backtests/monitor-backtest.ts';
import { maxPoints } from './range.ts';

const SeriesPointInput = builder.inputType('SeriesPointInput', {
  description: 'A point of a series.',
  fields: (t) => ({
    at: t.field({ type: 'DateTime', required: true, description: 'When it was measured.' }),
    value: t.float({ required: true, description: 'What was measured.' }),
  }),
});

const BoundsInput = builder.inputType('Bounds', {
  description: 'A range given by a person, instead of a learned one; at least one of the two.',
  fields: (t) => ({
    lower: t.float({ description: 'Lowest value in order.' }),
    upper: t.float({ description: 'Highest value in order.' }),
  }),
});

const BacktestPointRef = builder.objectRef<BacktestPoint>('BacktestPoint').implement({
  description: 'A point with the range that was known before it.',
  fields: (t) => ({
    at: t.field({
      type: 'DateTime',
      description: 'When it was measured.',
      resolve: ({ at }) => new Date(at),
    }),
    value: t.exposeFloat('value', { description: 'What was measured.' }),
    lower: t.exposeFloat('lower', { nullable: true, description: 'Lowest value expected.' }),
    upper: t.exposeFloat('upper', { nullable: true, description: 'Highest value expected.' }),
    verdict: t.field({
      type: VerdictEnum,
      description: 'How the value compares with that range.',
      resolve: ({ verdict }) => verdict,
    }),
  }),
});

const BacktestIncidentRef = builder.objectRef<BacktestIncident>('BacktestIncident').implement({
  description: 'An incident that a monitor would have opened.',
  fields: (t) => ({
    openedAt: t.field({
      type: 'DateTime',
      description: 'When it would have opened.',
      resolve: ({ openedAt }) => new Date(openedAt),
    }),
    resolvedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it would have ended; null where it would be open.',
      resolve: ({ resolvedAt }) => (resolvedAt === null ? null : new Date(resolvedAt)),
    }),
    reason: t.field({
      type: IncidentEndEnum,
      nullable: true,
      description: 'Why it would have ended; null where it would be open.',
      resolve: ({ reason }) => reason,
    }),
  }),
});

const BacktestRef = builder.objectRef<Backtest>('Backtest').implement({
  description: 'What a monitor would have said about a series.',
  fields: (t) => ({
    points: t.field({
      type: [BacktestPointRef],
      description: 'Its points in the order of their time.',
      resolve: ({ points }) => [...points],
    }),
    segment: t.exposeString('segment', {
      nullable: true,
      description:
        'The table, or the value of the dimension, whose series it is; null where it is the whole.',
    }),
    incidents: t.int({
      description: 'How many incidents it would have opened.',
      resolve: ({ opened }) => opened.length,
    }),
    opened: t.field({
      type: [BacktestIncidentRef],
      description: 'The incidents that it would have opened, in the order of their time.',
      resolve: ({ opened }) => [...opened],
    }),
  }),
});

/** Bounds as a client gives them. */
interface BoundsGiven {
  readonly lower?: number | null | undefined;
  readonly upper?: number | null | undefined;
}

/** An absent side is none. */
function boundsOf(given: BoundsGiven | null | undefined) {
  return given ? { lower: given.lower ?? null, upper: given.upper ?? null } : null;
}

builder.queryFields((t) => ({
  backtestThresholds: t.field({
    type: BacktestRef,
    description:
      'What a monitor would have said about a series: each point is judged by the range known ' +
      'before it. Nothing is stored.',
    args: {
      series: t.arg({
        type: [SeriesPointInput],
        required: true,
        description: 'The points, 20,000 at most.',
      }),
      metricType: t.arg({
        type: MetricTypeEnum,
        required: true,
        description: 'What they measure: it decides the domain and the smallest change.',
      }),
      schedule: t.arg({ type: ScheduleInput, description: 'How often they come.' }),
      sensitivity: t.arg.int({ defaultValue: 5, description: '1 to 10; higher alerts sooner.' }),
      bounds: t.arg({ type: BoundsInput, description: 'A given range instead of a learned one.' }),
      adaptation: t.arg({ type: AdaptationEnum, description: 'How a learned range follows.' }),
    },
    extensions: weighing({ own: lengthOf('series'), rows: lengthOf('series') }),
    resolve: (_root, { bounds, ...input }, ctx) =>
      backtestSeries(ctx, { ...input, bounds: boundsOf(bounds) }),
  }),
  monitorBacktest: t.field({
    type: BacktestRef,
    nullable: true,
    description: 'What a monitor would have said about its own history, at another sensitivity.',
    args: {
      id: t.arg.id({ required: true, description: 'Id of the monitor.' }),
      segment: t.arg.string({
        description:
          'The table of a schema or database, or the value of a dimension, to replay. Of a schema the one farthest out of its range where absent.',
      }),
      sensitivity: t.arg.int({ description: "1 to 10; the monitor's own where absent, else 5." }),
      bounds: t.arg({ type: BoundsInput, description: 'A given range instead of a learned one.' }),
      adaptation: t.arg({
        type: AdaptationEnum,
        description: "How a learned range follows; the monitor's own where absent.",
      }),
    },
    extensions: weighing({ own: maxPoints, rows: () => maxPoints }),
    resolve: (_root, { id, segment = null, sensitivity = null, bounds, adaptation = null }, ctx) =>
      backtestMonitor(ctx, id, { segment, sensitivity, bounds: boundsOf(bounds), adaptation }),
  }),
}));

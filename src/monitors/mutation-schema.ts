// The mutations on monitors, measurements and incidents.

import { builder, type InputFields } from '../graphql/builder.ts';
import {
  createArgs,
  deleteArgs,
  idArgs,
  updateArgs,
  versionArgs,
} from '../graphql/mutation-args.ts';
import { checkedForRest, graphqlOnly, restOnly } from '../graphql/views/mark.ts';
import { wholeMessage } from '../integrations/connectors/source-error.ts';
import { JobRef } from '../jobs/schema.ts';
import {
  AdaptationEnum,
  CadenceEnum,
  IncidentSeverityEnum,
  IncidentStatusEnum,
  MetricTypeEnum,
  ResolveReasonEnum,
} from './enum-schema.ts';
import { updateIncident } from './incidents/incident-change.ts';
import { muteMonitor } from './incidents/mute.ts';
import { IncidentRef, MeasurementRef } from './incidents/schema.ts';
import { markNormal } from './measurement.ts';
import { deleteMonitor } from './monitor.ts';
import { runMonitors } from './runs/run.ts';
import {
  createTriedMonitor,
  type EstimatedTrial,
  testMonitor,
  updateTriedMonitor,
} from './runs/trial.ts';
import { MetricConfigInput } from './scans/metric-config-schema.ts';
import { MonitorRef } from './schema.ts';

export const ScheduleInput = builder.inputType('ScheduleInput', {
  description: 'When a monitor runs, in UTC; daily at midnight where nothing is said.',
  fields: (t) => ({
    cadence: t.field({ type: CadenceEnum, description: 'How often.' }),
    frequency: t.int({
      description: 'Hours between runs, if hourly: 1 to 168.',
      extensions: { form: { minimum: 1, maximum: 168 } },
    }),
    hour: t.int({
      description: 'Hour of the day, unless hourly: 0 to 23.',
      extensions: { form: { minimum: 0, maximum: 23 } },
    }),
    day: t.int({
      description: 'Day of the week, 0 (Monday) to 6, or of the month, 1 to 28.',
      extensions: { form: { minimum: 0, maximum: 28 } },
    }),
  }),
});

const fields = (t: InputFields) => ({
  metricConfig: t.field({
    type: MetricConfigInput,
    description: 'Settings of the metric, all of them.',
    extensions: graphqlOnly,
  }),
  metricConfigJson: t.field({
    type: 'JSON',
    description: 'Settings: query_select for custom_sql, where to narrow another metric.',
    extensions: restOnly,
  }),
  name: t.string({ description: 'Its name.' }),
  isEnabled: t.boolean({ description: 'False pauses it and resolves its incident.' }),
  schedule: t.field({ type: ScheduleInput, description: 'When it runs.' }),
  conditionAutoSensitivity: t.int({
    description: '1 to 10 for a learned range, higher alerts sooner; null for a given one.',
  }),
  conditionManualMin: t.float({ description: 'Lowest value in order, for a given range.' }),
  conditionManualMax: t.float({ description: 'Highest value in order, for a given range.' }),
  timeZone: t.string({
    description:
      'Time zone that its days and hours follow, such as Europe/Berlin, for a learned range; null ' +
      'for UTC. The schedule stays in UTC.',
  }),
  holidayCountry: t.string({
    description:
      'Two letters of the country whose public holidays count, such as US, for a learned range; ' +
      'null for none.',
  }),
  adaptation: t.field({
    type: AdaptationEnum,
    description: 'How a learned range follows a level that shifts; normal unless given.',
  }),
  notifyChatChannel: t.string({ description: 'Chat channel that is notified of incidents.' }),
});

const CreateMonitorInput = builder.inputType('CreateMonitorInput', {
  description: 'A monitor to make: what is absent takes its default.',
  fields: (t) => ({
    targetId: t.id({
      required: true,
      description: 'The table or column to measure; it cannot be changed.',
      extensions: checkedForRest,
    }),
    metricType: t.field({
      type: MetricTypeEnum,
      required: true,
      description: 'What it measures.',
      extensions: checkedForRest,
    }),
    ...fields(t),
  }),
});

const UpdateMonitorInput = builder.inputType('UpdateMonitorInput', {
  description: 'What to change of a monitor: absent leaves alone, null clears.',
  fields: (t) => ({
    metricType: t.field({ type: MetricTypeEnum, description: 'What it measures.' }),
    ...fields(t),
  }),
});

const TrialOutcome = builder.enumType('MonitorTestOutcome', {
  description: 'How a dry run of a monitor ended.',
  values: {
    MEASURED: { description: 'There is a value.' },
    ESTIMATED: { description: 'It was not run: see what it would read.' },
    REFUSED: { description: 'The source refused the query or condition.' },
    FAILED: { description: 'The source answered, and not with a number.' },
    NO_ANSWER: { description: 'There is no source to ask, or it did not answer in time.' },
  },
});

const TrialType = builder.objectRef<EstimatedTrial>('MonitorTest').implement({
  description: 'What a dry run of a monitor found.',
  fields: (t) => ({
    outcome: t.expose('outcome', { type: TrialOutcome, description: 'How it ended.' }),
    value: t.exposeFloat('value', { nullable: true, description: 'What was measured.' }),
    message: t.string({
      nullable: true,
      description:
        'Why there is no value, in words; with what the source said of the SQL, without values.',
      resolve: (trial) => (trial.message === null ? null : wholeMessage(trial.message, trial.said)),
    }),
    warning: t.string({
      nullable: true,
      description: 'What is to be said of the value, such as that some were left out.',
      resolve: (trial) => (trial.outcome === 'MEASURED' ? trial.warning : null),
    }),
    estimatedBytes: t.expose('estimatedBytes', {
      type: 'SafeInt',
      nullable: true,
      description:
        'Bytes that a run reads, as BigQuery counts them; null of sources that do not say it.',
    }),
  }),
});

/** The settings of a metric under the names that the source and REST have for them. */
function withConfig<
  Input extends Pick<typeof UpdateMonitorInput.$inferInput, 'metricConfig' | 'metricConfigJson'>,
>({ metricConfig, metricConfigJson, ...input }: Input) {
  if (metricConfig === undefined) return { ...input, metricConfig: metricConfigJson };
  const { querySelect, where, timestampColumn, timeColumn, dimension } = metricConfig ?? {};
  const { values, pattern, references, keyColumns, exclude } = metricConfig ?? {};
  const { otherQuery, otherIntegration, compareBy } = metricConfig ?? {};
  const given = {
    ...{ query_select: querySelect, where, timestamp_column: timestampColumn },
    ...{ time_column: timeColumn, dimension },
    ...{ values, pattern, references, key_columns: keyColumns, exclude },
    ...{ other_query: otherQuery, other_integration: otherIntegration, compare_by: compareBy },
  };
  // A setting that is null is one that there is not.
  const present = Object.entries(given).filter(([, value]) => value != null);
  return { ...input, metricConfig: Object.fromEntries(present) };
}

const UpdateIncidentInput = builder.inputType('UpdateIncidentInput', {
  description: 'What to do about an incident: absent leaves alone, null clears.',
  fields: (t) => ({
    status: t.field({
      type: IncidentStatusEnum,
      description:
        'acknowledged, resolved, or active: to reopen it, or to take back that it is acknowledged.',
    }),
    resolveReason: t.field({ type: ResolveReasonEnum, description: 'Why it is resolved.' }),
    comment: t.string({ description: 'A comment; it acknowledges the incident.' }),
    assigneeId: t.id({ description: 'The user who takes care of it.' }),
    severity: t.field({ type: IncidentSeverityEnum, description: 'How bad it is.' }),
    expectedUntil: t.field({
      type: 'DateTime',
      description:
        'Of a given range, with the reason expected: until then, within the next 90 days, a value out of it opens no incident.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createMonitor: t.field({
    type: MonitorRef,
    description:
      'Make a monitor. Editors may. A condition or query is tried on the source first, for 5 s at most: ' +
      'BAD_REQUEST where the source refuses it. Where it does not answer, lastErrorMessage says so.',
    args: createArgs(CreateMonitorInput),
    resolve: (_root, { input }, ctx) => createTriedMonitor(ctx, withConfig(input)),
  }),
  testMonitor: t.field({
    type: TrialType,
    description:
      'Measure once what a monitor would measure, and keep nothing: a dry run of createMonitor. Editors ' +
      'may. It waits 5 s for the source.',
    args: {
      ...createArgs(CreateMonitorInput),
      run: t.arg.boolean({
        defaultValue: true,
        description: 'False: nothing is measured, and only asked how many bytes a run would read.',
      }),
    },
    resolve: (_root, { input, run }, ctx) =>
      testMonitor(ctx, withConfig(input), { run: run ?? true }),
  }),
  updateMonitor: t.field({
    type: MonitorRef,
    description:
      'Change a monitor. Editing thresholds rewrites no history. CONFLICT for one that a project ' +
      'declares: it is changed there.',
    args: updateArgs('monitor', UpdateMonitorInput),
    resolve: (_root, args, ctx) =>
      updateTriedMonitor(ctx, args.id, withConfig(args.input), args.expectedVersion),
  }),
  deleteMonitor: t.field({
    type: MonitorRef,
    description:
      'Delete a monitor with its measurements and incidents; answers what it was. CONFLICT for ' +
      'one that a project declares.',
    args: deleteArgs('monitor'),
    resolve: (_root, args, ctx) => deleteMonitor(ctx, args.id, args.expectedVersion),
  }),
  muteMonitor: t.field({
    type: MonitorRef,
    description:
      'Mute new incidents of a monitor until a time; it goes on measuring. Null ends that. Editors ' +
      'may, of a monitor that a project declares as well.',
    args: {
      ...idArgs('monitor'),
      until: t.arg({ type: 'DateTime', description: 'Within the next 90 days; null to unmute.' }),
    },
    resolve: (_root, args, ctx) => muteMonitor(ctx, args.id, args.until ?? null),
  }),
  runMonitors: t.field({
    type: JobRef,
    description: 'Run monitors now; answers the job that does it. Their schedules do not change.',
    args: {
      ids: t.arg.idList({
        required: false,
        description: 'The monitors: 1 to 1,000.',
        extensions: { form: { type: 'array', minItems: 1, maxItems: 1_000 } },
      }),
    },
    resolve: (_root, { ids }, ctx) => runMonitors(ctx, ids),
  }),
  updateIncident: t.field({
    type: IncidentRef,
    description: 'Comment on, acknowledge, resolve, reopen, assign or rate an incident.',
    args: {
      ...idArgs('incident'),
      input: t.arg({ type: UpdateIncidentInput, required: true, description: 'What to do.' }),
      ...versionArgs,
    },
    resolve: (_root, args, ctx) => updateIncident(ctx, args.id, args.input, args.expectedVersion),
  }),
  markMeasurementNormal: t.field({
    type: MeasurementRef,
    description:
      'Say that a value was normal, so that the range learns from it, or take that back.',
    args: {
      ...idArgs('measurement'),
      on: t.arg.boolean({ defaultValue: true, description: 'False takes it back.' }),
    },
    resolve: (_root, args, ctx) => markNormal(ctx, args.id, args.on ?? true),
  }),
}));

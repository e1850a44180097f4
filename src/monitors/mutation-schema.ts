// In charge of the mutations on monitors, measurements and incidents.

import { builder } from '../graphql/builder.ts';
import { versionArgs } from '../graphql/expected-version.ts';
import { JobRef } from '../jobs/schema.ts';
import { severities, updateIncident } from './incidents/incident.ts';
import { RESOLVE_REASONS } from './incidents/rules.ts';
import { IncidentRef, MeasurementRef } from './incidents/schema.ts';
import { markNormal } from './measurement.ts';
import { METRICS } from './metric.ts';
import { createMonitor, deleteMonitor, updateMonitor } from './monitor.ts';
import { runMonitors } from './runs/run.ts';
import { CadenceEnum, MonitorRef } from './schema.ts';

export const ScheduleInput = builder.inputType('ScheduleInput', {
  description: 'When a monitor runs, in UTC; daily at midnight where nothing is said.',
  fields: (t) => ({
    cadence: t.field({ type: CadenceEnum, description: 'How often.' }),
    frequency: t.int({ description: 'Every how many hours, if hourly: 1 to 168.' }),
    hour: t.int({ description: 'Hour of the day, unless hourly: 0 to 23.' }),
    day: t.int({ description: 'Day of the week, 0 (Monday) to 6, or of the month, 1 to 28.' }),
  }),
});

const MonitorInput = builder.inputType('MonitorInput', {
  description: 'Fields of a monitor: absent takes the default or leaves alone, null clears.',
  fields: (t) => ({
    targetId: t.id({ description: 'The table or column to measure; it cannot be changed.' }),
    metricType: t.string({ description: `One of ${Object.keys(METRICS).join(', ')}.` }),
    metricConfig: t.field({
      type: 'JSON',
      description: 'Settings: query_select for custom_sql, where to narrow another metric.',
    }),
    name: t.string({ description: 'Its name.' }),
    isEnabled: t.boolean({ description: 'False pauses it and resolves its incident.' }),
    schedule: t.field({ type: ScheduleInput, description: 'When it runs.' }),
    conditionAutoSensitivity: t.int({
      description: '1 to 10 for a learned range, higher alerts sooner; null for a given one.',
    }),
    conditionManualMin: t.float({ description: 'Lowest value in order, for a given range.' }),
    conditionManualMax: t.float({ description: 'Highest value in order, for a given range.' }),
    notifyChatChannel: t.string({ description: 'Chat channel that is told of incidents.' }),
  }),
});

const IncidentInput = builder.inputType('IncidentInput', {
  description: 'What to do about an incident: absent leaves alone, null clears.',
  fields: (t) => ({
    status: t.string({ description: 'acknowledged, resolved, or active to reopen.' }),
    resolveReason: t.string({ description: `One of ${RESOLVE_REASONS.join(', ')}.` }),
    comment: t.string({ description: 'A comment; it acknowledges the incident.' }),
    assigneeId: t.id({ description: 'The user who takes care of it.' }),
    severity: t.string({ description: `One of ${severities.join(', ')}.` }),
  }),
});

builder.mutationFields((t) => {
  const id = (what: string) => t.arg.id({ required: true, description: `Id of the ${what}.` });
  return {
    createMonitor: t.field({
      type: MonitorRef,
      description: 'Make a monitor. Editors may.',
      args: { input: t.arg({ type: MonitorInput, required: true, description: 'Its fields.' }) },
      resolve: (_root, { input }, ctx) => createMonitor(ctx, input),
    }),
    updateMonitor: t.field({
      type: MonitorRef,
      description:
        'Change a monitor. Editing thresholds rewrites no history. CONFLICT for one that a project ' +
        'declares: it is changed there.',
      args: {
        id: id('monitor'),
        input: t.arg({ type: MonitorInput, required: true, description: 'Its fields.' }),
        ...versionArgs,
      },
      resolve: (_root, args, ctx) => updateMonitor(ctx, args.id, args.input, args.expectedVersion),
    }),
    deleteMonitor: t.field({
      type: MonitorRef,
      description:
        'Delete a monitor with its measurements and incidents; answers what it was. CONFLICT for ' +
        'one that a project declares.',
      args: { id: id('monitor'), ...versionArgs },
      resolve: (_root, args, ctx) => deleteMonitor(ctx, args.id, args.expectedVersion),
    }),
    runMonitors: t.field({
      type: JobRef,
      description: 'Run monitors now; answers the job that does. Their schedules stay.',
      args: {
        ids: t.arg.idList({ required: false, description: 'The monitors: 1 to 1,000.' }),
      },
      resolve: (_root, { ids }, ctx) => runMonitors(ctx, ids),
    }),
    updateIncident: t.field({
      type: IncidentRef,
      description: 'Comment on, acknowledge, resolve, reopen, assign or rate an incident.',
      args: {
        id: id('incident'),
        input: t.arg({ type: IncidentInput, required: true, description: 'What to do.' }),
        ...versionArgs,
      },
      resolve: (_root, args, ctx) => updateIncident(ctx, args.id, args.input, args.expectedVersion),
    }),
    markMeasurementNormal: t.field({
      type: MeasurementRef,
      description: 'Say that a value was normal, so that the learner takes it in, or take it back.',
      args: {
        id: id('measurement'),
        on: t.arg.boolean({ defaultValue: true, description: 'False takes it back.' }),
      },
      resolve: (_root, args, ctx) => markNormal(ctx, args.id, args.on ?? true),
    }),
  };
});

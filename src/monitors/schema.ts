// Monitors in GraphQL: what one looks like, and how they are listed.

import { knownUser } from '../auth/permission.ts';
import type { Monitor } from '../generated/prisma/client.ts';
import { builder } from '../graphql/builder.ts';
import { weighing } from '../graphql/limits/weight.ts';
import { NodeRef } from '../graphql/node-ref.ts';
import { connectionOf, pageArgs } from '../graphql/page.ts';
import { graphqlOnly, restOnly } from '../graphql/views/mark.ts';
import { parseKind } from '../resources/kind.ts';
import { ResourceKind, resourceAt } from '../resources/schema.ts';
import { reading } from '../resources/shown.ts';
import { monitorsAsYaml } from './declarations/as-code.ts';
import { AdaptationEnum, CadenceEnum, MetricTypeEnum, MonitorStatusEnum } from './enum-schema.ts';
import { loadTargetDisplay, loadTargetMonitors, type TargetDisplay } from './loaders.ts';
import { type MetricConfig, metricsOf, readStoredConfig } from './metric-config.ts';
import { getMonitor, listMonitors } from './monitor.ts';
import { MonitorOrderBy, MonitorWhere } from './where-schema.ts';

const Schedule = builder
  .objectRef<{ cadence: string; frequency: number; hour: number; day: number }>('Schedule')
  .implement({
    description: 'When a monitor runs, in UTC.',
    fields: (t) => ({
      cadence: t.expose('cadence', { type: CadenceEnum, description: 'How often it runs.' }),
      frequency: t.exposeInt('frequency', { description: 'Hours between runs, if hourly.' }),
      hour: t.exposeInt('hour', { description: 'Hour of the day, unless hourly.' }),
      day: t.exposeInt('day', { description: 'Day of the week, 0 = Monday, or of the month.' }),
    }),
  });

const TargetDisplayRef = builder.objectRef<TargetDisplay>('TargetDisplay').implement({
  description: 'How to show the target of a monitor or incident.',
  fields: (t) => ({
    icon: t.exposeString('icon', { nullable: true, description: 'Its icon.' }),
    label: t.exposeString('label', { description: 'Its title.' }),
    kind: t.field({
      type: ResourceKind,
      description: 'Its kind.',
      resolve: ({ kind }) => parseKind(kind),
    }),
    integrationId: t.exposeID('integrationId', {
      nullable: true,
      description: 'Integration it came from.',
    }),
    integrationType: t.exposeString('integrationType', {
      nullable: true,
      description: 'Type of that integration.',
    }),
  }),
});

/** What a monitor or an incident shows of what it hangs on. */
export interface Display {
  readonly targetId: string;
  readonly label: string;
}

export const MonitorDisplayRef = builder.objectRef<Display>('MonitorDisplay').implement({
  description: 'How to show a monitor or incident without asking for what it hangs on.',
  fields: (t) => ({
    monitor: t.field({
      type: MonitorLabelRef,
      description: 'The monitor.',
      resolve: (display) => display,
    }),
    target: t.field({
      type: TargetDisplayRef,
      nullable: true,
      description: 'The table or column.',
      resolve: ({ targetId }, _args, ctx) => loadTargetDisplay(ctx, targetId),
    }),
  }),
});

const MonitorLabelRef = builder.objectRef<Display>('MonitorLabel').implement({
  description: 'How to show a monitor.',
  fields: (t) => ({ label: t.exposeString('label', { description: 'Its name.' }) }),
});

const MetricConfigRef = builder.objectRef<MetricConfig>('MetricConfig').implement({
  description: 'Settings of a metric.',
  fields: (t) => ({
    querySelect: t.exposeString('query_select', {
      nullable: true,
      description:
        'The SQL of custom_sql: one row with one number; of the freshness of a table: one with the newest time.',
    }),
    where: t.exposeString('where', {
      nullable: true,
      description: 'A condition of SQL that narrows another metric.',
    }),
    timestampColumn: t.exposeString('timestamp_column', {
      nullable: true,
      description: 'Name of the column that shows freshness.',
    }),
    timeColumn: t.exposeString('time_column', {
      nullable: true,
      description: 'Name of the column of times by which each value is of one closed period.',
    }),
    values: t.stringList({
      description: 'The values that accepted_values accepts.',
      resolve: ({ values = [] }) => [...values],
    }),
    pattern: t.exposeString('pattern', {
      nullable: true,
      description: 'The regular expression of pattern.',
    }),
    references: t.exposeID('references', {
      nullable: true,
      description: 'The column that references refers to.',
    }),
    keyColumns: t.stringList({
      description: 'Names of the columns of unique_key.',
      resolve: ({ key_columns: columns = [] }) => [...columns],
    }),
    otherQuery: t.exposeString('other_query', {
      nullable: true,
      description: 'The SQL of comparison that the first query is compared with.',
    }),
    otherIntegration: t.exposeID('other_integration', {
      nullable: true,
      description: 'The integration whose source runs it, where that is another source.',
    }),
    compareBy: t.exposeString('compare_by', {
      nullable: true,
      description: 'What comparison answers: difference, ratio, or by keys.',
    }),
    exclude: t.stringList({
      description: 'Patterns of the tables of a schema or database that are not watched.',
      resolve: ({ exclude = [] }) => [...exclude],
    }),
    dimension: t.exposeString('dimension', {
      nullable: true,
      description: 'Name of the column whose 50 largest values are measured one by one as well.',
    }),
  }),
});

export const MonitorRef = builder.prismaObject('Monitor', {
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.exposeID('id'),
    workspaceId: t.exposeID('workspaceId', {
      description: 'Workspace it belongs to.',
      extensions: restOnly,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version'),
    integrationId: t.exposeID('integrationId', { nullable: true }),
    targetId: t.exposeID('targetId'),
    metricType: t.expose('metricType', { type: MetricTypeEnum }),
    metricConfig: t.field({
      type: MetricConfigRef,
      description: 'Settings of the metric.',
      extensions: graphqlOnly,
      resolve: ({ metricConfig }) => readStoredConfig(metricConfig),
    }),
    metricConfigJson: t.string({
      description: 'Settings of the metric, as the JSON of an object.',
      extensions: restOnly,
      resolve: ({ metricConfig }) => JSON.stringify(metricConfig),
    }),
    name: t.exposeString('name'),
    isEnabled: t.exposeBoolean('isEnabled'),
    frequency: t.exposeInt('frequency', { extensions: restOnly }),
    schedule: t.field({
      type: Schedule,
      description: 'When it runs.',
      resolve: (monitor) => ({
        cadence: monitor.scheduleCadence,
        frequency: monitor.scheduleFrequency,
        hour: monitor.scheduleHour,
        day: monitor.scheduleDay,
      }),
    }),
    conditionAutoSensitivity: t.exposeInt('conditionAutoSensitivity', { nullable: true }),
    conditionManualMin: t.exposeFloat('conditionManualMin', { nullable: true }),
    conditionManualMax: t.exposeFloat('conditionManualMax', { nullable: true }),
    notifyChatChannel: t.exposeString('notifyChatChannel', { nullable: true }),
    timeZone: t.exposeString('timeZone', { nullable: true }),
    holidayCountry: t.exposeString('holidayCountry', { nullable: true }),
    adaptation: t.expose('adaptation', { type: AdaptationEnum }),
    mutedUntil: t.expose('mutedUntil', { type: 'DateTime', nullable: true }),
    expectedUntil: t.expose('expectedUntil', { type: 'DateTime', nullable: true }),
    lastWarning: t.exposeString('lastWarning'),
    failedSince: t.expose('failedSince', { type: 'DateTime', nullable: true }),
    status: t.expose('status', { type: MonitorStatusEnum }),
    lastAttemptedAt: t.expose('lastAttemptedAt', { type: 'DateTime', nullable: true }),
    lastSuccessAt: t.expose('lastSuccessAt', { type: 'DateTime', nullable: true }),
    lastErrorAt: t.expose('lastErrorAt', { type: 'DateTime', nullable: true }),
    lastErrorMessage: t.exposeString('lastErrorMessage'),
    lastMeasurementId: t.exposeID('lastMeasurementId', { nullable: true }),
    lastMeasurementValue: t.exposeFloat('lastMeasurementValue', { nullable: true }),
    lastIncidentId: t.exposeID('lastIncidentId', { nullable: true }),
    nextRunAt: t.expose('nextRunAt', { type: 'DateTime', nullable: true }),
    createdById: t.id({
      nullable: true,
      description: 'The user who made the monitor.',
      resolve: ({ createdById }, _args, ctx) => knownUser(ctx, createdById),
    }),
    declaredById: t.exposeID('declaredById', { nullable: true }),
    declaredIn: t.exposeString('declaredIn', { nullable: true }),
    undeclaredAt: t.expose('undeclaredAt', { type: 'DateTime', nullable: true }),
    displayMetadata: t.field({
      extensions: restOnly,
      type: MonitorDisplayRef,
      description: 'How to show it.',
      resolve: ({ targetId, name }) => ({ targetId, label: name }),
    }),
    target: t.field(
      resourceAt('The table or column that is measured.', ({ targetId }: Monitor) => targetId),
    ),
  }),
});

export const MonitorConnection = connectionOf('Monitor', MonitorRef);

builder.prismaInterfaceFields('Resource', (t) => ({
  monitors: t.field({
    type: [MonitorRef],
    description: 'Monitors that watch it, oldest first; 100 at most.',
    extensions: reading(),
    resolve: ({ id }, _args, ctx) => loadTargetMonitors(ctx, id),
  }),
  metrics: t.field({
    type: [MetricTypeEnum],
    description: 'What a monitor can measure of it, by its kind and the type of its values.',
    extensions: reading('kind', 'title', 'type'),
    resolve: (resource) => metricsOf(resource),
  }),
}));

builder.queryFields((t) => ({
  monitorsAsYaml: t.string({
    description: 'The monitors as YAML, by table, to be kept as code; 10,000 at most.',
    args: { integrationId: t.arg.id({ description: 'Only those on this source.' }) },
    extensions: weighing({ own: 50_000 }),
    resolve: (_root, { integrationId }, ctx) => monitorsAsYaml(ctx, integrationId ?? null),
  }),
  monitor: t.field({
    type: MonitorRef,
    nullable: true,
    description: 'One monitor. NOT_FOUND where there is none on a target that the viewer may see.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => getMonitor(ctx, id),
  }),
  monitors: t.field({
    type: MonitorConnection,
    description: 'Monitors, newest first unless ordered otherwise.',
    args: {
      ...pageArgs,
      where: t.arg({ type: MonitorWhere, description: 'Only those that it holds for.' }),
      orderBy: t.arg({
        type: [MonitorOrderBy],
        description: 'Order, the most significant term first.',
      }),
      targetId: t.arg.id({ description: 'Only those that watch this table or column.' }),
      integrationId: t.arg.id({ description: 'Only those on this source.' }),
      status: t.arg({ type: MonitorStatusEnum, description: 'Only those in this status.' }),
    },
    resolve: (_root, { targetId, integrationId, status, where, orderBy, ...args }, ctx) =>
      listMonitors(ctx, { targetId, integrationId, status, where, orderBy }, args),
  }),
}));

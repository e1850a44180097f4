// Measurements and incidents in GraphQL.

import { knownUser } from '../../auth/permission.ts';
import type { Incident } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { numberOf, weighing } from '../../graphql/limits/weight.ts';
import { NodeRef } from '../../graphql/node-ref.ts';
import { connectionOf, pageArgs } from '../../graphql/page.ts';
import { graphqlOnly, restOnly } from '../../graphql/views/mark.ts';
import { resourceAt } from '../../resources/schema.ts';
import { reading } from '../../resources/shown.ts';
import {
  IncidentActionEnum,
  IncidentEndEnum,
  IncidentSeverityEnum,
  IncidentStatusEnum,
  VerdictEnum,
} from '../enum-schema.ts';
import { type Segment, worstSegments } from '../learning/segments.ts';
import { loadMonitor, loadOpenIncidents } from '../loaders.ts';
import { listMeasurements, loadMeasurements } from '../measurement.ts';
import { MonitorDisplayRef, MonitorRef } from '../schema.ts';
import { IncidentOrderBy, IncidentWhere } from '../where-schema.ts';
import { explanationInWords, maintenanceInWords } from '../words.ts';
import { getIncident, listIncidents, loadActions, loadIncidents, loadThread } from './incident.ts';

const SegmentRef = builder.objectRef<Segment>('MeasurementSegment').implement({
  description:
    "What was measured of one value of a monitor's dimension, or of one table of its schema or database.",
  fields: (t) => ({
    segment: t.exposeString('segment', {
      description: 'The value of the dimension, or the table.',
    }),
    value: t.exposeFloat('value', { description: 'What was measured.' }),
    lowerThreshold: t.exposeFloat('lower', {
      nullable: true,
      description: 'Lowest value that was expected; null when no range was known.',
    }),
    upperThreshold: t.exposeFloat('upper', {
      nullable: true,
      description: 'Highest value that was expected; null when no range was known.',
    }),
    verdict: t.field({
      type: VerdictEnum,
      description: 'How it stands to that.',
      resolve: ({ verdict }) => verdict,
    }),
  }),
});

export const MeasurementRef = builder.prismaObject('Measurement', {
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    monitorId: t.exposeID('monitorId'),
    incidentId: t.exposeID('incidentId', { nullable: true }),
    incidentMetadata: t.exposeString('incidentMetadata', { nullable: true }),
    value: t.exposeFloat('value'),
    upperThreshold: t.exposeFloat('upperThreshold', { nullable: true }),
    lowerThreshold: t.exposeFloat('lowerThreshold', { nullable: true }),
    markedNormal: t.exposeBoolean('markedNormal'),
    newLevel: t.exposeBoolean('newLevel'),
    explanation: t.expose('explanation', { type: 'JSON' }),
    maintenance: t.exposeString('maintenance', { nullable: true }),
    segments: t.field({
      type: [SegmentRef],
      description:
        "What was measured of each value of the monitor's dimension, or of each table of its schema or database: those out of range first.",
      args: {
        first: t.arg.int({ defaultValue: 100, description: 'At most this many: 1 to 10,000.' }),
      },
      extensions: { ...graphqlOnly, ...weighing({ rows: numberOf('first') }) },
      resolve: ({ segments }, { first }) => worstSegments(segments, first ?? 100),
    }),
    reasons: t.stringList({
      description: 'How its range came about, in sentences.',
      resolve: async ({ monitorId, explanation, maintenance }, _args, ctx) => {
        const monitor = await loadMonitor(ctx, monitorId);
        const words = monitor ? explanationInWords(monitor.metricType, explanation) : [];
        return maintenance === null ? words : [maintenanceInWords(maintenance), ...words];
      },
    }),
  }),
});

const MeasurementConnection = connectionOf('Measurement', MeasurementRef);

const IncidentActionRef = builder.prismaObject('IncidentAction', {
  fields: (t) => ({
    id: t.exposeID('id'),
    type: t.expose('type', { type: IncidentActionEnum }),
    userId: t.id({
      nullable: true,
      description: 'The user who did it; null when the server did.',
      resolve: ({ userId }, _args, ctx) => knownUser(ctx, userId),
    }),
    userName: t.string({
      description: 'Name of the user at that time. Empty for guests.',
      resolve: ({ userId, userName }, _args, ctx) =>
        userId === null || knownUser(ctx, userId) ? userName : '',
    }),
    comment: t.exposeString('comment', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

export const IncidentRef = builder.prismaObject('Incident', {
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version'),
    monitorId: t.exposeID('monitorId'),
    targetId: t.exposeID('targetId'),
    name: t.exposeString('name'),
    summary: t.exposeString('summary'),
    status: t.expose('status', { type: IncidentStatusEnum }),
    value: t.exposeFloat('value'),
    severity: t.expose('severity', { type: IncidentSeverityEnum }),
    assigneeId: t.id({
      nullable: true,
      description: 'The user who takes care of it.',
      resolve: ({ assigneeId }, _args, ctx) => knownUser(ctx, assigneeId),
    }),
    causeId: t.exposeID('causeId', { nullable: true }),
    resolveReason: t.expose('resolveReason', { type: IncidentEndEnum, nullable: true }),
    goodRuns: t.exposeInt('goodRuns'),
    standing: t.exposeString('standing', { nullable: true }),
    firstSeenAt: t.expose('firstSeenAt', { type: 'DateTime' }),
    lastSeenAt: t.expose('lastSeenAt', { type: 'DateTime' }),
    lastNotifiedAt: t.expose('lastNotifiedAt', { type: 'DateTime', nullable: true }),
    acknowledgedAt: t.expose('acknowledgedAt', { type: 'DateTime', nullable: true }),
    resolvedAt: t.expose('resolvedAt', { type: 'DateTime', nullable: true }),
    actions: t.field({
      type: [IncidentActionRef],
      description: 'What was done about it, in order.',
      resolve: ({ id }, _args, ctx) => loadActions(ctx, id),
    }),
    displayMetadata: t.field({
      extensions: restOnly,
      type: MonitorDisplayRef,
      description: 'How to show it.',
      resolve: async ({ targetId, monitorId, name }, _args, ctx) => ({
        targetId,
        label: (await loadMonitor(ctx, monitorId))?.name ?? name,
      }),
    }),
    monitor: t.field({
      type: MonitorRef,
      nullable: true,
      description: 'The monitor that raised it.',
      resolve: ({ monitorId }, _args, ctx) => loadMonitor(ctx, monitorId),
    }),
    target: t.field(
      resourceAt('The table or column it is about.', ({ targetId }: Incident) => targetId),
    ),
    measurements: t.field({
      type: MeasurementConnection,
      description: 'The measurements out of range that belong to it, newest first.',
      args: pageArgs,
      resolve: ({ id }, args, ctx) => loadMeasurements(ctx, 'of incident', id, args),
    }),
  }),
});

const IncidentConnection = connectionOf('Incident', IncidentRef);

builder.prismaObjectFields('Incident', (t) => ({
  thread: t.field({
    type: [IncidentRef],
    description:
      'All incidents of the same cause, the first of them first, this one among them; empty where it is alone. ' +
      '`causeId` of each says which one upstream it has joined.',
    resolve: (incident, _args, ctx) => loadThread(ctx, incident),
  }),
}));

builder.prismaObjectFields('Monitor', (t) => ({
  measurements: t.field({
    type: MeasurementConnection,
    description: 'What it measured, newest first.',
    args: pageArgs,
    resolve: ({ id }, args, ctx) => loadMeasurements(ctx, 'of monitor', id, args),
  }),
  incidents: t.field({
    type: IncidentConnection,
    description: 'Its incidents, newest first.',
    args: pageArgs,
    resolve: ({ id }, args, ctx) => loadIncidents(ctx, id, args),
  }),
}));

builder.prismaInterfaceFields('Resource', (t) => ({
  openIncidents: t.field({
    type: [IncidentRef],
    description: 'Incidents on it that are not resolved; 100 at most.',
    extensions: reading(),
    resolve: ({ id }, _args, ctx) => loadOpenIncidents(ctx, id),
  }),
}));

builder.queryFields((t) => ({
  incident: t.field({
    type: IncidentRef,
    nullable: true,
    description: 'One incident. NOT_FOUND where there is none that the viewer may see.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => getIncident(ctx, id),
  }),
  incidents: t.field({
    type: IncidentConnection,
    description: 'Incidents, newest first unless ordered otherwise.',
    args: {
      ...pageArgs,
      where: t.arg({ type: IncidentWhere, description: 'Only those that it holds for.' }),
      orderBy: t.arg({
        type: [IncidentOrderBy],
        description: 'Order, the most significant term first.',
      }),
      monitorId: t.arg.id({ description: 'Only those of this monitor.' }),
      targetId: t.arg.id({ description: 'Only those on this table or column.' }),
      status: t.arg({
        type: IncidentStatusEnum,
        description: 'Only those in this status; one that is acknowledged is not `active`.',
      }),
      isOpen: t.arg.boolean({
        description:
          'True: only those that go on, active or acknowledged; false: only those that are over.',
      }),
    },
    resolve: (_root, { monitorId, targetId, status, isOpen, where, orderBy, ...args }, ctx) =>
      listIncidents(ctx, { monitorId, targetId, status, isOpen, where, orderBy }, args),
  }),
  measurements: t.field({
    type: MeasurementConnection,
    description: 'Measurements of a monitor, an incident or both, newest first.',
    args: {
      ...pageArgs,
      monitorId: t.arg.id({ description: 'Of this monitor; it or incidentId is required.' }),
      incidentId: t.arg.id({ description: 'Of this incident; it or monitorId is required.' }),
    },
    resolve: (_root, { monitorId, incidentId, ...args }, ctx) =>
      listMeasurements(ctx, { monitorId, incidentId }, args),
  }),
}));

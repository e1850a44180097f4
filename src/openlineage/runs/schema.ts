// Jobs of pipelines and their runs, in GraphQL.

import { builder } from '../../graphql/builder.ts';
import { connectionOf, pageArgs } from '../../graphql/page.ts';
import { loadIntegration } from '../../integrations/integration.ts';
import { IntegrationRef } from '../../integrations/schema.ts';
import { LineageEdgeType } from '../../lineage/schema.ts';
import { JobOfPipelineRef, TableRef } from '../../resources/kind-schema.ts';
import { loadResource } from '../../resources/loaders.ts';
import { ResourceRef } from '../../resources/schema.ts';
import { reading } from '../../resources/shown.ts';
import { type LastWrite, loadLastRunOfJob, loadLastWrite, loadSightings } from './loaders.ts';
import {
  type EventReport,
  loadRuns,
  type PipelineRun,
  type PipelineRunState,
  type RefusedEvent,
  type ReportedNamespace,
  readReporting,
  runStates,
} from './runs.ts';

const RunState = builder.enumType('PipelineRunState', {
  description: 'What a run of a job is at.',
  values: {
    running: { description: 'Begun, with nothing known of its end.' },
    completed: { description: 'It succeeded.' },
    failed: { description: 'It failed.' },
    aborted: { description: 'It was stopped.' },
    other: { description: 'Its producer says something else.' },
  } satisfies Record<PipelineRunState, object>,
});

const RunRef = builder.objectRef<PipelineRun>('PipelineRun').implement({
  description: 'One run of a job, as events of OpenLineage say.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id here.' }),
    runId: t.exposeString('runId', { description: 'The id that its producer gave it.' }),
    state: t.field({
      type: RunState,
      description: 'What it is at.',
      resolve: ({ state }) => runStates.find((known) => known === state) ?? 'other',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description: 'When it began, or the first that is known of it.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null while it runs.',
    }),
    nominalStart: t.expose('nominalStart', {
      type: 'DateTime',
      nullable: true,
      description: 'The time for which it was scheduled.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why it failed, for those who may read integrations.',
    }),
  }),
});

const RunConnection = connectionOf('PipelineRun', RunRef);

builder.prismaObjectFields(JobOfPipelineRef, (t) => ({
  runs: t.field({
    type: RunConnection,
    description: 'Its runs, the latest first.',
    args: pageArgs,
    extensions: reading(),
    resolve: ({ id }, args, ctx) => loadRuns(ctx, id, args),
  }),
  lastRun: t.field({
    type: RunRef,
    nullable: true,
    description: 'Its latest run.',
    extensions: reading(),
    resolve: ({ id }, _args, ctx) => loadLastRunOfJob(ctx, id),
  }),
}));

const LastWriteRef = builder.objectRef<LastWrite>('TableWrite').implement({
  description: 'The last time that a job wrote a table.',
  fields: (t) => ({
    job: t.field({
      type: ResourceRef,
      nullable: true,
      description: 'The job.',
      resolve: ({ jobId }, _args, ctx) => loadResource(ctx, jobId),
    }),
    run: t.field({
      type: RunRef,
      description: 'The run that wrote it.',
      resolve: ({ run }) => run,
    }),
  }),
});

builder.prismaObjectField(TableRef, 'lastWrite', (t) =>
  t.field({
    type: LastWriteRef,
    nullable: true,
    description: 'Which job wrote it last, as far as runs say so and the viewer may see the job.',
    extensions: reading(),
    resolve: ({ id }, _args, ctx) => loadLastWrite(ctx, id),
  }),
);

builder.objectFields(LineageEdgeType, (t) => ({
  seenRuns: t.int({
    nullable: true,
    description: 'In how many runs it was seen; null for what no run showed.',
    resolve: async ({ id, origin }, _args, ctx) =>
      origin === 'RUN' ? ((await loadSightings(ctx, id))?.runs ?? null) : null,
  }),
  lastSeenAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When a run last showed it; null for what no run showed.',
    resolve: async ({ id, origin }, _args, ctx) =>
      origin === 'RUN' ? ((await loadSightings(ctx, id))?.lastSeenAt ?? null) : null,
  }),
}));

const NamespaceRef = builder.objectRef<ReportedNamespace>('ReportedNamespace').implement({
  description: 'A namespace that events of OpenLineage name.',
  fields: (t) => ({
    namespace: t.exposeString('namespace', { description: 'Its name.' }),
    integration: t.field({
      type: IntegrationRef,
      nullable: true,
      description: 'The integration that describes its datasets; null where it names jobs alone.',
      resolve: ({ integrationId }, _args, ctx) => loadIntegration(ctx, integrationId),
    }),
    eventsToday: t.exposeInt('eventsToday', {
      description: 'Events of its jobs since midnight in UTC.',
    }),
    eventsOfWeek: t.exposeInt('eventsOfWeek', {
      description: 'Events of its jobs in the last seven days.',
    }),
    lastEventAt: t.expose('lastEventAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last event of its jobs happened.',
    }),
    isPlaced: t.exposeBoolean('isPlaced', {
      description: 'Whether it is known where its datasets lie; else say so at its integration.',
    }),
  }),
});

const RefusedRef = builder.objectRef<RefusedEvent>('RefusedEvent').implement({
  description: 'An event of OpenLineage that was refused.',
  fields: (t) => ({
    receivedAt: t.expose('receivedAt', { type: 'DateTime', description: 'When it came.' }),
    message: t.exposeString('message', { description: 'What is wrong with it.' }),
  }),
});

const ReportingRef = builder.objectRef<EventReport>('OpenLineageReporting').implement({
  description: 'What came of events of OpenLineage.',
  fields: (t) => ({
    waiting: t.exposeInt('waiting', { description: 'Events that wait to be read.' }),
    namespaces: t.field({
      type: [NamespaceRef],
      description: 'Namespaces, those first that were named last; at most 1,000.',
      resolve: ({ namespaces }) => [...namespaces],
    }),
    refused: t.field({
      type: [RefusedRef],
      description:
        'Events that were refused in the last seven days, the latest first; at most 100.',
      resolve: ({ refused }) => [...refused],
    }),
  }),
});

builder.queryField('openLineage', (t) =>
  t.field({
    type: ReportingRef,
    nullable: true,
    description: 'What came of events of OpenLineage. Editors and admins may read it.',
    resolve: (_root, _args, ctx) => readReporting(ctx),
  }),
);

// Jobs in GraphQL.

import type { Job } from '../generated/prisma/client.ts';
import { builder } from '../graphql/builder.ts';
import { NodeRef } from '../graphql/node-ref.ts';
import { connectionOf, pageArgs } from '../graphql/page.ts';
import { follow, watch } from '../graphql/watch.ts';
import {
  conditionOf,
  IdCondition,
  orderByOf,
  TextCondition,
  TimeCondition,
  whereOf,
} from '../graphql/where.ts';
import { compileWhere } from '../lists/where.ts';
import {
  cancelJob,
  changedJobs,
  getJob,
  jobMembers,
  jobOrder,
  jobStates,
  listJobs,
} from './job.ts';

const JobState = builder.enumType('JobState', {
  description: 'What a job is at.',
  values: {
    queued: { description: 'It waits for a worker, or for its next attempt.' },
    running: { description: 'A worker runs it.' },
    succeeded: { description: 'It is done.' },
    failed: { description: 'It could not be done.' },
    cancelled: { description: 'Somebody stopped it.' },
  },
});

export const JobRef = builder.prismaObject('Job', {
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.exposeString('kind'),
    title: t.exposeString('title'),
    userId: t.exposeID('userId', { nullable: true }),
    state: t.field({
      type: JobState,
      description: 'What the job is at.',
      resolve: ({ state }) => jobStates.find((known) => known === state) ?? 'failed',
    }),
    failed: t.boolean({
      description: 'Whether it ended without doing what it was to do.',
      resolve: ({ state }) => state === 'failed' || state === 'cancelled',
    }),
    result: t.expose('result', { type: 'JSON', nullable: true }),
    attempts: t.exposeInt('attempts'),
    maxAttempts: t.exposeInt('maxAttempts'),
    lastError: t.exposeString('lastError', { nullable: true }),
    logs: t.exposeString('logs'),
    progressStep: t.exposeString('progressStep', { nullable: true }),
    progressDone: t.exposeInt('progressDone'),
    progressTotal: t.exposeInt('progressTotal', { nullable: true }),
    hasArtifact: t.exposeBoolean('hasArtifact'),
    cancelRequested: t.exposeBoolean('cancelRequested'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    runAt: t.expose('runAt', { type: 'DateTime', description: 'When it is due.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
    completedAt: t.expose('completedAt', { type: 'DateTime', nullable: true }),
  }),
});

const JobWhere = whereOf('Job', {
  id: { type: IdCondition, about: 'Its id.' },
  kind: { type: TextCondition, about: 'What is to be done.' },
  title: { type: TextCondition, about: 'What it does, in words.' },
  state: { type: conditionOf('JobState', JobState), about: 'What it is at.' },
  userId: { type: IdCondition, about: 'The user who started it.' },
  integrationId: { type: IdCondition, about: 'The integration that it feeds or reads.' },
  createdAt: { type: TimeCondition, about: 'When it was made.' },
  startedAt: { type: TimeCondition, about: 'When it was first started.' },
  completedAt: { type: TimeCondition, about: 'When it ended.' },
});

const JobOrderBy = orderByOf('Job', jobOrder);

export const JobConnection = connectionOf('Job', JobRef);

builder.queryFields((t) => ({
  job: t.field({
    type: JobRef,
    nullable: true,
    description: 'One job. Editors and admins may read all, others those that they started.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => getJob(ctx, id),
  }),
  jobs: t.field({
    type: JobConnection,
    description: 'Jobs that the viewer may read, newest first.',
    args: {
      ...pageArgs,
      kind: t.arg.string({ description: 'Only jobs of this kind.' }),
      where: t.arg({ type: JobWhere, description: 'Only those that it holds for.' }),
      orderBy: t.arg({
        type: [JobOrderBy],
        description: 'Order, the most significant term first.',
      }),
      states: t.arg({ type: [JobState], description: 'Only jobs that are at one of these.' }),
    },
    resolve: (_root, { kind, states, where, orderBy, ...args }, ctx) =>
      listJobs(ctx, { kind, states, where, orderBy }, args),
  }),
}));

builder.mutationField('cancelJob', (t) =>
  t.field({
    type: JobRef,
    description: 'Cancel a job; one that runs is asked to stop. Admins may, and who started it.',
    args: { id: t.arg.id({ required: true, description: 'Id of the job.' }) },
    resolve: (_root, { id }, ctx) => cancelJob(ctx, id),
  }),
);

/** Running jobs say often how far they are. */
const lullMs = 250;

builder.subscriptionField('jobsChanged', (t) =>
  t.field({
    type: JobRef,
    description:
      'Each job that the viewer may read when it is made and after each change, as long as the filter ' +
      'holds for it then.',
    args: { where: t.arg({ type: JobWhere, description: 'Only those that it holds for.' }) },
    subscribe: (_root, { where }, ctx) => {
      // What is wrong with it is said now, and not when something happens.
      compileWhere(where, jobMembers);
      return follow<Job>(ctx, {
        topic: 'job',
        lullMs,
        read: (now, ids, since) => changedJobs(now, { ids, since, where }),
      });
    },
    resolve: ({ thing }) => thing,
  }),
);

builder.subscriptionField('jobChanged', (t) =>
  t.field({
    type: JobRef,
    description: 'The job now and after each change, with its progress; ends with the job.',
    args: { id: t.arg.id({ required: true, description: 'Id of the job.' }) },
    subscribe: (_root, { id }, ctx) =>
      watch<Job>(ctx, {
        topic: 'job',
        id: id.toLowerCase(),
        read: (now) => getJob(now, id),
        isLast: ({ completedAt }) => completedAt !== null,
      }),
    resolve: (job) => job,
  }),
);

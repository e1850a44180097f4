// Data tests in GraphQL: what a project checks of a table or column, and the results.

import type { DataTest } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { closedSet } from '../../graphql/views/closed-set.ts';
import { ColumnRef, TableRef } from '../../resources/kind-schema.ts';
import { resourceAt } from '../../resources/schema.ts';
import { seenId } from '../../resources/seen.ts';
import { reading } from '../../resources/shown.ts';
import { loadDataTests, loadLastRun } from './loaders.ts';

const SeverityEnum = closedSet('DataTestSeverity', {
  description: 'What a failure of a test counts as.',
  values: { error: 'The test fails.', warn: 'The test warns.' },
});

const StatusEnum = closedSet('DataTestStatus', {
  description: 'What a test found when it last ran.',
  values: {
    pass: 'All is in order.',
    warn: 'Something is wrong that only counts as a warning.',
    fail: 'Something is wrong.',
    error: 'The test could not be run.',
    skipped: 'The test was skipped, and has never run.',
  },
});

const DataTestRef = builder.prismaObject('DataTest', {
  fields: (t) => ({
    id: t.exposeID('id'),
    key: t.exposeString('key'),
    name: t.exposeString('name'),
    description: t.exposeString('description', { nullable: true }),
    testKind: t.exposeString('testKind', { nullable: true }),
    resourceId: t.id({
      nullable: true,
      description: 'The table that is tested.',
      resolve: ({ resourceId }, _args, ctx) => seenId(ctx, resourceId),
    }),
    resource: t.field(
      resourceAt('The table that is tested.', ({ resourceId }: DataTest) => resourceId),
    ),
    column: t.field(resourceAt('The column that is tested.', ({ columnId }: DataTest) => columnId)),
    columnId: t.id({
      nullable: true,
      description: 'The column that is tested.',
      resolve: ({ columnId }, _args, ctx) => seenId(ctx, columnId),
    }),
    severity: t.expose('severity', { type: SeverityEnum }),
    status: t.expose('status', { type: StatusEnum, nullable: true }),
    failures: t.exposeInt('failures', { nullable: true }),
    message: t.exposeString('message', { nullable: true }),
    arguments: t.expose('arguments', { type: 'JSON', nullable: true }),
    lastRunAt: t.expose('lastRunAt', { type: 'DateTime', nullable: true }),
    skippedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the test was last skipped, where it has not run since: its result is older.',
      resolve: ({ skippedAt, lastRunAt }) =>
        skippedAt && lastRunAt && lastRunAt >= skippedAt ? null : skippedAt,
    }),
  }),
});

const RunStatusEnum = closedSet('ModelRunStatus', {
  description: 'How the run of a model ended.',
  values: {
    success: 'It made its table.',
    pass: 'It passed.',
    warn: 'It ended with a warning.',
    fail: 'It failed.',
    error: 'It could not be run to its end.',
    skipped: 'It was skipped.',
  },
});

const ModelRun = builder.prismaObject('RunResult', {
  name: 'ModelRun',
  description: 'One run of the model, seed or snapshot that makes a table.',
  fields: (t) => ({
    status: t.expose('status', { type: RunStatusEnum }),
    completedAt: t.expose('completedAt', { type: 'DateTime' }),
    executionSeconds: t.exposeFloat('executionSeconds', { nullable: true }),
    message: t.exposeString('message', { nullable: true }),
  }),
});

builder.prismaObjectField(TableRef, 'lastRun', (t) =>
  t.field({
    type: ModelRun,
    nullable: true,
    description: 'The last run of the model that makes it, where a project says so.',
    extensions: reading(),
    resolve: ({ id }, _args, ctx) => loadLastRun(ctx, id),
  }),
);

for (const [ref, what] of [
  [TableRef, 'it and of those of its columns that the viewer may see'],
  [ColumnRef, 'it'],
] as const) {
  builder.prismaObjectField(ref, 'dataTests', (t) =>
    t.field({
      type: [DataTestRef],
      description: `The tests that its project declares of ${what}, failing ones first; 100 at most.`,
      extensions: reading(),
      resolve: ({ id }, _args, ctx) => loadDataTests(ctx, id),
    }),
  );
}

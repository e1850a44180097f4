// The GraphQL type of each kind of resource, and the fields that only it has.

import { knownUser } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { builder } from '../graphql/builder.ts';
import { shownOf } from '../graphql/execution/shown-columns.ts';
import { type ByArguments, weighing } from '../graphql/limits/weight.ts';
import { NodeRef } from '../graphql/node-ref.ts';
import { restOnly } from '../graphql/views/mark.ts';
import { type Kind, kinds } from './kind.ts';
import { loadChildren, loadNestedColumns, loadTableOf, loadVote, maxNested } from './loaders.ts';
import { QuestionPriorityEnum, QuestionStatusEnum } from './questions/question-enum-schema.ts';
import type { ResourceRow } from './resource.ts';
import { ResourceRef, resourceAt } from './schema.ts';
import { seenId } from './seen.ts';
import { reading } from './shown.ts';

function describe(kind: Kind, more = ''): string {
  const parents: readonly string[] = kinds[kind].parents;
  const place = parents.length > 0 ? ` It lies in a ${parents.join(' or ')}.` : '';
  return `A ${kinds[kind].label} of the catalog.${place}${more}`;
}

const interfaces = [NodeRef, ResourceRef];

/** People of a question, which kinds of the first API have as well. */
const answeredBy = {
  nullable: true,
  description: 'User who answered.',
  extensions: reading('answeredById'),
  resolve: ({ answeredById }: ResourceRow, _args: object, ctx: Context) =>
    knownUser(ctx, answeredById),
} as const;
const assignedTo = {
  nullable: true,
  description: 'User who is asked to answer.',
  extensions: reading('assignedToId'),
  resolve: ({ assignedToId }: ResourceRow, _args: object, ctx: Context) =>
    knownUser(ctx, assignedToId),
} as const;

const DatabaseRef = builder.prismaObject('Resource', {
  variant: kinds.database.type,
  interfaces,
  description: describe('database'),
  fields: (t) => ({
    cluster: t.exposeString('cluster', { nullable: true }),
    rowCount: t.expose('rowCount', { type: 'SafeInt', nullable: true }),
    byteSize: t.expose('byteSize', { type: 'SafeInt', nullable: true }),
  }),
});

const SchemaRef = builder.prismaObject('Resource', {
  variant: kinds.schema.type,
  interfaces,
  description: describe('schema'),
  fields: (t) => ({
    databaseName: t.exposeString('databaseName', { nullable: true }),
    cluster: t.exposeString('cluster', { nullable: true }),
    rowCount: t.expose('rowCount', { type: 'SafeInt', nullable: true }),
    byteSize: t.expose('byteSize', { type: 'SafeInt', nullable: true }),
  }),
});

// REST shows these of both, though neither is a question: the first API did.
for (const ref of [DatabaseRef, SchemaRef]) {
  builder.prismaObjectFields(ref, (t) => ({
    questionStatus: t.expose('questionStatus', {
      type: QuestionStatusEnum,
      nullable: true,
      extensions: restOnly,
    }),
    questionPriority: t.expose('questionPriority', {
      type: QuestionPriorityEnum,
      nullable: true,
      extensions: restOnly,
    }),
    questionAnsweredBy: t.id({
      ...answeredBy,
      extensions: { ...restOnly, ...answeredBy.extensions },
    }),
    questionAssignedTo: t.id({
      ...assignedTo,
      extensions: { ...restOnly, ...assignedTo.extensions },
    }),
  }));
}

export const TableRef = builder.prismaObject('Resource', {
  variant: kinds.table.type,
  interfaces,
  description: describe('table', ' A view is a table whose `nativeType` is `view`.'),
  fields: (t) => ({
    databaseName: t.exposeString('databaseName', { nullable: true }),
    schemaName: t.exposeString('schemaName', { nullable: true }),
    cluster: t.exposeString('cluster', { nullable: true }),
    creationQuery: t.exposeString('creationQuery', { nullable: true }),
    rowCount: t.expose('rowCount', { type: 'SafeInt', nullable: true }),
    byteSize: t.expose('byteSize', { type: 'SafeInt', nullable: true }),
    columns: t.field({
      type: [ColumnRef],
      description: 'Columns in their order, those of many tables read in one statement.',
      extensions: { ...reading(), ...weighing({ items: partsOf }) },
      args: {
        first: t.arg.int({ description: firstOfParts }),
        after: t.arg.id({ description: 'Only those behind the column with this id.' }),
      },
      resolve: ({ id }, { first, after }, ctx, info) =>
        loadChildren(ctx, id, {
          ...{ kind: 'column', first: nested(first), after, shown: shownOf(info) },
        }),
    }),
    nestedColumns: t.field({
      type: [ColumnRef],
      description: `Columns that lie in other columns, as fields of structs do: each behind its parent; ${maxNested} at most.`,
      extensions: { ...reading(), ...weighing({ items: usualNested }) },
      resolve: ({ id }, _args, ctx, info) => loadNestedColumns(ctx, id, shownOf(info)),
    }),
  }),
});

const firstOfParts = `How many; all if absent, ${maxNested} at most.`;

/** What most have is well below what one may have: an honest list of a hundred is not refused for what is not there. */
const usualParts = 50;
const usualNested = 10;
const partsOf: ByArguments = (argument) => {
  const first = argument('first');
  return typeof first === 'number' ? nested(first) : usualParts;
};

function nested(first: number | null | undefined): number {
  return Math.min(Math.max(Math.trunc(first ?? maxNested), 0), maxNested);
}

export const ColumnRef = builder.prismaObject('Resource', {
  variant: kinds.column.type,
  interfaces,
  description: describe('column'),
  fields: (t) => ({
    type: t.exposeString('type', { nullable: true }),
    sortOrder: t.exposeInt('sortOrder', { nullable: true }),
    isPk: t.exposeBoolean('isPk'),
    hidden: t.exposeBoolean('hidden'),
    tableName: t.exposeString('tableName', { nullable: true }),
    schemaName: t.exposeString('schemaName', { nullable: true }),
    databaseName: t.exposeString('databaseName', { nullable: true }),
    cluster: t.exposeString('cluster', { nullable: true }),
  }),
});

builder.prismaObjectField(ColumnRef, 'table', (t) =>
  t.field({
    type: TableRef,
    nullable: true,
    description:
      'Table in which it lies, also within other columns; null where the viewer may not see it.',
    extensions: reading('id'),
    resolve: ({ id }, _args, ctx, info) => loadTableOf(ctx, id, shownOf(info)),
  }),
);

for (const kind of ['dashboard_group', 'dashboard', 'chart'] as const) {
  builder.prismaObject('Resource', {
    variant: kinds[kind].type,
    interfaces,
    description: describe(kind),
    fields: (t) => ({
      product: t.exposeString('product', { nullable: true }),
      groupName: t.exposeString('groupName', { nullable: true }),
    }),
  });
}

builder.prismaObject('Resource', {
  variant: kinds.query.type,
  interfaces,
  description: describe('query', ' Queries that differ only in their constants count as one.'),
  fields: (t) => ({
    sql: t.exposeString('sql', { nullable: true }),
    dialect: t.exposeString('dialect', { nullable: true }),
    type: t.exposeString('type', { nullable: true }),
    freq: t.exposeInt('freq'),
  }),
});

builder.prismaObject('Resource', {
  variant: kinds.document.type,
  interfaces,
  description: describe('document'),
  fields: (t) => ({
    baseEntityId: t.id({
      nullable: true,
      description: 'Resource a document was written for.',
      extensions: reading('baseEntityId'),
      resolve: ({ baseEntityId }, _args, ctx) => seenId(ctx, baseEntityId),
    }),
    baseEntity: t.field({
      ...resourceAt(
        'Resource a document was written for.',
        ({ baseEntityId }: ResourceRow) => baseEntityId,
      ),
      extensions: reading('baseEntityId'),
    }),
  }),
});

export const QuestionRef = builder.prismaObject('Resource', {
  variant: kinds.question.type,
  interfaces,
  description: describe('question'),
  fields: (t) => ({
    status: t.field({
      type: QuestionStatusEnum,
      description: 'Answered or Unanswered.',
      extensions: reading('questionStatus'),
      resolve: ({ questionStatus }) => questionStatus ?? 'Unanswered',
    }),
    priority: t.expose('questionPriority', { type: QuestionPriorityEnum, nullable: true }),
    answer: t.exposeString('answer', { nullable: true }),
    answeredById: t.id(answeredBy),
    assignedToId: t.id(assignedTo),
    reactions: t.exposeStringList('reactions'),
    votesSum: t.exposeInt('votesSum'),
    currentUserVote: t.int({
      description: "The viewer's own vote: 1, -1, or 0 for none.",
      extensions: reading(),
      resolve: (question: ResourceRow, _args, ctx) =>
        question.currentUserVote ?? loadVote(ctx, question.id),
    }),
    replies: t.field({
      type: [ReplyRef],
      description: 'What people replied.',
      extensions: { ...reading(), ...weighing({ items: partsOf }) },
      args: { first: t.arg.int({ description: firstOfParts }) },
      resolve: ({ id }, { first }, ctx, info) =>
        loadChildren(ctx, id, {
          kind: 'question_reply',
          first: nested(first),
          shown: shownOf(info),
        }),
    }),
  }),
});

export const ReplyRef = builder.prismaObject('Resource', {
  variant: kinds.question_reply.type,
  interfaces,
  description: describe('question_reply'),
  fields: (t) => ({
    acceptedAnswer: t.exposeBoolean('acceptedAnswer'),
    reactions: t.exposeStringList('reactions'),
    votesSum: t.exposeInt('votesSum'),
    currentUserVote: t.int({
      description: "The viewer's own vote: 1, -1, or 0 for none.",
      extensions: reading(),
      resolve: (reply: ResourceRow, _args, ctx) => reply.currentUserVote ?? loadVote(ctx, reply.id),
    }),
  }),
});

builder.prismaObject('Resource', {
  variant: kinds.event_property.type,
  interfaces,
  description: describe('event_property'),
  fields: (t) => ({
    type: t.exposeString('type', { nullable: true }),
    sortOrder: t.exposeInt('sortOrder', { nullable: true }),
  }),
});

export const TermRef = builder.prismaObject('Resource', {
  variant: kinds.glossary.type,
  interfaces,
  description: describe(
    'glossary',
    ' Custom properties of the type `resource` link it with others.',
  ),
  fields: () => ({}),
});

export const JobOfPipelineRef = builder.prismaObject('Resource', {
  variant: kinds.job.type,
  interfaces,
  description: describe('job', ' Pipelines run it, and events of OpenLineage say of its runs.'),
  fields: () => ({}),
});

for (const kind of ['event', 'category', 'collection'] as const) {
  builder.prismaObject('Resource', {
    variant: kinds[kind].type,
    interfaces,
    description: describe(kind),
    fields: () => ({}),
  });
}

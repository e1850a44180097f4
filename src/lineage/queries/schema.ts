// Lineage from queries in GraphQL: what a query reads and writes, and what is not known.

import { builder } from '../../graphql/builder.ts';
import { weighing } from '../../graphql/limits/weight.ts';
import type {
  Diagnostic,
  IndirectColumn,
  OutputColumn,
  SqlError,
  UnresolvedColumn,
} from '../sql/answer.ts';
import { DIALECT_NAMES, DIALECTS } from '../sql/dialect.ts';
import { LineageUse } from '../strength-schema.ts';
import type { QueryLineage, QueryStatement } from './catalog-terms.ts';
import {
  DiagnosticCodeEnum,
  OutputOriginEnum,
  StatementKindEnum,
  UnresolvedReasonEnum,
} from './enum-schema.ts';
import { createFromQuery, previewQuery, replaceFromQuery } from './from-query.ts';
import { QueryColumnRef, QueryTableRef } from './table-schema.ts';
import { reasonOf } from './unread.ts';

const ColumnLineageRef = builder
  .objectRef<QueryLineage['columns'][number]>('ColumnLineage')
  .implement({
    description: 'A column that flows into another.',
    fields: (t) => ({
      fromColumn: t.field({
        type: QueryColumnRef,
        description: 'Where it comes from.',
        resolve: ({ from }) => from,
      }),
      toColumn: t.field({
        type: QueryColumnRef,
        description: 'Where it arrives.',
        resolve: ({ to }) => to,
      }),
      uses: t.field({
        type: [LineageUse],
        description: 'How the one is made of the other.',
        resolve: ({ uses }) => [...uses],
      }),
    }),
  });

const IndirectRef = builder.objectRef<IndirectColumn>('IndirectColumn').implement({
  description: 'A column that decides which rows come out, but is not one of their values.',
  fields: (t) => ({
    table: t.string({ description: 'Name of its table.', resolve: ({ table }) => table.name }),
    column: t.exposeString('column', { description: 'Its name.' }),
    uses: t.field({
      type: [LineageUse],
      description: 'What it is used for.',
      resolve: ({ uses }) => [...uses],
    }),
  }),
});

const UnresolvedRef = builder.objectRef<UnresolvedColumn>('UnresolvedColumn').implement({
  description: 'A column whose table cannot be determined.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'As the query writes it.' }),
    reason: t.expose('reason', { type: UnresolvedReasonEnum, description: 'Why it cannot.' }),
    message: t.exposeString('message', { description: 'The same in words.' }),
    candidates: t.exposeStringList('candidates', { description: 'Tables that may have it.' }),
    line: t.exposeInt('line', { description: 'Its line in the text, from 1.' }),
    column: t.exposeInt('column', { description: 'Its column in that line, from 1.' }),
  }),
});

const DiagnosticRef = builder.objectRef<Diagnostic>('SqlDiagnostic').implement({
  description: 'Something to know about a statement that is no error.',
  fields: (t) => ({
    code: t.expose('code', { type: DiagnosticCodeEnum, description: 'What it is.' }),
    message: t.exposeString('message', { description: 'The same in words.' }),
    line: t.exposeInt('line', { description: 'Its line in the text, from 1.' }),
    column: t.exposeInt('column', { description: 'Its column in that line, from 1.' }),
  }),
});

const OutputRef = builder.objectRef<OutputColumn>('OutputColumn').implement({
  description: 'A column that comes out of a statement.',
  fields: (t) => ({
    name: t.exposeString('column', { description: 'Its name.' }),
    from: t.expose('from', { type: OutputOriginEnum, description: 'What it is made of.' }),
    sources: t.stringList({
      description: 'The columns it is made of, with their tables.',
      resolve: ({ sources }) =>
        sources.map(({ table, column, fields = [] }) => [table.name, column, ...fields].join('.')),
    }),
    expression: t.exposeString('expression', {
      nullable: true,
      description: 'The expression that makes it; null where a column is handed on as it is.',
    }),
  }),
});

const SkippedRef = builder.objectRef<SqlError>('SkippedStatement').implement({
  description: 'A statement that cannot be read and is left out.',
  fields: (t) => ({
    statement: t.exposeInt('statement', { description: 'Which statement of the text, from 1.' }),
    line: t.exposeInt('line', { description: 'The line where it cannot be read, from 1.' }),
    column: t.exposeInt('column', { description: 'The column in that line, from 1.' }),
    reason: t.string({ description: 'Why it cannot be read.', resolve: reasonOf }),
  }),
});

const StatementRef = builder.objectRef<QueryStatement>('StatementLineage').implement({
  description: 'What one statement does to one table.',
  fields: (t) => ({
    statement: t.exposeInt('statement', { description: 'Which statement of the text, from 1.' }),
    kind: t.expose('kind', { type: StatementKindEnum, description: 'What it does.' }),
    line: t.exposeInt('line', { description: 'The line it begins in, from 1.' }),
    target: t.string({
      nullable: true,
      description: 'Name of the table that it writes.',
      resolve: ({ target }) => target?.name ?? null,
    }),
    targetTable: t.expose('targetTable', {
      type: QueryTableRef,
      nullable: true,
      description: 'The table that it writes.',
    }),
    sources: t.stringList({
      description: 'Names of the tables that it reads.',
      resolve: ({ sources }) => sources.map(({ name }) => name),
    }),
    outputs: t.field({
      type: [OutputRef],
      description: 'The columns that come out, in order.',
      resolve: ({ outputs }) => outputs,
    }),
  }),
});

const QueryLineageRef = builder.objectRef<QueryLineage>('QueryLineage').implement({
  description: 'What a text of SQL reads and writes, and what cannot be determined about it.',
  fields: (t) => ({
    sql: t.exposeString('sql', { description: 'The text.' }),
    dialect: t.string({
      description: 'The dialect it was read in.',
      resolve: ({ traced }) => traced.dialect,
    }),
    fingerprint: t.string({
      description: 'The same for texts that differ only in white space, comments and constants.',
      resolve: ({ traced }) => traced.fingerprint,
    }),
    sourceTables: t.field({
      type: [QueryTableRef],
      description: 'The tables it reads.',
      resolve: ({ sources }) => [...sources],
    }),
    targetTable: t.field({
      type: QueryTableRef,
      nullable: true,
      description: 'The table it writes; null for a query without one.',
      resolve: ({ target }) => target,
    }),
    columnLineages: t.field({
      type: [ColumnLineageRef],
      description: 'Which columns flow into which.',
      resolve: ({ columns }) => [...columns],
    }),
    indirect: t.field({
      type: [IndirectRef],
      description: 'Columns that filter, join, group or sort.',
      resolve: ({ traced }) => traced.statements.flatMap(({ indirect }) => indirect),
    }),
    unresolved: t.field({
      type: [UnresolvedRef],
      description: 'Columns whose table cannot be determined; they make no edges.',
      resolve: ({ traced }) => traced.statements.flatMap(({ unresolved }) => unresolved),
    }),
    diagnostics: t.field({
      type: [DiagnosticRef],
      description: 'Unknown tables, several that fit, stars that could not be expanded, and so on.',
      resolve: ({ traced }) => traced.statements.flatMap(({ diagnostics }) => diagnostics),
    }),
    statements: t.field({
      type: [StatementRef],
      description: 'The statements one by one.',
      resolve: ({ statements }) => [...statements],
    }),
    skipped: t.field({
      type: [SkippedRef],
      description: 'The statements that cannot be read. They are left out.',
      resolve: ({ traced }) => traced.errors,
    }),
  }),
});

const dialects = `One of ${DIALECTS.join(', ')}, or an everyday alias such as postgresql.`;
const form = { enum: DIALECT_NAMES };
const strict =
  'Whether to refuse the text where one of its statements cannot be read. Else such statements are skipped, and only a text of which nothing can be read is refused.';

builder.queryField('lineageFromQuery', (t) =>
  t.field({
    type: QueryLineageRef,
    description: 'What a query reads and writes. Writes nothing.',
    args: {
      sql: t.arg.string({ required: true, description: 'One or several statements.' }),
      dialect: t.arg.string({ required: true, description: dialects, extensions: { form } }),
      tableId: t.arg.id({ description: 'The table it fills, for a query that does not say so.' }),
      defaultDatabase: t.arg.string({ description: 'Database of names that have none.' }),
      defaultSchema: t.arg.string({ description: 'Schema of names that have none.' }),
      strict: t.arg.boolean({ description: strict }),
    },
    // A text may keep its thread for seconds.
    extensions: weighing({ own: 50_000 }),
    resolve: (_root, args, ctx) => previewQuery(ctx, args),
  }),
);

const QueryLineageInput = builder.inputType('QueryLineageInput', {
  description: 'A query, and how to read the names in it.',
  fields: (t) => ({
    sql: t.string({ required: true, description: 'One or several statements.' }),
    dialect: t.string({ required: true, description: dialects, extensions: { form } }),
    tableId: t.id({ description: 'The table it fills, for a query that does not say so.' }),
    defaultDatabase: t.string({ description: 'Database of names that have none.' }),
    defaultSchema: t.string({ description: 'Schema of names that have none.' }),
    strict: t.boolean({ description: strict }),
  }),
});

builder.mutationFields((t) => {
  const input = t.arg({ type: QueryLineageInput, required: true, description: 'The query.' });
  return {
    createLineageFromQuery: t.field({
      type: QueryLineageRef,
      description:
        'Create the lineage of a query in addition to what there is, and keep the query.',
      args: { input },
      resolve: (_root, args, ctx) => createFromQuery(ctx, args.input),
    }),
    replaceLineageFromQuery: t.field({
      type: QueryLineageRef,
      description: 'The same, in place of all that flowed into its table and is not manual.',
      args: { input },
      resolve: (_root, args, ctx) => replaceFromQuery(ctx, args.input),
    }),
  };
});

// In charge of lineage from queries in GraphQL: what a query reads and writes, and what is not known.

import { builder } from '../graphql/builder.ts';
import { parseKind } from '../resources/kind.ts';
import { loadResource } from '../resources/loaders.ts';
import { ResourceKind, ResourceRef } from '../resources/schema.ts';
import {
  createFromQuery,
  previewQuery,
  type QueryColumn,
  type QueryLineage,
  type QueryTable,
  replaceFromQuery,
} from './from-query.ts';
import type {
  Diagnostic,
  IndirectColumn,
  OutputColumn,
  StatementLineage,
  UnresolvedColumn,
} from './sql/answer.ts';
import { DIALECTS } from './sql/dialect.ts';

const QueryTableRef = builder.objectRef<QueryTable>('QueryTable').implement({
  description:
    'A table that a query names. Its id and dates are null where the catalog has it not.',
  fields: (t) => ({
    id: t.id({ nullable: true, description: 'Its id.', resolve: ({ known }) => known?.id ?? null }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was added to the catalog.',
      resolve: ({ known }) => known?.createdAt ?? null,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it last changed in the catalog.',
      resolve: ({ known }) => known?.updatedAt ?? null,
    }),
    name: t.exposeString('name', { description: 'Its name in the query, with the defaults.' }),
    title: t.string({
      description: 'Its title, or the last part of its name.',
      resolve: ({ known, path, name }) => known?.title ?? path.at(-1) ?? name,
    }),
    schemaName: t.string({
      nullable: true,
      description: 'Its schema.',
      resolve: ({ known, path }) => (known ? known.schemaName : (path.at(-2) ?? null)),
    }),
    databaseName: t.string({
      nullable: true,
      description: 'Its database.',
      resolve: ({ known, path }) => (known ? known.databaseName : (path.at(-3) ?? null)),
    }),
    nativeType: t.string({
      nullable: true,
      description: 'Its type in the source.',
      resolve: ({ known }) => known?.nativeType ?? null,
    }),
    integrationId: t.id({
      nullable: true,
      description: 'Integration it came from.',
      resolve: ({ known }) => known?.integrationId ?? null,
    }),
    integrationTitle: t.string({
      nullable: true,
      description: 'Name of that integration.',
      resolve: ({ known }) => known?.integrationTitle ?? null,
    }),
    integrationType: t.string({
      nullable: true,
      description: 'Type of that integration.',
      resolve: ({ known }) => known?.integrationType ?? null,
    }),
    resource: t.field({
      type: ResourceRef,
      nullable: true,
      description: 'The table in the catalog.',
      resolve: ({ known }, _args, ctx) => (known ? loadResource(ctx, known.id) : null),
    }),
  }),
});

const QueryColumnRef = builder.objectRef<QueryColumn>('QueryColumn').implement({
  description: 'A column that a query names. Its id is null where the catalog has it not.',
  fields: (t) => ({
    id: t.id({ nullable: true, description: 'Its id.', resolve: ({ known }) => known?.id ?? null }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was added to the catalog.',
      resolve: ({ known }) => known?.createdAt ?? null,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it last changed in the catalog.',
      resolve: ({ known }) => known?.updatedAt ?? null,
    }),
    title: t.string({
      description: 'Its name; * stands for all columns of a table that is not known.',
      resolve: ({ known, name }) => known?.title ?? name,
    }),
    kind: t.field({
      type: ResourceKind,
      description: 'Always column.',
      resolve: () => parseKind('column'),
    }),
    type: t.string({
      nullable: true,
      description: 'Its data type.',
      resolve: ({ known }) => known?.type ?? null,
    }),
    schemaName: t.string({
      nullable: true,
      description: 'Schema of its table.',
      resolve: ({ table }) => table?.known?.schemaName ?? table?.path.at(-2) ?? null,
    }),
    databaseName: t.string({
      nullable: true,
      description: 'Database of its table.',
      resolve: ({ table }) => table?.known?.databaseName ?? table?.path.at(-3) ?? null,
    }),
    nativeType: t.string({
      nullable: true,
      description: 'Its type in the source.',
      resolve: ({ known }) => known?.nativeType ?? null,
    }),
    integrationId: t.id({
      nullable: true,
      description: 'Integration it came from.',
      resolve: ({ table }) => table?.known?.integrationId ?? null,
    }),
    integrationTitle: t.string({
      nullable: true,
      description: 'Name of that integration.',
      resolve: ({ table }) => table?.known?.integrationTitle ?? null,
    }),
    integrationType: t.string({
      nullable: true,
      description: 'Type of that integration.',
      resolve: ({ table }) => table?.known?.integrationType ?? null,
    }),
    table: t.field({
      type: QueryTableRef,
      nullable: true,
      description: 'Its table; null for a column of a query that fills no table.',
      resolve: ({ table }) => table,
    }),
  }),
});

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
    }),
  });

const IndirectRef = builder.objectRef<IndirectColumn>('IndirectColumn').implement({
  description: 'A column that decides which rows come out, and is no value of theirs.',
  fields: (t) => ({
    table: t.string({ description: 'Name of its table.', resolve: ({ table }) => table.name }),
    column: t.exposeString('column', { description: 'Its name.' }),
    uses: t.stringList({
      description: 'FILTER, JOIN, GROUP or SORT: what it is used for.',
      resolve: ({ uses }) => uses,
    }),
  }),
});

const UnresolvedRef = builder.objectRef<UnresolvedColumn>('UnresolvedColumn').implement({
  description: 'A column whose table cannot be told.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'As the query writes it.' }),
    reason: t.exposeString('reason', {
      description: 'AMBIGUOUS: several tables may have it. UNKNOWN: none has it.',
    }),
    message: t.exposeString('message', { description: 'The same in words.' }),
    candidates: t.exposeStringList('candidates', { description: 'Tables that may have it.' }),
    line: t.exposeInt('line', { description: 'Its line in the text, from 1.' }),
    column: t.exposeInt('column', { description: 'Its column in that line, from 1.' }),
  }),
});

const DiagnosticRef = builder.objectRef<Diagnostic>('SqlDiagnostic').implement({
  description: 'Something to know about a statement that is no error.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'What it is, such as UNKNOWN_TABLE.' }),
    message: t.exposeString('message', { description: 'The same in words.' }),
    line: t.exposeInt('line', { description: 'Its line in the text, from 1.' }),
    column: t.exposeInt('column', { description: 'Its column in that line, from 1.' }),
  }),
});

const OutputRef = builder.objectRef<OutputColumn>('OutputColumn').implement({
  description: 'A column that comes out of a statement.',
  fields: (t) => ({
    name: t.exposeString('column', { description: 'Its name.' }),
    from: t.exposeString('from', {
      description: 'COLUMNS, CONSTANT, ROWS (such as count(*)) or UNRESOLVED: what it is made of.',
    }),
    sources: t.stringList({
      description: 'The columns it is made of, with their tables.',
      resolve: ({ sources }) => sources.map(({ table, column }) => `${table.name}.${column}`),
    }),
    expression: t.exposeString('expression', {
      nullable: true,
      description: 'The expression that makes it; null where a column is handed on as it is.',
    }),
  }),
});

const StatementRef = builder.objectRef<StatementLineage>('StatementLineage').implement({
  description: 'What one statement does to one table.',
  fields: (t) => ({
    statement: t.exposeInt('statement', { description: 'Which statement of the text, from 1.' }),
    kind: t.exposeString('kind', { description: 'SELECT, INSERT, CREATE_TABLE, MERGE and so on.' }),
    line: t.exposeInt('line', { description: 'The line it begins in, from 1.' }),
    target: t.string({
      nullable: true,
      description: 'Name of the table that it writes.',
      resolve: ({ target }) => target?.name ?? null,
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
  description: 'What a text of SQL reads and writes, and what cannot be told of it.',
  fields: (t) => ({
    sql: t.exposeString('sql', { description: 'The text.' }),
    dialect: t.string({
      description: 'The dialect it was read in.',
      resolve: ({ traced }) => traced.dialect,
    }),
    fingerprint: t.string({
      description: 'Equal for texts that differ in blanks, comments and constants only.',
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
      description: 'Columns whose table cannot be told; they make no edges.',
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
      resolve: ({ traced }) => traced.statements,
    }),
  }),
});

const dialects = `One of ${DIALECTS.join(', ')}, or an everyday alias such as postgresql.`;

builder.queryField('lineageFromQuery', (t) =>
  t.field({
    type: QueryLineageRef,
    description: 'What a query reads and writes. Writes nothing.',
    args: {
      sql: t.arg.string({ required: true, description: 'One or several statements.' }),
      dialect: t.arg.string({ required: true, description: dialects }),
      tableId: t.arg.id({ description: 'The table it fills, for a query that does not say so.' }),
      defaultDatabase: t.arg.string({ description: 'Database of names that have none.' }),
      defaultSchema: t.arg.string({ description: 'Schema of names that have none.' }),
    },
    resolve: (_root, args, ctx) => previewQuery(ctx, args),
  }),
);

const QueryLineageInput = builder.inputType('QueryLineageInput', {
  description: 'A query, and how to read the names in it.',
  fields: (t) => ({
    sql: t.string({ required: true, description: 'One or several statements.' }),
    dialect: t.string({ required: true, description: dialects }),
    tableId: t.id({ description: 'The table it fills, for a query that does not say so.' }),
    defaultDatabase: t.string({ description: 'Database of names that have none.' }),
    defaultSchema: t.string({ description: 'Schema of names that have none.' }),
  }),
});

builder.mutationFields((t) => {
  const input = t.arg({ type: QueryLineageInput, required: true, description: 'The query.' });
  return {
    createLineageFromQuery: t.field({
      type: QueryLineageRef,
      description: 'Create the lineage of a query, beside what there is, and keep the query.',
      args: { input },
      resolve: (_root, args, ctx) => createFromQuery(ctx, args.input),
    }),
    replaceLineageFromQuery: t.field({
      type: QueryLineageRef,
      description: 'The same, in the place of all that flowed into its table and is not manual.',
      args: { input },
      resolve: (_root, args, ctx) => replaceFromQuery(ctx, args.input),
    }),
  };
});

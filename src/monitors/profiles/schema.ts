// Profiles and samples of tables in GraphQL.

import { builder } from '../../graphql/builder.ts';
import { statement, weighing } from '../../graphql/limits/weight.ts';
import { JobRef } from '../../jobs/schema.ts';
import { ColumnRef, TableRef } from '../../resources/kind-schema.ts';
import { reading } from '../../resources/shown.ts';
import {
  type ColumnProfile,
  getProfile,
  loadColumnProfile,
  loadProfile,
  startProfile,
  type TableProfileSeen,
} from './profile.ts';
import { fewestRows, type TopValue } from './profile-scan.ts';
import { sampleTable, type TableSample } from './sample-rows.ts';

const TopValueRef = builder.objectRef<TopValue>('TopValue').implement({
  description: 'A value of a column, and how common it is.',
  fields: (t) => ({
    value: t.exposeString('value', { description: 'The value, of up to 200 characters.' }),
    count: t.expose('count', { type: 'SafeInt', description: 'How many rows have it.' }),
  }),
});

const moment = (said: string | null) => (said === null ? null : new Date(said));

const ColumnProfileRef = builder.objectRef<ColumnProfile>('ColumnProfile').implement({
  description: 'What was found of the values of a column when its table was profiled last.',
  fields: (t) => ({
    columnId: t.exposeID('id', { description: 'Id of the column.' }),
    title: t.exposeString('title', { description: 'Name of the column.' }),
    isPersonal: t.exposeBoolean('isPersonal', {
      description: 'Whether its values are personal: then they are counted, and none is shown.',
    }),
    nullPercentage: t.exposeFloat('nullPercentage', {
      nullable: true,
      description: 'Rows without a value, in per cent; null of an empty table.',
    }),
    distinctCount: t.expose('distinctCount', {
      type: 'SafeInt',
      nullable: true,
      description: 'How many different values it has; null where they cannot be compared.',
    }),
    minimum: t.exposeFloat('minimum', { nullable: true, description: 'The smallest number.' }),
    maximum: t.exposeFloat('maximum', { nullable: true, description: 'The largest number.' }),
    mean: t.exposeFloat('mean', { nullable: true, description: 'The mean of the numbers.' }),
    earliest: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The earliest time.',
      resolve: ({ earliest }) => moment(earliest),
    }),
    latest: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The latest time.',
      resolve: ({ latest }) => moment(latest),
    }),
    averageLength: t.exposeFloat('averageLength', {
      nullable: true,
      description: 'Characters of a text, on average.',
    }),
    topValues: t.field({
      type: [TopValueRef],
      description: `The commonest values, 10 at most, of a column with up to 1,000 different ones; none that fewer than ${fewestRows} rows have.`,
      resolve: ({ topValues }) => [...topValues],
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'Why something could not be measured.',
    }),
  }),
});

const TableProfileRef = builder.objectRef<TableProfileSeen>('TableProfile').implement({
  description: 'What was found of a table when it was profiled last.',
  fields: (t) => ({
    takenAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was taken; null where none was yet.',
      resolve: ({ takenAt }) => takenAt,
    }),
    rowCount: t.expose('rowCount', {
      type: 'SafeInt',
      nullable: true,
      description: 'How many rows there were.',
    }),
    everyHours: t.exposeInt('everyHours', {
      nullable: true,
      description: 'Hours between profiles; null where they are taken only when somebody asks.',
    }),
    nextAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the next one is due.',
      resolve: ({ nextAt }) => nextAt,
    }),
    columns: t.field({
      type: [ColumnProfileRef],
      description: 'Its columns in their order, the first 200.',
      resolve: ({ columns }) => [...columns],
    }),
  }),
});

builder.prismaObjectFields(TableRef, (t) => ({
  profile: t.field({
    type: TableProfileRef,
    nullable: true,
    description: 'The latest profile; null where none was asked for.',
    extensions: { ...reading(), ...weighing({ own: 2 * statement }) },
    resolve: ({ id }, _args, ctx) => loadProfile(ctx, id),
  }),
}));

builder.prismaObjectFields(ColumnRef, (t) => ({
  profile: t.field({
    type: ColumnProfileRef,
    nullable: true,
    description: 'What the latest profile of its table found of it; null where none was taken.',
    extensions: { ...reading('parentId'), ...weighing({ own: 2 * statement }) },
    resolve: (column, _args, ctx) => loadColumnProfile(ctx, column),
  }),
}));

const TableSampleRef = builder.objectRef<TableSample>('TableSample').implement({
  description: 'Some rows of a table, as they were read now. They are kept nowhere.',
  fields: (t) => ({
    columns: t.stringList({
      description: 'Names of the columns, 100 at most.',
      resolve: ({ columns }) => [...columns],
    }),
    rows: t.field({
      type: 'JSON',
      description:
        'The rows: each a list of texts in the order of the columns, 200 characters each, and null where it has none.',
      resolve: ({ rows }) => rows,
    }),
    personal: t.stringList({
      description: 'Names of the columns that are left out, as they are personal.',
      resolve: ({ personal }) => [...personal],
    }),
  }),
});

const tableId = { description: 'Id of the table.', required: true } as const;

builder.queryFields((t) => ({
  tableProfile: t.field({
    type: TableProfileRef,
    nullable: true,
    description: 'The latest profile of a table; without columns where none was taken.',
    args: { tableId: t.arg.id(tableId) },
    resolve: (_root, { tableId }, ctx) => getProfile(ctx, tableId),
  }),
}));

builder.mutationFields((t) => ({
  profileTable: t.field({
    type: JobRef,
    description:
      'Take the profile of a table now, in the background: answers the job. Editors may. It replaces the one before.',
    args: {
      tableId: t.arg.id(tableId),
      everyHours: t.arg.int({
        description:
          'Take it again each time so many hours are over, 1 to 744; 0 takes no more; what is absent leaves that as it is.',
      }),
    },
    resolve: (_root, { tableId, everyHours }, ctx) => startProfile(ctx, tableId, everyHours),
  }),
  sampleTable: t.field({
    type: TableSampleRef,
    description:
      'Read some rows of a table from its source. The roles may that `previewRoles` of the integration names; ' +
      'columns that are personal are left out.',
    args: {
      tableId: t.arg.id(tableId),
      rows: t.arg.int({ defaultValue: 20, description: 'How many, 1 to 100.' }),
    },
    extensions: weighing({ isUnbounded: true }),
    resolve: (_root, { tableId, rows }, ctx) => sampleTable(ctx, tableId, rows ?? 20),
  }),
}));

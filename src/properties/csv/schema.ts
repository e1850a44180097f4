// Lists of resources as CSV, and back, in GraphQL.

import { builder } from '../../graphql/builder.ts';
import { lengthOf, weighing } from '../../graphql/limits/weight.ts';
import { JobRef } from '../../jobs/schema.ts';
import { maxAtOnce, maxMany } from '../edit-many.ts';
import { UnchangedRef } from '../edit-many-schema.ts';
import { csvOf } from './csv-lines.ts';
import { type CsvChanged, type CsvDifference, updateFromCsv } from './csv-update.ts';

const DifferenceRef = builder.objectRef<CsvDifference>('CsvDifference').implement({
  description: 'A cell that says something else than the resource does.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the resource.' }),
    titleFull: t.exposeString('titleFull', { description: 'Its full name.' }),
    column: t.exposeString('column', { description: 'The column.' }),
    before: t.exposeString('before', { description: 'What the resource says.' }),
    after: t.exposeString('after', { description: 'What the cell says.' }),
  }),
});

const ResultRef = builder.objectRef<CsvChanged>('UpdateResourcesFromCsvResult').implement({
  description: 'What became of the changes of a CSV file.',
  fields: (t) => ({
    lines: t.exposeInt('lines', { description: 'Lines of the file, without its header.' }),
    matched: t.exposeInt('matched', {
      description: 'Lines that say something else than their resources do.',
    }),
    updated: t.exposeInt('updated', {
      description:
        'How many were changed; with dryRun, how many would be. None yet where there is a job.',
    }),
    failed: t.field({
      type: [UnchangedRef],
      description: 'Those that were not.',
      resolve: ({ failed }) => [...failed],
    }),
    differences: t.field({
      type: [DifferenceRef],
      description: 'The cells that differ, the first 1,000.',
      resolve: ({ differences }) => differences.slice(0, 1_000),
    }),
    ignoredColumns: t.stringList({
      description: 'Columns that only say which resource a line is about.',
      resolve: ({ ignored }) => [...ignored],
    }),
    job: t.field({
      type: JobRef,
      nullable: true,
      description: 'What makes the changes, where they are more than one request does by itself.',
      resolve: ({ job }) => job,
    }),
  }),
});

builder.queryField('resourcesCsv', (t) =>
  t.string({
    nullable: true,
    description:
      'Some resources as CSV, by full name, with a header: what `updateResourcesFromCsv` takes back. Those that the viewer ' +
      'may not see are left out.',
    args: {
      ids: t.arg.idList({ required: true, description: `The resources: 1 to ${maxAtOnce}.` }),
      columns: t.arg.stringList({
        description: 'Names of columns; all but `definition` and `url` without it.',
      }),
    },
    extensions: weighing({ own: lengthOf('ids') }),
    resolve: (_root, { ids, columns }, ctx) => csvOf(ctx, ids.map(String), columns),
  }),
);

builder.mutationField('updateResourcesFromCsv', (t) =>
  t.field({
    type: ResultRef,
    description:
      'Change resources as a CSV file says, a line each, as it is downloaded: what a column holds replaces what there is, ' +
      'an empty cell clears, and a column that is not there leaves alone. A line with a `version` that is not the ' +
      `resource's any more is refused. More than ${maxAtOnce} changes are made by a job, ${maxMany.toLocaleString('en')} at most. Editors may.`,
    args: {
      content: t.arg.string({ required: true, description: 'The file, with its header.' }),
      dryRun: t.arg.boolean({
        defaultValue: false,
        description: 'True changes nothing, and shows what differs.',
      }),
    },
    extensions: weighing({ isUnbounded: true }),
    resolve: (_root, { content, dryRun }, ctx) => updateFromCsv(ctx, content, dryRun ?? false),
  }),
);

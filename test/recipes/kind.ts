// Adding a kind: a stream, which lies in a schema.

import { after, type Recipe } from './recipe.ts';

const warehouse = 'src/resources/rest/warehouse.rest.graphql';

export const kind: Recipe = {
  title: 'Adding a kind',
  edits: [
    after(
      'src/resources/kind.ts',
      `  job: { type: 'PipelineJob', label: 'job', parents: ['job'], extracted: true },`,
      `  stream: { type: 'Stream', label: 'stream', parents: ['schema'], extracted: true },`,
    ),
    {
      file: 'src/resources/editing/fields.ts',
      from: `['database', 'schema', 'table', 'column'];`,
      to: `['database', 'schema', 'table', 'column', 'stream'];`,
    },
    {
      file: 'src/resources/kind-schema.ts',
      from: 'export const ColumnRef = ',
      to: `builder.prismaObject('Resource', {
  variant: kinds.stream.type,
  interfaces,
  description: describe('stream'),
  fields: (t) => ({
    databaseName: t.exposeString('databaseName', { nullable: true }),
    schemaName: t.exposeString('schemaName', { nullable: true }),
  }),
});

export const ColumnRef = `,
    },
    {
      file: warehouse,
      from: 'fragment ColumnRecord on Column {\n',
      to: `fragment StreamRecord on Stream {
  ...ResourceRecord
  database: databaseName
  schema: schemaName
}

fragment Stream on Stream
@kind(
  of: stream
  plural: "Streams"
  one: "a stream"
  many: "streams"
  tag: "Catalog"
  paths: ["/stream/streams"]
  new: "NewSchema"
  changed: "ChangedExtracted"
) {
  ...StreamRecord
}

fragment ColumnRecord on Column {
`,
    },
    {
      file: 'src/resources/rest/record.rest.graphql',
      from: '  ... on Schema {\n',
      to: '  ... on Stream {\n    ...StreamRecord\n  }\n  ... on Schema {\n',
    },
    {
      file: 'src/explorer/search/kinds.ts',
      from: `'question_reply', 'schema', 'table']`,
      to: `'question_reply', 'schema', 'stream', 'table']`,
    },
    after(
      'src/explorer/parts/icon.tsx',
      `  event: 'M9 2L4 9h4l-1 5 5-7H8z',`,
      `  stream: 'M2 5c4-3 8 3 12 0M2 11c4-3 8 3 12 0',`,
    ),
  ],
};

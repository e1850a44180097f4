// In charge of data tests in GraphQL: what a project checks of a table or column, and the results.

import { builder } from '../../graphql/builder.ts';
import { ColumnRef, TableRef } from '../../resources/kind-schema.ts';
import { seenId } from '../../resources/seen.ts';
import { loadDataTests } from './loaders.ts';

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
    columnId: t.id({
      nullable: true,
      description: 'The column that is tested.',
      resolve: ({ columnId }, _args, ctx) => seenId(ctx, columnId),
    }),
    severity: t.exposeString('severity'),
    status: t.exposeString('status', { nullable: true }),
    failures: t.exposeInt('failures', { nullable: true }),
    message: t.exposeString('message', { nullable: true }),
    lastRunAt: t.expose('lastRunAt', { type: 'DateTime', nullable: true }),
  }),
});

for (const [ref, what] of [
  [TableRef, 'it and its columns'],
  [ColumnRef, 'it'],
] as const) {
  builder.prismaObjectField(ref, 'dataTests', (t) =>
    t.field({
      type: [DataTestRef],
      description: `The tests that its project declares of ${what}, failing ones first; 100 at most.`,
      resolve: ({ id }, _args, ctx) => loadDataTests(ctx, id),
    }),
  );
}

// What hangs on an integration, in GraphQL: its resources, its jobs and the latest of its syncs.

import { builder } from '../graphql/builder.ts';
import { shownOf } from '../graphql/execution/shown-columns.ts';
import { pageArgs } from '../graphql/page.ts';
import { loadJobsOf, loadLastSync } from '../jobs/loaders.ts';
import { JobConnection, JobRef } from '../jobs/schema.ts';
import { loadHeld } from '../resources/lists/held.ts';
import { heldArgs } from '../resources/lists/where-schema.ts';
import { ResourceConnection } from '../resources/schema.ts';

builder.prismaObjectFields('Integration', (t) => ({
  resources: t.field({
    type: ResourceConnection,
    description: 'Resources that it describes, by title unless ordered otherwise.',
    args: { ...pageArgs, ...heldArgs },
    resolve: ({ id }, { where, orderBy, ...args }, ctx, info) =>
      loadHeld(
        ctx,
        id,
        { as: 'described by integration', where, orderBy, shown: shownOf(info) },
        args,
      ),
  }),
  jobs: t.field({
    type: JobConnection,
    description: 'Jobs that feed or read it, newest first, as far as the viewer may read them.',
    args: pageArgs,
    resolve: ({ id }, args, ctx) => loadJobsOf(ctx, id, args),
  }),
  lastSync: t.field({
    type: JobRef,
    nullable: true,
    description: 'The latest sync of it or upload to it, also one that runs or failed.',
    resolve: ({ id }, _args, ctx) => loadLastSync(ctx, id),
  }),
}));

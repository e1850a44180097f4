// Links of glossary terms in GraphQL.

import { builder } from '../graphql/builder.ts';
import { shownOf } from '../graphql/execution/shown-columns.ts';
import { pageArgs } from '../graphql/page.ts';
import { loadRelatedTerms, maxRelated } from './glossary.ts';
import { TermRef } from './kind-schema.ts';
import { loadHeld } from './lists/held.ts';
import { heldArgs } from './lists/where-schema.ts';
import { ResourceConnection } from './schema.ts';
import { reading } from './shown.ts';

builder.prismaObjectFields(TermRef, (t) => ({
  relatedTerms: t.field({
    type: [TermRef],
    description:
      'Terms that it names in a custom property of the type `resource`, and terms that name it there, ' +
      `by title; ${maxRelated} at most.`,
    extensions: reading(),
    resolve: ({ id }, _args, ctx) => loadRelatedTerms(ctx, id),
  }),
  linkedResources: t.field({
    type: ResourceConnection,
    description:
      'What names it in a custom property of the type `resource`, such as the columns that it explains.',
    extensions: reading(),
    args: { ...pageArgs, ...heldArgs },
    resolve: ({ id }, { where, orderBy, ...args }, ctx, info) =>
      loadHeld(ctx, id, { as: 'naming a term', where, orderBy, shown: shownOf(info) }, args),
  }),
}));

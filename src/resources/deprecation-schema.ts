// Deprecation of resources in GraphQL.

import type { Resource } from '../generated/prisma/client.ts';
import { builder } from '../graphql/builder.ts';
import { resourceAt } from './schema.ts';
import { reading } from './shown.ts';

type Deprecated = Pick<Resource, 'id' | 'deprecationNote' | 'successorId'> & {
  readonly deprecatedAt: Date;
};

const DeprecationRef = builder.objectRef<Deprecated>('Deprecation').implement({
  description: 'That a resource is no longer to be used.',
  fields: (t) => ({
    since: t.expose('deprecatedAt', { type: 'DateTime', description: 'Since when.' }),
    note: t.exposeString('deprecationNote', {
      nullable: true,
      description: 'Why, and what to do; null where nothing is said.',
    }),
    successor: t.field(
      resourceAt(
        'What is to be used in its place; null where there is none, or the viewer may not see it.',
        // Merging may have made one of the two.
        ({ id, successorId }: Deprecated) => (successorId === id ? null : successorId),
      ),
    ),
  }),
});

builder.prismaInterfaceFields('Resource', (t) => ({
  deprecation: t.field({
    type: DeprecationRef,
    nullable: true,
    description: 'That it is no longer to be used; null where it is.',
    extensions: reading('deprecatedAt', 'deprecationNote', 'successorId'),
    resolve: ({ id, deprecatedAt, deprecationNote, successorId }) =>
      deprecatedAt && { id, deprecatedAt, deprecationNote, successorId },
  }),
}));

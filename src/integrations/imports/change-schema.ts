// What an import changes, one by one and of what others describe as well, in GraphQL.

import { builder } from '../../graphql/builder.ts';
import { closedSet } from '../../graphql/views/closed-set.ts';
import { parseKind } from '../../resources/kind.ts';
import { ResourceKind } from '../../resources/schema.ts';
import type { SharedCounts } from './claims.ts';
import { type ListedChange, listedActions } from './listed.ts';

const ImportAction = closedSet('ImportAction', {
  description: 'What an import makes of a resource.',
  values: listedActions,
});

export const ImportChange = builder.objectRef<ListedChange>('ImportChange').implement({
  description: 'One resource that an import changes.',
  fields: (t) => ({
    action: t.expose('action', { type: ImportAction, description: 'What becomes of it.' }),
    kind: t.field({
      type: ResourceKind,
      description: 'Its kind.',
      resolve: ({ kind }) => parseKind(kind),
    }),
    title: t.exposeString('title', { description: 'Its full title.' }),
    fields: t.stringList({
      description: 'The fields that change, by name; none of what is new or gone.',
      resolve: ({ fields }) => [...fields],
    }),
    of: t.string({
      nullable: true,
      description:
        'Of what is claimed or left, the name of the integration that owns it; of what is merged, the full title of what is kept.',
      resolve: ({ of }) => (of === '' ? null : of),
    }),
  }),
});

export const SharedCountsRef = builder.objectRef<SharedCounts>('SharedCounts').implement({
  description: 'What an import does to resources that other integrations describe as well.',
  fields: (t) => ({
    claimed: t.exposeInt('claimed', {
      description: 'Resources that it describes together with others for the first time.',
    }),
    left: t.exposeInt('left', { description: 'Resources that it leaves to others.' }),
    merged: t.exposeInt('merged', {
      description: 'Resources that are made one with another one, which is kept.',
    }),
  }),
});

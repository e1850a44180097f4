// Searches that people keep, in GraphQL.

import { builder } from '../../../graphql/builder.ts';
import { createArgs, idArgs } from '../../../graphql/mutation-args.ts';
import { parseKind } from '../../kind.ts';
import { ResourceKind } from '../../schema.ts';
import { deleteSavedSearch, saveSearch } from './saved-search.ts';

export const SavedSearchRef = builder.prismaObject('SavedSearch', {
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    name: t.exposeString('name'),
    query: t.exposeString('query'),
    kinds: t.field({
      type: [ResourceKind],
      description: 'Kinds that it is narrowed to; any where there are none.',
      resolve: ({ kinds }) => kinds.map((kind) => parseKind(kind, 'kinds')),
    }),
    tagIds: t.exposeIDList('tagIds'),
    teamIds: t.exposeIDList('teamIds'),
    ownerIds: t.exposeIDList('ownerIds'),
    integrationIds: t.exposeIDList('integrationIds'),
  }),
});

const SaveSearchInput = builder.inputType('SaveSearchInput', {
  description: 'A search to keep, as `search` takes it.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name: one of the same name is replaced.' }),
    query: t.string({ description: 'Words and filters, as `search` takes them.' }),
    kinds: t.field({ type: [ResourceKind], description: 'Only these kinds.' }),
    tagIds: t.idList({ description: 'Only what has one of these tags.' }),
    teamIds: t.idList({ description: 'Only what one of these teams holds.' }),
    ownerIds: t.idList({ description: 'Only what one of these users owns.' }),
    integrationIds: t.idList({ description: 'Only what came from one of these integrations.' }),
  }),
});

builder.mutationFields((t) => ({
  saveSearch: t.field({
    type: SavedSearchRef,
    description: "Keep a search under a name, among the viewer's own.",
    args: createArgs(SaveSearchInput),
    resolve: (_root, { input }, ctx) => saveSearch(ctx, input),
  }),
  deleteSavedSearch: t.field({
    type: SavedSearchRef,
    description: 'Keep a search no longer; answers what it was.',
    args: idArgs('saved search'),
    resolve: (_root, { id }, ctx) => deleteSavedSearch(ctx, id),
  }),
}));

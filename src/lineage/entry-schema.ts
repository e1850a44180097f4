// What the edges of lineage look like in GraphQL, one by one: entries, and drawing them by hand.

import { builder } from '../graphql/builder.ts';
import { versionArgs } from '../graphql/mutation-args.ts';
import { connectionOf, pageArgs } from '../graphql/page.ts';
import { resourceAt } from '../resources/schema.ts';
import {
  createLineage,
  deleteLineage,
  getLineageEntry,
  type LineageEntry,
  listLineageEntries,
} from './edge.ts';
import { LineageOrigin } from './schema.ts';

const LineageEntryDirection = builder.enumType('LineageEntryDirection', {
  description: 'On which side of `from` the other end of an edge lies.',
  values: {
    UPSTREAM: { description: 'Data flows from `to` to `from`.' },
    DOWNSTREAM: { description: 'Data flows from `from` to `to`.' },
  } as const,
});

const LineageEntryType = builder.objectRef<LineageEntry>('LineageEntry').implement({
  description:
    'One of the two ways to show an edge: DOWNSTREAM as data flows, UPSTREAM seen from its target.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Unique identifier of the entry.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the edge was first known.',
    }),
    version: t.exposeInt('version', {
      description: 'Version of the edge, from 1: each change adds one.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When the edge last changed.',
    }),
    fromId: t.exposeID('fromId', { description: 'The resource that the entry starts from.' }),
    toId: t.exposeID('toId', { description: 'The resource at the other end.' }),
    from: t.field(
      resourceAt('The resource that the entry starts from.', ({ fromId }: LineageEntry) => fromId),
    ),
    to: t.field(resourceAt('The resource at the other end.', ({ toId }: LineageEntry) => toId)),
    direction: t.expose('direction', {
      type: LineageEntryDirection,
      description: 'On which side of `from` the other end lies.',
    }),
    isManual: t.exposeBoolean('isManual', { description: 'Whether a person drew the edge.' }),
    origin: t.expose('origin', {
      type: LineageOrigin,
      description: 'How the edge came to be known.',
    }),
  }),
});

const LineageEntryConnection = connectionOf('LineageEntry', LineageEntryType);

builder.queryFields((t) => ({
  lineageEntries: t.field({
    type: LineageEntryConnection,
    description: 'Both entries of each edge that somebody named, newest first.',
    args: {
      ...pageArgs,
      fromIds: t.arg.idList({ description: 'Only entries that start from one of these.' }),
      toIds: t.arg.idList({ description: 'Only entries whose other end is one of these.' }),
      isManual: t.arg.boolean({
        description: 'Only edges that a person drew, or only those that none did.',
      }),
    },
    resolve: (_root, { fromIds, toIds, isManual, ...page }, ctx) =>
      listLineageEntries(ctx, { fromIds, toIds, isManual }, page),
  }),
  lineageEntry: t.field({
    type: LineageEntryType,
    nullable: true,
    description: 'One entry, by its id.',
    args: { id: t.arg.id({ required: true, description: 'Id of the entry.' }) },
    resolve: (_root, { id }, ctx) => getLineageEntry(ctx, id),
  }),
}));

const LineageInput = builder.inputType('LineageInput', {
  description: 'An edge to draw, from either of its ends.',
  fields: (t) => ({
    fromId: t.id({ required: true, description: 'The resource that the entry starts from.' }),
    toId: t.id({ required: true, description: 'The resource at the other end.' }),
    direction: t.field({
      type: LineageEntryDirection,
      defaultValue: 'DOWNSTREAM',
      description: 'DOWNSTREAM: data flows from `from` to `to`. UPSTREAM: the other way.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createLineage: t.field({
    type: LineageEntryType,
    description: 'Draw an edge by hand. One that was drawn before is answered as it is.',
    args: { input: t.arg({ type: LineageInput, required: true, description: 'The edge.' }) },
    resolve: (_root, { input }, ctx) => createLineage(ctx, input),
  }),
  deleteLineage: t.field({
    type: 'ID',
    description: 'Delete an edge by the id of either of its entries; answers that id.',
    args: { id: t.arg.id({ required: true, description: 'Id of an entry.' }), ...versionArgs },
    resolve: async (_root, { id, expectedVersion }, ctx) =>
      (await deleteLineage(ctx, id, expectedVersion)).id,
  }),
}));

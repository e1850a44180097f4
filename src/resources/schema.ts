// What every resource looks like in GraphQL, whatever its kind.

import type { GraphQLResolveInfo } from 'graphql';
import { isAllowed, knownGroups, knownUser, knownUsers } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import type { Resource } from '../generated/prisma/client.ts';
import { builder } from '../graphql/builder.ts';
import { shownOf } from '../graphql/execution/shown-columns.ts';
import { numberOf, weighing } from '../graphql/limits/weight.ts';
import { NodeRef } from '../graphql/node-ref.ts';
import { connectionOf, pageArgs } from '../graphql/page.ts';
import { restOnly } from '../graphql/views/mark.ts';
import { isWebAddress } from '../text/text.ts';
import { loadVersions } from './editing/documentation-version.ts';
import { isConversation, kindNames, kinds, parseKind } from './kind.ts';
import { loadChildPage, loadChildrenCount, loadResources, loadShown } from './loaders.ts';
import type { ResourceRow } from './resource.ts';
import { seenId, seenIds, seenTeamIds } from './seen.ts';
import { reading } from './shown.ts';
import { titleCased } from './title.ts';
import { loadUsageDays } from './usage.ts';

export const ResourceKind = builder.enumType('ResourceKind', {
  description: 'Kind of a resource, spelled as `entity_type` is over REST.',
  values: Object.fromEntries(
    kindNames.map((name) => {
      const { label, type } = kinds[name];
      return [name, { description: `A ${label}, of the type \`${type}\`.` }];
    }),
  ),
});

interface Permissions {
  read: boolean;
  write: boolean;
  execute: boolean;
}

const PermissionsType = builder.objectRef<Permissions>('Permissions').implement({
  description: 'What the viewer may do with a resource.',
  fields: (t) => ({
    read: t.exposeBoolean('read', { description: 'Whether the viewer may read it.' }),
    write: t.exposeBoolean('write', { description: 'Whether the viewer may change it.' }),
    execute: t.exposeBoolean('execute', {
      description: 'Whether the viewer may run queries on it or trigger its extraction.',
    }),
  }),
});

const UsageDayType = builder.prismaObject('UsageDay', {
  fields: (t) => ({
    day: t.string({
      description: 'The day, in UTC, as YYYY-MM-DD.',
      resolve: ({ day }) => new Date(day).toISOString().slice(0, 10),
    }),
    internal: t.exposeInt('internal'),
    external: t.exposeFloat('external'),
  }),
});

export const VersionRef = builder.prismaObject('ResourceVersion', {
  fields: (t) => ({
    id: t.exposeID('id'),
    version: t.exposeInt('version'),
    definition: t.exposeString('definition'),
    authorId: t.id({
      nullable: true,
      description: 'The user who wrote it; null when an import brought it.',
      resolve: ({ authorId }, _args, ctx) => knownUser(ctx, authorId),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

const VersionConnection = connectionOf('ResourceVersion', VersionRef);

/** The interface that every kind's type implements. */
export const ResourceRef = builder.prismaInterface('Resource', {
  name: 'Resource',
  interfaces: [NodeRef],
  description: 'Something in the catalog. Each kind has a type of its own with further fields.',
  resolveType: ({ kind }) => kinds[parseKind(kind)].type,
  fields: (t) => ({
    id: t.exposeID('id'),
    workspaceId: t.exposeID('workspaceId', {
      description: 'Workspace it belongs to.',
      extensions: restOnly,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version'),
    kind: t.field({
      type: ResourceKind,
      description: 'Kind of the resource.',
      extensions: reading('kind'),
      resolve: ({ kind }) => parseKind(kind),
    }),
    nativeType: t.exposeString('nativeType', { nullable: true }),
    title: t.exposeString('title'),
    titleFull: t.exposeString('titleFull'),
    description: t.exposeString('description', { nullable: true }),
    definition: t.exposeString('definition'),
    definitionVersion: t.exposeInt('definitionVersion'),
    icon: t.exposeString('icon', { nullable: true }),
    url: t.string({
      nullable: true,
      description: 'Address of the resource in its source, http or https.',
      extensions: reading('url'),
      // No one may store another, but a page that links to one would run a script.
      resolve: ({ url }) => (url && isWebAddress(url) ? url : null),
    }),
    parentId: t.id({
      nullable: true,
      description: 'Resource that holds this one.',
      extensions: reading('parentId'),
      resolve: ({ parentId }, _args, ctx) => seenId(ctx, parentId),
    }),
    integrationId: t.exposeID('integrationId', { nullable: true }),
    databuilderId: t.exposeString('databuilderId', { nullable: true }),
    published: t.exposeBoolean('published'),
    archived: t.exposeBoolean('archived'),
    archivedAt: t.expose('archivedAt', { type: 'DateTime', nullable: true }),
    pii: t.exposeBoolean('pii'),
    verified: t.exposeBoolean('verified'),
    stale: t.exposeBoolean('stale'),
    staleAt: t.expose('staleAt', { type: 'DateTime', nullable: true }),
    forcedUnstaleByUser: t.exposeBoolean('forcedUnstaleByUser', {
      description: 'Whether a person said that it is there although its source no longer names it.',
    }),
    externalUsage: t.expose('externalUsage', { type: 'SafeInt' }),
    totalUsage: t.field({
      type: 'SafeInt',
      description: 'Uses in the catalog and in the source together.',
      extensions: reading('internalUsage', 'externalUsage'),
      resolve: ({ internalUsage, externalUsage }) => internalUsage + externalUsage,
    }),
    externalUpdatedAt: t.expose('externalUpdatedAt', { type: 'DateTime', nullable: true }),
    sourceMetadata: t.expose('sourceMetadata', { type: 'JSON' }),
    editedFields: t.exposeStringList('editedFields'),
    currentUserPermissions: t.field({
      type: PermissionsType,
      description: 'What the viewer may do with it.',
      extensions: reading('createdById', 'kind'),
      resolve: (resource, _args, ctx) => permissionsOn(ctx, resource),
    }),
  }),
});

/** A field that is the resource whose id a row has: null where it has none, or the viewer may not see it. */
export function resourceAt<Row>(
  description: string,
  idOf: (row: Row) => string | null | undefined,
) {
  return {
    type: ResourceRef,
    nullable: true,
    description,
    resolve: (row: Row, _args: object, ctx: Context, info: GraphQLResolveInfo) => {
      const id = idOf(row);
      return id == null ? null : loadShown(ctx, id, shownOf(info));
    },
  } as const;
}

/** What only the first API shows, and REST keeps; people ask for the things rather than for their ids. */
builder.prismaInterfaceFields('Resource', (t) => ({
  titleCased: t.string({
    extensions: { ...restOnly, ...reading('title') },
    description: 'Title in words: `order_items` reads `Order Items`.',
    resolve: ({ title }) => titleCased(title),
  }),
  multiplayerLastModifiedBy: t.id({
    extensions: { ...restOnly, ...reading('multiplayerLastModifiedBy') },
    nullable: true,
    description: 'User who last modified it.',
    resolve: ({ multiplayerLastModifiedBy }, _args, ctx) =>
      knownUser(ctx, multiplayerLastModifiedBy),
  }),
  multiplayerLastModified: t.expose('multiplayerLastModified', {
    extensions: restOnly,
    type: 'DateTime',
    nullable: true,
  }),
  searchMetadata: t.expose('searchMetadata', { type: 'JSON', extensions: restOnly }),
  displayMetadata: t.expose('displayMetadata', { type: 'JSON', extensions: restOnly }),
  internalUsage: t.exposeInt('internalUsage', { extensions: restOnly }),
  ownerIds: t.idList({
    extensions: { ...restOnly, ...reading('ownerIds') },
    description: 'Users who own it.',
    resolve: ({ ownerIds }, _args, ctx) => knownUsers(ctx, ownerIds),
  }),
  ownerGroupIds: t.idList({
    extensions: { ...restOnly, ...reading('ownerGroupIds') },
    description: 'Groups that own it.',
    resolve: ({ ownerGroupIds }, _args, ctx) => knownGroups(ctx, ownerGroupIds),
  }),
  collectionIds: t.idList({
    extensions: { ...restOnly, ...reading('collectionIds') },
    description: 'Collections it is part of.',
    resolve: ({ collectionIds }, _args, ctx) => seenIds(ctx, collectionIds),
  }),
  subscriberIds: t.idList({
    extensions: { ...restOnly, ...reading('subscriberIds') },
    description: 'Users who are notified of its changes.',
    resolve: ({ subscriberIds }, _args, ctx) => knownUsers(ctx, subscriberIds),
  }),
  bookmarkedByIds: t.idList({
    extensions: { ...restOnly, ...reading('bookmarkedByIds') },
    description: 'Users who bookmarked it.',
    resolve: ({ bookmarkedByIds }, _args, ctx) => knownUsers(ctx, bookmarkedByIds),
  }),
  multiplayerIds: t.idList({
    extensions: { ...restOnly, ...reading('multiplayerIds') },
    description: 'Users who lately opened or worked on it.',
    resolve: ({ multiplayerIds }, _args, ctx) => knownUsers(ctx, multiplayerIds),
  }),
  sourceIds: t.exposeIDList('sourceIds', { extensions: restOnly }),
  internalUserIds: t.idList({
    extensions: { ...restOnly, ...reading('internalUserIds') },
    description: 'Users who opened it in the catalog.',
    resolve: ({ internalUserIds }, _args, ctx) => knownUsers(ctx, internalUserIds),
  }),
  externalUserIds: t.idList({
    extensions: { ...restOnly, ...reading('externalUserIds') },
    description: 'Users who used it in its source.',
    resolve: ({ externalUserIds }, _args, ctx) => knownUsers(ctx, externalUserIds),
  }),
}));

function permissionsOn(ctx: Context, { createdById, kind }: Resource): Permissions {
  const isOwnWords = createdById === ctx.viewer.id && isConversation(kind);
  return {
    read: true,
    write: isAllowed(ctx, 'edit resources') || (isOwnWords && isAllowed(ctx, 'ask questions')),
    execute: isAllowed(ctx, 'manage integrations'),
  };
}

export const ResourceConnection = connectionOf('Resource', ResourceRef);

/** What hangs together with other resources. */
builder.prismaInterfaceFields('Resource', (t) => ({
  tagIds: t.exposeIDList('tagIds'),
  teamIds: t.idList({
    description: 'Teams that hold it.',
    extensions: reading('teamIds'),
    resolve: ({ teamIds }, _args, ctx) => seenTeamIds(ctx, teamIds),
  }),
  parent: t.field({
    ...resourceAt(
      'Resource that holds this one; null where there is none the viewer may see.',
      ({ parentId }: Resource) => parentId,
    ),
    extensions: reading('parentId'),
  }),
  childrenCount: t.int({
    description: 'How many resources it holds that the viewer may see.',
    extensions: reading(),
    resolve: (resource: ResourceRow, _args, ctx) =>
      resource.childrenCount ?? loadChildrenCount(ctx, resource.id),
  }),
  children: t.field({
    type: ResourceConnection,
    description:
      'Resources that it holds, by title. Those of many parents are read in one statement.',
    extensions: reading(),
    args: { ...pageArgs, kinds: t.arg({ type: [ResourceKind], description: 'Only these kinds.' }) },
    resolve: ({ id }, { kinds: only, ...args }, ctx, info) => {
      const kinds = only?.map((name) => parseKind(name));
      return loadChildPage(ctx, id, { kinds, shown: shownOf(info) }, args);
    },
  }),
  collections: t.field({
    type: [ResourceRef],
    description: 'Collections it is part of.',
    extensions: reading('collectionIds'),
    resolve: ({ collectionIds }, _args, ctx) => loadResources(ctx, collectionIds),
  }),
  versions: t.field({
    type: VersionConnection,
    description: 'Kept versions of its documentation, newest first; none if it never changed.',
    extensions: reading(),
    args: pageArgs,
    resolve: ({ id }, args, ctx) => loadVersions(ctx, id, args),
  }),
  usageDays: t.field({
    type: [UsageDayType],
    description: 'How it was used on the last days that it was used on, newest first.',
    args: { days: t.arg.int({ defaultValue: 30, description: 'How many days, 1 to 366.' }) },
    extensions: { ...weighing({ items: numberOf('days') }), ...reading() },
    resolve: ({ id }, { days }, ctx) => loadUsageDays(ctx, id, days ?? 30),
  }),
}));

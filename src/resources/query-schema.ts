// The queries on resources: one by id, many by a filter.

import { builder } from '../graphql/builder.ts';
import { selects } from '../graphql/execution/selection.ts';
import { shownOf } from '../graphql/execution/shown-columns.ts';
import { filterOf, sortOf } from '../graphql/filter.ts';
import { pageArgs } from '../graphql/page.ts';
import { parseKind } from './kind.ts';
import { resourceFields } from './lists/filter-fields.ts';
import { findByName } from './lists/full-name.ts';
import { ResourceOrderBy, ResourceWhere } from './lists/where-schema.ts';
import { findResource, listResources } from './resource.ts';
import { ResourceConnection, ResourceKind, ResourceRef } from './schema.ts';

/** Fields that are counted where they are asked for. */
export const countedFields = new Set(['childrenCount', 'currentUserVote']);

export const ResourceFilter = filterOf('Resource', resourceFields);
const ResourceSort = sortOf('Resource');

const DefaultOrder = builder.enumType('ResourceOrder', {
  description: 'The order of a list whose sort says nothing.',
  values: {
    newest: { description: 'The newest first.' },
    used: { description: 'The most used in their sources first.' },
  },
});

builder.queryField('resource', (t) =>
  t.field({
    type: ResourceRef,
    nullable: true,
    description: 'One resource; null where there is none by that id that the viewer may see.',
    args: {
      id: t.arg.id({ required: true, description: 'Its id.' }),
      kinds: t.arg({ type: [ResourceKind], description: 'Kinds it may be of; all by default.' }),
      archived: t.arg.boolean({ defaultValue: true, description: 'Also when it was deleted.' }),
    },
    resolve: (_root, { id, kinds: only, archived }, ctx, info) =>
      findResource(ctx, id, {
        archived: archived ?? true,
        extras: selects(info, countedFields),
        shown: shownOf(info),
        ...(only ? { kinds: only.map((name) => parseKind(name)) } : {}),
      }),
  }),
);

builder.queryField('resourceByName', (t) =>
  t.field({
    type: ResourceRef,
    nullable: true,
    description:
      'The resource of a full name, without deleted ones; null where there is none that the viewer may see, and ' +
      'BAD_REQUEST, which names them, where there are several.',
    args: {
      titleFull: t.arg.string({
        required: true,
        description: 'Its full name, such as `shop.public.orders`.',
      }),
      kind: t.arg({ type: ResourceKind, description: 'Its kind.' }),
      integrationId: t.arg.id({ description: 'An integration that describes it.' }),
    },
    resolve: (_root, { titleFull, kind, integrationId }, ctx, info) =>
      findByName(
        ctx,
        { titleFull, kind: kind ? parseKind(kind) : undefined, integrationId },
        { extras: selects(info, countedFields), shown: shownOf(info) },
      ),
  }),
);

builder.queryField('resources', (t) =>
  t.field({
    type: ResourceConnection,
    description:
      'Resources the viewer may see; deleted ones only where the filter names `archived`.',
    args: {
      ...pageArgs,
      kinds: t.arg({ type: [ResourceKind], description: 'Only these kinds.' }),
      filter: t.arg({ type: ResourceFilter, description: 'Only those that it holds for.' }),
      sort: t.arg({ type: [ResourceSort], description: 'Order, the most significant term first.' }),
      order: t.arg({ type: DefaultOrder, defaultValue: 'newest', description: 'Order otherwise.' }),
      where: t.arg({ type: ResourceWhere, description: 'Only those that it holds for.' }),
      orderBy: t.arg({
        type: [ResourceOrderBy],
        description: 'Order, the most significant term first; instead of sort.',
      }),
      title: t.arg.string({ description: 'Only titles that contain it, without regard to case.' }),
      parentId: t.arg.id({ description: 'Only what this resource holds.' }),
      integrationId: t.arg.id({ description: 'Only what this integration describes.' }),
      teamIds: t.arg.idList({ description: 'Only what one of these teams holds.' }),
    },
    resolve: (_root, { kinds: only, filter, sort, order, where, orderBy, ...rest }, ctx, info) => {
      const { title, parentId, integrationId, teamIds, ...args } = rest;
      return listResources(
        ctx,
        {
          kinds: only?.map((name) => parseKind(name)),
          filter,
          sort: sort ?? [],
          order: order ?? 'newest',
          where,
          orderBy,
          title,
          parentId,
          integrationId,
          teamIds,
          extras: selects(info, countedFields),
          shown: shownOf(info),
        },
        args,
      );
    },
  }),
);

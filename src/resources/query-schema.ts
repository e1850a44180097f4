// In charge of the queries on resources: one by id, many by a filter.

import { builder } from '../graphql/builder.ts';
import { pageArgs } from '../graphql/page.ts';
import { selects } from '../graphql/selection.ts';
import { parseKind } from './kind.ts';
import { findResource, listResources, resourceFields } from './resource.ts';
import { ResourceConnection, ResourceKind, ResourceRef } from './schema.ts';

const fieldList = Object.keys(resourceFields).join(', ');
const extras = new Set(['childrenCount', 'currentUserVote']);

const FilterOperator = builder.enumType('FilterOperator', {
  description: 'How a filter compares, or joins its operands.',
  values: {
    exact: { description: 'The field equals the value; of a set of ids, it holds the value.' },
    contains: { description: 'The text contains the value, without regard to case.' },
    in: { description: 'The field equals one of a list of values.' },
    is_set: { description: 'The field has a value; with value false, it has none.' },
    gt: { description: 'Greater or later than the value.' },
    gte: { description: 'Greater or later than the value, or equal to it.' },
    lt: { description: 'Less or earlier than the value.' },
    lte: { description: 'Less or earlier than the value, or equal to it.' },
    and: { description: 'All operands hold.' },
    or: { description: 'At least one operand holds.' },
    not: { description: 'The operand does not hold.' },
  },
});

interface FilterInput {
  operator: (typeof FilterOperator)['$inferType'];
  field?: string | null;
  value?: NonNullable<unknown> | null;
  operands?: FilterInput[] | null;
}

/** The filter language as an input type, for every list that speaks it. */
export const ResourceFilter = builder.inputRef<FilterInput>('ResourceFilter').implement({
  description:
    'A condition `{operator, field, value}`, or several joined by `{operator, operands}`.',
  fields: (t) => ({
    operator: t.field({
      type: FilterOperator,
      required: true,
      description: 'How to compare or join.',
    }),
    field: t.string({ description: `What to compare: ${fieldList}.` }),
    value: t.field({ type: 'JSON', description: 'What to compare with.' }),
    operands: t.field({ type: [ResourceFilter], description: 'What to join.' }),
  }),
});

const SortOrder = builder.enumType('SortOrder', {
  description: 'Direction of a sort.',
  values: {
    asc: { description: 'The least or earliest first.' },
    desc: { description: 'The greatest or latest first.' },
  },
});

interface SortInput {
  field: string;
  order?: (typeof SortOrder)['$inferType'] | null;
  tie_breaker?: SortInput | null;
}

/** A sort term as an input type. */
export const ResourceSort = builder.inputRef<SortInput>('ResourceSort').implement({
  description: 'One term of an order.',
  fields: (t) => ({
    field: t.string({ required: true, description: 'What to sort by; the fields of a filter.' }),
    order: t.field({ type: SortOrder, defaultValue: 'asc', description: 'In which direction.' }),
    // The one name that is not translated: it stands within a value that REST clients send whole.
    tie_breaker: t.field({
      type: ResourceSort,
      description: 'The term that decides on ties, as REST spells it; in GraphQL list it next.',
    }),
  }),
});

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
        extras: selects(info, extras),
        ...(only ? { kinds: only.map((name) => parseKind(name)) } : {}),
      }),
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
      title: t.arg.string({ description: 'Only titles that contain it, without regard to case.' }),
      parentId: t.arg.id({ description: 'Only what this resource holds.' }),
      integrationId: t.arg.id({ description: 'Only what this integration brought.' }),
      teamIds: t.arg.idList({ description: 'Only what one of these teams holds.' }),
    },
    resolve: (_root, { kinds: only, filter, sort, order, ...rest }, ctx, info) => {
      const { title, parentId, integrationId, teamIds, ...args } = rest;
      return listResources(
        ctx,
        {
          kinds: only?.map((name) => parseKind(name)),
          filter,
          sort: sort ?? [],
          order: order ?? 'newest',
          title,
          parentId,
          integrationId,
          teamIds,
          extras: selects(info, extras),
        },
        args,
      );
    },
  }),
);

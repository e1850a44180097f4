// Builds long lists of an answer in turns, so that others are served in between.

import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Context } from '../context.ts';
import type { Pace } from '../limits/pace.ts';
import { fieldsOfRow } from './limits/cost.ts';

type Resolver = GraphQLFieldResolver<unknown, Context>;

/**
 * Let every list of objects in a schema be built in turns, where the request has a pace. A long one comes
 * piece by piece, which the executor has to take: graphql-js of version 16 does not.
 */
export function buildInTurns(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    // GraphQL's own types are the same in every schema, and may have been seen to already.
    if (isObjectType(type)) for (const field of Object.values(type.getFields())) seeTo(field);
  }
  return schema;
}

const seenTo = new WeakSet<object>();

function seeTo(field: GraphQLField<unknown, Context>): void {
  const isList = isListType(getNullableType(field.type));
  if (!isList || !isCompositeType(getNamedType(field.type)) || seenTo.has(field)) return;
  seenTo.add(field);
  field.resolve = inTurns(field.resolve ?? defaultFieldResolver);
}

function inTurns(resolve: Resolver): Resolver {
  return (source, args, ctx, info) => {
    const rows: unknown = resolve(source, args, ctx, info);
    // Who asks GraphQL's own types without a server has no context.
    const pace = ctx?.allowance?.pace;
    if (!pace) return rows;
    if (rows instanceof Promise) return rows.then((list) => shared(list, pace, info));
    return shared(rows, pace, info);
  };
}

function shared(rows: unknown, pace: Pace, info: GraphQLResolveInfo): unknown {
  if (!Array.isArray(rows)) return rows;
  const { fields, isFlat } = rowOf(info);
  return pace.share(rows, fields, isFlat);
}

/** What is asked of each row of a list. */
interface Row {
  /** Fields, without those of the lists in it. */
  readonly fields: number;
  /** Whether all of them are leaves. */
  readonly isFlat: boolean;
}

/** The executor asks with the same nodes for every row of the list above. */
const known = new WeakMap<readonly FieldNode[], Row>();

function rowOf(info: GraphQLResolveInfo): Row {
  const before = known.get(info.fieldNodes);
  if (before) return before;
  const sets = info.fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const isFlat = !sets.some((set) => hasObjects(set, info.fragments));
  const row = { fields: fieldsOfRow(info), isFlat };
  known.set(info.fieldNodes, row);
  return row;
}

/** Whether a selection asks for objects; fragments of a valid document don't lead back to themselves. */
function hasObjects(
  { selections }: SelectionSetNode,
  fragments: GraphQLResolveInfo['fragments'],
): boolean {
  return selections.some((selection) => {
    if (selection.kind === Kind.FIELD) return selection.selectionSet !== undefined;
    const inner =
      selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
    return inner !== undefined && hasObjects(inner.selectionSet, fragments);
  });
}

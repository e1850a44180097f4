// Builds long lists of an answer in turns, so that others are served in between.

import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
} from 'graphql';
import type { Context } from '../context.ts';
import type { CooperativeScheduler } from '../limits/cooperative-scheduler.ts';
import { FieldInfo } from './execution/execution.ts';
import { fieldsOfRow } from './limits/cost.ts';

type Resolver = GraphQLFieldResolver<unknown, Context>;

/**
 * Let every list of objects in a schema be built in turns, where the request has a scheduler: piece by piece where
 * the executor of planned queries asks, with a promise for each row where another one does.
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
    const scheduler = ctx?.allowance?.scheduler;
    if (!scheduler) return rows;
    if (rows instanceof Promise) return rows.then((list) => shared(list, scheduler, info));
    return shared(rows, scheduler, info);
  };
}

function shared(rows: unknown, scheduler: CooperativeScheduler, info: GraphQLResolveInfo): unknown {
  if (!Array.isArray(rows)) return rows;
  return scheduler.share(rows, fieldsOfRow(info), info instanceof FieldInfo);
}

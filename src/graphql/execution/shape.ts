// What plans are made of: fields, objects, and how values are completed.

import type {
  GraphQLFieldResolver,
  GraphQLObjectType,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';
import type { Execution, FieldInfo, FieldOfRun, Place } from './execution.ts';

/** Completes values of one type: leaves by themselves, objects and lists in their place. */
export type Completer =
  | { readonly isLeaf: true; readonly complete: CompleteLeaf }
  | { readonly isLeaf: false; readonly complete: CompleteIn };

export type CompleteLeaf = (value: unknown, run: Execution) => unknown;

export type CompleteIn = (value: unknown, run: Execution, place: Place, info: FieldInfo) => unknown;

/** How one field of an object is executed. */
export interface FieldPlan extends FieldOfRun {
  /** Null where the value is a property of the object. */
  readonly resolve: GraphQLFieldResolver<unknown, unknown> | null;
  readonly isNullable: boolean;
  readonly isList: boolean;
  readonly completer: Completer;
}

/** How an object is executed. */
export interface ObjectPlan {
  readonly fields: readonly FieldPlan[];
  /** The object with all of its keys in their order, which each answer is a copy of. */
  readonly blank: Record<string, unknown>;
  /** Characters of all keys: an alias may be as long as its document. */
  readonly characters: number;
}

/** Plans objects as they are met. */
export interface Planner {
  readonly schema: GraphQLSchema;
  /** How an object of a type is executed of which so many sets of fields are asked. */
  objectOf(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): ObjectPlan;
}

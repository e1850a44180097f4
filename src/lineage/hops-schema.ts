// Looks ahead which hops of lineage a query asks for below a hop.

import type { GraphQLResolveInfo, SelectionSetNode } from 'graphql';
import { fieldsBelow } from '../graphql/execution/selection.ts';
import { shownOf } from '../graphql/execution/shown-columns.ts';
import type { HopQuery } from './hop.ts';
import type { HopsBelow } from './memory/hops.ts';

/** Of one selection there is one answer, which fragments that are spread in many places share. */
const known = new WeakMap<SelectionSetNode, HopsBelow>();
const none: HopsBelow = {};

/** How the field at hand asks for a hop: with the columns that are shown, and the hops below it. */
export function hopOf(way: HopQuery['way'], info: GraphQLResolveInfo): HopQuery {
  return { way, shown: shownOf(info), below: below(info, info.fieldNodes[0]?.selectionSet) };
}

function below(
  info: Pick<GraphQLResolveInfo, 'fragments'>,
  set: SelectionSetNode | undefined,
): HopsBelow {
  if (!set) return none;
  const before = known.get(set);
  if (before) return before;
  const [up] = fieldsBelow(info, set, 'upstream');
  const [down] = fieldsBelow(info, set, 'downstream');
  const hops = {
    ...(up && { up: below(info, up.selectionSet) }),
    ...(down && { down: below(info, down.selectionSet) }),
  };
  known.set(set, hops);
  return hops;
}

// Looks ahead: whether a request asks for a field somewhere below the one at hand.

import type { GraphQLResolveInfo, SelectionSetNode } from 'graphql';

/** Whether one of the named fields is selected anywhere below the field that is being resolved. */
export function selects(info: GraphQLResolveInfo, names: ReadonlySet<string>): boolean {
  const seen = new Set<string>();
  const within = (set: SelectionSetNode | undefined): boolean =>
    (set?.selections ?? []).some((selection) => {
      if (selection.kind === 'Field') {
        return names.has(selection.name.value) || within(selection.selectionSet);
      }
      if (selection.kind === 'InlineFragment') return within(selection.selectionSet);
      const name = selection.name.value;
      if (seen.has(name)) return false;
      seen.add(name);
      return within(info.fragments[name]?.selectionSet);
    });
  return info.fieldNodes.some((node) => within(node.selectionSet));
}

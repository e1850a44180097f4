// Looks ahead: whether a request asks for a field somewhere below the one at hand.

import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql';

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

/** Fields, those of a name where one is given, directly below the one at hand or in fragments that are spread there. */
export function fieldsBelow(
  info: Pick<GraphQLResolveInfo, 'fragments'>,
  set: SelectionSetNode | undefined,
  name: string | null = null,
): FieldNode[] {
  const seen = new Set<string>();
  const within = (inner: SelectionSetNode | undefined): FieldNode[] =>
    (inner?.selections ?? []).flatMap((selection) => {
      if (selection.kind === 'Field') {
        return name === null || selection.name.value === name ? selection : [];
      }
      if (selection.kind === 'InlineFragment') return within(selection.selectionSet);
      const fragment = selection.name.value;
      if (seen.has(fragment)) return [];
      seen.add(fragment);
      return within(info.fragments[fragment]?.selectionSet);
    });
  return within(set);
}

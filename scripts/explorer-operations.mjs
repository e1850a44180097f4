// Reads the operations of the explorer's .graphql files, each with the fragments that it uses.

import { Kind, parse, print, visit } from 'graphql';

/** The operations of a file: name, node, and the text that is sent. Throws where one has no name. */
export function operationsOf(text) {
  const { definitions } = parse(text);
  const fragments = new Map(
    definitions
      .filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  );
  return definitions
    .filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
    .map((node) => {
      if (!node.name) throw new Error('Each operation of the explorer has a name.');
      const used = usedBy(node, fragments);
      return { name: node.name.value, node, text: [node, ...used].map(print).join('\n') };
    });
}

/** The fragments that a definition needs, those of its fragments too. */
function usedBy(definition, fragments, found = new Set()) {
  visit(definition, {
    FragmentSpread({ name: { value } }) {
      const fragment = fragments.get(value);
      if (!fragment) throw new Error(`There is no fragment ${value} in this file.`);
      if (found.has(fragment)) return;
      found.add(fragment);
      usedBy(fragment, fragments, found);
    },
  });
  return found;
}

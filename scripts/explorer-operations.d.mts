import type { OperationDefinitionNode } from 'graphql';

/** The operations of a file: name, node, and the text that is sent. Throws where one has no name. */
export function operationsOf(
  text: string,
): { readonly name: string; readonly node: OperationDefinitionNode; readonly text: string }[];

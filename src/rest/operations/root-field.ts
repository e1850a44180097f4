// The field of the schema that an operation asks for: what it answers, and what it says of itself.

import { type GraphQLSchema, getNamedType, Kind, type OperationDefinitionNode } from 'graphql';

function rootOf(schema: GraphQLSchema, { operation, selectionSet }: OperationDefinitionNode) {
  const [root] = selectionSet.selections;
  const name = root?.kind === Kind.FIELD ? root.name.value : '';
  return schema.getRootType(operation)?.getFields()[name];
}

/** The type that an operation answers; a word for it where there is none. */
export function subjectOf(schema: GraphQLSchema, node: OperationDefinitionNode): string {
  const field = rootOf(schema, node);
  return field ? getNamedType(field.type).name : 'Record';
}

/** What the schema says of what an operation does. Names of fields are those of REST, in snake case. */
export function meaningOf(
  schema: GraphQLSchema,
  node: OperationDefinitionNode,
): string | undefined {
  const inSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`);
  return rootOf(schema, node)?.description?.replaceAll(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, inSnakeCase);
}

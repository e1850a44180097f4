// Errors that say where in a rest.graphql file something is wrong.

import { type ASTNode, GraphQLError, getLocation } from 'graphql';

/** An error that points at a node of a rest.graphql file. */
export function misplaced(node: ASTNode, message: string): Error {
  return new Error(describe(new GraphQLError(message, { nodes: [node] })));
}

/** An error of GraphQL's parser or validation in a line: file, line, column and what is wrong. */
export function describe(error: GraphQLError): string {
  const node = error.nodes?.[0];
  const source = error.source ?? node?.loc?.source;
  const place = node?.loc ? getLocation(node.loc.source, node.loc.start) : error.locations?.[0];
  const where = source && place ? `${source.name}:${place.line}:${place.column}: ` : '';
  return where + error.message;
}

// What GraphQL's own errors about enums say besides the word that is wrong: which there are.

import { GraphQLError, type GraphQLSchema, isEnumType } from 'graphql';

/** The enum that a message of GraphQL is about, where it suggests nothing. */
const aboutEnum = /(?: in "(\w+)" enum|^Enum "(\w+)" cannot represent [^.]*)\.$/;
/** An enum of more values is not listed in a message. */
const mostListed = 30;

/** The error with the values that its enum has; the same error where it is about something else. */
export function withAllowedWords(schema: GraphQLSchema, error: GraphQLError): GraphQLError {
  const [, one, other] = aboutEnum.exec(error.message) ?? [];
  const type = schema.getType(one ?? other ?? '');
  if (!isEnumType(type) || type.getValues().length > mostListed) return error;
  const names = type.getValues().map(({ name }) => name);
  const { nodes, source, positions, path, extensions } = error;
  return new GraphQLError(`${error.message} Use one of ${names.join(', ')}.`, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    extensions,
  });
}

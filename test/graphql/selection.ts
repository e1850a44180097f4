// In charge of asking for all that a field of the schema answers.

import {
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/** Every leaf of an answer to some depth, where it takes no arguments. */
export function selectionOf(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named) && !isInterfaceType(named)) return '';
  const fields = Object.values(named.getFields())
    .filter(({ args }) => args.every(({ type }) => !isNonNullType(type)))
    .flatMap((field) => {
      const isLeaf =
        !('getFields' in getNamedType(field.type)) || isEnumType(getNamedType(field.type));
      if (isLeaf) return [field.name];
      // A resource leads to everything: below the first step only what it is itself.
      const next = named.name === 'Resource' ? 0 : depth - 1;
      return depth === 0 ? [] : [`${field.name} ${selectionOf(field.type, next)}`];
    });
  return `{ __typename ${fields.join(' ')} }`;
}

// What an operation of the facade takes: its parameters as arguments.

import {
  type GraphQLArgumentConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInputObjectType,
  GraphQLNonNull,
  isRequiredInputField,
} from 'graphql';
import type { Operation, Parameter } from '../operations/operation.ts';
import { formAmong } from './json-schema.ts';

/** Path and query parameters as arguments, the fields of the body as one input object. */
export function argumentsOf({ name, parameters }: Operation): GraphQLFieldConfigArgumentMap {
  const entries = (place: Parameter['place']) =>
    parameters
      .filter((parameter) => parameter.place === place)
      .map((parameter): [string, GraphQLArgumentConfig] => {
        const { name, type, defaultValue, description, needed, words, form } = parameter;
        const said = { needed, form: formAmong(type, words, form) };
        const extensions = { said };
        return [name, { type, defaultValue, extensions, ...(description ? { description } : {}) }];
      });
  const fields = entries('body');
  const outside = Object.fromEntries([...entries('path'), ...entries('query')]);
  if (fields.length === 0) return outside;
  const body = new GraphQLInputObjectType({
    name: `${name}Body`,
    fields: Object.fromEntries(fields),
  });
  const isNeeded = Object.values(body.getFields()).some(isRequiredInputField);
  return { ...outside, body: { type: isNeeded ? new GraphQLNonNull(body) : body } };
}

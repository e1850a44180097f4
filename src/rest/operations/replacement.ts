// PUT: next to each PATCH of a record, the same operation with what is required to create one.

import { GraphQLNonNull, isNonNullType } from 'graphql';
import type { Operation, Parameter } from './operation.ts';

/**
 * The operations, and a PUT for each PATCH of a record that has none. It takes what PATCH takes, and refuses
 * the absence of what making such a record needs; what else is absent stays as it is.
 */
export function withReplacements(operations: readonly Operation[]): Operation[] {
  const puts = new Set(operations.filter(({ method }) => method === 'PUT').flatMap(placesOf));
  const replacements = operations
    .filter((one) => one.method === 'PATCH' && isOfRecord(one))
    .filter((one) => !placesOf(one).some((place) => puts.has(place)))
    .map((one) => replacementOf(one, operations));
  return [...operations, ...replacements];
}

function replacementOf(patch: Operation, operations: readonly Operation[]): Operation {
  const folders = placesOf(patch).map((place) => place.replace(/\/:$/, ''));
  const create = operations.find(
    (one) => one.method === 'POST' && placesOf(one).some((place) => folders.includes(place)),
  );
  const required = new Set(
    create?.parameters.filter((one) => one.place === 'body' && isRequired(one)).map(nameOf),
  );
  const parameters = patch.parameters.map((one) =>
    one.place === 'body' && !one.ignored && required.has(one.name) ? asRequired(one) : one,
  );
  const names = parameters.filter((one) => one.place === 'body' && isRequired(one)).map(nameOf);
  const needs =
    names.length > 0 ? `, and needs ${names.map((name) => `\`${name}\``).join(', ')}` : '';
  return {
    ...patch,
    name: `${patch.name}ByPut`,
    method: 'PUT',
    description: `Takes what PATCH takes${needs}. What is absent stays as it is.`,
    parameters,
  };
}

function asRequired(parameter: Parameter): Parameter {
  const { type } = parameter;
  return {
    ...parameter,
    needed: true,
    type: isNonNullType(type) ? type : new GraphQLNonNull(type),
  };
}

function isRequired({ type, needed, isEssential, defaultValue }: Parameter): boolean {
  return needed || isEssential || (isNonNullType(type) && defaultValue === undefined);
}

const nameOf = ({ name }: Parameter) => name;

/** Whether its path ends with the id of what it changes. */
function isOfRecord({ path }: Operation): boolean {
  return /\/:\w+\/?$/.test(path);
}

/** Its paths, whatever their parameters are called. */
function placesOf({ path, aliases }: Operation): string[] {
  return [path, ...aliases].map((one) => one.replaceAll(/:\w+/g, ':').replace(/\/$/, ''));
}

// What a custom property is made of, and what that may be.

import { invalidField } from '../errors.ts';
import { checkFields, choice, type Noun, name, orElse, text } from '../fields.ts';
import type { CustomProperty } from '../generated/prisma/client.ts';
import { parseKind } from '../resources/kind.ts';
import { checkName } from '../text/text.ts';
import { valueTypes } from './value.ts';

/** What a property is made of. Absent takes the default, or leaves alone; null clears. */
export interface PropertyInput {
  name?: string | null | undefined;
  description?: string | null | undefined;
  /** Kinds that it covers; `all` covers every kind, and is the default. */
  entityTypes?: readonly string[] | null | undefined;
  /** One of `valueTypes`; `string` is the default. */
  valueType?: string | null | undefined;
  /** The values that a select or multiselect allows. */
  options?: readonly string[] | null | undefined;
}

const maxOptions = 1_000;

/** A property as it is stored, without its place. */
export type Definition = Pick<
  CustomProperty,
  'name' | 'description' | 'entityTypes' | 'valueType' | 'options'
>;

/** What stands for all that is left out. */
export const blank: Definition = {
  name: '',
  description: '',
  entityTypes: ['all'],
  valueType: 'string',
  options: [],
};

export const propertyNoun: Noun<PropertyInput, Definition> = {
  by: 'edit custom properties',
  fields: {
    name: name('name'),
    description: text('description'),
    entityTypes: {
      rest: 'entity_types',
      holds: 'kinds of resources, or all',
      check: (given) => checkEntityTypes(given ?? blank.entityTypes),
    },
    valueType: orElse(choice('value_type', valueTypes), blank.valueType),
    options: {
      rest: 'options',
      holds: `up to ${maxOptions.toLocaleString('en')} names, of a select or multiselect`,
      form: { maxItems: maxOptions },
      // Which of them are allowed depends on the type of the values.
      check: (given) => [...(given ?? blank.options)],
    },
  },
};

/**
 * The definition with what was given, and what there was before of all else. Throws BAD_REQUEST that names
 * what is wrong, such as options that the type of the values does not take.
 */
export function definitionOf(input: PropertyInput, before: Definition): Definition {
  const { name, description, entityTypes, valueType, options } = {
    ...before,
    ...checkFields(propertyNoun, input),
  };
  return {
    name: checkName('name', name),
    description,
    entityTypes,
    valueType,
    options: checkOptions(valueType, options),
  };
}

function checkEntityTypes(entityTypes: readonly string[]): string[] {
  if (entityTypes.length === 0)
    throw invalidField('entity_types', 'Name at least one kind, or all.');
  const unique = [...new Set(entityTypes)];
  return unique.map((type) => (type === 'all' ? type : parseKind(type, 'entity_types')));
}

function checkOptions(type: string, options: readonly string[]): string[] {
  if (type !== 'select' && type !== 'multiselect') return [];
  if (options.length === 0) throw invalidField('options', `A ${type} needs options.`);
  if (options.length > maxOptions)
    throw invalidField('options', `Use at most ${maxOptions} options.`);
  return [...new Set(options.map((option) => checkOption(type, option)))];
}

// Several options travel in one string, separated by commas, or as a list in JSON.
function checkOption(type: string, text: string): string {
  const option = checkName('options', text);
  if (type === 'multiselect' && (option.includes(',') || option.startsWith('['))) {
    throw invalidField(
      'options',
      'An option of a multiselect cannot contain a comma or start with [.',
    );
  }
  return option;
}

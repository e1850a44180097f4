// Typed filters and orders in GraphQL: one shape of inputs for every list.

import type { InputType } from '@pothos/core';
import { builder } from './builder.ts';
import { SortOrder } from './filter.ts';

type Types = (typeof builder)['$inferSchemaTypes'];

/** A member of a typed filter: what its condition looks like, and what it is about. */
interface Part {
  readonly type: InputType<Types>;
  readonly about: string;
}

interface Where {
  and?: Where[] | null;
  or?: Where[] | null;
  not?: Where | null;
}

/**
 * Define `<name>Where`: the typed filter of a list, which `compileWhere` reads. `parts` says of each member of
 * the compiled filter how it looks.
 */
export function whereOf(name: string, parts: Readonly<Record<string, Part>>) {
  const ref = builder.inputRef<Where>(`${name}Where`);
  return ref.implement({
    description:
      'Only what all members hold for; a member that is null or left out asks for nothing. Nests to 10 ' +
      'levels, with 100 conditions in all.',
    fields: (t) => {
      const members = Object.entries(parts).map(([member, { type, about }]) => [
        member,
        t.field({ type, description: about }),
      ]);
      return {
        ...Object.fromEntries(members),
        and: t.field({ type: [ref], description: 'All of these hold.' }),
        or: t.field({ type: [ref], description: 'At least one of these holds.' }),
        not: t.field({ type: ref, description: 'This does not hold.' }),
      };
    },
  });
}

/** Define `<name>OrderBy`: one term of the typed order of a list, by one of these fields. */
export function orderByOf(name: string, fields: object) {
  return builder.inputType(`${name}OrderBy`, {
    isOneOf: true,
    description: 'One term of an order: one field, and in which direction.',
    fields: (t) =>
      Object.fromEntries(
        Object.keys(fields).map((field) => [
          field,
          t.field({ type: SortOrder, description: 'The direction, where this field decides.' }),
        ]),
      ),
  });
}

export const IdCondition = builder.inputType('IdCondition', {
  description: 'What an id is to be.',
  fields: (t) => ({
    eq: t.id({ description: 'This one.' }),
    in: t.idList({ description: 'One of these; 10,000 at most.' }),
    isSet: t.boolean({ description: 'Whether there is one.' }),
  }),
});

export const TextCondition = builder.inputType('TextCondition', {
  description: 'What a text is to be.',
  fields: (t) => ({
    eq: t.string({ description: 'This, letter by letter.' }),
    in: t.stringList({ description: 'One of these; 10,000 at most.' }),
    contains: t.string({ description: 'It contains this, without regard to case.' }),
    isSet: t.boolean({ description: 'Whether there is any.' }),
  }),
});

export const NumberCondition = builder.inputType('NumberCondition', {
  description: 'What a number is to be.',
  fields: (t) => ({
    eq: t.float({ description: 'This.' }),
    gt: t.float({ description: 'More than this.' }),
    gte: t.float({ description: 'This or more.' }),
    lt: t.float({ description: 'Less than this.' }),
    lte: t.float({ description: 'This or less.' }),
    isSet: t.boolean({ description: 'Whether there is one.' }),
  }),
});

export const TimeCondition = builder.inputType('TimeCondition', {
  description: 'What a time is to be.',
  fields: (t) => ({
    gt: t.field({ type: 'DateTime', description: 'After this.' }),
    gte: t.field({ type: 'DateTime', description: 'This, or after it.' }),
    lt: t.field({ type: 'DateTime', description: 'Before this.' }),
    lte: t.field({ type: 'DateTime', description: 'This, or before it.' }),
    isSet: t.boolean({ description: 'Whether there is one.' }),
  }),
});

/** Define `<name>Condition`: what a value of a closed set is to be. */
export function conditionOf(name: string, values: InputType<Types>) {
  return builder.inputType(`${name}Condition`, {
    description: 'Which of the values it is to be.',
    fields: (t) => ({
      eq: t.field({ type: values, description: 'This one.' }),
      in: t.field({ type: [values], description: 'One of these.' }),
    }),
  });
}

/** Define `<name>SetCondition`: what is asked of a set of things. */
function setConditionOf(name: string, thing: InputType<Types>) {
  return builder.inputType(`${name}SetCondition`, {
    description: 'What is asked of a set of things, as far as the viewer may know of them.',
    fields: (t) => ({
      some: t.field({ type: thing, description: 'At least one is like this.' }),
      none: t.field({ type: thing, description: 'None is like this.' }),
      isSet: t.boolean({ description: 'Whether there is any.' }),
    }),
  });
}

const PersonWhere = whereOf('Person', {
  id: { type: IdCondition, about: 'Its id.' },
  email: { type: TextCondition, about: 'Its address.' },
  name: { type: TextCondition, about: 'Its full name.' },
});

const NamedWhere = whereOf('Named', {
  id: { type: IdCondition, about: 'Its id.' },
  name: { type: TextCondition, about: 'Its name, or its title.' },
});

/** What is asked of a set of users. */
export const PeopleCondition = setConditionOf('Person', PersonWhere);
/** What is asked of a set of things that have a name: tags, teams, groups, collections. */
export const NamedSetCondition = setConditionOf('Named', NamedWhere);

// The filter and sort language of lists in GraphQL.

import { builder } from './builder.ts';
import { camelCased, naming } from './views/error-names.ts';
import { graphqlOnly, views } from './views/mark.ts';

const FilterOperator = builder.enumType('FilterOperator', {
  description: 'How a filter compares, or joins its operands.',
  values: {
    exact: { description: 'The field equals the value; of a set of ids, it holds the value.' },
    contains: { description: 'The text contains the value, without regard to case.' },
    in: { description: 'The field equals one of a list of values.' },
    is_set: { description: 'The field has a value; with value false, it has none.' },
    gt: { description: 'Greater or later than the value.' },
    gte: { description: 'Greater or later than the value, or equal to it.' },
    lt: { description: 'Less or earlier than the value.' },
    lte: { description: 'Less or earlier than the value, or equal to it.' },
    and: { description: 'All operands hold.' },
    or: { description: 'At least one operand holds.' },
    not: { description: 'The operand does not hold.' },
  },
});

export const SortOrder = builder.enumType('SortOrder', {
  description: 'Direction of a sort.',
  values: {
    asc: { description: 'The least or earliest first.' },
    desc: { description: 'The greatest or latest first.' },
  },
});

interface FilterInput {
  operator: (typeof FilterOperator)['$inferType'];
  field?: string | null;
  value?: NonNullable<unknown> | null;
  operands?: FilterInput[] | null;
}

interface SortInput {
  field: string;
  order?: (typeof SortOrder)['$inferType'] | null;
  tieBreaker?: SortInput | null;
  tie_breaker?: SortInput | null;
}

/** Define `<name>Filter`: the filter language over the fields of one list. */
export function filterOf(name: string, fields: object) {
  const names = Object.keys(fields).map(camelCased);
  const Filter = builder.inputRef<FilterInput>(`${name}Filter`);
  return Filter.implement({
    description:
      'A condition `{operator, field, value}`, or several joined by `{operator, operands}`.',
    fields: (t) => ({
      operator: t.field({
        type: FilterOperator,
        required: true,
        description: 'How to compare or join.',
      }),
      field: t.string({
        description: `What to compare: ${names.join(', ')}.`,
        extensions: {
          ...naming(names),
          form: { enum: Object.keys(fields) },
          ...views({ saidInRest: `What to compare: ${Object.keys(fields).join(', ')}.` }),
        },
      }),
      value: t.field({ type: 'JSON', description: 'What to compare with.' }),
      operands: t.field({
        type: [Filter],
        description: 'What to join.',
        extensions: { form: { minItems: 1 } },
      }),
    }),
  });
}

/** Define `<name>Sort`: one term of the order of a list. */
export function sortOf(name: string) {
  const Sort = builder.inputRef<SortInput>(`${name}Sort`);
  return Sort.implement({
    description: 'One term of an order.',
    fields: (t) => ({
      field: t.string({ required: true, description: 'What to sort by; the fields of a filter.' }),
      order: t.field({ type: SortOrder, defaultValue: 'asc', description: 'In which direction.' }),
      tieBreaker: t.field({
        type: Sort,
        description: 'The term that decides on ties; one more of the list says the same.',
        extensions: graphqlOnly,
      }),
      // REST takes a sort as one value, within which no name is translated.
      tie_breaker: t.field({
        type: Sort,
        description: 'The term that decides on ties, as REST spells it.',
        deprecationReason: 'Use tieBreaker. Gone after 2027-06-30.',
        extensions: views({
          saidInRest: 'The term that decides on ties, as REST spells it; in GraphQL list it next.',
        }),
      }),
    }),
  });
}

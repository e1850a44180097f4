// Which values fit a definition, as far as a page can tell; the server decides.

import type { PropertyDesigned } from './designs.graphql';

/** What a property is made of. */
export type Design = Omit<PropertyDesigned, 'id' | 'version'>;

type Rule = Pick<Design, 'valueType' | 'options'>;

const isId = (value: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);

const rules: Readonly<Record<Design['valueType'], (value: string, rule: Rule) => boolean>> = {
  boolean: (value) => value === 'true' || value === 'false',
  date: (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)),
  multiselect: (value, { options }) => value.split(',').every((one) => options.includes(one)),
  number: (value) => /^-?\d+(\.\d+)?$/.test(value),
  resource: isId,
  select: (value, { options }) => options.includes(value),
  string: (value) => value.length <= 255,
  text: () => true,
  url: (value) => /^https?:\/\//.test(value) && URL.canParse(value),
  user: isId,
};

/** Whether a value could stay as it is. */
export function fits(rule: Rule, value: string): boolean {
  const options = rule.options.map((option) => option.trim());
  return rules[rule.valueType](value, { ...rule, options });
}

// Closed sets of words: an enum at /graphql, text over REST.
//
// A value is spelled as REST and the database spell it, letter by letter: names are translated, values never.

import { builder } from '../builder.ts';
import { views } from './mark.ts';

interface ClosedSet<Value extends string> {
  readonly description: string;
  /** By each value, what it means. */
  readonly values: Readonly<Record<Value, string>>;
  /** REST has the set as text in its answers, or wherever it stands. */
  readonly textInRest?: 'everywhere' | 'in answers';
  /**
   * The value that is shown for anything else that is stored. Without it the database has a constraint
   * that there is nothing else.
   */
  readonly otherwise?: string;
}

/**
 * Define an enum of values that are texts in the database and over REST. Where their type is given, every one of
 * them is to be described.
 */
export function closedSet<Value extends string>(
  name: string,
  { description, values, textInRest = 'everywhere', otherwise }: ClosedSet<Value>,
) {
  const entries = Object.entries<string>(values).map(([value, meaning]): [string, object] => [
    value,
    { description: meaning },
  ]);
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(entries),
    extensions: views({ textInRest, ...(otherwise === undefined ? {} : { otherwise }) }),
  });
}

// Fields that hold what somebody says.

import { invalidField } from '../errors.ts';
import type { Field } from '../fields.ts';
import { checkText } from '../text/text.ts';

/** A text with something in it, of so many characters at most; `of` is what it is a text of, such as `A comment`. */
export function saidText(of: string, most: number): Field<string, string, 'text'> {
  return {
    rest: 'text',
    holds: `1 to ${most.toLocaleString('en')} characters`,
    form: { type: 'string', minLength: 1, maxLength: most, pattern: '\\S' },
    check: (given) => {
      if (!given?.trim()) throw invalidField('text', `${of} needs a text.`);
      return checkText('text', given, most);
    },
  };
}

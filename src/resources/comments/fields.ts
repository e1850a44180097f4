// The fields of a comment.

import { invalidField } from '../../errors.ts';
import type { Noun } from '../../fields.ts';
import { checkText } from '../../text/text.ts';

/** A comment as a client gives it. */
export interface CommentInput {
  text?: string | null | undefined;
}

const maxText = 10_000;

/** Who may read a resource and is no guest comments on it; each changes what they wrote themselves. */
export const commentNoun: Noun<CommentInput, { text: string }> = {
  by: 'comment on resources',
  fields: {
    text: {
      rest: 'text',
      holds: `1 to ${maxText.toLocaleString('en')} characters`,
      form: { type: 'string', minLength: 1, maxLength: maxText, pattern: '\\S' },
      check: (given) => {
        if (!given?.trim()) throw invalidField('text', 'A comment needs a text.');
        return checkText('text', given, maxText);
      },
    },
  },
};

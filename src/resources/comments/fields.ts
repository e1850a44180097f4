// The fields of a comment.

import type { Noun } from '../../fields.ts';
import { saidText } from '../said-field.ts';

/** A comment as a client gives it. */
export interface CommentInput {
  text?: string | null | undefined;
}

const maxText = 10_000;

/** Who may read a resource and is no guest comments on it; each changes what they wrote themselves. */
export const commentNoun: Noun<CommentInput, { text: string }> = {
  by: 'comment on resources',
  fields: {
    text: saidText('A comment', maxText),
  },
};

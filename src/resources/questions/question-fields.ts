// The fields that only questions have.

import type { ResourceField } from '../../auth/field-permission.ts';
import { choice, type Field, id, type Noun, optionalText, unlessBlank } from '../../fields.ts';

/** What a question has besides the fields of every resource: absent leaves alone, null clears. */
export interface QuestionFields {
  assignedToId?: string | null | undefined;
  answer?: string | null | undefined;
  priority?: string | null | undefined;
}

/** Whether a question has an answer. */
export const questionStatuses = ['Answered', 'Unanswered'] as const;

/** Priorities of a question, the most urgent first. */
export const priorities = ['Highest', 'High', 'Medium', 'Low', 'Lowest'] as const;

/** Characters of an answer: as many as any documentation may have. */
const maxAnswer = 1_000_000;

/** Who may set each is said in field-permission.ts, by its name over REST. */
export const questionNoun: Noun<
  QuestionFields,
  Record<keyof QuestionFields, string | null>,
  ResourceField
> = {
  by: 'ask questions',
  fields: {
    assignedToId: orNone(id('assigned_to', 'a user')),
    answer: orNone(optionalText('answer', maxAnswer)),
    priority: orNone(choice('priority', priorities)),
  },
};

/** A field that null and blank text clear. */
function orNone<Rest extends string>(
  field: Field<string, string | null, Rest>,
): Field<string, string | null, Rest> {
  return unlessBlank(field, null);
}

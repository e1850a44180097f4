// The closed sets of words about questions, as GraphQL types them.

import { closedSet } from '../../graphql/views/closed-set.ts';

export const QuestionStatusEnum = closedSet('QuestionStatus', {
  description: 'Whether a question has an answer.',
  values: {
    Answered: 'There is an answer, or a reply was accepted as one.',
    Unanswered: 'There is no answer.',
  },
});

export const QuestionPriorityEnum = closedSet('QuestionPriority', {
  description: 'How urgent a question is.',
  values: {
    Highest: 'Before all others.',
    High: 'Soon.',
    Medium: 'In its turn.',
    Low: 'When there is time.',
    Lowest: 'After all others.',
  },
});

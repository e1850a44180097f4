// How people react to questions and replies, in GraphQL.

import { builder } from '../../graphql/builder.ts';
import { weighing } from '../../graphql/limits/weight.ts';
import { graphqlOnly } from '../../graphql/views/mark.ts';
import { QuestionRef, ReplyRef } from '../kind-schema.ts';
import { reading } from '../shown.ts';
import { loadReactionCounts, type ReactionCount } from './reactions.ts';

const ReactionCountRef = builder.objectRef<ReactionCount>('ReactionCount').implement({
  description: 'An emoji that people reacted with.',
  fields: (t) => ({
    emoji: t.exposeString('emoji', { description: 'The emoji.' }),
    count: t.exposeInt('count', { description: 'How many people.' }),
    isByViewer: t.exposeBoolean('isByViewer', {
      description: 'Whether the viewer is one of them.',
    }),
  }),
});

/** Few conversations have more than a handful of different emoji. */
const usualEmoji = 3;

for (const ref of [QuestionRef, ReplyRef]) {
  builder.prismaObjectField(ref, 'reactionCounts', (t) =>
    t.field({
      type: [ReactionCountRef],
      description: 'Emoji that people reacted with and how many did, the first emoji first.',
      extensions: { ...graphqlOnly, ...reading(), ...weighing({ items: usualEmoji }) },
      resolve: ({ id }, _args, ctx) => loadReactionCounts(ctx, id),
    }),
  );
}

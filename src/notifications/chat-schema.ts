// The team chat in GraphQL.

import { builder } from '../graphql/builder.ts';
import { weighing } from '../graphql/limits/weight.ts';
import { type ChatChannel, listChatChannels } from './chat.ts';

const ChatChannelRef = builder.objectRef<ChatChannel>('ChatChannel').implement({
  description: 'A channel of the team chat that the chat app has joined.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'What notifyChatChannel of a monitor takes.' }),
    name: t.exposeString('name', { description: 'What people call it.' }),
  }),
});

builder.queryField('chatChannels', (t) =>
  t.field({
    type: [ChatChannelRef],
    description: 'The channels that notifications can go to, by name. Editors may read them.',
    extensions: weighing({ own: 50_000 }),
    resolve: (_root, _args, ctx) => listChatChannels(ctx),
  }),
);

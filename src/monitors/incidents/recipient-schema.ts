// Recipients of a monitor's incidents, in GraphQL.

import { builder } from '../../graphql/builder.ts';
import { statement, weighing } from '../../graphql/limits/weight.ts';
import { WebhookRef } from '../../notifications/webhooks/schema.ts';
import { loadWebhooks } from '../../notifications/webhooks/webhook.ts';
import { loadUser } from '../../people/loaders.ts';
import { UserRef } from '../../people/schema.ts';
import { MonitorRef } from '../schema.ts';
import { loadRecipients, type Recipient } from './recipient.ts';

const ChannelEnum = builder.enumType('NotificationChannel', {
  description: 'How somebody is notified.',
  values: {
    inbox: { description: 'The inbox of a user.' },
    email: { description: 'An email address, of a user or not.' },
    chat: { description: 'A channel of the team chat.' },
    webhook: { description: 'A webhook.' },
  },
});

const RecipientType = builder.objectRef<Recipient>('NotificationRecipient').implement({
  description: 'A person or a place that is notified.',
  fields: (t) => ({
    channel: t.expose('channel', { type: ChannelEnum, description: 'The channel.' }),
    address: t.exposeString('address', {
      nullable: true,
      description: 'The email address, or the id of the chat channel.',
    }),
    userId: t.exposeID('userId', { nullable: true, description: 'The user, where it is one.' }),
    user: t.field({
      type: UserRef,
      nullable: true,
      description: 'The user, where it is one.',
      resolve: ({ userId }, _args, ctx) => loadUser(ctx, userId),
    }),
    webhookId: t.exposeID('webhookId', {
      nullable: true,
      description: 'The webhook, where it is one.',
    }),
    webhook: t.field({
      type: WebhookRef,
      nullable: true,
      description: 'The webhook, where it is one. Only admins may read webhooks.',
      resolve: async ({ webhookId }, _args, ctx) =>
        webhookId === null ? null : ((await loadWebhooks(ctx, [webhookId]))[0] ?? null),
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'Why nothing would be sent now, in words; null where it would.',
    }),
  }),
});

builder.prismaObjectField(MonitorRef, 'recipients', (t) =>
  t.field({
    type: [RecipientType],
    nullable: true,
    description:
      'Who is notified when an incident of it opens, as things are now: its author, owners and ' +
      'subscribers of its target and what lies next to it, its chat channel, rules and webhooks. Empty where ' +
      'no one is, as while it is muted. Null for those who may not edit monitors.',
    extensions: weighing({ own: 8 * statement }),
    resolve: (monitor, _args, ctx) => loadRecipients(ctx, monitor),
  }),
);

// The inbox in GraphQL, and of which ways to people are set up.

import type { Notification } from '../generated/prisma/client.ts';
import { builder } from '../graphql/builder.ts';
import { connectionOf, pageArgs } from '../graphql/page.ts';
import { follow } from '../graphql/watch.ts';
import { loadResources } from '../resources/loaders.ts';
import { ResourceRef } from '../resources/schema.ts';
import { seenIds } from '../resources/seen.ts';
import { InboxEventEnum } from './event-schema.ts';
import {
  changedInbox,
  listInbox,
  markRead,
  type NotificationSettings,
  notificationSettings,
} from './inbox.ts';
import { wordsOf } from './outbox/say.ts';

export const InboxRef = builder.objectRef<Notification>('InboxNotification').implement({
  description: 'Something that the viewer was notified of.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Unique identifier.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was sent.' }),
    event: t.expose('event', { type: InboxEventEnum, description: 'What happened.' }),
    title: t.string({
      description: 'What it is about.',
      resolve: ({ content }) => wordsOf(content).title,
    }),
    text: t.string({
      description: 'What happened, in words, line by line.',
      resolve: ({ content }) => {
        const { text, lines } = wordsOf(content);
        return [text, ...lines].join('\n');
      },
    }),
    resourceIds: t.idList({
      description: 'The resources it is about, the first 20, of those that the viewer may see now.',
      resolve: ({ content }, _args, ctx) => seenIds(ctx, resourcesIn(content)),
    }),
    resources: t.field({
      type: [ResourceRef],
      description: 'The resources it is about, the first 20, of those that the viewer may see now.',
      resolve: ({ content }, _args, ctx) => loadResources(ctx, resourcesIn(content)),
    }),
    readAt: t.expose('readAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the viewer read it; null while they did not.',
    }),
  }),
});

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An id that stands in what a notification says. */
export function idOf(content: unknown, name: 'incident' | 'target'): string | null {
  const id = isObject(content) ? Reflect.get(content, name) : null;
  return typeof id === 'string' ? id : null;
}

function resourcesIn(content: unknown): string[] {
  const target = idOf(content, 'target');
  if (target !== null) return [target];
  const ids = isObject(content) ? Reflect.get(content, 'resources') : null;
  return Array.isArray(ids) ? ids.map(String) : [];
}

const SettingsRef = builder.objectRef<NotificationSettings>('NotificationSettings').implement({
  description: 'Which channels are set up. The inbox always is.',
  fields: (t) => ({
    emailEnabled: t.exposeBoolean('emailEnabled', {
      description: 'Whether the operator set a mail server; without one no email is sent.',
    }),
    chatConnected: t.exposeBoolean('chatConnected', {
      description: 'Whether an integration of type chat has credentials.',
    }),
  }),
});

const InboxConnection = connectionOf('InboxNotification', InboxRef);

builder.queryFields((t) => ({
  myNotifications: t.field({
    type: InboxConnection,
    description: 'What the viewer was notified of, newest first.',
    args: {
      ...pageArgs,
      unreadOnly: t.arg.boolean({ description: 'True leaves out what was read.' }),
    },
    resolve: (_root, { unreadOnly, ...args }, ctx) => listInbox(ctx, { unreadOnly }, args),
  }),
  notificationSettings: t.field({
    type: SettingsRef,
    description: 'Which channels are set up.',
    resolve: (_root, _args, ctx) => notificationSettings(ctx),
  }),
}));

builder.subscriptionField('notificationChanged', (t) =>
  t.field({
    type: InboxRef,
    description: 'Each notification of the viewer when it arrives, and when it is read.',
    subscribe: (_root, _args, ctx) =>
      follow<Notification>(ctx, {
        topic: 'inbox',
        isConcerned: (userIds) => userIds.includes(ctx.viewer.id),
        read: (now, _ids, since) => changedInbox(now, since),
      }),
    resolve: ({ thing }) => thing,
  }),
);

builder.mutationField('markNotificationsRead', (t) =>
  t.int({
    description: 'Mark notifications of the viewer as read; answers how many were unread.',
    args: { ids: t.arg.idList({ description: 'Ids of them; all where absent.' }) },
    resolve: (_root, { ids }, ctx) => markRead(ctx, ids),
  }),
);

// API keys in GraphQL.

import type { Context } from '../context.ts';
import { builder } from '../graphql/builder.ts';
import { connectionOf, pageArgs } from '../graphql/page.ts';
import {
  createApiKey,
  type KnownKey,
  listApiKeys,
  type MadeApiKey,
  revokeApiKey,
} from './api-key.ts';
import { loadUser } from './loaders.ts';
import { UserRef } from './schema.ts';

const ApiKeyRef = builder.objectRef<KnownKey>('ApiKey').implement({
  description: 'A bearer key: shown once, stored as a hash, acting with the role of its user.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Unique identifier of the key, not the key itself.' }),
    name: t.exposeString('name', { description: 'What the key is for.' }),
    prefix: t.exposeString('prefix', { description: 'Its first digits, to tell keys apart.' }),
    userId: t.exposeID('userId', { description: 'The user it acts for.' }),
    user: t.field({
      type: UserRef,
      nullable: true,
      description: 'The user it acts for.',
      resolve: ({ userId }, _args, ctx: Context) => loadUser(ctx, userId),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it stops working; null means never.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was revoked; null while it works.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to the minute.',
    }),
  }),
});

const MadeApiKeyRef = builder.objectRef<MadeApiKey>('CreatedApiKey').implement({
  description: 'A key that was made just now.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The key. Keep it: it is never shown again.' }),
    apiKey: t.field({
      type: ApiKeyRef,
      description: 'What is known of it from now on.',
      resolve: ({ apiKey }) => apiKey,
    }),
  }),
});

const ApiKeyConnection = connectionOf('ApiKey', ApiKeyRef);

builder.queryField('apiKeys', (t) =>
  t.field({
    type: ApiKeyConnection,
    description: 'API keys of the workspace, newest first. Only admins may list them.',
    args: pageArgs,
    resolve: (_root, args, ctx) => listApiKeys(ctx, args),
  }),
);

builder.mutationFields((t) => ({
  createApiKey: t.field({
    type: MadeApiKeyRef,
    description: 'Make an API key. Only admins may.',
    args: {
      name: t.arg.string({ required: true, description: 'What the key is for.' }),
      userId: t.arg.id({ description: 'The user it acts for; the viewer where absent.' }),
      expiresAt: t.arg({
        type: 'DateTime',
        description: 'When it stops working; never if absent.',
      }),
    },
    resolve: (_root, args, ctx) => createApiKey(ctx, args),
  }),
  revokeApiKey: t.field({
    type: ApiKeyRef,
    description:
      'Revoke an API key for good: it is refused everywhere within five seconds. The last key that lets an admin in cannot be revoked. Admins may.',
    args: { id: t.arg.id({ required: true, description: 'Id of the key, not the key itself.' }) },
    resolve: (_root, { id }, ctx) => revokeApiKey(ctx, id),
  }),
}));

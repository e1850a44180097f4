// API keys in GraphQL.

import { apiKeyScopes, isApiKeyScope } from '../auth/key-scope.ts';
import type { Context } from '../context.ts';
import { builder } from '../graphql/builder.ts';
import { createArgs, idArgs } from '../graphql/mutation-args.ts';
import { connectionOf, pageArgs } from '../graphql/page.ts';
import { closedSet } from '../graphql/views/closed-set.ts';
import {
  createApiKey,
  type KnownKey,
  listApiKeys,
  type MadeApiKey,
  revokeApiKey,
  rotateApiKey,
} from './api-key.ts';
import { loadUser } from './loaders.ts';
import { UserRef } from './schema.ts';

const ApiKeyScopeEnum = closedSet('ApiKeyScope', {
  description: 'What an API key may do of what its user may.',
  values: apiKeyScopes,
});

export const ApiKeyRef = builder.objectRef<KnownKey>('ApiKey').implement({
  description:
    'A bearer key: shown once, stored as a hash, acting with the role of its user, within its scopes.',
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
    scopes: t.field({
      type: [ApiKeyScopeEnum],
      description: 'What it may do of what its user may.',
      resolve: ({ scopes }) => scopes.filter(isApiKeyScope),
    }),
    integrationId: t.exposeID('integrationId', {
      nullable: true,
      description: 'The only integration that it imports into; null means any.',
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
    lastUsedFrom: t.exposeString('lastUsedFrom', {
      nullable: true,
      description: 'Address of the client that last used it.',
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

const CreateApiKeyInput = builder.inputType('CreateApiKeyInput', {
  description: 'A key to make.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'What the key is for.' }),
    scopes: t.field({
      type: [ApiKeyScopeEnum],
      description: 'What it may do of what its user may; READ where absent.',
    }),
    integrationId: t.id({
      description: 'The only integration that a key with the scope IMPORT imports into.',
    }),
    userId: t.id({
      description: 'The user it acts for; the viewer where absent. Only admins may.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When it stops working; null for never, the usual time of the server if absent.',
    }),
  }),
});

builder.queryField('apiKeys', (t) =>
  t.field({
    type: ApiKeyConnection,
    description: 'API keys, newest first: admins see all of the workspace, others their own.',
    args: { ...pageArgs, userId: t.arg.id({ description: 'Only keys of this user.' }) },
    resolve: (_root, { userId, ...args }, ctx) => listApiKeys(ctx, { userId }, args),
  }),
);

builder.mutationFields((t) => ({
  createApiKey: t.field({
    type: MadeApiKeyRef,
    description: 'Make an API key. Everybody may for themselves, admins for others.',
    args: createArgs(CreateApiKeyInput),
    resolve: (_root, { input }, ctx) => createApiKey(ctx, input),
  }),
  rotateApiKey: t.field({
    type: MadeApiKeyRef,
    description:
      'Make a key that takes the place of another one, with the same user, scopes and lifetime. The old one goes on for some hours. Everybody may of their own, admins of all.',
    args: {
      ...idArgs('key'),
      overlapHours: t.arg.int({ description: 'Hours that the old key goes on; 24 where absent.' }),
    },
    resolve: (_root, { id, overlapHours }, ctx) => rotateApiKey(ctx, id, overlapHours),
  }),
  revokeApiKey: t.field({
    type: ApiKeyRef,
    description:
      'Revoke an API key for good: it is refused everywhere within five seconds. The last key that lets an admin in cannot be revoked. Everybody may of their own, admins of all.',
    args: { id: t.arg.id({ required: true, description: 'Id of the key, not the key itself.' }) },
    resolve: (_root, { id }, ctx) => revokeApiKey(ctx, id),
  }),
}));

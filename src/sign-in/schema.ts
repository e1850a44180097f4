// Signing in, in GraphQL: by which providers, and the sessions of people.

import { builder } from '../graphql/builder.ts';
import { loadUser } from '../people/loaders.ts';
import { UserRef } from '../people/schema.ts';
import type { ProviderSettings } from './sign-in-settings.ts';
import { endSession, type KnownSession, listSessions, signOutEverywhere } from './user-session.ts';

const SignInProviderRef = builder.objectRef<ProviderSettings>('SignInProvider').implement({
  description: 'An OpenID provider by which people sign in, at `/sign-in/ID`.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its name on the server.' }),
    name: t.exposeString('name', { description: 'What people call it.' }),
  }),
});

const SessionRef = builder.objectRef<KnownSession>('Session').implement({
  description: 'A person who is signed in with a browser.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Identifier of the session, not what its cookie holds.' }),
    userId: t.exposeID('userId', { description: 'Who is signed in.' }),
    user: t.field({
      type: UserRef,
      nullable: true,
      description: 'The person who is signed in.',
      resolve: ({ userId }, _args, ctx) => loadUser(ctx, userId),
    }),
    method: t.exposeString('method', {
      description: 'What the person signed in with: the id of a provider, or `link`.',
    }),
    userAgent: t.exposeString('userAgent', {
      description: 'What the browser said that it is, up to 200 characters.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the person signed in.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      description: 'When it was last used, to the minute.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When it ends, unless it is used before.',
    }),
    isCurrent: t.boolean({
      description: 'Whether the request belongs to it.',
      resolve: ({ id }, _args, ctx) => id === ctx.viewer.sessionId,
    }),
  }),
});

builder.queryFields((t) => ({
  signInProviders: t.field({
    type: [SignInProviderRef],
    description: 'What people may sign in with, besides a key. Anyone may ask, without a key.',
    resolve: (_root, _args, ctx) => [...ctx.surroundings.signIn.providers],
  }),
  mySessions: t.field({
    type: [SessionRef],
    description: "The viewer's open sessions, the one used last first; 50 at most.",
    resolve: (_root, _args, ctx) => listSessions(ctx, ctx.surroundings.signIn.sessions),
  }),
  sessions: t.field({
    type: [SessionRef],
    nullable: true,
    description: "A user's open sessions, the one used last first. Admins may ask for others'.",
    args: { userId: t.arg.id({ required: true, description: 'Id of the user.' }) },
    resolve: (_root, { userId }, ctx) =>
      listSessions(ctx, ctx.surroundings.signIn.sessions, userId),
  }),
}));

builder.mutationFields((t) => ({
  endSession: t.id({
    description:
      "End a session, which is refused within five seconds everywhere. Admins may end others'. Answers its id.",
    args: { id: t.arg.id({ required: true, description: 'Id of the session.' }) },
    resolve: async (_root, { id }, ctx) => {
      await endSession(ctx, id);
      return id;
    },
  }),
  signOutEverywhere: t.int({
    description:
      'End all sessions of a user; keys keep working. Admins may end those of others. Answers how many there were.',
    args: { userId: t.arg.id({ description: 'Id of the user; the viewer where absent.' }) },
    resolve: (_root, { userId }, ctx) => signOutEverywhere(ctx, userId ?? undefined),
  }),
}));

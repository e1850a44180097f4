// Invitations in GraphQL.

import { builder } from '../graphql/builder.ts';
import { createArgs, idArgs } from '../graphql/mutation-args.ts';
import { RoleEnum } from '../people/input-schema.ts';
import { UserRef } from '../people/schema.ts';
import {
  invitedUntil,
  inviteUser,
  type MadeInvitation,
  maxInvitationHours,
  revokeInvitation,
} from './invitation.ts';

const InvitationRef = builder.objectRef<MadeInvitation>('Invitation').implement({
  description: 'A link that signs in, once, somebody who was added.',
  fields: (t) => ({
    user: t.field({
      type: UserRef,
      description: 'Who was invited.',
      resolve: ({ user }) => user,
    }),
    code: t.exposeString('code', {
      description:
        'The code of the link, which ends with `#code=` and it: any page of the explorer takes it. It is shown only once.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Until when it works.',
    }),
  }),
});

const InviteUserInput = builder.inputType('InviteUserInput', {
  description: 'A person to invite: what is absent or null takes its default.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Address, unique in the workspace.' }),
    firstName: t.string({ description: 'Given name.' }),
    lastName: t.string({ description: 'Family name.' }),
    role: t.field({ type: RoleEnum, description: 'What the person may do; viewer where absent.' }),
    teamIds: t.idList({ description: 'Teams that the person is a member of from the beginning.' }),
    expiresInHours: t.int({
      description: `Hours that the link works, 1 to ${maxInvitationHours}; a week where absent.`,
    }),
  }),
});

builder.objectField(UserRef, 'invitedUntil', (t) =>
  t.field({
    type: 'DateTime',
    nullable: true,
    description:
      'Until when the link of somebody works who was invited and has not come yet. Only admins are told.',
    resolve: ({ id }, _args, ctx) => invitedUntil(ctx, id),
  }),
);

builder.mutationFields((t) => ({
  inviteUser: t.field({
    type: InvitationRef,
    description:
      'Add a person with a link that signs them in once. Who was invited and has not come yet gets another link in place of the one before. Only admins may.',
    args: createArgs(InviteUserInput),
    resolve: (_root, { input }, ctx) => inviteUser(ctx, input),
  }),
  revokeInvitation: t.field({
    type: UserRef,
    description:
      'End the invitation of a person, whose link no longer works; the account stays. Only admins may.',
    args: idArgs('user'),
    resolve: (_root, { id }, ctx) => revokeInvitation(ctx, id),
  }),
}));

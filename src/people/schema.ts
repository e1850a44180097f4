// People in GraphQL: users, groups, and who asks.

import { isRole, type Viewer } from '../auth/viewer.ts';
import { getWorkspace } from '../auth/workspace.ts';
import type { User } from '../generated/prisma/client.ts';
import { builder } from '../graphql/builder.ts';
import { createArgs, deleteArgs, idArgs, updateArgs } from '../graphql/mutation-args.ts';
import { NodeRef } from '../graphql/node-ref.ts';
import { connectionOf, pageArgs } from '../graphql/page.ts';
import { restOnly } from '../graphql/views/mark.ts';
import { reading } from '../resources/shown.ts';
import { actionsOf, ViewerActionEnum } from './action-schema.ts';
import {
  createGroup,
  deleteGroup,
  getGroup,
  listGroups,
  listOwnGroups,
  updateGroup,
} from './group.ts';
import {
  CreateGroupInput,
  CreateUserInput,
  RoleEnum,
  UpdateGroupInput,
  UpdateUserInput,
} from './input-schema.ts';
import { loadGroups, loadUser, loadUsers } from './loaders.ts';
import { createUser, deactivateUser, getUser, listUsers, updateUser } from './user.ts';

export const UserRef = builder.prismaObject('User', {
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.exposeID('id'),
    workspaceId: t.exposeID('workspaceId', {
      description: 'Workspace the user belongs to.',
      extensions: restOnly,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version'),
    email: t.exposeString('email'),
    firstName: t.exposeString('firstName'),
    lastName: t.exposeString('lastName'),
    name: t.string({
      description: 'Full name, or the address where there is none.',
      resolve: nameOf,
    }),
    role: t.field({
      type: RoleEnum,
      description: 'What the user may do.',
      resolve: ({ role }) => (isRole(role) ? role : 'guest'),
    }),
    title: t.exposeString('title', { nullable: true }),
    avatarUrl: t.exposeString('avatarUrl', { nullable: true }),
    archived: t.exposeBoolean('archived'),
    emailNotifications: t.exposeBoolean('emailNotifications'),
    isService: t.exposeBoolean('isService'),
  }),
});

function nameOf({ firstName, lastName, email }: Pick<User, 'firstName' | 'lastName' | 'email'>) {
  return `${firstName} ${lastName}`.trim() || email;
}

export const GroupRef = builder.prismaObject('Group', {
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.exposeID('id'),
    workspaceId: t.exposeID('workspaceId', {
      description: 'Workspace the group belongs to.',
      extensions: restOnly,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version'),
    name: t.exposeString('name'),
    description: t.exposeString('description'),
    memberIds: t.exposeIDList('memberIds'),
    members: t.field({
      type: [UserRef],
      description: 'Users in the group.',
      resolve: ({ memberIds }, _args, ctx) => loadUsers(ctx, memberIds),
    }),
  }),
});

const WorkspaceRef = builder.prismaObject('Workspace', {
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

export const ViewerRef = builder.objectRef<Viewer>('Viewer').implement({
  description: 'Whom the request acts for.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The user's id." }),
    email: t.exposeString('email', { description: "The user's address." }),
    firstName: t.exposeString('firstName', { description: 'Given name.' }),
    lastName: t.exposeString('lastName', { description: 'Family name.' }),
    name: t.string({ description: 'Full name, or the address.', resolve: nameOf }),
    role: t.field({
      type: RoleEnum,
      description: 'What the user may do.',
      resolve: ({ role }) => role,
    }),
    allowedActions: t.field({
      type: [ViewerActionEnum],
      description:
        'What the user may do, apart from reading what they may see: so that a client offers nothing that ' +
        'would be refused.',
      resolve: actionsOf,
    }),
    workspaceId: t.exposeID('workspaceId', { description: 'Workspace of the request.' }),
    workspace: t.field({
      type: WorkspaceRef,
      description: 'Workspace of the request.',
      resolve: (_viewer, _args, ctx) => getWorkspace(ctx),
    }),
    teamIds: t.field({
      type: ['ID'],
      description: 'Teams the user is a member of.',
      resolve: ({ teamIds }) => [...teamIds],
    }),
    groups: t.field({
      type: [GroupRef],
      description: 'Groups the user is a member of; guests get to know none.',
      resolve: (_viewer, _args, ctx) => listOwnGroups(ctx),
    }),
  }),
});

const UserConnection = connectionOf('User', UserRef);
const GroupConnection = connectionOf('Group', GroupRef);

builder.queryFields((t) => ({
  viewer: t.field({
    type: ViewerRef,
    description: 'Whom the request acts for.',
    resolve: (_root, _args, ctx) => ctx.viewer,
  }),
  user: t.field({
    type: UserRef,
    nullable: true,
    description: 'One user. Guests may read only themselves.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => getUser(ctx, id),
  }),
  users: t.field({
    type: UserConnection,
    description: 'Users, newest first. Guests may not list them.',
    args: {
      ...pageArgs,
      search: t.arg.string({ description: 'Part of a name or address, without regard to case.' }),
      archived: t.arg.boolean({ description: 'True lists the deactivated ones, too.' }),
    },
    resolve: (_root, { search, archived, ...args }, ctx) =>
      listUsers(ctx, { search, archived }, args),
  }),
  group: t.field({
    type: GroupRef,
    nullable: true,
    description: 'One group.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => getGroup(ctx, id),
  }),
  groups: t.field({
    type: GroupConnection,
    description: 'Groups, newest first.',
    args: pageArgs,
    resolve: (_root, args, ctx) => listGroups(ctx, args),
  }),
}));

builder.mutationFields((t) => ({
  createUser: t.field({
    type: UserRef,
    description: 'Add a user. Only admins may.',
    args: createArgs(CreateUserInput),
    resolve: (_root, args, ctx) => createUser(ctx, args.input),
  }),
  updateUser: t.field({
    type: UserRef,
    description:
      'Change a user. Admins may; others their own name, title, picture and whether they get email.',
    args: updateArgs('user', UpdateUserInput),
    resolve: (_root, args, ctx) => updateUser(ctx, args.id, args.input, args.expectedVersion),
  }),
  deactivateUser: t.field({
    type: UserRef,
    description: 'Deactivate a user, whose keys stop working. The last admin stays. Admins may.',
    args: deleteArgs('user'),
    resolve: (_root, args, ctx) => deactivateUser(ctx, args.id, args.expectedVersion),
  }),
}));

/** Whom to add or to take out. */
const users = { required: true, description: 'Ids of users.' } as const;

builder.mutationFields((t) => ({
  createGroup: t.field({
    type: GroupRef,
    description: 'Make a group. Only admins may.',
    args: createArgs(CreateGroupInput),
    resolve: (_root, args, ctx) => createGroup(ctx, args.input),
  }),
  updateGroup: t.field({
    type: GroupRef,
    description: 'Change a group. Only admins may.',
    args: updateArgs('group', UpdateGroupInput),
    resolve: (_root, args, ctx) => updateGroup(ctx, args.id, args.input, args.expectedVersion),
  }),
  deleteGroup: t.field({
    type: GroupRef,
    description:
      'Delete a group, which no longer owns anything; rules name it no longer. Only admins may.',
    args: deleteArgs('group'),
    resolve: (_root, args, ctx) => deleteGroup(ctx, args.id, args.expectedVersion),
  }),
  addGroupMembers: t.field({
    type: GroupRef,
    description: 'Add users to the members of a group. Only admins may.',
    args: { ...idArgs('group'), userIds: t.arg.idList(users) },
    resolve: (_root, args, ctx) => updateGroup(ctx, args.id, { addMemberIds: args.userIds }),
  }),
  removeGroupMembers: t.field({
    type: GroupRef,
    description: 'Take users out of a group. Only admins may.',
    args: { ...idArgs('group'), userIds: t.arg.idList(users) },
    resolve: (_root, args, ctx) => updateGroup(ctx, args.id, { removeMemberIds: args.userIds }),
  }),
}));

builder.prismaInterfaceFields('Resource', (t) => ({
  owners: t.field({
    type: [UserRef],
    description: 'Users who own it.',
    extensions: reading('ownerIds'),
    resolve: ({ ownerIds }, _args, ctx) => loadUsers(ctx, ownerIds),
  }),
  ownerGroups: t.field({
    type: [GroupRef],
    description: 'Groups that own it.',
    extensions: reading('ownerGroupIds'),
    resolve: ({ ownerGroupIds }, _args, ctx) => loadGroups(ctx, ownerGroupIds),
  }),
  subscribers: t.field({
    type: [UserRef],
    description: 'Users who are notified of its changes.',
    extensions: reading('subscriberIds'),
    resolve: ({ subscriberIds }, _args, ctx) => loadUsers(ctx, subscriberIds),
  }),
}));

builder.prismaObjectField('Job', 'user', (t) =>
  t.field({
    type: UserRef,
    nullable: true,
    description: 'The user who started it; null where the server did.',
    resolve: ({ userId }, _args, ctx) => loadUser(ctx, userId),
  }),
);

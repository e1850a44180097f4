// Teams in GraphQL.

import { knownUsers } from '../auth/permission.ts';
import { builder, type InputFields } from '../graphql/builder.ts';
import { shownOf } from '../graphql/execution/shown-columns.ts';
import { createArgs, deleteArgs, updateArgs } from '../graphql/mutation-args.ts';
import { NodeRef } from '../graphql/node-ref.ts';
import { connectionOf, pageArgs } from '../graphql/page.ts';
import { defaultedForRest, restOnly } from '../graphql/views/mark.ts';
import { loadUsers } from '../people/loaders.ts';
import { UserRef, ViewerRef } from '../people/schema.ts';
import { loadHeld } from '../resources/lists/held.ts';
import { heldArgs } from '../resources/lists/where-schema.ts';
import { ResourceConnection } from '../resources/schema.ts';
import { reading } from '../resources/shown.ts';
import { archiveTeam } from './archive.ts';
import { addTeamMembers, joinTeam, leaveTeam, removeTeamMembers } from './member.ts';
import { mergeSections, type SidebarSettings } from './sidebar.ts';
import { createTeam, getTeam, listTeams, loadTeams, updateTeam } from './team.ts';

const TeamType = builder.enumType('TeamType', {
  description: 'Who may become a member of a team.',
  values: {
    OPEN: { description: 'Public: anyone of the workspace may join.' },
    CLOSED: { description: 'Private: only admins add members.' },
  },
});

const SidebarRef = builder.objectRef<SidebarSettings>('SidebarSettings').implement({
  description: 'Which sections of the sidebar a team shows.',
  fields: (t) => ({
    home: t.exposeBoolean('home', { description: 'The start page.' }),
    catalog: t.exposeBoolean('catalog', { description: 'The catalog.' }),
    documents: t.exposeBoolean('documents', { description: 'Documents.' }),
    questions: t.exposeBoolean('questions', { description: 'Questions.' }),
    glossary: t.exposeBoolean('glossary', { description: 'The glossary.' }),
    collections: t.exposeBoolean('collections', { description: 'Collections.' }),
  }),
});

export const TeamRef = builder.prismaObject('Team', {
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.exposeID('id'),
    workspaceId: t.exposeID('workspaceId', {
      description: 'Workspace the team belongs to.',
      extensions: restOnly,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version'),
    name: t.exposeString('name'),
    icon: t.exposeString('icon', { nullable: true }),
    type: t.field({
      type: TeamType,
      description: 'Who may become a member.',
      resolve: ({ type }) => (type === 'OPEN' ? 'OPEN' : 'CLOSED'),
    }),
    description: t.exposeString('description'),
    sidebarSettings: t.field({
      type: SidebarRef,
      description: 'Which sections of the sidebar the team shows.',
      resolve: ({ sidebarSettings }) => mergeSections(sidebarSettings, {}),
    }),
    archived: t.exposeBoolean('archived'),
    isDefaultTeam: t.exposeBoolean('isDefaultTeam'),
    onboardingComplete: t.exposeBoolean('onboardingComplete'),
    memberIds: t.idList({
      description: 'Users of the team.',
      resolve: ({ memberIds }, _args, ctx) => knownUsers(ctx, memberIds),
    }),
    members: t.field({
      type: [UserRef],
      description: 'Users of the team.',
      resolve: ({ memberIds }, _args, ctx) => loadUsers(ctx, memberIds),
    }),
  }),
});

const TeamConnection = connectionOf('Team', TeamRef);

builder.queryFields((t) => ({
  team: t.field({
    type: TeamRef,
    nullable: true,
    description:
      'One team, also a deleted one. Closed ones are known to their members, editors and admins.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => getTeam(ctx, id),
  }),
  teams: t.field({
    type: TeamConnection,
    description: 'Teams that the viewer may know of, newest first.',
    args: {
      ...pageArgs,
      archived: t.arg.boolean({ description: 'True lists the deleted ones, too.' }),
    },
    resolve: (_root, { archived, ...args }, ctx) => listTeams(ctx, { archived }, args),
  }),
}));

const SidebarInput = builder.inputType('SidebarSettingsInput', {
  description: 'Which sections of the sidebar to show; what is left out stays as it is.',
  fields: (t) => ({
    home: t.boolean({ description: 'The start page.' }),
    catalog: t.boolean({ description: 'The catalog.' }),
    documents: t.boolean({ description: 'Documents.' }),
    questions: t.boolean({ description: 'Questions.' }),
    glossary: t.boolean({ description: 'The glossary.' }),
    collections: t.boolean({ description: 'Collections.' }),
  }),
});

const fields = (t: InputFields) => ({
  icon: t.string({ description: 'An emoji or a name.' }),
  type: t.field({ type: TeamType, description: 'Who may become a member; OPEN at first.' }),
  description: t.string({ description: 'What the team is for.' }),
  sidebarSettings: t.field({ type: SidebarInput, description: 'Sections of the sidebar.' }),
  onboardingComplete: t.boolean({ description: 'Whether its set-up was completed.' }),
  addMemberIds: t.idList({ description: 'Users to add to its members.' }),
  removeMemberIds: t.idList({ description: 'Users to take out of it.' }),
});
const name = 'Name of the team.';

const CreateTeamInput = builder.inputType('CreateTeamInput', {
  description: 'A team to make: what is absent or null takes its default.',
  fields: (t) => ({
    name: t.string({ required: true, description: name, extensions: defaultedForRest }),
    ...fields(t),
  }),
});

const UpdateTeamInput = builder.inputType('UpdateTeamInput', {
  description: 'What to change of a team: absent leaves alone, null clears.',
  fields: (t) => ({ name: t.string({ description: name }), ...fields(t) }),
});

builder.mutationFields((t) => ({
  createTeam: t.field({
    type: TeamRef,
    description: 'Make a team, with the viewer as its first member. Only admins may.',
    args: createArgs(CreateTeamInput),
    resolve: (_root, args, ctx) => createTeam(ctx, args.input),
  }),
  updateTeam: t.field({
    type: TeamRef,
    description: 'Change a team. Only admins may; the default team stays OPEN.',
    args: updateArgs('team', UpdateTeamInput),
    resolve: (_root, args, ctx) => updateTeam(ctx, args.id, args.input, args.expectedVersion),
  }),
  archiveTeam: t.field({
    type: TeamRef,
    description:
      'Delete a team; what belongs solely to it moves to the default team. Only admins may.',
    args: deleteArgs('team'),
    resolve: (_root, args, ctx) => archiveTeam(ctx, args.id, args.expectedVersion),
  }),
}));

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true, description: 'Id of the team.' });
  const userIds = t.arg.idList({ required: true, description: 'Ids of users.' });
  return {
    joinTeam: t.field({
      type: TeamRef,
      description: 'Become a member of an OPEN team.',
      args: { id },
      resolve: (_root, args, ctx) => joinTeam(ctx, args.id),
    }),
    leaveTeam: t.field({
      type: TeamRef,
      description: 'Stop being a member of a team.',
      args: { id },
      resolve: (_root, args, ctx) => leaveTeam(ctx, args.id),
    }),
    addTeamMembers: t.field({
      type: TeamRef,
      description: 'Make users members of a team. Only admins may.',
      args: { id, userIds },
      resolve: (_root, args, ctx) => addTeamMembers(ctx, args.id, args.userIds),
    }),
    removeTeamMembers: t.field({
      type: TeamRef,
      description: 'Take users out of a team. Only admins may.',
      args: { id, userIds },
      resolve: (_root, args, ctx) => removeTeamMembers(ctx, args.id, args.userIds),
    }),
  };
});

builder.objectField(ViewerRef, 'teams', (t) =>
  t.field({
    type: [TeamRef],
    description: 'Teams the user is a member of.',
    resolve: ({ teamIds }, _args, ctx) => loadTeams(ctx, teamIds),
  }),
);

builder.prismaObjectField('Team', 'resources', (t) =>
  t.field({
    type: ResourceConnection,
    description: 'Resources that the team holds, by title unless ordered otherwise.',
    args: { ...pageArgs, ...heldArgs },
    resolve: ({ id }, { where, orderBy, ...args }, ctx, info) =>
      loadHeld(ctx, id, { as: 'held by team', where, orderBy, shown: shownOf(info) }, args),
  }),
);

builder.prismaInterfaceField('Resource', 'teams', (t) =>
  t.field({
    type: [TeamRef],
    description: 'Teams that hold it, as far as the viewer may know of them.',
    extensions: reading('teamIds'),
    resolve: ({ teamIds }, _args, ctx) => loadTeams(ctx, teamIds),
  }),
);

// Inputs that create and change users and groups.

import { builder, type InputFields } from '../graphql/builder.ts';
import { views } from '../graphql/views/mark.ts';

export const RoleEnum = builder.enumType('Role', {
  description: 'What a user may do in the workspace.',
  values: {
    admin: { description: 'Everything.' },
    editor: {
      description: 'Creates and changes what the catalog holds; reads people and sources.',
    },
    viewer: { description: 'Reads what is published, asks questions and replies.' },
    guest: { description: 'Reads what its own teams hold.' },
  },
});

const userFields = (t: InputFields) => ({
  firstName: t.string({ description: 'Given name.' }),
  lastName: t.string({ description: 'Family name.' }),
  role: t.field({ type: RoleEnum, description: 'What the user may do; viewer for a new user.' }),
  title: t.string({ description: 'Job title.' }),
  avatarUrl: t.string({ description: 'Address of a picture, http or https.' }),
  archived: t.boolean({ description: 'True deactivates the user, false takes it back.' }),
  emailNotifications: t.boolean({
    description: 'False: no email, only the inbox. True for a new user.',
  }),
});
const email = {
  description: 'Address, unique in the workspace.',
  saidInRest: 'Address, unique in the workspace; needed for a new user.',
};

export const CreateUserInput = builder.inputType('CreateUserInput', {
  description: 'A user to add: what is absent or null takes its default.',
  fields: (t) => ({
    email: t.string({
      required: true,
      description: email.description,
      extensions: views({ optionalInRest: 'refused', saidInRest: email.saidInRest }),
    }),
    ...userFields(t),
  }),
});

export const UpdateUserInput = builder.inputType('UpdateUserInput', {
  description: 'What to change of a user: absent leaves alone, null clears.',
  fields: (t) => ({
    email: t.string({
      description: email.description,
      extensions: views({ saidInRest: email.saidInRest }),
    }),
    ...userFields(t),
  }),
});

const groupFields = (t: InputFields) => ({
  description: t.string({ description: 'What the group is for.' }),
  memberIds: t.idList({ description: 'All its members; replaces those there were.' }),
  addMemberIds: t.idList({ description: 'Users to add to its members.' }),
  removeMemberIds: t.idList({ description: 'Users to take out of it.' }),
});
const name = {
  description: 'Name, unique in the workspace.',
  saidInRest: 'Name, unique in the workspace; needed for a new group.',
};

export const CreateGroupInput = builder.inputType('CreateGroupInput', {
  description: 'A group to make: what is absent or null takes its default.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: name.description,
      extensions: views({ optionalInRest: 'refused', saidInRest: name.saidInRest }),
    }),
    ...groupFields(t),
  }),
});

export const UpdateGroupInput = builder.inputType('UpdateGroupInput', {
  description: 'What to change of a group: absent leaves alone, null clears.',
  fields: (t) => ({
    name: t.string({
      description: name.description,
      extensions: views({ saidInRest: name.saidInRest }),
    }),
    ...groupFields(t),
  }),
});

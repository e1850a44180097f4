// Service accounts in GraphQL.

import { isRole } from '../auth/viewer.ts';
import { builder } from '../graphql/builder.ts';
import { createArgs, updateArgs } from '../graphql/mutation-args.ts';
import { connectionOf, pageArgs } from '../graphql/page.ts';
import { RoleEnum } from './input-schema.ts';
import {
  createServiceAccount,
  listServiceAccounts,
  type ServiceAccount,
  updateServiceAccount,
} from './service-account.ts';

const ServiceAccountRef = builder.objectRef<ServiceAccount>('ServiceAccount').implement({
  description:
    'A program with a role and API keys of its own. It is not a person: no list of users has it, and it owns nothing.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id, which keys are made for as `userId`.' }),
    name: t.exposeString('firstName', { description: 'What it is called.' }),
    role: t.field({
      type: RoleEnum,
      description: 'What it may do.',
      resolve: ({ role }) => (isRole(role) ? role : 'guest'),
    }),
    archived: t.exposeBoolean('archived', {
      description: 'True when it was deactivated: its keys no longer work.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    version: t.exposeInt('version', {
      description: 'Number of its state, from 1: each change of it counts one up.',
    }),
  }),
});

const ServiceAccountConnection = connectionOf('ServiceAccount', ServiceAccountRef);

const CreateServiceAccountInput = builder.inputType('CreateServiceAccountInput', {
  description: 'A service account to make.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'What it is called.' }),
    role: t.field({ type: RoleEnum, description: 'What it may do; viewer where absent.' }),
  }),
});

const UpdateServiceAccountInput = builder.inputType('UpdateServiceAccountInput', {
  description: 'What to change of a service account: absent leaves alone.',
  fields: (t) => ({
    name: t.string({ description: 'What it is called.' }),
    role: t.field({ type: RoleEnum, description: 'What it may do.' }),
    archived: t.boolean({ description: 'True deactivates it, false takes it back.' }),
  }),
});

builder.queryField('serviceAccounts', (t) =>
  t.field({
    type: ServiceAccountConnection,
    description: 'Service accounts, newest first. Only admins may list them.',
    args: {
      ...pageArgs,
      archived: t.arg.boolean({ description: 'True lists the deactivated ones, too.' }),
    },
    resolve: (_root, { archived, ...args }, ctx) => listServiceAccounts(ctx, { archived }, args),
  }),
);

builder.mutationFields((t) => ({
  createServiceAccount: t.field({
    type: ServiceAccountRef,
    description: 'Make a service account. Only admins may.',
    args: createArgs(CreateServiceAccountInput),
    resolve: (_root, { input }, ctx) => createServiceAccount(ctx, input),
  }),
  updateServiceAccount: t.field({
    type: ServiceAccountRef,
    description: 'Change a service account, or deactivate it. Only admins may.',
    args: updateArgs('service account', UpdateServiceAccountInput),
    resolve: (_root, { id, input, expectedVersion }, ctx) =>
      updateServiceAccount(ctx, id, input, expectedVersion),
  }),
}));

// Integrations and their types in GraphQL.

import { isAllowed } from '../auth/permission.ts';
import { isRole } from '../auth/viewer.ts';
import { invalidField } from '../errors.ts';
import { builder, type InputFields } from '../graphql/builder.ts';
import { weighing } from '../graphql/limits/weight.ts';
import { createArgs, deleteArgs, updateArgs } from '../graphql/mutation-args.ts';
import { NodeRef } from '../graphql/node-ref.ts';
import { connectionOf, pageArgs } from '../graphql/page.ts';
import { defaultedForRest, graphqlOnly, restOnly } from '../graphql/views/mark.ts';
import { RoleEnum } from '../people/input-schema.ts';
import { reading } from '../resources/shown.ts';
import { AddressInputRef } from './addresses/said-schema.ts';
import { changeAddresses } from './addresses/set-addresses.ts';
import { deleteIntegration } from './delete-integration.ts';
import {
  createIntegration,
  getIntegration,
  listIntegrations,
  loadIntegration,
  updateIntegration,
} from './integration.ts';
import { feedOf, labelOf } from './integration-type.ts';
import { FeedEnum } from './integration-type-schema.ts';
import { mayWriteSql } from './sql-writers.ts';
import { keepsSecretsHelp, shownCredentials } from './stored-secrets.ts';

export const IntegrationRef = builder.prismaObject('Integration', {
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.exposeID('id'),
    workspaceId: t.exposeID('workspaceId', {
      description: 'Workspace it belongs to.',
      extensions: restOnly,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version'),
    name: t.exposeString('name'),
    type: t.exposeString('type'),
    typeLabel: t.string({
      description: 'What people call its type, such as PostgreSQL.',
      resolve: ({ type }) => labelOf(type),
    }),
    fedBy: t.field({
      type: FeedEnum,
      description: 'What feeds it, which its type decides.',
      resolve: ({ type }) => feedOf(type),
    }),
    credentials: t.field({
      type: 'JSON',
      description: 'Always empty: credentials go in and never come out.',
      resolve: () => ({}),
    }),
    shownCredentials: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'Its credentials without secrets, to be changed; null where none are kept, and for those who may not change them.',
      extensions: graphqlOnly,
      resolve: (integration, _args, ctx) =>
        isAllowed(ctx, 'manage integrations') ? shownCredentials(ctx, integration) : null,
    }),
    hasCredentials: t.boolean({
      description: 'Whether credentials are kept.',
      resolve: ({ credentials }) => credentials !== null,
    }),
    sshTunnel: t.exposeString('sshTunnel', { nullable: true, extensions: restOnly }),
    sqlWriterIds: t.exposeStringList('executeAccess', {
      description: 'People and teams who may write SQL for its source, besides admins.',
    }),
    keepsFailingRows: t.exposeBoolean('keepsFailingRows', { extensions: graphqlOnly }),
    mayWriteSql: t.boolean({
      description: 'Whether the viewer may write SQL for its source.',
      resolve: (integration, _args, ctx) => mayWriteSql(ctx, integration),
    }),
    scheduledExtractionsHour: t.exposeInt('scheduledExtractionsHour', { nullable: true }),
    scheduledExtractionsFrequency: t.exposeInt('scheduledExtractionsFrequency', { nullable: true }),
    scheduledExtractionsNextRun: t.expose('scheduledExtractionsNextRun', {
      type: 'DateTime',
      nullable: true,
    }),
    scheduledExtractionsLastRun: t.expose('scheduledExtractionsLastRun', {
      type: 'DateTime',
      nullable: true,
    }),
    properties: t.field({
      type: 'JSON',
      description:
        'Free settings. `publish_imports: false` keeps what imports bring from viewers until published.',
      resolve: ({ properties }) => properties,
    }),
    previewAccessUsers: t.exposeStringList('previewAccessUsers', { extensions: restOnly }),
    previewRoles: t.field({
      type: [RoleEnum],
      description: 'Roles that may see rows of its tables; none unless an admin says so.',
      resolve: ({ previewAccessRoles }) => previewAccessRoles.filter(isRole),
    }),
    previewAccessGroups: t.exposeStringList('previewAccessGroups', { extensions: restOnly }),
    teamIds: t.exposeIDList('teamIds'),
  }),
});

const IntegrationConnection = connectionOf('Integration', IntegrationRef);

builder.queryFields((t) => ({
  integration: t.field({
    type: IntegrationRef,
    nullable: true,
    description: 'One integration. Admins and editors may read it.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => getIntegration(ctx, id),
  }),
  integrations: t.field({
    type: IntegrationConnection,
    description: 'Integrations, newest first. Admins and editors may read them.',
    args: {
      type: t.arg.string({ description: 'Only integrations of this type.' }),
      title: t.arg.string({
        description: 'Only integrations whose name contains this, without regard to case.',
      }),
      ...pageArgs,
    },
    resolve: (_root, args, ctx) => listIntegrations(ctx, args, args),
  }),
}));

const fields = (t: InputFields) => ({
  teamIds: t.idList({ description: 'Teams that hold what it brings.' }),
  sqlWriterIds: t.idList({
    description:
      'Ids of people and teams who may write SQL for its source, besides admins: they read all that its login reads.',
  }),
  previewRoles: t.field({
    type: [RoleEnum],
    description:
      'Roles that may see some rows of its tables, with `sampleTable`; columns that are personal are left out.',
  }),
  keepsFailingRows: t.boolean({
    description:
      'Whether incidents of row checks keep 20 of the rows that fail, for those who may write SQL; false unless given.',
    extensions: graphqlOnly,
  }),
  credentials: t.field({
    type: 'JSON',
    description:
      'What its source is connected to with; kept encrypted, never shown. An empty object clears ' +
      'them. A custom integration has none.',
  }),
  properties: t.field({
    type: 'JSON',
    description: 'Free settings, which replace the ones before.',
  }),
  scheduledExtractionsHour: t.int({ description: 'Hour of extractions, 0 to 23 in UTC.' }),
  scheduledExtractionsFrequency: t.int({ description: 'Hours between extractions, from 1.' }),
});
const name = 'Name of the integration.';

const CreateIntegrationInput = builder.inputType('CreateIntegrationInput', {
  description: 'An integration to make: what is absent or null takes its default.',
  fields: (t) => ({
    name: t.string({ required: true, description: name, extensions: defaultedForRest }),
    ...fields(t),
  }),
});

const UpdateIntegrationInput = builder.inputType('UpdateIntegrationInput', {
  description: 'What to change of an integration: absent leaves alone, null clears.',
  fields: (t) => ({
    name: t.string({ description: name }),
    ...fields(t),
    keepsSecrets: t.boolean({
      description: `${keepsSecretsHelp} False unless given.`,
      extensions: graphqlOnly,
    }),
    addresses: t.field({
      type: [AddressInputRef],
      description:
        'Where the databases lie that it names, in place of what was said before; in a request of its own, as ' +
        'what it described is brought in line at once.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createIntegration: t.field({
    type: IntegrationRef,
    description: 'Make an integration. Admins may.',
    args: {
      type: t.arg.string({
        description:
          'What it is: `custom` (the default), `dbt_core`, `chat`, or the name of a source, such as `postgres`. ' +
          'Any name will do that is not nearly a known one; `fedBy` of the answer says what feeds it.',
        extensions: { form: { pattern: '^[a-z][a-z0-9_]{0,49}$' } },
      }),
      ...createArgs(CreateIntegrationInput),
    },
    resolve: (_root, args, ctx) =>
      createIntegration(ctx, { ...objects(args.input), type: args.type }),
  }),
  updateIntegration: t.field({
    type: IntegrationRef,
    description: 'Change an integration. Admins may.',
    args: updateArgs('integration', UpdateIntegrationInput),
    resolve: (_root, { id, input: { addresses, ...input }, expectedVersion }, ctx) =>
      addresses
        ? changeAddresses(ctx, id, addresses, input, expectedVersion)
        : updateIntegration(ctx, id, objects(input), expectedVersion),
  }),
  deleteIntegration: t.field({
    type: IntegrationRef,
    description:
      'Delete an integration with its resources, their lineage and their monitors. Admins may.',
    args: deleteArgs('integration'),
    extensions: weighing({ isUnbounded: true }),
    resolve: (_root, args, ctx) => deleteIntegration(ctx, args.id, args.expectedVersion),
  }),
}));

type Input = Omit<typeof UpdateIntegrationInput.$inferInput, 'addresses'>;

/** JSON is anything; credentials and properties are objects. */
function objects({ credentials, properties, ...rest }: Input) {
  return {
    ...rest,
    credentials: objectOrNothing('credentials', credentials),
    properties: objectOrNothing('properties', properties),
  };
}

function objectOrNothing(
  field: string,
  value: unknown,
): Record<string, unknown> | null | undefined {
  if (value === undefined || value === null) return value;
  if (typeof value === 'object' && !Array.isArray(value)) return { ...value };
  throw invalidField(field, 'Use a JSON object.');
}

builder.prismaInterfaceField('Resource', 'integration', (t) =>
  t.field({
    type: IntegrationRef,
    nullable: true,
    description: 'Integration it came from, for those who may read integrations.',
    extensions: reading('integrationId'),
    resolve: ({ integrationId }, _args, ctx) => loadIntegration(ctx, integrationId),
  }),
);

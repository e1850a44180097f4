// Addresses of integrations in GraphQL.

import { builder } from '../../graphql/builder.ts';
import { weighing } from '../../graphql/limits/weight.ts';
import { closedSet } from '../../graphql/views/closed-set.ts';
import { ImportResult } from '../imports/schema.ts';
import { loadIntegration } from '../integration.ts';
import { IntegrationRef } from '../schema.ts';
import {
  type AddressProposal,
  type KnownAddress,
  loadAddresses,
  loadUndecided,
  proposedAddresses,
} from './list-addresses.ts';
import { AddressInputRef, addressWords } from './said-schema.ts';
import { setIntegrationAddresses } from './set-addresses.ts';

const AddressOrigin = closedSet<KnownAddress['origin']>('AddressOrigin', {
  description: 'Who says where a database lies.',
  values: {
    set: 'A person.',
    credentials: 'The credentials of the integration.',
    matched: 'No other source has its schemas.',
  },
});

const { database, address, becomes } = addressWords;

const IntegrationAddressRef = builder.objectRef<KnownAddress>('IntegrationAddress').implement({
  description: 'Where a database lies that an integration names.',
  fields: (t) => ({
    database: t.exposeString('database', { nullable: true, description: database }),
    address: t.exposeString('address', { description: address }),
    becomes: t.exposeString('becomes', { nullable: true, description: becomes }),
    origin: t.expose('origin', { type: AddressOrigin, description: 'Who says so.' }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', description: 'Since when.' }),
  }),
});

const AddressProposalRef = builder.objectRef<AddressProposal>('AddressProposal').implement({
  description: 'Where a database may lie, as another source has schemas of it.',
  fields: (t) => ({
    database: t.exposeString('database', { nullable: true, description: database }),
    address: t.exposeString('address', { description: address }),
    becomes: t.exposeString('becomes', { nullable: true, description: becomes }),
    integration: t.field({
      type: IntegrationRef,
      nullable: true,
      description: 'The source that has them.',
      resolve: ({ integrationId }, _args, ctx) => loadIntegration(ctx, integrationId),
    }),
    sharedSchemas: t.exposeInt('sharedSchemas', { description: 'Schemas that both have.' }),
    sharedTables: t.exposeInt('sharedTables', { description: 'Tables that both have.' }),
  }),
});

builder.prismaObjectFields(IntegrationRef, (t) => ({
  addresses: t.field({
    type: [IntegrationAddressRef],
    description: 'Where the databases lie that it names, as far as something says so.',
    resolve: ({ id }, _args, ctx) => loadAddresses(ctx, id),
  }),
  proposedAddresses: t.field({
    type: [AddressProposalRef],
    description: 'Where they may lie, the likeliest first.',
    resolve: ({ id }, _args, ctx) => proposedAddresses(ctx, id),
  }),
  undecidedDatabases: t.stringList({
    description: 'Databases that it names, and nothing says where they lie.',
    resolve: ({ id }, _args, ctx) => loadUndecided(ctx, id),
  }),
}));

builder.mutationField('setIntegrationAddresses', (t) =>
  t.field({
    type: ImportResult,
    description:
      'Say where the databases lie that an integration names, in place of what people said before. What turns out to be one is ' +
      'merged at once, and what is not is parted. Admins may.',
    args: {
      id: t.arg.id({ required: true, description: 'Id of the integration.' }),
      addresses: t.arg({
        type: [AddressInputRef],
        required: true,
        description: 'All that is to be said; an empty list takes back what was said.',
      }),
      dryRun: t.arg.boolean({
        defaultValue: false,
        description: 'Whether only to answer what would be done.',
      }),
    },
    extensions: weighing({ isUnbounded: true }),
    resolve: (_root, { id, addresses, dryRun }, ctx) =>
      setIntegrationAddresses(ctx, id, addresses, dryRun ?? false),
  }),
);

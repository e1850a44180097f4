// Who describes a resource, in GraphQL.

import { builder } from '../../graphql/builder.ts';
import { weighing } from '../../graphql/limits/weight.ts';
import { closedSet } from '../../graphql/views/closed-set.ts';
import type { ClaimRole } from '../../resources/identities/claim-rank.ts';
import { loadResource } from '../../resources/loaders.ts';
import { ResourceRef } from '../../resources/schema.ts';
import { reading } from '../../resources/shown.ts';
import { loadIntegration } from '../integration.ts';
import { IntegrationRef } from '../schema.ts';
import { loadDescribedCounts } from './described-counts.ts';
import {
  type Describer,
  loadDescribers,
  loadMaker,
  loadMergedIds,
  loadMissing,
} from './describers.ts';
import { type Duplicate, listDuplicates } from './duplicates.ts';
import { mergeResources } from './merge-resources.ts';

const DescriberRole = closedSet<ClaimRole>('DescriberRole', {
  description: 'What a resource is to an integration that describes it, the nearest first.',
  values: {
    person: 'A person made it by hand.',
    sync: 'Its source has it, which is synced.',
    file: 'A file about the source names it.',
    model: 'The project makes it: a model, seed or snapshot.',
    source: 'The project reads it.',
    openlineage: 'Events of runs name it.',
    implied: 'Something named lies in it.',
  },
});

const DescriberRef = builder.objectRef<Describer>('Describer').implement({
  description: 'An integration that describes a resource, or the person who made it by hand.',
  fields: (t) => ({
    integration: t.field({
      type: IntegrationRef,
      nullable: true,
      description: 'The integration, for those who may read integrations; null for a person.',
      resolve: ({ integrationId }, _args, ctx) => loadIntegration(ctx, integrationId),
    }),
    key: t.exposeString('key', { description: 'The key by which it names the resource.' }),
    role: t.expose('role', { type: DescriberRole, description: 'What the resource is to it.' }),
    isLive: t.exposeBoolean('isLive', { description: 'Whether it still names the resource.' }),
    goneAt: t.expose('goneAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it stopped naming the resource.',
    }),
    isOwner: t.exposeBoolean('isOwner', {
      description: 'Whether the resource lies there, as far as the catalog knows.',
    }),
    fields: t.stringList({
      description: 'The fields whose value the catalog shows.',
      resolve: ({ fields }) => [...fields],
    }),
  }),
});

const DuplicateRef = builder.objectRef<Duplicate>('DuplicateResource').implement({
  description: 'Two resources of one name in one place, which `mergeResources` makes one.',
  fields: (t) => ({
    resource: t.field({
      type: ResourceRef,
      nullable: true,
      description: 'The one that its name means: keep it.',
      resolve: ({ id }, _args, ctx) => loadResource(ctx, id),
    }),
    other: t.field({
      type: ResourceRef,
      nullable: true,
      description: 'The one to be merged into it.',
      resolve: ({ otherId }, _args, ctx) => loadResource(ctx, otherId),
    }),
  }),
});

builder.prismaObjectFields(IntegrationRef, (t) => ({
  describedCount: t.int({
    description: 'How many resources it describes, alone or with others, that the viewer may see.',
    resolve: async ({ id }, _args, ctx) => (await loadDescribedCounts(ctx, id)).described,
  }),
  ownedCount: t.int({
    description: 'How many of these lie in it: it is their `integration`.',
    resolve: async ({ id }, _args, ctx) => (await loadDescribedCounts(ctx, id)).owned,
  }),
  duplicates: t.field({
    type: [DuplicateRef],
    description: 'Resources that it describes of whose name there are two in one place, by name.',
    args: {
      first: t.arg.int({ defaultValue: 100, description: 'At most this many, 1 to 1,000.' }),
    },
    resolve: ({ id }, { first }, ctx) => listDuplicates(ctx, id, first ?? 100),
  }),
}));

builder.mutationField('mergeResources', (t) =>
  t.field({
    type: ResourceRef,
    description:
      'Make one resource of two of a kind, with what lies in both under one name. All that hangs on the one that is merged ' +
      'hangs on the other afterwards, and its id leads there. Editors may.',
    args: {
      keep: t.arg.id({ required: true, description: 'The resource that is kept.' }),
      merge: t.arg.id({ required: true, description: 'The one that is merged into it.' }),
      dryRun: t.arg.boolean({
        defaultValue: false,
        description: 'Whether only to look whether the two can be one.',
      }),
    },
    extensions: weighing({ isUnbounded: true }),
    resolve: (_root, { keep, merge, dryRun }, ctx) =>
      mergeResources(ctx, { keep, merge, dryRun: dryRun ?? false }),
  }),
);

builder.prismaInterfaceFields('Resource', (t) => ({
  describers: t.field({
    type: [DescriberRef],
    description: 'Who describes it: where it lies first, then those that still name it.',
    extensions: reading(),
    resolve: ({ id }, _args, ctx) => loadDescribers(ctx, id),
  }),
  madeBy: t.field({
    type: IntegrationRef,
    nullable: true,
    description: 'The project that makes it, for those who may read integrations.',
    extensions: reading(),
    resolve: async ({ id }, _args, ctx) => loadIntegration(ctx, await loadMaker(ctx, id)),
  }),
  missingFrom: t.field({
    type: [IntegrationRef],
    description: 'Integrations whose source no longer has it, for those who may read them.',
    extensions: reading(),
    resolve: async ({ id }, _args, ctx) => {
      const ids = await loadMissing(ctx, id);
      const found = await Promise.all(ids.map((one) => loadIntegration(ctx, one)));
      return found.filter((one) => one !== null);
    },
  }),
  mergedFrom: t.idList({
    description: 'Ids of resources that were merged into it; they lead here.',
    extensions: reading(),
    resolve: ({ id }, _args, ctx) => loadMergedIds(ctx, id),
  }),
}));

// Coverage in GraphQL.

import { builder } from '../../graphql/builder.ts';
import { numberOf, statement, weighing } from '../../graphql/limits/weight.ts';
import { closedSet } from '../../graphql/views/closed-set.ts';
import {
  type Counts,
  countCoverage,
  coverageGroups,
  type GroupCounts,
  groupCoverage,
} from './coverage.ts';
import { ResourceWhere } from './where-schema.ts';

const CoverageGroupEnum = closedSet('CoverageGroup', {
  description: 'What resources are counted by.',
  values: coverageGroups,
});

const about = {
  total: 'How many resources there are.',
  owned: 'How many a user or a group owns.',
  described: 'How many have a description.',
  documented: 'How many have documentation.',
  tagged: 'How many have a tag.',
  verified: 'How many somebody has verified.',
  tables: 'How many of them are tables.',
  watched:
    'How many tables an enabled monitor watches: they, one of their columns, or all tables of their schema or database.',
  important: 'How many tables somebody has verified, or a dashboard or chart reads itself.',
  importantWatched: 'How many of those that are important a monitor watches.',
};

const GroupCountsRef = builder.objectRef<GroupCounts>('CoverageCount').implement({
  description: 'How many resources of a group have what.',
  fields: (t) => ({
    value: t.exposeString('value', {
      nullable: true,
      description:
        'The group: a kind, or an id; null for those in no group that the viewer may know of.',
    }),
    label: t.exposeString('label', { description: 'Name of the group.' }),
    total: t.exposeInt('total', { description: about.total }),
    owned: t.exposeInt('owned', { description: about.owned }),
    described: t.exposeInt('described', { description: about.described }),
    documented: t.exposeInt('documented', { description: about.documented }),
    tagged: t.exposeInt('tagged', { description: about.tagged }),
    verified: t.exposeInt('verified', { description: about.verified }),
    tables: t.exposeInt('tables', { description: about.tables }),
    watched: t.exposeInt('watched', { description: about.watched }),
    important: t.exposeInt('important', { description: about.important }),
    importantWatched: t.exposeInt('importantWatched', { description: about.importantWatched }),
  }),
});

const CoverageRef = builder.objectRef<Counts & { readonly where: unknown }>('Coverage').implement({
  description: 'How many resources have an owner, a description, documentation and so on.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: about.total }),
    owned: t.exposeInt('owned', { description: about.owned }),
    described: t.exposeInt('described', { description: about.described }),
    documented: t.exposeInt('documented', { description: about.documented }),
    tagged: t.exposeInt('tagged', { description: about.tagged }),
    verified: t.exposeInt('verified', { description: about.verified }),
    tables: t.exposeInt('tables', { description: about.tables }),
    watched: t.exposeInt('watched', { description: about.watched }),
    important: t.exposeInt('important', { description: about.important }),
    importantWatched: t.exposeInt('importantWatched', { description: about.importantWatched }),
    by: t.field({
      type: [GroupCountsRef],
      description: 'The same by group, the largest groups first.',
      args: {
        group: t.arg({ type: CoverageGroupEnum, required: true, description: 'By what.' }),
        first: t.arg.int({ defaultValue: 100, description: 'How many groups, 1 to 1,000.' }),
      },
      extensions: weighing({ own: 10 * statement, items: numberOf('first') }),
      resolve: ({ where }, { group, first }, ctx) => groupCoverage(ctx, where, group, first ?? 100),
    }),
  }),
});

builder.queryField('coverage', (t) =>
  t.field({
    type: CoverageRef,
    description: 'How well the resources that the viewer may see are owned and documented.',
    args: { where: t.arg({ type: ResourceWhere, description: 'Only those that it holds for.' }) },
    extensions: weighing({ own: 10 * statement }),
    resolve: async (_root, { where }, ctx) => ({ ...(await countCoverage(ctx, where)), where }),
  }),
);

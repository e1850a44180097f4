// Impact in GraphQL: what a change of a column or table would reach.

import { loaderOf } from '../../database/loader.ts';
import { builder } from '../../graphql/builder.ts';
import { numberOf, statement, weighing } from '../../graphql/limits/weight.ts';
import { UserRef } from '../../people/schema.ts';
import { parseKind } from '../../resources/kind.ts';
import { loadResources } from '../../resources/loaders.ts';
import { ResourceKind, ResourceRef, resourceAt } from '../../resources/schema.ts';
import { type Certainty, certaintiesOf } from '../certainty.ts';
import { LineageStrength, LineageUse } from '../strength-schema.ts';
import { type Impact, impact, type KindCount, type ReachedList } from './impact.ts';
import type { ReachedOwner } from './owner.ts';
import type { ImpactNode, Reason } from './reason.ts';

const CertaintyRef = builder.objectRef<Certainty>('TableCertainty').implement({
  description: 'How much is known of where the columns of a table come from.',
  fields: (t) => ({
    columns: t.exposeInt('columns', {
      description: 'Columns of the table that the viewer may see.',
    }),
    traced: t.exposeInt('traced', {
      description: 'Of them: columns whose sources are known; constants have none.',
    }),
    ambiguous: t.exposeInt('ambiguous', { description: 'Columns that several tables may give.' }),
    unresolved: t.exposeInt('unresolved', {
      description: 'Columns that no known table gives, or that the SQL does not name.',
    }),
    reasons: t.stringList({
      description:
        'Why not all is known, in sentences; empty when all is. Those who may not edit lineage learn only that it is not.',
      resolve: ({ reasons }) => [...reasons],
    }),
  }),
});

const ImpactWayRef = builder.objectRef<Reason>('ImpactWay').implement({
  description: 'One way in which a change reaches a resource.',
  fields: (t) => ({
    reason: t.exposeString('reason', { description: 'Why it is reached this way, in words.' }),
    strength: t.expose('strength', {
      type: LineageStrength,
      nullable: true,
      description: 'How the last step leads to it; null where it may be reached only.',
    }),
    uses: t.field({
      type: [LineageUse],
      description: 'What the last step uses a column for; empty where no SQL says it.',
      resolve: ({ uses }) => [...uses],
    }),
  }),
});

const ImpactNodeRef = builder.objectRef<ImpactNode>('ImpactNode').implement({
  description: 'A resource that a change reaches.',
  fields: (t) => ({
    resource: t.field(
      resourceAt('The resource; null where the viewer may not see it.', ({ id }: ImpactNode) => id),
    ),
    ways: t.field({
      type: [ImpactWayRef],
      description:
        'Each way in which it is reached, the strongest first, 20 at most: a column that decides about the rows of a table may flow into it as well.',
      resolve: ({ ways }) => [...ways],
    }),
    reason: t.exposeString('reason', {
      description: 'Why it is reached by the first of these ways, in words.',
    }),
    strength: t.expose('strength', {
      type: LineageStrength,
      nullable: true,
      description: 'How the first of these ways leads to it; null where it may be reached only.',
    }),
    uses: t.field({
      type: [LineageUse],
      description: 'What the first of these ways uses a column for; empty where no SQL says it.',
      resolve: ({ uses }) => [...uses],
    }),
    certainty: t.field({
      type: CertaintyRef,
      nullable: true,
      description: 'How sure the lineage of a table is; null for all but tables.',
      resolve: async ({ id, kind }, _args, ctx) =>
        kind === 'table' ? ((await loaderOf(ctx, certaintiesOf).load(id)) ?? null) : null,
    }),
    depth: t.exposeInt('depth', { description: 'Steps from what changes.' }),
    path: t.field({
      type: [ResourceRef],
      description: 'A shortest way from what changes to it, both included.',
      resolve: ({ path }, _args, ctx) => loadResources(ctx, path),
    }),
  }),
});

const KindCountRef = builder.objectRef<KindCount>('ImpactCount').implement({
  description: 'How many resources of a kind a change reaches.',
  fields: (t) => ({
    kind: t.field({
      type: ResourceKind,
      description: 'The kind.',
      resolve: ({ kind }) => parseKind(kind),
    }),
    count: t.exposeInt('count', { description: 'How many of them.' }),
  }),
});

const ReachedOwnerRef = builder.objectRef<ReachedOwner>('ImpactOwner').implement({
  description: 'A user who owns some of what a change reaches.',
  fields: (t) => ({
    user: t.expose('user', { type: UserRef, description: 'The user.' }),
    count: t.exposeInt('count', {
      description: 'How much of it, columns aside: owned directly or by a group of theirs.',
    }),
  }),
});

const pageOfList = builder.args((t) => ({
  first: t.int({ defaultValue: 50, description: 'How many of them: 1 to 1,000.' }),
  after: t.id({
    description: 'Show the next page: give the id of the last resource of the page before.',
  }),
}));

export const ImpactRef = builder.objectRef<Impact>('Impact').implement({
  description: 'What a change would reach, downstream: counted as a whole, and by pages.',
  fields: (t) => {
    const list = (description: string, of: (impact: Impact) => ReachedList) =>
      t.field({
        type: [ImpactNodeRef],
        description,
        args: pageOfList,
        extensions: weighing({ own: 4 * statement, items: numberOf('first') }),
        resolve: (impact, page) => of(impact).page(page),
      });
    return {
      counts: t.field({
        type: [KindCountRef],
        description: 'Of each kind how much is reached for sure, the most first.',
        resolve: ({ counts }) => [...counts],
      }),
      possibleCount: t.int({
        description: 'How much may be reached.',
        resolve: ({ possible }) => possible.ids.length,
      }),
      possibleCounts: t.field({
        type: [KindCountRef],
        description: 'Of each kind how much may be reached, the most first.',
        resolve: ({ possibleCounts }) => [...possibleCounts],
      }),
      owners: t.field({
        type: [ReachedOwnerRef],
        description: 'Users who own the most of what is or may be reached.',
        args: { first: t.arg.int({ defaultValue: 20, description: 'How many: 1 to 1,000.' }) },
        extensions: weighing({ own: 4 * statement, items: numberOf('first') }),
        resolve: (impact, { first }) => impact.owners(first),
      }),
      columns: list('Columns that are made from it, nearest first.', ({ columns }) => columns),
      tables: list(
        'Tables of those columns, tables whose rows it decides about, and what is made from those, nearest first.',
        ({ tables }) => tables,
      ),
      others: list('Charts, dashboards and whatever else, nearest first.', ({ others }) => others),
      possible: list(
        'What reads a table in question and may use these columns, and what is made from that, nearest first: the reason says what is not known.',
        ({ possible }) => possible,
      ),
      truncated: t.boolean({
        description: 'Whether there is more than was counted.',
        resolve: ({ truncatedReason }) => truncatedReason !== null,
      }),
      truncatedReason: t.exposeString('truncatedReason', {
        nullable: true,
        description: 'Which limit cut it; begins with depth or maxNodes.',
      }),
      hiddenNodes: t.exposeInt('hidden', {
        description: 'Resources that the viewer may not see: passed through and not shown.',
      }),
    };
  },
});

builder.queryField('impact', (t) =>
  t.field({
    type: ImpactRef,
    nullable: true,
    description: 'What a change of columns, tables or other resources would reach, downstream.',
    args: {
      of: t.arg.idList({ required: true, description: 'What changes: 1 to 1,000 resources.' }),
      depth: t.arg.int({ defaultValue: 100, description: 'Steps at most: 1 to 100.' }),
      maxNodes: t.arg.int({
        defaultValue: 100_000,
        description: 'Resources to come to at most: 1 to 100,000.',
      }),
    },
    extensions: weighing({ own: 10 * statement }),
    resolve: (_root, args, ctx) => impact(ctx, args),
  }),
);

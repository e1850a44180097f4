// Impact in GraphQL: what a change of a column or table would reach.

import { loaderOf } from '../../database/loader.ts';
import { builder } from '../../graphql/builder.ts';
import { numberOf, statement, weighing } from '../../graphql/limits/weight.ts';
import { loadResources } from '../../resources/loaders.ts';
import { ResourceRef, resourceAt } from '../../resources/schema.ts';
import { type Certainty, certaintiesOf } from '../certainty.ts';
import { LineageStrength, LineageUse } from '../strength-schema.ts';
import { type Impact, impact } from './impact.ts';
import type { ImpactNode } from './reason.ts';

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

const ImpactNodeRef = builder.objectRef<ImpactNode>('ImpactNode').implement({
  description: 'A resource that a change reaches.',
  fields: (t) => ({
    resource: t.field(
      resourceAt('The resource; null where the viewer may not see it.', ({ id }: ImpactNode) => id),
    ),
    reason: t.exposeString('reason', { description: 'Why it is reached, in words.' }),
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

export const ImpactRef = builder.objectRef<Impact>('Impact').implement({
  description: 'What a change would reach, downstream.',
  fields: (t) => ({
    columns: t.field({
      type: [ImpactNodeRef],
      description: 'Columns that are made from it, nearest first.',
      resolve: ({ columns }) => [...columns],
    }),
    tables: t.field({
      type: [ImpactNodeRef],
      description:
        'Tables of those columns, tables whose rows it decides about, and what is made from those, nearest first.',
      resolve: ({ tables }) => [...tables],
    }),
    others: t.field({
      type: [ImpactNodeRef],
      description: 'Charts, dashboards and whatever else, nearest first.',
      resolve: ({ others }) => [...others],
    }),
    possible: t.field({
      type: [ImpactNodeRef],
      description:
        'What reads a table in question and may use these columns, and what is made from that, nearest first: the reason says what is not known.',
      resolve: ({ possible }) => [...possible],
    }),
    truncated: t.boolean({
      description: 'Whether there is more than is shown.',
      resolve: ({ truncatedReason }) => truncatedReason !== null,
    }),
    truncatedReason: t.exposeString('truncatedReason', {
      nullable: true,
      description: 'Which limit cut it; begins with depth or maxNodes.',
    }),
    hiddenNodes: t.exposeInt('hidden', {
      description: 'Resources that the viewer may not see: passed through and not shown.',
    }),
  }),
});

builder.queryField('impact', (t) =>
  t.field({
    type: ImpactRef,
    nullable: true,
    description: 'What a change of columns, tables or other resources would reach, downstream.',
    args: {
      of: t.arg.idList({ required: true, description: 'What changes: 1 to 1,000 resources.' }),
      depth: t.arg.int({ defaultValue: 100, description: 'Steps at most: 1 to 100.' }),
      maxNodes: t.arg.int({ defaultValue: 1_000, description: 'Resources: 1 to 10,000.' }),
    },
    extensions: weighing({ own: 10 * statement, rows: numberOf('maxNodes') }),
    resolve: (_root, args, ctx) => impact(ctx, args),
  }),
);

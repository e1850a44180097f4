// In charge of impact in GraphQL: what a change of a column or table would reach.

import { builder } from '../graphql/builder.ts';
import { numberOf, statement, weighing } from '../graphql/limits/weight.ts';
import { loadResource, loadResources } from '../resources/loaders.ts';
import { ResourceRef } from '../resources/schema.ts';
import { type Impact, type ImpactNode, impact } from './impact.ts';

const ImpactNodeRef = builder.objectRef<ImpactNode>('ImpactNode').implement({
  description: 'A resource that a change reaches.',
  fields: (t) => ({
    resource: t.field({
      type: ResourceRef,
      nullable: true,
      description: 'The resource; null where the viewer may not see it.',
      resolve: ({ id }, _args, ctx) => loadResource(ctx, id),
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
      description: 'Tables of those columns, and others that are made from it, nearest first.',
      resolve: ({ tables }) => [...tables],
    }),
    others: t.field({
      type: [ImpactNodeRef],
      description: 'Charts, dashboards and whatever else, nearest first.',
      resolve: ({ others }) => [...others],
    }),
    possible: t.field({
      type: [ImpactNodeRef],
      description: 'What depends on a table as a whole: nobody knows whether by these columns.',
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

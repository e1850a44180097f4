// What the past of lineage looks like in GraphQL: when it changed, and what came and went.

import { builder } from '../../graphql/builder.ts';
import { numberOf, statement, weighing } from '../../graphql/limits/weight.ts';
import { parseKind } from '../../resources/kind.ts';
import { pictureNode } from '../around.ts';
import { LineageNodeType } from '../picture-schema.ts';
import { LineageEdgeType, LineageLevel, walkArgs } from '../schema.ts';
import { type ChangedNode, type LineageChanges, lineageChanges } from './compare-times.ts';
import { lineageMoments, maxMoments } from './moments.ts';

const nodesOf = (changed: readonly ChangedNode[]) =>
  changed.map(({ node, of: { around } }) => pictureNode(node, around, null));

const LineageChangesType = builder.objectRef<LineageChanges>('LineageChanges').implement({
  description: 'What came and went in a picture of lineage between two times.',
  fields: (t) => ({
    since: t.expose('since', { type: 'DateTime', description: 'The earlier of the two times.' }),
    until: t.expose('until', { type: 'DateTime', description: 'The later of the two times.' }),
    addedNodes: t.field({
      type: [LineageNodeType],
      description: 'Nodes of the later picture alone, nearest first.',
      resolve: ({ addedNodes }) => nodesOf(addedNodes),
    }),
    removedNodes: t.field({
      type: [LineageNodeType],
      description: 'Nodes of the earlier picture alone, nearest first, as they lay there.',
      resolve: ({ removedNodes }) => nodesOf(removedNodes),
    }),
    addedEdges: t.field({
      type: [LineageEdgeType],
      description:
        'Edges of the later picture alone; one that another origin takes over has not changed.',
      resolve: async ({ edges }) => [...(await edges()).added],
    }),
    removedEdges: t.field({
      type: [LineageEdgeType],
      description: 'Edges of the earlier picture alone.',
      resolve: async ({ edges }) => [...(await edges()).removed],
    }),
    truncated: t.exposeBoolean('truncated', {
      description:
        'Whether a limit other than `depth` cut a picture: beyond it nothing is compared.',
    }),
  }),
});

builder.queryFields((t) => ({
  lineageMoments: t.field({
    type: ['DateTime'],
    nullable: true,
    description: `When the lineage around resources changed, oldest first: the newest ${maxMoments} full seconds.`,
    args: {
      from: t.arg.idList({ required: true, description: 'Around what: 1 to 100 resources.' }),
      depth: t.arg.int({ defaultValue: 3, description: 'Within how many steps: 1 to 100.' }),
      level: t.arg({
        type: LineageLevel,
        required: true,
        defaultValue: 'TABLE',
        description: 'Whether between tables or between columns.',
      }),
    },
    extensions: weighing({ own: 10 * statement }),
    resolve: (_root, query, ctx) => lineageMoments(ctx, query),
  }),
  lineageChanges: t.field({
    type: LineageChangesType,
    nullable: true,
    description: 'What came and went in lineage between two times.',
    args: {
      ...walkArgs,
      since: t.arg({
        type: 'DateTime',
        required: true,
        description: 'The earlier time.',
      }),
      until: t.arg({ type: 'DateTime', description: 'The later time; now unless given.' }),
      maxNodes: t.arg.int({
        defaultValue: 1_000,
        description: 'How many nodes of each picture to compare, the nearest: 1 to 10,000.',
      }),
    },
    extensions: weighing({ own: 20 * statement, rows: numberOf('maxNodes') }),
    resolve: (_root, { kinds, ...query }, ctx) =>
      lineageChanges(ctx, { ...query, kinds: kinds?.map((name) => parseKind(name, 'kinds')) }),
  }),
}));

// Lineage in GraphQL: the graph, paths and first hops.

import { whenReady } from '../async/maybe-promise.ts';
import { builder } from '../graphql/builder.ts';
import { shownOf } from '../graphql/execution/shown-columns.ts';
import { numberOf, statement, weighing } from '../graphql/limits/weight.ts';
import { parseKind } from '../resources/kind.ts';
import { loadResources, readShown } from '../resources/loaders.ts';
import { ResourceKind, ResourceRef, resourceAt } from '../resources/schema.ts';
import { reading } from '../resources/shown.ts';
import { pictureNode } from './around.ts';
import type { GraphEdge } from './edges-between.ts';
import { type LineageGraph, type LineageLimit, type LineageStore, lineage } from './graph.ts';
import { historyBegins } from './history/forget.ts';
import { loadHop, maxHop } from './hop.ts';
import { hopOf } from './hops-schema.ts';
import { lineagePath } from './path.ts';
import { LineageDirection, LineageNodeType, showsResources } from './picture-schema.ts';
import { LineageStrength, LineageUse } from './strength-schema.ts';

export const LineageLevel = builder.enumType('LineageLevel', {
  description: 'How fine lineage is.',
  values: {
    TABLE: {
      description: 'Between tables, charts and the like; a column stands for its table.',
    },
    COLUMN: { description: 'Between columns; a table stands for its columns.' },
  } as const,
});

export const LineageOrigin = builder.enumType('LineageOrigin', {
  description: 'How an edge came to be known.',
  values: {
    MANUAL: { description: 'A person drew it.' },
    QUERY: { description: 'It was read from a query.' },
    ARTIFACT: { description: 'A transformation project states it.' },
    IMPORT: { description: 'An upload or a connector states it.' },
    RUN: { description: 'Runs of a job showed it.' },
    SOURCE: { description: 'Its source recorded it, or shows a table of another server.' },
  } as const,
});

export const LineageEdgeType = builder.objectRef<GraphEdge>('LineageEdge').implement({
  description: 'Data flows from a source to a target.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Identifier of the edge and of its DOWNSTREAM entry.' }),
    sourceId: t.exposeID('sourceId', { description: 'The resource that data flows from.' }),
    targetId: t.exposeID('targetId', { description: 'The resource that data flows to.' }),
    source: t.field(
      resourceAt('The resource that data flows from.', ({ sourceId }: GraphEdge) => sourceId),
    ),
    target: t.field(
      resourceAt('The resource that data flows to.', ({ targetId }: GraphEdge) => targetId),
    ),
    isManual: t.exposeBoolean('isManual', { description: 'Whether a person drew it.' }),
    origin: t.expose('origin', {
      type: LineageOrigin,
      description: 'How it came to be known; where several say so, a person first.',
    }),
    expression: t.exposeString('expression', {
      nullable: true,
      description: 'The SQL that makes the target column; null where it is handed on as it is.',
    }),
    strength: t.expose('strength', {
      type: LineageStrength,
      description: 'Whether the value flows, or only decides about the rows of the target.',
    }),
    uses: t.field({
      type: [LineageUse],
      description: 'What the source is used for; empty where no SQL says it.',
      resolve: ({ uses }) => [...uses],
    }),
  }),
});

const LineageLimitType = builder.enumType('LineageLimit', {
  description: 'Which limit cut a picture of lineage.',
  values: {
    DEPTH: { description: 'The lineage goes on beyond the steps asked for.' },
    MAX_NODES: { description: 'There are more nodes than were to be shown.' },
    SIZE: { description: 'The walk came to as many resources as one walk may.' },
    TIME: { description: 'The walk took as many seconds as one walk may.' },
  } satisfies Record<LineageLimit, object>,
});

const LineageStoreType = builder.enumType('LineageStore', {
  description: 'What answered a picture of lineage. The picture is the same, whichever it was.',
  values: {
    MEMORY: { description: 'The graph in the memory of the process.' },
    DATABASE: {
      description:
        'The database: the graph is not in memory, or not yet, or a time in the past was asked for.',
    },
    BEYOND_MEMORY: {
      description:
        'The database, a statement a step: the graph takes more than `LINEAGE_MEMORY_MB` lets the process keep.',
    },
  } satisfies Record<LineageStore, object>,
});

/** Nodes whose resources are read at once; those of more are read as the answer is built, piece by piece. */
const maxTogether = 500;

const LineageGraphType = builder.objectRef<LineageGraph>('LineageGraph').implement({
  description: 'A part of the lineage graph, and how much of the whole it is.',
  fields: (t) => ({
    nodes: t.field({
      type: [LineageNodeType],
      description: 'Nearest first; where the walk began, at depth 0.',
      resolve: async ({ nodes, around }, _args, ctx, info) => {
        const ids = nodes.map(({ id }) => id);
        const isDue = ids.length <= maxTogether && showsResources(info, info.fieldNodes);
        const resources = isDue ? await readShown(ctx, ids, shownOf(info)) : null;
        return nodes.map((node) => pictureNode(node, around, resources));
      },
    }),
    edges: t.field({
      type: [LineageEdgeType],
      description:
        'All edges between the nodes, each pair once. On a later page also those with nodes of pages before.',
      resolve: (graph) => graph.edges(),
    }),
    truncated: t.exposeBoolean('truncated', {
      description: 'Whether the walk was cut: there is more than the nodes show.',
    }),
    truncatedReason: t.exposeString('truncatedReason', {
      nullable: true,
      description: 'Which limit cut it, and where; begins with depth, maxNodes, size or time.',
    }),
    truncatedBy: t.expose('truncatedBy', {
      type: LineageLimitType,
      nullable: true,
      description: 'Which limit cut it; null where none did.',
    }),
    truncatedAt: t.exposeInt('truncatedAt', {
      nullable: true,
      description: 'Where that limit is: steps, nodes, resources or seconds, by `truncatedBy`.',
    }),
    depthReached: t.exposeInt('depthReached', { description: 'Depth of the farthest node.' }),
    totalNodes: t.exposeInt('totalNodes', {
      nullable: true,
      description: 'Nodes within the depth asked for, shown or not; null when too many to count.',
    }),
    hiddenNodes: t.exposeInt('hiddenNodes', {
      description:
        'Nodes that the viewer may not see: passed through, and not shown, nor are their edges.',
    }),
    asOf: t.expose('asOf', {
      type: 'DateTime',
      description: 'The time for which the graph holds.',
    }),
    answeredBy: t.expose('answeredBy', {
      type: LineageStoreType,
      description: 'What answered: memory, or the database.',
    }),
    historyBegins: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Lineage that ended before this was deleted, so a graph of an earlier time is not whole; null where none was.',
      resolve: (_graph, _args, ctx) => historyBegins(ctx),
    }),
  }),
});

/** How the graph around resources is walked. */
export const walkArgs = builder.args((t) => ({
  from: t.idList({ required: true, description: 'Where to begin: 1 to 100 resources.' }),
  direction: t.field({
    type: LineageDirection,
    required: true,
    defaultValue: 'BOTH',
    description: 'Which way to walk.',
  }),
  depth: t.int({ defaultValue: 3, description: 'How many steps to walk: 1 to 100.' }),
  level: t.field({
    type: LineageLevel,
    required: true,
    defaultValue: 'TABLE',
    description: 'Whether to walk between tables or between columns.',
  }),
  kinds: t.field({
    type: [ResourceKind],
    description: 'Kinds to show in addition to the start; the walk passes through all others.',
  }),
}));

builder.queryFields((t) => ({
  lineage: t.field({
    type: LineageGraphType,
    nullable: true,
    description:
      'What resources come from and what depends on them. Archived resources are not walked.',
    args: {
      ...walkArgs,
      strengths: t.arg({
        type: [LineageStrength],
        required: true,
        defaultValue: ['DIRECT'],
        description:
          'With INDIRECT, columns also lead to the tables about whose rows they decide; DIRECT always counts.',
      }),
      asOf: t.arg({ type: 'DateTime', description: 'Show the graph as it was at this time.' }),
      maxNodes: t.arg.int({
        defaultValue: 1_000,
        description: 'How many nodes to show, the nearest first: 1 to 10,000.',
      }),
      after: t.arg.id({
        description:
          'Show the next page: give the id of the last node of the page before. Pages go to node 100,000.',
      }),
    },
    extensions: weighing({ own: 10 * statement, rows: numberOf('maxNodes') }),
    resolve: (_root, { kinds, ...query }, ctx) =>
      lineage(ctx, { ...query, kinds: kinds?.map((name) => parseKind(name, 'kinds')) }),
  }),
  lineagePath: t.field({
    type: [ResourceRef],
    nullable: true,
    description:
      'A shortest path along which data flows, over what one may see; null if there is none.',
    args: {
      from: t.arg.id({ required: true, description: 'Where the data comes from.' }),
      to: t.arg.id({ required: true, description: 'Where it arrives.' }),
      level: t.arg({
        type: LineageLevel,
        required: true,
        defaultValue: 'TABLE',
        description: 'Whether to go from table to table or from column to column.',
      }),
    },
    extensions: weighing({ own: 10 * statement }),
    resolve: async (_root, { from, to, level }, ctx) => {
      const ids = await lineagePath(ctx, from, to, level);
      return ids && loadResources(ctx, ids);
    },
  }),
}));

builder.prismaInterfaceFields('Resource', (t) => ({
  upstream: t.field({
    type: [ResourceRef],
    description: `What flows directly into it, by title; ${maxHop} at most.`,
    extensions: reading(),
    resolve: (resource, _args, ctx, info) =>
      whenReady(loadHop(ctx, resource, hopOf('upstream', info)), (found) => [...found]),
  }),
  downstream: t.field({
    type: [ResourceRef],
    description: `What it flows directly into, by title; ${maxHop} at most.`,
    extensions: reading(),
    resolve: (resource, _args, ctx, info) =>
      whenReady(loadHop(ctx, resource, hopOf('downstream', info)), (found) => [...found]),
  }),
}));

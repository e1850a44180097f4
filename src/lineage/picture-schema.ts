// The nodes of a picture in GraphQL: where each lies, its resource, and what lies around it.

import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import { notFound } from '../errors.ts';
import type { Resource } from '../generated/prisma/client.ts';
import { builder } from '../graphql/builder.ts';
import { fieldsBelow } from '../graphql/execution/selection.ts';
import { shownOf } from '../graphql/execution/shown-columns.ts';
import { loadShown } from '../resources/loaders.ts';
import { ResourceRef } from '../resources/schema.ts';
import { standsForItself } from '../resources/shown.ts';
import type { PictureNode } from './around.ts';

export const LineageDirection = builder.enumType('LineageDirection', {
  description: 'Where to look from a resource, as data flows.',
  values: {
    UPSTREAM: { description: 'Against the flow of data: what it comes from.' },
    DOWNSTREAM: { description: 'With the flow of data: what depends on it.' },
    BOTH: { description: 'What lies upstream, and what lies downstream.' },
  } as const,
});

/** Whether more of the resource of a node is asked for than a walk knows, by fields that show nodes. */
export function showsResources(info: Fragments, nodes: readonly FieldNode[]): boolean {
  return nodes.some(
    ({ selectionSet }) => !asksKnownAlone(info, fieldsBelow(info, selectionSet, 'resource')),
  );
}

type Fragments = Pick<GraphQLResolveInfo, 'fragments'>;

/** What a walk knows of the resources that it comes to. */
const ofWalk = new Set(['__typename', 'id', 'kind']);

/** Whether fields that show resources ask for nothing but what a walk knows. */
function asksKnownAlone(info: Fragments, fields: readonly FieldNode[]): boolean {
  return fields.every(({ selectionSet }) =>
    fieldsBelow(info, selectionSet).every(({ name }) => ofWalk.has(name.value)),
  );
}

/** Each node of a list is asked with the same fields. */
const answers = new WeakMap<readonly FieldNode[], boolean>();

function isKnownOfNode(info: GraphQLResolveInfo): boolean {
  const isKnown = answers.get(info.fieldNodes) ?? asksKnownAlone(info, info.fieldNodes);
  answers.set(info.fieldNodes, isKnown);
  return isKnown;
}

function mustBeThere(resource: Resource | null | undefined): Resource {
  if (!resource) throw notFound('Resource');
  return resource;
}

export const LineageNodeType = builder.objectRef<PictureNode>('LineageNode').implement({
  description: 'A resource in a lineage graph.',
  fields: (t) => ({
    resource: t.field({
      type: ResourceRef,
      description: 'The resource.',
      resolve: ({ id, kind, resources }, _args, ctx, info) => {
        if (resources) return mustBeThere(resources.get(id));
        const { workspaceId } = ctx;
        const node: Partial<Resource> = { id, kind, workspaceId };
        if (isKnownOfNode(info) && standsForItself(node)) return node;
        return loadShown(ctx, id, shownOf(info)).then(mustBeThere);
      },
    }),
    depth: t.exposeInt('depth', {
      description: 'Fewest steps from where the walk began, which has depth 0.',
    }),
    direction: t.expose('direction', {
      type: LineageDirection,
      description:
        'Where it lies; BOTH for a node on a cycle. The start has the direction asked for.',
    }),
    upstreamCount: t.int({
      description: 'How many resources flow directly into it, as far as one may see.',
      resolve: async ({ id, around }) => (await around(id)).upstream.all,
    }),
    downstreamCount: t.int({
      description: 'How many resources it flows directly into, as far as one may see.',
      resolve: async ({ id, around }) => (await around(id)).downstream.all,
    }),
    hiddenUpstream: t.int({
      description: 'How many of those upstream are not among the nodes.',
      resolve: async ({ id, around }) => (await around(id)).upstream.hidden,
    }),
    hiddenDownstream: t.int({
      description: 'How many of those downstream are not among the nodes.',
      resolve: async ({ id, around }) => (await around(id)).downstream.hidden,
    }),
  }),
});

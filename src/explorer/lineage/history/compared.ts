// Changes of lineage since another time, as the picture shows them.

import { lineageWords } from '../../words/lineage.ts';
import type { Change } from '../model.ts';
import type { LineageComparedData, PictureEdge, PictureNode } from '../page.graphql';

/** What came and went. */
export interface Compared {
  readonly goneNodes: readonly PictureNode[];
  readonly goneEdges: readonly PictureEdge[];
  readonly ofNode: (id: string) => Change;
  /** Of the line between two cards, by `from to`. */
  readonly ofEdge: (pair: string) => Change;
  /** All of it in words. */
  readonly says: readonly string[];
}

/** Where nothing is compared. */
export const unchanged: Compared = {
  goneNodes: [],
  goneEdges: [],
  ofNode: () => '',
  ofEdge: () => '',
  says: [],
};

type Changes = NonNullable<LineageComparedData['lineageChanges']>;

/** What the server's answer says of each card and line. */
export function comparedBy(changes: Changes): Compared {
  const { addedNodes, removedNodes, addedEdges, removedEdges, truncated } = changes;
  const pairOf = ({ sourceId, targetId }: { sourceId: string; targetId: string }) =>
    `${sourceId} ${targetId}`;
  const nodes = changeOf(addedNodes.map(idOf), removedNodes.map(idOf));
  const edges = changeOf(addedEdges.map(pairOf), removedEdges.map(pairOf));
  const counts = [
    [addedNodes.length, lineageWords.cameCount],
    [removedNodes.length, lineageWords.goneCount],
    [addedEdges.length, lineageWords.linesCame],
    [removedEdges.length, lineageWords.linesGone],
  ] as const;
  const said = counts.flatMap(([count, say]) => (count > 0 ? [say(count)] : []));
  return {
    goneNodes: removedNodes,
    goneEdges: removedEdges,
    ofNode: nodes,
    ofEdge: edges,
    says: [
      ...(said.length > 0 ? said : [lineageWords.nothingChanged]),
      ...(truncated ? [lineageWords.comparedInPart] : []),
    ],
  };
}

function idOf({ resource }: { readonly resource: { readonly id: string } }): string {
  return resource.id;
}

function changeOf(added: readonly string[], removed: readonly string[]): (id: string) => Change {
  const [young, old] = [new Set(added), new Set(removed)];
  return (id) => (young.has(id) ? 'new' : old.has(id) ? 'gone' : '');
}

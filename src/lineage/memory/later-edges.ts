// The edges of a graph in memory that came after it was read.

import { type WalkDirection, ways } from './edge.ts';

/** An edge as one of its nodes has it. */
interface LaterEdge {
  readonly id: string;
  /** The node at its other end. */
  readonly node: number;
  /** What its entries in both directions have in common. */
  readonly shared: { flags: number };
}

/** Later edges, by the nodes at both of their ends. */
export class LaterEdges {
  readonly #out = new Map<number, LaterEdge[]>();
  readonly #in = new Map<number, LaterEdge[]>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Those of a node, against the flow or with it. */
  around(node: number, way: WalkDirection): readonly LaterEdge[] {
    return (way === ways.up ? this.#in : this.#out).get(node) ?? [];
  }

  add(id: string, source: number, target: number, flags: number): void {
    const shared = { flags };
    push(this.#out, source, { id, node: target, shared });
    push(this.#in, target, { id, node: source, shared });
    this.#count += 1;
  }

  /** Nothing where there is no such edge. */
  remove(source: number, id: string): void {
    const [edge] = take(this.#out, source, id);
    if (!edge) return;
    take(this.#in, edge.node, id);
    this.#count -= 1;
  }
}

function push(lists: Map<number, LaterEdge[]>, node: number, edge: LaterEdge): void {
  const list = lists.get(node);
  if (list) list.push(edge);
  else lists.set(node, [edge]);
}

/** Take the edge of an id out of a list; an empty one where it is not among them. */
function take(lists: Map<number, LaterEdge[]>, node: number, id: string): LaterEdge[] {
  const list = lists.get(node) ?? [];
  const at = list.findIndex((edge) => edge.id === id);
  return at < 0 ? [] : list.splice(at, 1);
}

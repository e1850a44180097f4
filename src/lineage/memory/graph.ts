// One level of a workspace's lineage in memory: as it was read, and what has changed since.

import { type Direction, fresh, ways } from './edge.ts';
import { rowsOf, touch } from './edge-rows.ts';
import { LaterEdges } from './later-edges.ts';
import {
  bytesOf,
  edgeBits,
  findNode,
  idAt,
  idWords,
  type Layout,
  nodeBits,
  wordsOf,
} from './layout.ts';
import { Marks } from './marks.ts';

/** What the database says of a resource. */
export interface NodeState {
  readonly id: string;
  readonly kind: string;
  readonly published: boolean;
  readonly archived: boolean;
  readonly teamIds: readonly string[];
}

/** What the database says of an edge that holds. */
export interface EdgeState {
  readonly id: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly flags: number;
}

/** An edge as its source has it. */
export interface LeavingEdge {
  readonly id: string;
  readonly target: number;
  readonly flags: number;
}

/** Bytes that a later edge or node takes, about: objects, and their places in maps. */
const bytesOfLater = 400;

/** The graph, which only its own methods change. Nodes are numbers from 0 to `size`. */
export class Graph {
  readonly layout: Layout;
  readonly #kinds: string[];
  readonly #teamSets: (readonly string[])[];
  readonly #teamSetsByText: Map<string, number>;
  /** Nodes that came later, from the number `layout.nodes` on. */
  readonly #laterIds: string[] = [];
  readonly #laterByIds = new Map<string, number>();
  readonly #laterStates: { kind: number; flags: number; teams: number }[] = [];
  readonly #laterEdges = new LaterEdges();

  constructor(layout: Layout) {
    this.layout = layout;
    this.#kinds = [...layout.kindNames];
    this.#teamSets = [...layout.teamSets];
    this.#teamSetsByText = new Map(this.#teamSets.map((set, i) => [set.join(), i]));
  }

  /** How many numbers of nodes are given out. */
  get size(): number {
    return this.layout.nodes + this.#laterIds.length;
  }

  /** How much has come later. */
  get later(): number {
    return this.#laterEdges.count + this.#laterIds.length;
  }

  get bytes(): number {
    return bytesOf(this.layout) + this.later * bytesOfLater + this.#marks.bytes;
  }

  /** The number of a node by its id in lower case, or -1. */
  find(id: string): number {
    const node = findNode(this.layout, wordsOf(id));
    return node < 0 ? (this.#laterByIds.get(id) ?? -1) : node;
  }

  idOf(node: number): string {
    const { layout } = this;
    return node < layout.nodes
      ? idAt(layout.ids, node)
      : (this.#laterIds[node - layout.nodes] ?? '');
  }

  /** Below zero where one node comes before another in the order of their ids. */
  compare(one: number, other: number): number {
    const { nodes } = this.layout;
    if (one === other || (one < nodes && other < nodes)) return one - other;
    return this.idOf(one) < this.idOf(other) ? -1 : 1;
  }

  /** Names of kinds, by the numbers that `kindOf` gives. */
  get kinds(): readonly string[] {
    return this.#kinds;
  }

  /** Sets of teams, by the numbers that `teamsOf` gives. */
  get teamSets(): readonly (readonly string[])[] {
    return this.#teamSets;
  }

  kindOf(node: number): number {
    return this.layout.kinds[node] ?? this.#laterOf(node)?.kind ?? 0;
  }

  flagsOf(node: number): number {
    return this.layout.nodeFlags[node] ?? this.#laterOf(node)?.flags ?? nodeBits.archived;
  }

  teamsOf(node: number): number {
    return this.layout.teams[node] ?? this.#laterOf(node)?.teams ?? 0;
  }

  #laterOf(node: number) {
    return this.#laterStates[node - this.layout.nodes];
  }

  /**
   * Visit each edge from some of these nodes, from one place to before another, to the next one, against the flow or
   * with it: put the next nodes at the end of `into`, those not archived that lack the bits of `way` in `seen`, which
   * they then have. One that came after `seen` was made is left out.
   */
  advance(
    nodes: readonly number[],
    [from, to]: readonly [number, number],
    direction: Direction,
    seen: Uint8Array,
    into: number[],
  ): void {
    const { way, without } = direction;
    this.#touched = touch(this.layout, nodes, [from, to], way);
    const { nodeFlags, edgeFlags, inEdges } = this.layout;
    const { starts, next } = rowsOf(this.layout, way);
    const isUp = way === ways.up;
    for (let i = from; i < to; i += 1) {
      const node = nodes[i] ?? 0;
      const end = starts[node + 1] ?? 0;
      for (let at = starts[node] ?? end; at < end; at += 1) {
        const neighbour = next[at] ?? 0;
        const before = seen[neighbour] ?? way;
        if ((before & way) !== 0 || ((nodeFlags[neighbour] ?? 0) & nodeBits.archived) !== 0)
          continue;
        const edge = isUp ? (inEdges[at] ?? 0) : at;
        if (((edgeFlags[edge] ?? 0) & without) !== 0) continue;
        seen[neighbour] = before | way | (before === 0 ? fresh : 0);
        into.push(neighbour);
      }
    }
    if (this.#laterEdges.count === 0) return;
    for (let i = from; i < to; i += 1) this.#advanceLater(nodes[i] ?? 0, direction, seen, into);
  }

  #advanceLater(node: number, { way, without }: Direction, seen: Uint8Array, into: number[]): void {
    for (const { node: neighbour, shared } of this.#laterEdges.around(node, way)) {
      if ((shared.flags & without) !== 0) continue;
      const before = seen[neighbour] ?? way;
      if ((before & way) !== 0 || (this.flagsOf(neighbour) & nodeBits.archived) !== 0) continue;
      seen[neighbour] = before | way | (before === 0 ? fresh : 0);
      into.push(neighbour);
    }
  }

  // biome-ignore lint/correctness/noUnusedPrivateClassMembers: what is read for no use might not be read at all
  #touched = 0;

  /** Whether something holds of a node next to this one that is not archived; asked as often as there are edges. */
  someNeighbour(node: number, direction: Direction, test: (next: number) => boolean): boolean {
    const { way, without } = direction;
    const { edgeFlags, inEdges } = this.layout;
    const isUp = way === ways.up;
    const { starts, next } = rowsOf(this.layout, way);
    const end = starts[node + 1] ?? 0;
    for (let at = starts[node] ?? end; at < end; at += 1) {
      const edge = isUp ? (inEdges[at] ?? 0) : at;
      if (((edgeFlags[edge] ?? 0) & without) !== 0) continue;
      const neighbour = next[at] ?? 0;
      if ((this.flagsOf(neighbour) & nodeBits.archived) === 0 && test(neighbour)) return true;
    }
    return this.#laterEdges
      .around(node, way)
      .some(
        ({ node: one, shared: { flags } }) =>
          (flags & without) === 0 && (this.flagsOf(one) & nodeBits.archived) === 0 && test(one),
      );
  }

  /** Visit each node next to this one that is not archived, once, until `visit` answers true. Not to be nested. */
  eachNeighbour(node: number, direction: Direction, visit: (next: number) => boolean): void {
    const isFirst = this.#marks.begin(this.size);
    this.someNeighbour(node, direction, (next) => isFirst(next) && visit(next));
  }

  readonly #marks = new Marks();

  /** The edges that leave a node for one of others, at whose places there is a 1, and have none of the bits `without`. */
  edgesInto(node: number, others: Uint8Array, without: number): LeavingEdge[] {
    const found: LeavingEdge[] = [];
    const { outStarts, targets, edgeFlags, edgeIds } = this.layout;
    const end = outStarts[node + 1] ?? 0;
    for (let at = outStarts[node] ?? end; at < end; at += 1) {
      const [target, flags] = [targets[at] ?? 0, edgeFlags[at] ?? 0];
      if ((flags & without) !== 0 || others[target] !== 1) continue;
      found.push({ target, flags, id: idAt(edgeIds, at) });
    }
    for (const { id, node: target, shared } of this.#laterEdges.around(node, ways.down)) {
      const { flags } = shared;
      if ((flags & without) === 0 && others[target] === 1) found.push({ target, flags, id });
    }
    return found;
  }

  /** Take over what a resource is now; one that is unknown becomes a node. */
  setNode({ id, kind, published, archived, teamIds }: NodeState): void {
    const state = {
      kind: this.#codeOf(kind),
      flags: (published ? nodeBits.published : 0) | (archived ? nodeBits.archived : 0),
      teams: this.#teamSetOf(teamIds),
    };
    const { layout } = this;
    const node = this.find(id);
    if (node < 0) {
      this.#laterByIds.set(id, this.size);
      this.#laterIds.push(id);
      this.#laterStates.push(state);
    } else if (node < layout.nodes) {
      layout.kinds[node] = state.kind;
      layout.nodeFlags[node] = state.flags;
      layout.teams[node] = state.teams;
    } else {
      this.#laterStates[node - layout.nodes] = state;
    }
  }

  /** Take over that a resource is no more: as one that is archived, it is not walked. */
  removeNode(id: string): void {
    const node = this.find(id);
    if (node < 0) return;
    if (node < this.layout.nodes) this.layout.nodeFlags[node] = nodeBits.archived;
    else {
      const state = this.#laterOf(node);
      if (state) state.flags = nodeBits.archived;
    }
  }

  /** Take over what an edge is now. Both of its ends have to be nodes. */
  setEdge({ id, sourceId, targetId, flags }: EdgeState): void {
    const [source, target] = [this.find(sourceId), this.find(targetId)];
    if (source < 0 || target < 0) throw new Error('An edge leads to what is not a node.');
    const place = this.#placeOf(source, id);
    if (place >= 0) {
      this.layout.edgeFlags[place] = flags;
      return;
    }
    this.#laterEdges.remove(source, id);
    this.#laterEdges.add(id, source, target, flags);
  }

  /** Take over that an edge from this node holds no more. */
  removeEdge(id: string, sourceId: string): void {
    const source = this.find(sourceId);
    if (source < 0) return;
    const place = this.#placeOf(source, id);
    if (place >= 0) this.layout.edgeFlags[place] = edgeBits.gone;
    else this.#laterEdges.remove(source, id);
  }

  /** Where an edge of those that were read is; -1 where it is none of them. */
  #placeOf(source: number, id: string): number {
    const { outStarts, edgeIds } = this.layout;
    const [a, b, c, d] = wordsOf(id);
    const end = outStarts[source + 1] ?? 0;
    for (let place = outStarts[source] ?? end; place < end; place += 1) {
      const at = place * idWords;
      const isSame = edgeIds[at] === a && edgeIds[at + 1] === b;
      if (isSame && edgeIds[at + 2] === c && edgeIds[at + 3] === d) return place;
    }
    return -1;
  }

  #codeOf(kind: string): number {
    const known = this.#kinds.indexOf(kind);
    return known < 0 ? this.#kinds.push(kind) - 1 : known;
  }

  #teamSetOf(teamIds: readonly string[]): number {
    const text = teamIds.join();
    const known = this.#teamSetsByText.get(text);
    if (known !== undefined) return known;
    const set = this.#teamSets.push([...teamIds]) - 1;
    this.#teamSetsByText.set(text, set);
    return set;
  }
}

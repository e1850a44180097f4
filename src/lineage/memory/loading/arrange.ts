// Builds a graph's layout from the nodes and edges of the database.

import {
  bytesOf,
  edgeBits,
  fillSlots,
  findNode,
  type IdWords,
  idWords,
  type Layout,
  sharedBytes,
  sharedWords,
  slotsFor,
  wordsIn,
} from '../layout.ts';

/** Grows as numbers are pushed, by half of what it has. */
export class Words {
  #words = new Uint32Array(1 << 12);
  length = 0;

  push(word: number): void {
    if (this.length === this.#words.length) {
      const larger = new Uint32Array(Math.ceil(this.length * 1.5));
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words[this.length] = word;
    this.length += 1;
  }

  at(place: number): number {
    return this.#words[place] ?? 0;
  }

  copyTo(shared: Uint32Array): Uint32Array {
    shared.set(this.#words.subarray(0, this.length));
    return shared;
  }
}

/** Thrown where a graph would take more memory than it may. */
export class TooLarge extends Error {}

/** Takes in nodes in the order of their ids, then edges, and lays them out. */
export class Arrangement {
  readonly #maxBytes: number;
  readonly #ids = new Words();
  readonly #kinds = new Words();
  readonly #flags = new Words();
  readonly #teams = new Words();
  readonly #kindNames: string[];
  readonly #teamSets: (readonly string[])[];
  readonly #teamSetsByText: Map<string, number>;
  readonly #edges = new Words();
  #found: Pick<Layout, 'ids' | 'slots'> | null = null;

  /** With a base, nodes and edges of that layout can be added as well. */
  constructor(maxBytes: number, base: Pick<Layout, 'kindNames' | 'teamSets'> | null = null) {
    this.#maxBytes = maxBytes;
    this.#kindNames = [...(base?.kindNames ?? [])];
    this.#teamSets = [...(base?.teamSets ?? [[]])];
    this.#teamSetsByText = new Map(this.#teamSets.map((set, i) => [set.join(), i]));
  }

  get #sizes() {
    return { nodes: this.#kinds.length, edges: this.#edges.length / edgeWords };
  }

  /** A node: its id as it is in `bytes`, and the ids of its teams, joined by commas. Answers its number. */
  addNode(bytes: Buffer, at: number, kind: string, flags: number, teams: string): number {
    let code = this.#kindNames.indexOf(kind);
    if (code < 0) code = this.#kindNames.push(kind) - 1;
    return this.#pushNode(wordsAt(bytes, at), code, flags, this.#teamSetOf(teams));
  }

  /** A node as the base has it. Answers its number. */
  keepNode({ ids, kinds, nodeFlags, teams }: Layout, node: number): number {
    const id = wordsIn(ids, node);
    return this.#pushNode(id, kinds[node] ?? 0, nodeFlags[node] ?? 0, teams[node] ?? 0);
  }

  /** An edge between two nodes; one that has no node at an end is left out. */
  addEdge(bytes: Buffer, [source, target, id]: readonly [number, number, number], flags: number) {
    this.#found ??= this.#index();
    const from = findNode(this.#found, wordsAt(bytes, source));
    const to = findNode(this.#found, wordsAt(bytes, target));
    if (from < 0 || to < 0) return;
    this.#pushEdge(from, to, wordsAt(bytes, id), flags);
  }

  /** An edge at a place of the base, between these nodes. */
  keepEdge({ edgeIds, edgeFlags }: Layout, place: number, from: number, to: number): void {
    this.#pushEdge(from, to, wordsIn(edgeIds, place), edgeFlags[place] ?? 0);
  }

  #pushNode(id: IdWords, kind: number, flags: number, teams: number): number {
    for (const word of id) this.#ids.push(word);
    this.#kinds.push(kind);
    this.#flags.push(flags);
    this.#teams.push(teams);
    this.#mustFit();
    return this.#kinds.length - 1;
  }

  #pushEdge(from: number, to: number, [a, b, c, d]: IdWords, flags: number): void {
    const edges = this.#edges;
    edges.push(from);
    edges.push(to);
    edges.push(a);
    edges.push(b);
    edges.push(c);
    edges.push(d);
    edges.push(flags);
    this.#mustFit();
  }

  /** The layout of all that was added. */
  finish(): Layout {
    const { ids, slots } = this.#found ?? this.#index();
    const { nodes, edges } = this.#sizes;
    const kinds = sharedBytes(nodes);
    const nodeFlags = sharedBytes(nodes);
    for (let node = 0; node < nodes; node += 1) {
      kinds[node] = this.#kinds.at(node);
      nodeFlags[node] = this.#flags.at(node);
    }
    return {
      nodes,
      edges,
      ids,
      kinds,
      nodeFlags,
      teams: this.#teams.copyTo(sharedWords(nodes)),
      slots,
      kindNames: this.#kindNames,
      teamSets: this.#teamSets,
      ...this.#rows(nodes, edges),
    };
  }

  #index(): Pick<Layout, 'ids' | 'slots'> {
    const nodes = this.#kinds.length;
    const ids = this.#ids.copyTo(sharedWords(nodes * idWords));
    const slots = sharedWords(slotsFor(nodes));
    fillSlots(ids, nodes, slots);
    return { ids, slots };
  }

  #rows(nodes: number, edges: number) {
    const all = this.#edges;
    const outStarts = startsOf(all, 0, nodes, edges);
    const inStarts = startsOf(all, 1, nodes, edges);
    const [targets, edgeIds] = [sharedWords(edges), sharedWords(edges * idWords)];
    const [sources, inEdges] = [sharedWords(edges), sharedWords(edges)];
    const edgeFlags = sharedBytes(edges);
    const [nextOut, nextIn] = [outStarts.slice(), inStarts.slice()];
    for (let edge = 0; edge < edges; edge += 1) {
      const at = edge * edgeWords;
      const [source, target] = [all.at(at), all.at(at + 1)];
      const place = nextOut[source] ?? 0;
      nextOut[source] = place + 1;
      targets[place] = target;
      for (let i = 0; i < idWords; i += 1) edgeIds[place * idWords + i] = all.at(at + 2 + i);
      edgeFlags[place] = all.at(at + 2 + idWords) & ~edgeBits.gone;
      const inPlace = nextIn[target] ?? 0;
      nextIn[target] = inPlace + 1;
      sources[inPlace] = source;
      inEdges[inPlace] = place;
    }
    return { outStarts, targets, edgeIds, edgeFlags, inStarts, sources, inEdges };
  }

  #teamSetOf(teams: string): number {
    const known = this.#teamSetsByText.get(teams);
    if (known !== undefined) return known;
    const set = this.#teamSets.push(teams.split(',')) - 1;
    this.#teamSetsByText.set(teams, set);
    return set;
  }

  #mustFit(): void {
    if (bytesOf(this.#sizes) > this.#maxBytes) throw new TooLarge('The graph is too large.');
  }
}

/** Source, target, id and flags. */
const edgeWords = 2 + idWords + 1;

/** The id at an offset of bytes from the database. */
export function wordsAt(bytes: Buffer, at: number): IdWords {
  const word = (i: number) => bytes.readUInt32BE(at + 4 * i);
  return [word(0), word(1), word(2), word(3)];
}

/** Where the edges of each node begin, by one end of them. */
function startsOf(all: Words, end: 0 | 1, nodes: number, edges: number): Uint32Array {
  const starts = sharedWords(nodes + 1);
  for (let edge = 0; edge < edges; edge += 1) {
    const node = all.at(edge * edgeWords + end) + 1;
    starts[node] = (starts[node] ?? 0) + 1;
  }
  for (let node = 0; node < nodes; node += 1) {
    starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0);
  }
  return starts;
}

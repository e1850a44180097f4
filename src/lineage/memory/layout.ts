// Layout of a graph in memory: nodes ordered by id, edges as compressed sparse rows.

/** Words of 32 bits that an id has. */
export const idWords = 4;

/** An id as its words, of which the first is the highest. */
export type IdWords = readonly [number, number, number, number];

/** Bits of a node. */
export const nodeBits = { published: 1, archived: 2 } as const;

/** Bits of an edge: its origin is in the lowest two and the fourth; `detail` where the database says more of it. */
export const edgeBits = { origin: 11, indirect: 4, implied: 16, detail: 32, gone: 64 } as const;

/** Origins by the bits that an edge keeps. */
export const originCodes = {
  MANUAL: 0,
  QUERY: 1,
  ARTIFACT: 2,
  IMPORT: 3,
  RUN: 8,
  SOURCE: 9,
} as const;

/**
 * A graph as it was read from the database. All arrays are on memory that threads share: they are made in
 * one and used in another without a copy.
 */
export interface Layout {
  readonly nodes: number;
  readonly edges: number;
  /** Ids of nodes, in their order. */
  readonly ids: Uint32Array;
  /** Places in `kindNames`. */
  readonly kinds: Uint8Array;
  readonly nodeFlags: Uint8Array;
  /** Places in `teamSets`; 0 is the empty one. */
  readonly teams: Uint32Array;
  /** For each node where its edges begin among `targets`; the last one is where they all end. */
  readonly outStarts: Uint32Array;
  readonly targets: Uint32Array;
  readonly edgeIds: Uint32Array;
  readonly edgeFlags: Uint8Array;
  readonly inStarts: Uint32Array;
  readonly sources: Uint32Array;
  /** For each place of `sources` where the same edge is among `targets`. */
  readonly inEdges: Uint32Array;
  /** Open addressing: number of a node plus 1 by its id, 0 where there is none. */
  readonly slots: Uint32Array;
  readonly kindNames: readonly string[];
  readonly teamSets: readonly (readonly string[])[];
}

/** Bytes that a node and an edge take, names of kinds and sets of teams apart. */
const bytesOfNode = 4 * idWords + 1 + 1 + 4 + 4 + 4 + 16;
const bytesOfEdge = 4 + 4 * idWords + 1 + 4 + 4;

/** The bytes that a graph takes. */
export function bytesOf({ nodes, edges }: Pick<Layout, 'nodes' | 'edges'>): number {
  return nodes * bytesOfNode + edges * bytesOfEdge;
}

/** Numbers on memory that threads share. */
export const sharedWords = (length: number): Uint32Array =>
  new Uint32Array(new SharedArrayBuffer(length * 4));
export const sharedBytes = (length: number): Uint8Array =>
  new Uint8Array(new SharedArrayBuffer(length));

/** How many slots there are for so many nodes: a power of two, at most half of them taken. */
export function slotsFor(nodes: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(2, nodes * 2)));
}

/** Where to look first for an id, of which the last words differ also where ids rise. */
function slotOf(a: number, d: number, slots: number): number {
  const mixed = Math.imul(a ^ Math.imul(d, 0x9e3779b1), 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) & (slots - 1);
}

/** The number of the node with an id, or -1. */
export function findNode(
  { ids, slots }: Pick<Layout, 'ids' | 'slots'>,
  [a, b, c, d]: IdWords,
): number {
  for (let slot = slotOf(a, d, slots.length); ; slot = (slot + 1) & (slots.length - 1)) {
    const node = (slots[slot] ?? 0) - 1;
    if (node < 0) return -1;
    const at = node * idWords;
    if (ids[at] === a && ids[at + 1] === b && ids[at + 2] === c && ids[at + 3] === d) return node;
  }
}

/** Enter nodes, whose ids are there, into the slots. */
export function fillSlots(ids: Uint32Array, nodes: number, slots: Uint32Array): void {
  for (let node = 0; node < nodes; node += 1) {
    const at = node * idWords;
    let slot = slotOf(ids[at] ?? 0, ids[at + 3] ?? 0, slots.length);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = node + 1;
  }
}

const digits = Buffer.from('0123456789abcdef', 'latin1');
/** Where the next id is written: a string made of bytes at once takes a seventh of one made of parts. */
const written = Buffer.from('00000000-0000-0000-0000-000000000000', 'latin1');
/** Places of the digits of each word in the text of an id. */
const digitsOfWords = [
  [0, 1, 2, 3, 4, 5, 6, 7],
  [9, 10, 11, 12, 14, 15, 16, 17],
  [19, 20, 21, 22, 24, 25, 26, 27],
  [28, 29, 30, 31, 32, 33, 34, 35],
] as const;

/** What each digit stands for, by its character. */
const digitOf = new Uint8Array(128);
for (let value = 0; value < 16; value += 1) digitOf[digits[value] ?? 0] = value;

/** The four words of an id as text, in lower case. */
export function wordsOf(id: string): IdWords {
  const word = (places: readonly number[]) => {
    let all = 0;
    for (const place of places) all = (all << 4) | (digitOf[id.charCodeAt(place)] ?? 0);
    return all >>> 0;
  };
  const [a, b, c, d] = digitsOfWords;
  return [word(a), word(b), word(c), word(d)];
}

/** The id at a place of an array of ids. */
export function wordsIn(ids: Uint32Array, place: number): IdWords {
  const at = place * idWords;
  return [ids[at] ?? 0, ids[at + 1] ?? 0, ids[at + 2] ?? 0, ids[at + 3] ?? 0];
}

/** The text of the id at a place of an array of ids. */
export function idAt(ids: Uint32Array, place: number): string {
  for (let n = 0; n < idWords; n += 1) {
    let word = ids[place * idWords + n] ?? 0;
    const places = digitsOfWords[n] ?? [];
    for (let i = places.length - 1; i >= 0; i -= 1) {
      written[places[i] ?? 0] = digits[word & 15] ?? 0;
      word >>>= 4;
    }
  }
  return written.toString('latin1');
}

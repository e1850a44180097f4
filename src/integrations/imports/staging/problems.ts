// Keeps what is odd about what a source says: the log of the import says it, and so does its result.

import type { StagedEdges } from '../edges/edges.ts';

/** Problems that the result of an import lists. */
const maxListed = 100;
/** Lines that are named of many of one kind. */
const maxExamples = 5;
/** Things that are named one by one, a sentence each. */
export const maxNamed = 20;

/** What messages call the file, and who is told of what is odd in it. */
export interface ImportNotes {
  readonly file: string;
  readonly note: (problem: string) => void;
}

/** The sentences on the first of so many things, and how many more there are. */
export function withMore(
  first: readonly string[],
  count: number,
  file: string,
  what: string,
): string[] {
  const more = count - first.length;
  return more > 0 ? [...first, `${file}: the same of ${more} more ${what}.`] : [...first];
}

/** Things of one sort that the catalog has no place for. */
export interface Ignored {
  /** What they are, in the word of the file, such as `functions`. */
  readonly sort: string;
  readonly count: number;
}

/** Sorts that are told apart: what a later release adds is a handful. */
const maxSorts = 50;

/** What is odd about one import. */
export class Problems {
  /** What the result lists, in the order in which it was found. */
  readonly listed: string[] = [];
  /** Lineage lines that point at nothing the catalog knows. */
  unknown = 0;
  readonly #log: (line: string) => void;
  #circular = 0;
  #examples: number[] = [];
  readonly #ignored = new Map<string, number>();

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /** Count something that the catalog has no place for. */
  ignore(sort: string): void {
    const known = this.#ignored.has(sort) || this.#ignored.size < maxSorts ? sort : 'others';
    this.#ignored.set(known, (this.#ignored.get(known) ?? 0) + 1);
  }

  /** What was not read, by sort, the most numerous first. */
  get ignored(): Ignored[] {
    return [...this.#ignored]
      .map(([sort, count]) => ({ sort, count }))
      .sort((one, other) => other.count - one.count || (one.sort < other.sort ? -1 : 1));
  }

  /** Note something odd. */
  note(problem: string): void {
    // What is planned again is found again.
    if (this.listed.includes(problem)) return;
    this.#log(problem);
    if (this.listed.length < maxListed) this.listed.push(problem);
  }

  /** What the result lists, with what was found only when everything was written. */
  listedWith(late: readonly string[]): string[] {
    return [...this.listed, ...late].slice(0, maxListed);
  }

  /** Count what became of lineage lines, to be noted once all were read. */
  count({ unknown, circular, examples }: StagedEdges): void {
    this.unknown += unknown;
    this.#circular += circular;
    this.#examples = [...this.#examples, ...examples].slice(0, maxExamples);
  }

  /** Note what was counted, and the owners that are neither users nor groups. */
  noteCounts(unknownOwners: ReadonlySet<string>): void {
    if (this.unknown > 0) {
      const lines = someOf(this.#examples, this.unknown);
      this.note(
        this.unknown === 1
          ? `1 lineage line names something that the catalog does not have: line ${lines}.`
          : `${this.unknown} lineage lines name something that the catalog does not have: lines ${lines}.`,
      );
    }
    if (this.#circular > 0) {
      const lead = this.#circular === 1 ? 'line leads' : 'lines lead';
      const start = this.#circular === 1 ? 'it starts' : 'they start';
      this.note(`${this.#circular} lineage ${lead} back to where ${start}.`);
    }
    const { size } = unknownOwners;
    if (size > 0) {
      const are =
        size === 1 ? 'owner is neither a user nor a group' : 'owners are neither users nor groups';
      const names = someOf([...unknownOwners].slice(0, maxExamples), size);
      this.note(`${size} ${are} of this workspace: ${names}.`);
    }
  }
}

/** Some of many, and how many more there are. */
function someOf(examples: readonly (string | number)[], count: number): string {
  const more = count - examples.length;
  return `${examples.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

// Keeps what is odd about what a source says: the log of the import says it, and so does its result.

import type { StagedEdges } from '../edges/edges.ts';

/** Problems that the result of an import lists. */
const maxListed = 100;
/** Lines that are named of many of one kind. */
const maxExamples = 5;

/** What is odd about one import. */
export class Problems {
  /** What the result lists, in the order in which it was found. */
  readonly listed: string[] = [];
  /** Lineage lines that point at nothing the catalog knows. */
  unknown = 0;
  readonly #log: (line: string) => void;
  #circular = 0;
  #examples: number[] = [];

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /** Note something odd. */
  note(problem: string): void {
    this.#log(problem);
    if (this.listed.length < maxListed) this.listed.push(problem);
  }

  /** Count what became of lineage lines, to be noted once all were read. */
  count({ unknown, circular, examples }: StagedEdges): void {
    this.unknown += unknown;
    this.#circular += circular;
    this.#examples = [...this.#examples, ...examples].slice(0, maxExamples);
  }

  /** Note what was counted, and how many owners are no users. */
  noteCounts(unknownOwners: number): void {
    if (this.unknown > 0) {
      const lines = this.#examples.join(', ');
      this.note(
        `${this.unknown} lineage lines point at nothing that is known, such as lines ${lines}.`,
      );
    }
    if (this.#circular > 0) {
      this.note(`${this.#circular} lineage lines lead back to where they start.`);
    }
    if (unknownOwners > 0) this.note(`${unknownOwners} owners are no users of this workspace.`);
  }
}

// Visited nodes as bits: a set of a million would take ten times as long.

/** Room for nodes that come later. */
const spare = 1_024;

/** By node the last work that met it. One work begins when the one before has ended. */
export class Marks {
  #marks = new Uint32Array(0);
  #works = 0;

  get bytes(): number {
    return this.#marks.byteLength;
  }

  /** Begin a work on so many nodes; the answer tells of a node whether it is met for the first time. */
  begin(nodes: number): (node: number) => boolean {
    if (this.#marks.length < nodes) {
      this.#marks = new Uint32Array(nodes + spare);
      this.#works = 0;
    }
    this.#works += 1;
    const [marks, work] = [this.#marks, this.#works];
    return (node) => {
      if (marks[node] === work) return false;
      marks[node] = work;
      return true;
    };
  }
}

// Difference of two texts, line by line.

/** A line of both texts, or of one of them. */
export interface DiffLine {
  readonly of: 'both' | 'before' | 'after';
  readonly text: string;
  /** Its place among all lines. */
  readonly at: number;
}

/** Above this many comparisons texts are shown one after the other. */
const mostCells = 4_000_000;

/** The lines of two texts, those that both have once. */
export function diffOf(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  const rest = () => Math.min(a.length, b.length) - start - end;
  while (rest() > 0 && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const middle = between(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const both = (text: string) => ({ of: 'both', text }) as const;
  const lines = [
    ...a.slice(0, start).map(both),
    ...middle,
    ...a.slice(a.length - end, a.length).map(both),
  ];
  return lines.map((line, at) => ({ ...line, at }));
}

type Line = Pick<DiffLine, 'of' | 'text'>;

/** By the longest common subsequence. */
function between(a: readonly string[], b: readonly string[]): Line[] {
  const gone = (text: string): Line => ({ of: 'before', text });
  const come = (text: string): Line => ({ of: 'after', text });
  if (a.length * b.length > mostCells) return [...a.map(gone), ...b.map(come)];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  const [numbersA, numbersB] = numbered(a, b);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        numbersA[i] === numbersB[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [mine = '', theirs = ''] = [a[i], b[j]];
    if (i < a.length && j < b.length && mine === theirs) {
      lines.push({ of: 'both', text: mine });
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(gone(mine));
      i += 1;
    } else {
      lines.push(come(theirs));
      j += 1;
    }
  }
  return lines;
}

/** A number for each line, the same for equal ones: comparing long lines with each other would take their length each time. */
function numbered(a: readonly string[], b: readonly string[]): [number[], number[]] {
  const known = new Map<string, number>();
  const numberOf = (line: string) => {
    const found = known.get(line) ?? known.size;
    known.set(line, found);
    return found;
  };
  return [a.map(numberOf), b.map(numberOf)];
}

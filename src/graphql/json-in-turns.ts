// Writes long answers as JSON in turns: all at once would keep others waiting.

import type { Pace } from '../limits/pace.ts';

/** Values that are written in one piece. */
const valuesPerPiece = 1_000;

/** A value as JSON, as JSON.stringify writes it. */
export async function jsonInTurns(value: unknown, pace: Pace): Promise<string> {
  const parts: string[] = [];
  await write(value, parts, pace);
  return parts.join('');
}

async function write(value: unknown, parts: string[], pace: Pace): Promise<void> {
  const size = sizeOf(value, valuesPerPiece);
  if (size <= valuesPerPiece || typeof value !== 'object' || value === null) {
    const wait = pace.spend(size);
    if (wait) await wait;
    parts.push(JSON.stringify(value) ?? 'null');
    return;
  }
  if (Array.isArray(value)) return writeList(value, parts, pace);
  parts.push('{');
  let separator = '';
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    parts.push(`${separator}${JSON.stringify(key)}:`);
    separator = ',';
    await write(inner, parts, pace);
  }
  parts.push('}');
}

/** Rows are written together, as many as make a piece. */
async function writeList(list: readonly unknown[], parts: string[], pace: Pace): Promise<void> {
  parts.push('[');
  let separator = '';
  for (let from = 0; from < list.length; ) {
    let [to, size] = [from, 0];
    while (to < list.length && size <= valuesPerPiece) {
      size += sizeOf(list[to], valuesPerPiece);
      to += 1;
    }
    parts.push(separator);
    separator = ',';
    if (to === from + 1) await write(list[from], parts, pace);
    else {
      const wait = pace.spend(size);
      if (wait) await wait;
      parts.push(JSON.stringify(list.slice(from, to)).slice(1, -1));
    }
    from = to;
  }
  parts.push(']');
}

/** How many values there are in a value; any number beyond `most` where there are more. */
function sizeOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let size = 1;
  for (const inner of Object.values(value)) {
    size += sizeOf(inner, most - size);
    if (size > most) break;
  }
  return size;
}

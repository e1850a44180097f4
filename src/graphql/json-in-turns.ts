// In charge of writing long answers as JSON in turns: all at once would keep others waiting.

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
  const isList = Array.isArray(value);
  parts.push(isList ? '[' : '{');
  let isFirst = true;
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined && !isList) continue;
    const name = isList ? '' : `${JSON.stringify(key)}:`;
    parts.push(isFirst ? name : `,${name}`);
    isFirst = false;
    await write(inner, parts, pace);
  }
  parts.push(isList ? ']' : '}');
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

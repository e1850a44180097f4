// Writes long answers as JSON in turns: all at once would keep others waiting.

import { type MaybePromise, whenReady } from '../async/maybe-promise.ts';
import {
  answerTooLong,
  type CooperativeScheduler,
  maxCharacters,
} from '../limits/cooperative-scheduler.ts';

/** Values that are written in one piece. */
const valuesPerPiece = 1_000;
/** A text of so many characters takes as long as one value more. */
const charactersPerValue = 500;

/**
 * A value as JSON, as JSON.stringify writes it: a short one at once, where this turn has room for it. Throws BAD_REQUEST
 * where it has more characters than an answer may.
 */
export function jsonInTurns(
  value: unknown,
  scheduler: CooperativeScheduler,
  most: number = maxCharacters,
): MaybePromise<string> {
  const size = sizeOf(value, valuesPerPiece);
  if (size > valuesPerPiece) return inPieces(value, scheduler, most);
  return whenReady(scheduler.spend(size), () => JSON.stringify(value) ?? 'null');
}

async function inPieces(
  value: unknown,
  scheduler: CooperativeScheduler,
  most: number,
): Promise<string> {
  const parts = new Parts(most);
  await write(value, parts, scheduler);
  return parts.whole();
}

/** What is written so far. */
class Parts {
  readonly #parts: string[] = [];
  readonly #most: number;
  #characters = 0;

  constructor(most: number) {
    this.#most = most;
  }

  push(part: string): void {
    this.#characters += part.length;
    if (this.#characters > this.#most) throw answerTooLong(this.#most);
    this.#parts.push(part);
  }

  whole(): string {
    return this.#parts.join('');
  }
}

async function write(value: unknown, parts: Parts, scheduler: CooperativeScheduler): Promise<void> {
  const size = sizeOf(value, valuesPerPiece);
  if (size <= valuesPerPiece || typeof value !== 'object' || value === null) {
    const wait = scheduler.spend(size);
    if (wait) await wait;
    parts.push(JSON.stringify(value) ?? 'null');
    return;
  }
  if (Array.isArray(value)) return writeList(value, parts, scheduler);
  parts.push('{');
  let separator = '';
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    parts.push(`${separator}${JSON.stringify(key)}:`);
    separator = ',';
    await write(inner, parts, scheduler);
  }
  parts.push('}');
}

/** Rows are written together, as many as make a piece. */
async function writeList(
  list: readonly unknown[],
  parts: Parts,
  scheduler: CooperativeScheduler,
): Promise<void> {
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
    if (to === from + 1) await write(list[from], parts, scheduler);
    else {
      const wait = scheduler.spend(size);
      if (wait) await wait;
      parts.push(JSON.stringify(list.slice(from, to)).slice(1, -1));
    }
    from = to;
  }
  parts.push(']');
}

/** How many values there are in a value, a long text counting as several; any number beyond `most` where there are more. */
function sizeOf(value: unknown, most: number): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / charactersPerValue);
  if (typeof value !== 'object' || value === null) return 1;
  let size = 1;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && size <= most; at += 1) {
      size += sizeOf(value[at], most - size);
    }
  } else if (hasFields(value)) {
    for (const name in value) {
      // A name is as long as an alias.
      size += sizeOf(value[name], most - size) + Math.floor(name.length / charactersPerValue);
      if (size > most) break;
    }
  }
  return size;
}

function hasFields(value: object): value is Record<string, unknown> {
  return !Array.isArray(value);
}

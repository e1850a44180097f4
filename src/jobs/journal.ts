// What a running job says of itself: its lines and its progress, within bounds.

import type { Job } from '../generated/prisma/client.ts';

/** The fields of a job that its own run writes. */
export type JobOutput = Pick<Job, 'logs' | 'progressStep' | 'progressDone' | 'progressTotal'>;

export interface Journal {
  /** Add a line. A long log keeps its first and its last lines. */
  log(line: string): void;
  /** Say which step the job is at, and how much of it is done. */
  progress(step: string, done: number, total?: number): void;
  said(): JobOutput;
}

const maxLine = 2_000;
/** Characters of the first lines, and as many of the last ones. */
const maxHalf = 32_000;
const maxStep = 200;
/** The columns of progress are 32-bit integers. */
const maxCount = 2_147_483_647;

/** Go on with what earlier attempts said. */
export function openJournal(before: JobOutput): Journal {
  let head = '';
  let tail: string[] = [];
  let tailLength = 0;
  let dropped = 0;
  let { progressStep, progressDone, progressTotal } = before;

  function add(line: string): void {
    if (tail.length === 0 && dropped === 0 && head.length + line.length < maxHalf) {
      head += `${line}\n`;
      return;
    }
    tail.push(line);
    tailLength += line.length + 1;
    let cut = 0;
    while (tailLength > maxHalf) {
      tailLength -= (tail[cut]?.length ?? 0) + 1;
      cut += 1;
    }
    tail = cut > 0 ? tail.slice(cut) : tail;
    dropped += cut;
  }

  for (const line of before.logs.split('\n')) if (line !== '') add(line);

  return {
    log(text) {
      for (const line of storable(text).split('\n')) add(line.slice(0, maxLine));
    },
    progress(step, done, total) {
      progressStep = storable(step).slice(0, maxStep);
      progressDone = count(done);
      progressTotal = total === undefined ? null : count(total);
    },
    said() {
      const gap = dropped > 0 ? `... ${dropped} lines were left out ...\n` : '';
      const logs = head + gap + tail.map((line) => `${line}\n`).join('');
      return { logs, progressStep, progressDone, progressTotal };
    },
  };
}

/** PostgreSQL has no place for U+0000, nor for half a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function count(n: number): number {
  return Math.max(0, Math.min(Math.trunc(n), maxCount));
}

// Measures how long a server's main thread does one thing at most, and all it does, in time of its CPU. Linux only.

import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Started, startScript } from './started.ts';

const program = new URL('../gates/longest-task.mjs', import.meta.url).href;

/** Whether it can be measured here. */
export const isMeasurable = existsSync('/proc/self/schedstat');

/** Start a server whose tasks can be measured. */
export function startMeasured(env: Readonly<Record<string, string>>): Started {
  const options = `${process.env.NODE_OPTIONS ?? ''} --import=${program}`;
  return startScript('start.mjs', { ...env, NODE_OPTIONS: options });
}

/** What some work answers, and the longest task of the server in the meantime and all of them, in milliseconds. */
export async function longestTask<T>(
  server: Started,
  work: () => Promise<T>,
): Promise<{ value: T; ms: number; allMs: number }> {
  const seen = server.output().length;
  await ask(server, /measuring tasks/, seen);
  const begun = server.output().length;
  const value = await work();
  const said = await ask(server, /longest task: ([\d.]+) ms of ([\d.]+) ms/, begun);
  return { value, ms: Number(said[1]), allMs: Number(said[2]) };
}

/** Send the signal and wait for what is printed then. */
async function ask({ child, output }: Started, words: RegExp, from: number) {
  child.kill('SIGUSR2');
  for (;;) {
    const found = words.exec(output().slice(from));
    if (found) return found;
    if (child.exitCode !== null) throw new Error(`The server ended:\n${output()}`);
    await sleep(5);
  }
}

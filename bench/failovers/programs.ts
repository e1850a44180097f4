// Programs of an installation that the trial starts, and the files that tell them what they are.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Place } from '../../test/servers.ts';

const files = fileURLToPath(new URL('../../deploy/ha/', import.meta.url));

/** A program that was started; what it says is in a file of its folder. */
export interface Program {
  readonly pid: number;
  readonly ended: Promise<unknown>;
  /** Stop it and wait until it is gone. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

/** Write a file of `deploy/ha` with what is in braces filled in; its path. Throws where a value is missing. */
export function fill(
  { folder }: Place,
  name: string,
  values: Readonly<Record<string, string>>,
): string {
  const text = readFileSync(join(files, name), 'utf8').replace(/\$\{(\w+)\}/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`${name} needs ${key}.`);
    return value;
  });
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o644 });
  return path;
}

/** Start a program as the owner of its place. */
export function start(
  { folder, owner }: Place,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Program {
  const log = openSync(join(folder, 'output.log'), 'a');
  const child: ChildProcess = spawn(program, args, {
    ...owner,
    cwd: folder,
    env: { PATH: `/usr/sbin:${process.env.PATH ?? ''}`, HOME: folder, LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} did not start: is it installed?`);
  return {
    pid,
    ended,
    async stop(signal) {
      child.kill(signal);
      const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
      await ended;
      clearTimeout(late);
    },
  };
}

/** A process and all that it started. */
export function family(pid: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    const parent = parentOf(name);
    if (parent !== null) parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const below = (one: number): number[] => [one, ...(parents.get(one) ?? []).flatMap(below)];
  return below(pid);
}

function parentOf(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

/** Send a signal to processes, as far as they are there. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It is gone.
    }
  }
}

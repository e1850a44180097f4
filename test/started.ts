// Starts the server as a person does, as a process of its own, and reads all that it prints.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const scripts = fileURLToPath(new URL('../scripts/', import.meta.url));

/** A script that runs. */
export interface Started {
  readonly child: ChildProcess;
  /** Everything it printed so far. */
  readonly output: () => string;
  /** Waits until it says where it listens; the address. Throws when it ends before. */
  ready(): Promise<string>;
  readonly ended: Promise<number | null>;
  /** Stop it and wait until it is gone; its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Run a script of the project; of this process's settings it has all but the database. */
export function startScript(
  script: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Started {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [join(scripts, script), ...args], {
    env: { ...inherited, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const changed: (() => void)[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data;
      for (const look of changed) look();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    child,
    output: () => output,
    ended,
    ready: () =>
      new Promise<string>((resolve, reject) => {
        const look = () => {
          const address = /ready at (\S+)/.exec(output)?.[1];
          if (address !== undefined) resolve(address);
        };
        changed.push(look);
        look();
        void ended.then((code) => reject(new Error(`It ended with ${code}:\n${output}`)));
      }),
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

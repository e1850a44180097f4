// Starts the server as a person does, as a process of its own, and reads all that it prints.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A program that runs. */
export interface Started {
  readonly child: ChildProcess;
  /** Everything it printed so far. */
  readonly output: () => string;
  /** Waits until it says where it listens; the address. Throws when it ends before. */
  ready(): Promise<string>;
  /** The first admin's key, from the file that it is left in. */
  key(): Promise<string>;
  readonly ended: Promise<number | null>;
  /** Stop it and wait until it is gone; its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Run a script of the project. In the negative control of a gate the server runs from its sources, of
 * which gates/without.mjs leaves something out. Its standard error goes to an open file where one is named.
 */
export function startScript(
  script: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  errorFile?: number,
): Started {
  if (process.env.WITHOUT && script === 'start.mjs') {
    const imports = ['./gates/without.mjs', 'tsx'].flatMap((one) => ['--import', one]);
    const all = [...imports, 'src/main.ts', ...args];
    return startProgram(process.execPath, all, env, errorFile);
  }
  const all = [join(root, 'scripts', script), ...args];
  return startProgram(process.execPath, all, env, errorFile);
}

/**
 * Run a program in the project's folder, or in a copy of it; of this process's settings it has all but
 * the database, and it doesn't wait for balancers when it is to stop.
 */
export function startProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  errorFile?: number,
  cwd = root,
): Started {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const child = spawn(program, args, {
    cwd,
    env: { ...inherited, PORT: '0', DRAIN_SECONDS: '0', ...env },
    stdio: ['ignore', 'pipe', errorFile ?? 'pipe'],
  });
  let output = '';
  const changed: (() => void)[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data) => {
      output += data;
      for (const look of changed) look();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    child,
    output: () => output,
    ended,
    ready() {
      const ready = new Promise<string>((resolve, reject) => {
        const look = () => {
          const address = /ready at (\S+)/.exec(output)?.[1];
          if (address !== undefined) resolve(address);
        };
        changed.push(look);
        look();
        void ended.then((code) => reject(new Error(`It ended with ${code}:\n${output}`)));
      });
      // A test that fails ends it before anybody waits.
      ready.catch(() => {});
      return ready;
    },
    key: async () => (await readFile(join(env.DATA_DIR ?? '', 'admin-api-key'), 'utf8')).trim(),
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

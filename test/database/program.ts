// Starts a program of a test as a process of its own, reads what it prints, and can kill it.

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Program {
  readonly pid: number;
  /** The lines it printed so far. */
  readonly lines: readonly string[];
  /** Waits for a line that begins so; throws when the program ends without one. */
  line(beginning: string): Promise<string>;
  /** Let it go on: it reads a line from its standard input. */
  go(): void;
  /** Kill it as a power loss would, and wait until it is gone. */
  kill(): Promise<void>;
  /** Waits for its end; its exit code. */
  ended: Promise<number | null>;
}

/** Run a TypeScript file of the tests, given relative to this folder. */
export function startProgram(file: string, args: readonly string[]): Program {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  if (child.stdout === null || child.pid === undefined) throw new Error('It did not start.');
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => {
    lines.push(line);
    for (const wake of waiting) wake();
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve(code);
      for (const wake of waiting) wake();
    });
  });
  let over = false;
  void ended.finally(() => {
    over = true;
  });
  return {
    pid: child.pid,
    lines,
    ended,
    line: (beginning) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find((line) => line.startsWith(beginning));
          if (found === undefined && !over) return;
          waiting.delete(look);
          if (found !== undefined) resolve(found);
          else reject(new Error(`It ended without "${beginning}": ${lines.join('\n')}`));
        };
        waiting.add(look);
        void ended.finally(() => setImmediate(look));
        look();
      }),
    go: () => void child.stdin?.write('go\n'),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

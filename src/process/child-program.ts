// A program of ours in a process of its own, for what must not share the server's memory: native code that works on
// what strangers wrote. It is ended by the system, whatever it is at, and the system bounds its memory.

import { type ChildProcess, execFile, execFileSync, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { moduleOf } from './thread.ts';

/** What a child says of its end, where it was not asked to. */
export class ChildEnded extends Error {
  /** Whether it had more memory than it may have, as far as anybody saw. */
  readonly isOverMemory: boolean;

  constructor(isOverMemory: boolean) {
    super(isOverMemory ? 'it needs too much memory' : 'its process ended');
    this.name = 'ChildEnded';
    this.isOverMemory = isOverMemory;
  }
}

/** A child that answers one question after the other. */
export interface ChildProgram {
  /** Ask something that can be cloned. Rejects with `ChildEnded` where the process ends before it answers. */
  ask(question: unknown): Promise<unknown>;
  /** End it, now; settles once nothing of it runs any more. */
  kill(): Promise<void>;
}

/** How often is looked whether a child that works has too much memory. */
const lookEveryMs = 50;

/**
 * Start the module at `url`, named by its source as threads are, as a process that may have `maxBytes` of memory and
 * gets nothing of this process's environment. It answers each message with one message (`answering`).
 */
export function openChild(url: URL, maxBytes: number): ChildProgram {
  const child = fork(moduleOf(url), [String(maxBytes)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--max-old-space-size=256'],
    // Where it could write, it has no home; few arenas, since each takes much of the room that is bounded.
    env: { HOME: '/nonexistent', MALLOC_ARENA_MAX: String(availableParallelism()), TZ: 'UTC' },
  });
  let isOverMemory = false;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  keepAlive(child, false);

  return {
    async ask(question) {
      keepAlive(child, true);
      const watch = setInterval(async () => {
        if ((await residentBytes(child.pid)) <= maxBytes) return;
        isOverMemory = true;
        child.kill('SIGKILL');
      }, lookEveryMs);
      try {
        return await new Promise<unknown>((resolve, reject) => {
          child.once('message', resolve);
          void ended.then(() => {
            // Where memory can't be had, native code may end itself.
            reject(new ChildEnded(isOverMemory || child.signalCode === 'SIGABRT'));
          });
          if (child.connected) child.send(question as object, (error) => error && reject(error));
          else reject(new ChildEnded(isOverMemory));
        });
      } finally {
        clearInterval(watch);
        child.removeAllListeners('message');
        keepAlive(child, false);
      }
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Whether this process waits for a child before it ends. */
function keepAlive(child: ChildProcess, does: boolean): void {
  const act = does ? 'ref' : 'unref';
  child[act]();
  child.channel?.[act]();
}

/** Bytes that a process has in memory; 0 where that can't be known. */
async function residentBytes(pid: number | undefined): Promise<number> {
  if (pid === undefined) return 0;
  try {
    return pagesOf(pid)[1] * pageBytes;
  } catch {
    // Without /proc, as on macOS.
    const said = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(
      () => null,
    );
    return Number(said?.stdout ?? 0) * 1_024;
  }
}

const pageBytes = 4_096;

/** Pages of address space and of memory. Throws where there is no /proc. */
function pagesOf(pid: number | 'self'): [number, number] {
  const [space = '0', resident = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return [Number(space), Number(resident)];
}

/**
 * In the child: answer each message. Before the first one the system is told how much more memory this process may
 * have, where it has a program for that; its parent looks as well. Ends with the parent.
 */
export function answering(answer: (question: unknown) => Promise<unknown>): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.on('message', async (question) => {
    process.send?.(await answer(question));
  });
}

/** In the child, once all is loaded: let the system refuse more memory than it was started with. */
export function boundMemory(): void {
  try {
    const most = pagesOf('self')[0] * pageBytes + Number(process.argv[2]);
    execFileSync('prlimit', ['--pid', String(process.pid), `--as=${most}`], {
      stdio: 'ignore',
      env: { PATH: '/usr/bin:/bin' },
    });
  } catch {
    // Systems without it leave that to the parent.
  }
}

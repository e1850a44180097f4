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
  /** Tells who waits for an answer that there will be none. */
  let gone = () => {};
  const ended = new Promise<void>((resolve) => {
    for (const event of ['exit', 'error']) child.once(event, () => resolve());
  });
  void ended.then(() => gone());
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
          // Where memory can't be had, native code may end itself.
          gone = () => reject(new ChildEnded(isOverMemory || child.signalCode === 'SIGABRT'));
          if (!child.connected) return gone();
          child.once('message', resolve);
          child.send(question as object, (error) => error && gone());
        });
      } finally {
        gone = () => {};
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
    return bytesOf('VmRSS', pid);
  } catch {
    // Without /proc, as on macOS.
    const said = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(
      () => null,
    );
    return Number(said?.stdout ?? 0) * 1_024;
  }
}

/** The address space or the memory of a process. Throws where there is no /proc. */
function bytesOf(what: 'VmSize' | 'VmRSS', pid: number | 'self'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1_024;
}

/** In the child: answer each message, and end with the parent. */
export function answering(answer: (question: unknown) => Promise<unknown>): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.on('message', async (question) => {
    process.send?.(await answer(question));
  });
}

/**
 * In the child, once all is loaded: let the system refuse more memory than this process may have beyond that, where it
 * has a program to be told so by. The parent looks as well.
 */
export function boundMemory(): void {
  try {
    const most = bytesOf('VmSize', 'self') + Number(process.argv[2]);
    execFileSync('prlimit', ['--pid', String(process.pid), `--as=${most}`], {
      stdio: 'ignore',
      env: { PATH: '/usr/bin:/bin' },
    });
  } catch {
    // Systems without it leave that to the parent.
  }
}

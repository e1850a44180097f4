// Runs the embedded database in its thread: opens it, cuts endless statements, opens it again.

import { unavailable } from '../errors.ts';
import { openThread } from '../thread.ts';
import type { EmbeddedSource, ThreadReply, ThreadRequest } from './embedded-thread.ts';
import { handedOver } from './hand-over.ts';
import type { Session } from './wire.ts';

export interface EmbeddedOptions extends EmbeddedSource {
  /** A statement that runs longer is cut, and the database opened again. */
  statementTimeoutMs: number;
  /** Told when a statement was cut or the thread died; the database reopens by itself. */
  onRestart: (reason: string) => void;
}

export interface Embedded extends Session {
  /** Settles when the database answers for the first time. */
  readonly opened: Promise<void>;
  /** Let statements run as long as they need until the returned function is called. */
  unlimited(): () => void;
  /** The whole database as a tar, for `EmbeddedSource.archive`. */
  dump(): Promise<Uint8Array>;
  /** Shut the database down cleanly and end its thread. */
  close(): Promise<void>;
}

/** ROLLBACK and DISCARD ALL as simple queries: what makes the one session as new. */
const RESET = ['rollback', 'discard all'].map((sql) => {
  const text = Buffer.from(`${sql}\0`);
  const header = Buffer.from([0x51, 0, 0, 0, 0]);
  header.writeUInt32BE(text.length + 4, 1);
  return new Uint8Array(Buffer.concat([header, text]));
});

const READY_FOR_QUERY = 'Z'.charCodeAt(0);
const READY_LENGTH = 6;

/**
 * Start the embedded database. Returns at once, while its thread still opens the files: start it
 * before loading the rest of the program.
 */
export function startEmbedded(options: EmbeddedOptions): Embedded {
  let thread = startThread(options);
  let line: Promise<unknown> = thread.opened;
  let unlimitedHolders = 0;
  let closed = false;
  // A session that nobody has used yet needs no reset.
  let used = false;

  /** Requests go one after another: PGlite holds one session. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = line.then(work, work);
    line = result.catch(() => {});
    return result;
  }

  async function current(): Promise<Thread> {
    if (closed) throw unavailable('The database is closed.');
    if (thread.died !== null) {
      if (options.folder === null) throw unavailable(`The database is gone: ${thread.died}`);
      thread = startThread(options);
    }
    await thread.opened;
    return thread;
  }

  async function exchange(bytes: Uint8Array): Promise<Uint8Array> {
    const target = await current();
    used = true;
    const limit = unlimitedHolders > 0 ? null : options.statementTimeoutMs;
    try {
      const reply = await target.request({ kind: 'messages', bytes }, limit);
      if (isWhole(reply)) return reply;
      throw new Error('The database ended a statement without an answer.');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      await target.kill(reason);
      options.onRestart(reason);
      throw unavailable(reason);
    }
  }

  return {
    opened: thread.opened,
    begin: () =>
      inTurn(async () => {
        await current();
        if (used) for (const message of RESET) await exchange(message);
      }),
    exchange: (bytes) => inTurn(() => exchange(bytes)),
    unlimited() {
      unlimitedHolders += 1;
      return () => {
        unlimitedHolders -= 1;
      };
    },
    dump: () => inTurn(async () => (await current()).request({ kind: 'dump' }, null)),
    close: () =>
      inTurn(async () => {
        if (closed) return;
        closed = true;
        await thread.close();
      }),
  };
}

/** A reply ends in ReadyForQuery; PGlite breaks off without one when its stack overflows. */
function isWhole(reply: Uint8Array): boolean {
  return reply.at(-READY_LENGTH) === READY_FOR_QUERY && reply.at(-2) === READY_LENGTH - 1;
}

type NewRequest = ThreadRequest extends infer R
  ? R extends ThreadRequest
    ? Omit<R, 'id'>
    : never
  : never;

interface Thread {
  readonly opened: Promise<void>;
  /** Why the thread is no more, or null while it lives. */
  readonly died: string | null;
  request(request: NewRequest, limitMs: number | null): Promise<Uint8Array>;
  kill(reason: string): Promise<void>;
  close(): Promise<void>;
}

function startThread(source: EmbeddedSource): Thread {
  const { folder, durability, template, archive } = source;
  const workerData: EmbeddedSource = { folder, durability, template, archive };
  const worker = openThread(new URL('./embedded-thread.ts', import.meta.url), { workerData });
  const waiting = new Map<number | 'opened', PromiseWithResolvers>();
  let died: string | null = null;
  let lastId = 0;

  function expect(id: number | 'opened'): Promise<Uint8Array> {
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  }

  function end(reason: string): void {
    died ??= reason;
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
  }

  const opened = expect('opened').then(() => {});
  // Whoever opens the database awaits it; a failure before that must not end the process.
  opened.catch(() => {});
  worker.on('message', (reply: ThreadReply) => {
    const answer = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('failure' in reply) answer?.reject(new Error(reply.failure));
    else answer?.resolve('bytes' in reply ? reply.bytes : new Uint8Array(0));
  });
  worker.on('error', (error) => end(`The database stopped: ${String(error)}`));
  worker.on('exit', () => end('The database stopped.'));

  async function request(message: NewRequest, limitMs: number | null): Promise<Uint8Array> {
    if (died !== null) throw new Error(died);
    lastId += 1;
    const answer = expect(lastId);
    worker.postMessage(
      { ...message, id: lastId },
      message.kind === 'messages' ? handedOver(message.bytes) : [],
    );
    if (limitMs === null) return answer;
    const timer = setTimeout(() => {
      end(`A statement ran longer than ${limitMs / 1000} s and was cut.`);
    }, limitMs);
    return answer.finally(() => clearTimeout(timer));
  }

  return {
    opened,
    get died() {
      return died;
    },
    request,
    async kill(reason) {
      end(reason);
      await worker.terminate();
    },
    async close() {
      if (died !== null) return;
      await opened;
      await request({ kind: 'close' }, null);
      await worker.terminate();
    },
  };
}

interface PromiseWithResolvers {
  resolve: (bytes: Uint8Array) => void;
  reject: (error: Error) => void;
}

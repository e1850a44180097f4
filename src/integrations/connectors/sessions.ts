// The connections to a source: few at once, none for longer than it may take.

import { onAbort } from '../../async/abort.ts';
import { unavailable } from '../../errors.ts';
import type { QueryOptions } from './connector.ts';
import { tooSlow } from './failure.ts';

/** One connection to a source. */
export interface Session {
  /** Whether it can be used again. */
  readonly lasts: boolean;
  /** End it, now: what it is at fails. Settles, where it is awaited, once nothing of it runs any more. */
  destroy(): void | Promise<void>;
}

export interface Sessions<S extends Session> {
  /**
   * Do something on a connection of one's own, which is destroyed when the time is over or the signal
   * aborts. It is kept for the next one, unless the work failed: who knows in which state it is then.
   * Throws UNAVAILABLE when it took too long, or no connection became free.
   */
  use<T>(options: QueryOptions, work: (session: S) => Promise<T>): Promise<T>;
  close(): void;
}

/** Opens a connection. When the signal aborts it must end what it has of it. */
export type Connect<S extends Session> = (signal: AbortSignal) => Promise<S>;

/** Connections to a source at once, no matter who of this process asks. */
export const maxSessions = 3;
/** Who waits longer for a free connection is sent away. */
const patienceMs = 60_000;
/** The source is to cut first, where it can: its reason says more than a closed socket. */
const graceMs = 250;

/** The connections of this process to one source. */
interface Group {
  open: number;
  readonly waiting: Set<() => void>;
  /** Connections that are kept and could be ended for who waits. */
  readonly idle: Set<() => void>;
}

const groups = new Map<string, Group>();

/**
 * Connections of one who uses a source; `source` names it, equally for all who use it, who have `most` at once between
 * them.
 */
export function openSessions<S extends Session>(
  source: string,
  connect: Connect<S>,
  most = maxSessions,
): Sessions<S> {
  const kept = new Map<S, () => void>();
  let closed = false;

  function keep(session: S, group: Group): void {
    const end = () => {
      if (!kept.delete(session)) return;
      group.idle.delete(end);
      void Promise.resolve(session.destroy()).then(() => free(source, group));
    };
    kept.set(session, end);
    group.idle.add(end);
    if (closed || !session.lasts || group.waiting.size > 0) end();
  }

  function reuse(group: Group): S | undefined {
    for (const [session, end] of kept) {
      kept.delete(session);
      group.idle.delete(end);
      return session;
    }
    return undefined;
  }

  return {
    async use({ timeoutMs, signal }, work) {
      if (closed) throw new Error('The connector was closed.');
      const group = groups.get(source) ?? { open: 0, waiting: new Set(), idle: new Set() };
      groups.set(source, group);
      const idle = reuse(group);
      if (!idle) await claim(group, most, signal);
      try {
        const { session, result } = await within(timeoutMs, signal, connect, idle, work);
        keep(session, group);
        return result;
      } catch (error) {
        free(source, group);
        throw error;
      }
    },
    close() {
      closed = true;
      for (const end of [...kept.values()]) end();
    },
  };
}

/** Connect, unless there is a session, and work: all of it within the time, or the session ends. */
async function within<S extends Session, T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  connect: Connect<S>,
  idle: S | undefined,
  work: (session: S) => Promise<T>,
): Promise<{ session: S; result: T }> {
  const cutting = new AbortController();
  const stop = cutting.signal;
  // A signal made with AbortSignal.any would stay as long as the caller's, one for each query.
  const stopListening = onAbort(signal, () => cutting.abort(signal?.reason));
  if (signal?.aborted) cutting.abort(signal.reason);
  const timer = setTimeout(() => {
    cutting.abort(tooSlow('The query', timeoutMs));
  }, timeoutMs + graceMs);
  const cut = new Promise<never>((_resolve, reject) => {
    stop.addEventListener('abort', () => reject(stop.reason), { once: true });
  });
  cut.catch(() => {});
  let session = idle;
  const working = (async () => {
    session ??= await connect(stop);
    stop.throwIfAborted();
    return { session, result: await work(session) };
  })();
  // Once it is cut, the work fails as well, sooner or later, and of that no one has to learn.
  working.catch(() => void session?.destroy());
  try {
    stop.throwIfAborted();
    return await Promise.race([working, cut]);
  } catch (error) {
    // Who gets the next place, and the answer, finds the source at rest.
    await session?.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}

/** Wait for one of the places of a source. */
async function claim(group: Group, most: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (group.open >= most) {
    const [end] = group.idle;
    end?.();
  }
  if (group.open < most) {
    group.open += 1;
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const leave = () => {
      clearTimeout(late);
      group.waiting.delete(enter);
      stopListening();
    };
    const enter = () => {
      leave();
      resolve();
    };
    const abort = () => {
      leave();
      reject(signal?.reason);
    };
    const late = setTimeout(() => {
      leave();
      reject(unavailable(`All ${most} connections to the source are in use; try again.`));
    }, patienceMs);
    group.waiting.add(enter);
    const stopListening = onAbort(signal, abort);
  });
}

/** Give a place to who waits, or back. */
function free(source: string, group: Group): void {
  const [next] = group.waiting;
  if (next) {
    next();
    return;
  }
  group.open -= 1;
  if (group.open === 0 && groups.get(source) === group) groups.delete(source);
}

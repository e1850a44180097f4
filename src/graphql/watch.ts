// In charge of subscriptions to one thing: its state now, and again after each change.

import type { Context } from '../context.ts';
import type { Topic } from '../database/announce.ts';
import { hear } from '../database/listen.ts';
import type { Database } from '../database/open.ts';

/** What to watch. */
export interface Watched<Value> {
  readonly topic: Topic;
  readonly id: string;
  /** Reads the state; throws where the viewer may not see it, or no longer. */
  readonly read: (ctx: Context) => Promise<Value>;
  /** Whether the state is the last there will be. */
  readonly isLast?: (value: Value) => boolean;
}

/**
 * The state of a thing now and after each committed change, as the viewer sees it. States that are
 * equal to the one before are left out; changes that come faster than they are read are one. Ends
 * with the last state, or when the client goes away.
 */
export function watch<Value>(
  ctx: Context,
  watched: Watched<Value>,
): AsyncIterableIterator<Value, undefined, undefined> {
  const bell = ringFor(ctx, watched);
  const states = statesOf(ctx, watched, bell);
  return {
    next: () => states.next(),
    // A generator that waits takes no return(): it has to be woken first.
    async return() {
      bell.end();
      await states.return(undefined);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const bells = new WeakMap<Database, Set<Bell>>();

/** End every subscription of this process, for the process stops. */
export function endWatches(database: Database): void {
  for (const bell of bells.get(database) ?? []) bell.end();
}

interface Bell {
  /** Resolves after the next change: true, or false when nobody listens any more. */
  rung(): Promise<boolean>;
  end(): void;
}

function ringFor(ctx: Context, { topic, id }: Pick<Watched<unknown>, 'topic' | 'id'>): Bell {
  let changed = true;
  let ended = ctx.signal.aborted;
  let wake = () => {};
  const end = () => {
    ended = true;
    stop();
    ctx.signal.removeEventListener('abort', end);
    ringing.delete(bell);
    wake();
  };
  const stop = hear(ctx.database, topic, (ids) => {
    if (ids !== null && !ids.includes(id)) return;
    changed = true;
    wake();
  });
  ctx.signal.addEventListener('abort', end);
  const bell: Bell = {
    async rung() {
      if (!changed && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      changed = false;
      return !ended;
    },
    end,
  };
  const ringing = bells.get(ctx.database) ?? new Set();
  bells.set(ctx.database, ringing.add(bell));
  if (ended) end();
  return bell;
}

async function* statesOf<Value>(
  ctx: Context,
  { read, isLast }: Watched<Value>,
  bell: Bell,
): AsyncGenerator<Value, undefined, undefined> {
  let last: string | undefined;
  try {
    while (await bell.rung()) {
      // One context serves the whole subscription: what its loaders remember is of before.
      ctx.loaders.clear();
      const value = await read(ctx);
      const state = JSON.stringify(value);
      if (state === last) continue;
      last = state;
      yield value;
      if (isLast?.(value)) return;
    }
  } finally {
    bell.end();
  }
}

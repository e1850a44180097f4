// In charge of subscriptions: to one thing, now and after each change, and to all changes of a kind.

import { asOfNow, type Context } from '../context.ts';
import type { Topic } from '../database/announce.ts';
import type { Database } from '../database/database.ts';
import { hear } from '../database/listen.ts';

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
  const { topic, id } = watched;
  const bell = ringFor(ctx, topic, (ids) => ids === null || ids.includes(id));
  return endedBy(bell, statesOf(ctx, watched, bell));
}

/** What to follow. */
export interface Followed<Value> {
  readonly topic: Topic;
  /**
   * Reads what changed, as the viewer sees it: things of these ids, or where the ids are not known,
   * those that changed since a time.
   */
  readonly read: (ctx: Context, ids: readonly string[] | null, since: Date) => Promise<Value[]>;
}

/** Each thing of a kind after each committed change, until the client goes away. */
export function follow<Value>(
  ctx: Context,
  followed: Followed<Value>,
): AsyncIterableIterator<Value, undefined, undefined> {
  const changes: Changes = { ids: new Set(), isMore: false };
  const bell = ringFor(ctx, followed.topic, (ids) => {
    if (ids === null || changes.ids.size + ids.length > maxChanges) changes.isMore = true;
    else for (const id of ids) changes.ids.add(id);
    return true;
  });
  return endedBy(bell, changesOf(ctx, followed, bell, changes));
}

/** What changed since it was last read. */
interface Changes {
  readonly ids: Set<string>;
  /** There were others, of which the ids are not known. */
  isMore: boolean;
}

/** Past so many, what changed is looked for by its time. */
const maxChanges = 1_000;
/** Clocks of processes may differ so much; what is read twice for it is told once. */
const overlapMs = 5_000;
const maxRemembered = 10_000;

async function* changesOf<Value>(
  ctx: Context,
  { read }: Followed<Value>,
  bell: Bell,
  changes: Changes,
): AsyncGenerator<Value, undefined, undefined> {
  const told = new Set<string>();
  const began = ctx.now();
  let since = began;
  try {
    while (await bell.rung()) {
      const ids = changes.isMore ? null : [...changes.ids];
      changes.ids.clear();
      changes.isMore = false;
      if (ids?.length === 0) continue;
      const from = new Date(Math.max(began.getTime(), since.getTime() - overlapMs));
      since = ctx.now();
      for (const value of await read(await asOfNow(ctx), ids, from)) {
        const state = JSON.stringify(value);
        if (told.has(state)) continue;
        if (told.size >= maxRemembered) told.clear();
        told.add(state);
        yield value;
      }
    }
  } finally {
    bell.end();
  }
}

function endedBy<Value>(
  bell: Bell,
  states: AsyncGenerator<Value, undefined, undefined>,
): AsyncIterableIterator<Value, undefined, undefined> {
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

function ringFor(
  ctx: Context,
  topic: Topic,
  concerns: (ids: readonly string[] | null) => boolean,
): Bell {
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
    if (!concerns(ids)) return;
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
      // Who may see what may have changed since it was last read.
      const value = await read(await asOfNow(ctx));
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

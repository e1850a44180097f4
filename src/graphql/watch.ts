// Subscriptions: to one thing, now and after each change, and to all changes of a kind.

import { asOfNow, type Context } from '../context.ts';
import type { Topic } from '../database/announce.ts';
import type { Database } from '../database/database.ts';
import { listen } from '../database/listen.ts';

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
  const notice = noticesOf(ctx, topic, (ids) => ids === null || ids.includes(id));
  return endedBy(notice, statesOf(ctx, watched, notice));
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
  const notice = noticesOf(ctx, followed.topic, (ids) => {
    if (ids === null || changes.ids.size + ids.length > maxChanges) changes.isMore = true;
    else for (const id of ids) changes.ids.add(id);
    return true;
  });
  return endedBy(notice, changesOf(ctx, followed, notice, changes));
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
  notice: ChangeNotice,
  changes: Changes,
): AsyncGenerator<Value, undefined, undefined> {
  const told = new Set<string>();
  const began = ctx.now();
  let since = began;
  try {
    while (await notice.next()) {
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
    notice.end();
  }
}

function endedBy<Value>(
  notice: ChangeNotice,
  states: AsyncGenerator<Value, undefined, undefined>,
): AsyncIterableIterator<Value, undefined, undefined> {
  return {
    next: () => states.next(),
    // A generator that waits takes no return(): it has to be woken first.
    async return() {
      notice.end();
      await states.return(undefined);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const notices = new WeakMap<Database, Set<ChangeNotice>>();

/** End every subscription of this process, for the process stops. */
export function endWatches(database: Database): void {
  for (const notice of notices.get(database) ?? []) notice.end();
}

interface ChangeNotice {
  /** Resolves after the next change: true, or false when nobody listens any more. */
  next(): Promise<boolean>;
  end(): void;
}

function noticesOf(
  ctx: Context,
  topic: Topic,
  concerns: (ids: readonly string[] | null) => boolean,
): ChangeNotice {
  let changed = true;
  let ended = ctx.signal.aborted;
  let wake = () => {};
  const end = () => {
    ended = true;
    stop();
    ctx.signal.removeEventListener('abort', end);
    open.delete(notice);
    wake();
  };
  const stop = listen(ctx.database, topic, (ids) => {
    if (!concerns(ids)) return;
    changed = true;
    wake();
  });
  ctx.signal.addEventListener('abort', end);
  const notice: ChangeNotice = {
    async next() {
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
  const open = notices.get(ctx.database) ?? new Set();
  notices.set(ctx.database, open.add(notice));
  if (ended) end();
  return notice;
}

async function* statesOf<Value>(
  ctx: Context,
  { read, isLast }: Watched<Value>,
  notice: ChangeNotice,
): AsyncGenerator<Value, undefined, undefined> {
  let last: string | undefined;
  try {
    while (await notice.next()) {
      // Who may see what may have changed since it was last read.
      const value = await read(await asOfNow(ctx));
      const state = JSON.stringify(value);
      if (state === last) continue;
      last = state;
      yield value;
      if (isLast?.(value)) return;
    }
  } finally {
    notice.end();
  }
}

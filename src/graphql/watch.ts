// Subscriptions: to one thing, now and after each change, and to all changes of a kind.

import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { asOfNow, type Context } from '../context.ts';
import type { Topic } from '../database/announce.ts';
import { type Database, ofDatabase } from '../database/database.ts';
import { listen } from '../database/listen.ts';
import { Delivered, resumedAfter } from './http/event-ids.ts';

/** Read something for the viewer as it is now, within the bounds of a request: a subscription lasts, its reads do not. */
export async function readNow<Value>(
  ctx: Context,
  read: (now: Context) => Promise<Value>,
): Promise<Value> {
  const now = await asOfNow(ctx);
  return ctx.bounds ? ctx.bounds.run(now, read) : read(now);
}

/** What to watch. */
export interface WatchedThing<Value> {
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
  watched: WatchedThing<Value>,
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
  /** Where the ids of a topic are not those of the things: whether they concern who follows. */
  readonly isConcerned?: (ids: readonly string[]) => boolean;
  /** Changes that come faster are read together, in milliseconds; 0 where absent. */
  readonly lullMs?: number;
}

/**
 * Each thing of a kind after each committed change, until the client goes away. One that was cut goes on
 * where its last event was: with what changed since, as it is now. Throws BAD_REQUEST for an event that
 * it can't go on from.
 */
export function follow<Value>(
  ctx: Context,
  followed: Followed<Value>,
): AsyncIterableIterator<Delivered<Value>, undefined, undefined> {
  const resumed = resumedAfter(ctx);
  const began = resumed ? new Date(resumed.getTime() - overlapMs) : ctx.now();
  const changes: Changes = { ids: new Set(), isMore: resumed !== null, began };
  const { isConcerned } = followed;
  const notice = noticesOf(ctx, followed.topic, (ids) => {
    if (isConcerned && ids !== null && !isConcerned(ids)) return false;
    if (isConcerned || ids === null || changes.ids.size + ids.length > maxChanges)
      changes.isMore = true;
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
  /** What changed before is not delivered. */
  readonly began: Date;
}

/** Past so many, what changed is looked for by its time. */
const maxChanges = 1_000;
/** Clocks of processes may differ so much; what is read twice for it is delivered once. */
const overlapMs = 5_000;
const maxRemembered = 10_000;

async function* changesOf<Value>(
  ctx: Context,
  { read, lullMs = 0 }: Followed<Value>,
  notice: ChangeNotice,
  changes: Changes,
): AsyncGenerator<Delivered<Value>, undefined, undefined> {
  const delivered = new Set<string>();
  const { began } = changes;
  let since = began;
  try {
    while (await notice.next()) {
      const ids = changes.isMore ? null : [...changes.ids];
      changes.ids.clear();
      changes.isMore = false;
      if (ids?.length === 0) continue;
      const from = new Date(Math.max(began.getTime(), since.getTime() - overlapMs));
      const before = since;
      since = ctx.now();
      const found = await readNow(ctx, (now) => read(now, ids, from));
      const news = found.filter((value) => isNews(delivered, value));
      // Until the last of them has arrived, not all was delivered that changed before it was read.
      for (const [i, value] of news.entries()) {
        yield new Delivered(value, i === news.length - 1 ? since : before);
      }
      if (lullMs > 0) await sleep(lullMs, undefined, { ref: false });
    }
  } finally {
    notice.end();
  }
}

function isNews(delivered: Set<string>, value: unknown): boolean {
  const state = digestOf(value);
  if (delivered.has(state)) return false;
  if (delivered.size >= maxRemembered) delivered.clear();
  delivered.add(state);
  return true;
}

/** Tells states apart without keeping them: one may be a megabyte, and stays for as long as somebody watches. */
function digestOf(state: unknown): string {
  return hash('sha256', JSON.stringify(state) ?? '', 'base64url');
}

/** Several things to watch. */
export interface WatchedMany<Value> {
  readonly topic: Topic;
  readonly ids: readonly string[];
  /** Reads those of some of the ids that the viewer may see. */
  readonly read: (ctx: Context, ids: readonly string[]) => Promise<Value[]>;
}

/**
 * The state of each of several things now, and after each committed change of it, as far as the viewer sees
 * it. States that are equal to the one before are left out. Ends when the client goes away.
 */
export function watchEach<Value extends { readonly id: string }>(
  ctx: Context,
  watched: WatchedMany<Value>,
): AsyncIterableIterator<Value, undefined, undefined> {
  const wanted = new Set(watched.ids);
  const changed = new Set(wanted);
  const notice = noticesOf(ctx, watched.topic, (ids) => {
    const own = ids === null ? [...wanted] : ids.filter((id) => wanted.has(id));
    for (const id of own) changed.add(id);
    return own.length > 0;
  });
  return endedBy(notice, eachOf(ctx, watched, notice, changed));
}

async function* eachOf<Value extends { readonly id: string }>(
  ctx: Context,
  { read }: WatchedMany<Value>,
  notice: ChangeNotice,
  changed: Set<string>,
): AsyncGenerator<Value, undefined, undefined> {
  const last = new Map<string, string>();
  try {
    while (await notice.next()) {
      const ids = [...changed];
      changed.clear();
      if (ids.length === 0) continue;
      for (const value of await readNow(ctx, (now) => read(now, ids))) {
        const state = digestOf(value);
        if (last.get(value.id) === state) continue;
        last.set(value.id, state);
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

/** The subscriptions of this process, and whether they were ended for good. */
const watchesOf = ofDatabase(() => ({ notices: new Set<ChangeNotice>(), areEnded: false }));

/** End every subscription of this process, those that are just being opened as well, for the process stops. */
export function endWatches(database: Database): void {
  const watches = watchesOf(database);
  watches.areEnded = true;
  for (const notice of watches.notices) notice.end();
}

interface ChangeNotice {
  /** Resolves after the next change: true, or false when no one listens any more. */
  next(): Promise<boolean>;
  end(): void;
}

function noticesOf(
  ctx: Context,
  topic: Topic,
  concerns: (ids: readonly string[] | null) => boolean,
): ChangeNotice {
  let changed = true;
  const watches = watchesOf(ctx.database);
  let ended = ctx.signal.aborted || watches.areEnded;
  let wake = () => {};
  const end = () => {
    ended = true;
    stop();
    ctx.signal.removeEventListener('abort', end);
    watches.notices.delete(notice);
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
  watches.notices.add(notice);
  if (ended) end();
  return notice;
}

async function* statesOf<Value>(
  ctx: Context,
  { read, isLast }: WatchedThing<Value>,
  notice: ChangeNotice,
): AsyncGenerator<Value, undefined, undefined> {
  let last: string | undefined;
  try {
    while (await notice.next()) {
      // Who may see what may have changed since it was last read.
      const value = await readNow(ctx, read);
      const state = digestOf(value);
      if (state === last) continue;
      last = state;
      yield value;
      if (isLast?.(value)) return;
    }
  } finally {
    notice.end();
  }
}

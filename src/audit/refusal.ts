// Refusals in the audit log: who was refused what, so that no one fills it by trying.

import { AsyncLocalStorage } from 'node:async_hooks';
import { serverId, type Viewer } from '../auth/viewer.ts';
import { type Context, contextFor } from '../context.ts';
import { patiently } from '../database/connections/await-connection.ts';
import type { Database } from '../database/database.ts';
import { type Deed, nameOf, record } from './audit.ts';
import { maxLength } from './changes.ts';

/** A request that was refused: because the viewer may not do it, unless the activity says otherwise. */
export interface Refused {
  /** `access_refused` where anyone who asked was not let in at all. Default `permission_refused`. */
  readonly activity?: 'permission_refused' | 'access_refused';
  /** What was asked for, as GraphQL or REST names it. */
  readonly request: string;
  /** Why it was refused, as the client was told. */
  readonly message: string;
  /** Id of what it would have been done to, where it named one. */
  readonly targetId?: string | null;
}

/** Notes refusals of one process. */
export interface Refusals {
  /**
   * Note a refusal of the viewer, or by the server where that is the viewer. It is written soon; no one waits
   * for it.
   */
  note(ctx: Refuser, refused: Refused): void;
  /** Write what is noted by now, at the latest before the database is closed. */
  settle(): Promise<void>;
}

type Refuser = Pick<Context, 'viewer' | 'requestId' | 'clientAddress' | 'now'> &
  Partial<Pick<Context, 'credential'>>;

export interface RefusalOptions {
  readonly database: Database;
  /** Called with what kept a refusal from being written. */
  readonly onUnexpected: (error: unknown) => void;
  /** For so long a key is counted, in milliseconds. Default a minute. */
  readonly windowMs?: number;
}

/** Refusals of a key, or of an account by the server, in a minute that have entries of their own; the others are counted. */
export const maxEntries = 5;
/** Requests by whose names those that were left out are counted. */
const maxNames = 20;
/** Characters of such a name that are kept: the log is there for good, and no one is to fill it. */
const maxName = 100;

const minuteMs = 60_000;

/** What was refused to a key, from the first time on until a minute is over. */
interface Minute {
  readonly whose: Pick<Refuser, 'viewer' | 'credential' | 'now'>;
  readonly timer: NodeJS.Timeout;
  written: number;
  readonly leftOut: Map<string, number>;
}

/** The refusals of one process, by key and minute. */
export function createRefusals(options: RefusalOptions): Refusals {
  const { database, onUnexpected, windowMs = minuteMs } = options;
  const minutes = new Map<string, Minute>();
  // One after the other: they come in their order, and take no more than one connection.
  let written: Promise<void> = Promise.resolve();
  // Who is refused may be in a transaction, of which nothing will be left.
  const outside = AsyncLocalStorage.snapshot();

  function write({ viewer, requestId, clientAddress, credential, now }: Refuser, deed: Deed): void {
    const source = { requestId, clientAddress, ...(credential && { credential }) };
    const ctx = contextFor(database, viewer, { ...source, now });
    const add = () => outside(() => patiently(ctx, () => record(ctx, deed)));
    written = written.then(add).catch(onUnexpected);
  }

  function begin(key: string, { viewer, credential, now }: Refuser): Minute {
    const timer = outside(() => setTimeout(() => close(key), windowMs));
    timer.unref();
    const minute = {
      whose: { viewer, now, ...(credential && { credential }) },
      timer,
      written: 0,
      leftOut: new Map<string, number>(),
    };
    minutes.set(key, minute);
    return minute;
  }

  function close(key: string): void {
    const minute = minutes.get(key);
    if (!minute) return;
    clearTimeout(minute.timer);
    minutes.delete(key);
    if (minute.leftOut.size === 0) return;
    write({ ...minute.whose, requestId: null, clientAddress: null }, leftOutOf(minute));
  }

  return {
    note(ctx, given) {
      const refused = bounded(given);
      const key = counterOf(ctx.viewer, refused);
      const minute = minutes.get(key) ?? begin(key, ctx);
      if (minute.written < maxEntries) {
        minute.written += 1;
        write(ctx, deedOf(ctx.viewer, refused));
        return;
      }
      const { leftOut } = minute;
      const isNamed = leftOut.has(refused.request) || leftOut.size < maxNames;
      const name = isNamed ? refused.request : others;
      leftOut.set(name, (leftOut.get(name) ?? 0) + 1);
    },
    async settle() {
      for (const key of minutes.keys()) close(key);
      await written;
    },
  };
}

const others = 'others';

/** By what a refusal is counted: of the server, which is one in all workspaces, by whom it refuses. */
function counterOf({ keyId, workspaceId, id }: Viewer, { targetId }: Refused): string {
  return id === serverId ? `${workspaceId} ${targetId}` : (keyId ?? id);
}

function bounded({ request, message, ...refused }: Refused): Refused {
  // Between the halves of a character beyond 16 bits it can't be cut.
  const cut = (text: string, length: number) => text.slice(0, length).toWellFormed();
  return { ...refused, request: cut(request, maxName), message: cut(message, maxLength) };
}

function deedOf(viewer: Viewer, refused: Refused): Deed {
  const { activity = 'permission_refused', request, message, targetId } = refused;
  return {
    activity,
    targetId: targetId ?? null,
    changes: [{ field: 'request', before: null, after: request, note: null }],
    says: `${refusing(viewer)} ${request}: ${message.replace(/\.$/, '')}`,
  };
}

function refusing(viewer: Viewer): string {
  return `${nameOf(viewer)} ${viewer.id === serverId ? 'refused' : 'was refused'}`;
}

/** One entry for those that have none. */
function leftOutOf({ whose, leftOut }: Minute): Deed {
  const counts = [...leftOut].map(([request, count]) => ({ request, count }));
  const sum = counts.reduce((total, { count }) => total + count, 0);
  const list = counts.map(({ request, count }) => `${request} (${count})`).join(', ');
  const what = sum === 1 ? 'one more request' : `${sum} more requests`;
  return {
    activity: 'refusals_left_out',
    changes: counts.map(({ request, count }) => ({
      ...{ field: request, before: null, after: count, note: null },
    })),
    says: `${refusing(whose.viewer)} ${what} within a minute: ${list}`,
  };
}

// What every function of the catalog is given: whose request it is and where data lies.

import type { Semaphore } from './async/semaphore.ts';
import { type Credential, credentialOf, serverViewer, type Viewer } from './auth/viewer.ts';
import type { Budget } from './database/connections/budget.ts';
import { everyWorkspace } from './database/connections/visible-rows.ts';
import type { Database, Db } from './database/database.ts';
import { outside } from './database/outside.ts';
import { type FieldError, unauthenticated } from './errors.ts';
import type { CooperativeScheduler } from './limits/cooperative-scheduler.ts';
import type { Surroundings } from './surroundings.ts';
import type { RequestSource } from './tracing/request.ts';

/** Everything a function needs to know of the request it serves. */
export interface Context extends RequestSource {
  /** The workspace that all reads and writes are confined to. */
  readonly workspaceId: string;
  /** Who asks, and with which role. */
  readonly viewer: Viewer;
  /** Prisma on the connection of the transaction that this is in; outside of one it throws. */
  readonly db: Db;
  /** The open database; only `src/database` looks inside. */
  readonly database: Database;
  /** Batching loaders, one of a kind for each request or transaction. */
  readonly loaders: Map<object, unknown>;
  /** The clock, so that tests can move it. */
  readonly now: () => Date;
  /** Aborted when the client went away, or the time of the request is over. */
  readonly signal: AbortSignal;
  /** The viewer as it is now; null when the key no longer works. Asked again at most every 3 s. */
  readonly viewerNow: () => Promise<Viewer | null>;
  /** What the request may take; null where there are no bounds, as for a job. */
  readonly allowance: Allowance | null;
  /** Within what each read of something that lasts is done, such as a subscription; null where there are no bounds. */
  readonly bounds: ReadBounds | null;
  /** Where its reads may go; decided when it is known what is asked for. */
  readonly reads: Reads;
  /** The last event that a client had of a subscription that was cut, by its id; null for none. */
  readonly lastEventId: string | null;
  /** What lets it act; it stays the same where a part of it is done by the server itself. */
  readonly credential: Credential;
  /** The entry of the audit log that all written with this context is part of; null for none. */
  readonly partOf: string | null;
  /** What was taken without an effect so far, for the answer; `warn` adds to it. */
  readonly warnings: FieldError[];
}

/** The context of a request or a job of the server, which also leads out of it: to sources, mail and chat. */
export interface ServerContext extends Context {
  readonly surroundings: Surroundings;
}

/** What one request may take. */
export interface Allowance {
  /** Of the database. */
  readonly budget: Budget;
  /** Of the main thread; null where an answer is built in one piece. */
  readonly scheduler: CooperativeScheduler | null;
  /** Of the threads for long calculations: places for all requests with the same key. */
  readonly threads: Semaphore;
}

/** Does reads within the bounds that a request has. */
export interface ReadBounds {
  run<Value>(ctx: Context, read: (ctx: Context) => Promise<Value>): Promise<Value>;
}

/** Where the reads of a request may go. */
export interface Reads {
  /** Whether to a replica, which may be a second behind: never where the user has written since. */
  fromReplica: boolean;
  /** Whether all that is asked for is a query: what it does in a transaction writes nothing. */
  isQuery: boolean;
}

/** What a context may be made with. */
type ContextParts = RequestSource &
  Pick<Context, 'now' | 'signal' | 'viewerNow' | 'credential' | 'lastEventId'>;

/** A context of its own for a request or a job: fresh loaders, the pool's connection. */
export function contextFor(
  database: Database,
  viewer: Viewer,
  {
    now = () => new Date(),
    signal = neverAborted,
    viewerNow = async () => viewer,
    requestId = null,
    clientAddress = null,
    credential = credentialOf(viewer),
    lastEventId = null,
  }: Partial<ContextParts> = {},
): Context {
  const { workspaceId } = viewer;
  const db = outside(database);
  const reads = { fromReplica: false, isQuery: false };
  const loaders = new Map();
  const own = { workspaceId, viewer, db, database, loaders, now, signal, viewerNow, reads };
  const source = { requestId, clientAddress, credential };
  const nothing = { allowance: null, bounds: null, partOf: null };
  return { ...own, ...source, ...nothing, lastEventId, warnings: [] };
}

/** A context of the server itself, for what reaches over all workspaces. */
export function contextAcross(database: Database, credential: Credential = 'SERVER'): Context {
  return contextFor(database, serverViewer(everyWorkspace), { credential });
}

/**
 * The same context for the viewer as it is now, with fresh loaders. Throws UNAUTHENTICATED when the key
 * that it was made for no longer works.
 */
export async function asOfNow<C extends Context>(ctx: C): Promise<C> {
  const viewer = await ctx.viewerNow();
  if (!viewer) throw unauthenticated();
  return { ...ctx, viewer, loaders: new Map() };
}

const neverAborted = new AbortController().signal;

// Limits of a workspace: how much it may hold and write, as the one who runs the server sets it.

import type { MaybePromise } from '../async/maybe-promise.ts';
import type { WorkspaceLimits } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { type Database, ofDatabase } from '../database/database.ts';
import { holdName } from '../database/held-name.ts';
import { acrossWorkspaces } from '../database/outside.ts';
import { type Connection, execute, rows } from '../database/rows.ts';
import { CatalogError } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { remembered } from './remembered-figure.ts';
import { shareOfStorage } from './workspace-storage.ts';

/** What is limited: the column of the limit, and what messages call it. */
export const limited = {
  resources: { column: 'resourceLimit', words: 'resources' },
  monitors: { column: 'monitorLimit', words: 'monitors' },
  writes_per_minute: { column: 'writeLimit', words: 'writes in a minute' },
  storage_mb: { column: 'storageLimitMb', words: 'MB of the database' },
} as const;

/** Something that a workspace may have so much of. */
export type Limited = keyof typeof limited;

/** All of them. */
const limitedNames: readonly Limited[] = [
  'resources',
  'monitors',
  'writes_per_minute',
  'storage_mb',
];

/** How much of something a workspace has, and may have. */
export interface WorkspaceUse {
  readonly workspaceId: string;
  readonly what: Limited;
  readonly used: number;
  /** Null for any number. */
  readonly most: number | null;
}

/** Who can do something about it, said with each refusal. */
export const whoRaises =
  'Those who run this server can raise it, with `npm run workspace -- limit`.';

/** A table that holds more than that is counted by its share alone when far from its limit. */
const exactUpTo = 10_000;

/** Counts of a process that stand for a moment, and what it added since. */
interface Count {
  readonly until: number;
  used: number;
}

const countMs = 5_000;
const countsOf = ofDatabase(() => new Map<string, Count>());

/**
 * Throws UNPROCESSABLE where a workspace may not have so many more resources or monitors than it has, or no more
 * storage. In the transaction that adds them: near its limit, or where that is small, one such transaction waits for the
 * other, so that together they don't pass it. One that writes for long (`isLong`) is not waited for.
 */
export async function mustFit(
  tx: Context,
  what: 'resources' | 'monitors',
  more: number,
  isLong = false,
): Promise<void> {
  await mustHaveStorage(tx);
  const most = (await limitsOf(tx))[limited[what].column];
  if (most === null) return;
  const counts = countsOf(tx.database);
  const key = `${what} ${tx.workspaceId}`;
  const known = counts.get(key);
  if (known && known.until > performance.now() && known.used + more <= farBelow(most)) {
    known.used += more;
    return;
  }
  if (!isLong) await holdName(tx, `limit ${key}`);
  const used = await countUsed(tx, what);
  if (counts.size > 10_000) counts.clear();
  counts.set(key, { until: performance.now() + countMs, used: used + more });
  if (used + more > most) throw isFull({ what, used, most, more });
}

/** Up to where a count may be some seconds old: nothing of a small limit, nineteen twentieths of a large one. */
function farBelow(most: number): number {
  return most <= exactUpTo ? -1 : Math.floor(most * 0.95);
}

/** Throws UNPROCESSABLE where a workspace takes more of the database than it may. */
export async function mustHaveStorage(ctx: Context): Promise<void> {
  const { storageLimitMb: most } = await limitsOf(ctx);
  if (most === null) return;
  const used = inMb(storageOf(ctx.database).last()?.get(ctx.workspaceId) ?? 0);
  if (used > most) throw isFull({ what: 'storage_mb', used, most, more: 0 });
}

/** Those that hold for who asks, some seconds old at most; those of now for the server itself. */
function limitsOf(ctx: Context): MaybePromise<WorkspaceLimits> {
  return ctx.viewer.limits ?? readLimits(ctx);
}

async function readLimits(ctx: Context): Promise<WorkspaceLimits> {
  const [limits] = await rows<WorkspaceLimits>(
    ctx,
    Prisma.sql`select ${limitColumns} from workspace w where w.id = ${ctx.workspaceId}::uuid`,
  );
  if (!limits) throw new Error('A viewer belongs to a workspace that is not there.');
  return limits;
}

const limitColumns = Prisma.sql`w.resource_limit as "resourceLimit", w.monitor_limit as "monitorLimit",
  w.write_limit as "writeLimit", w.storage_limit_mb as "storageLimitMb"`;

const countedResources = Prisma.sql`(select count(*)::float8 from resource r
  where r.workspace_id = w.id and not r.archived)`;
const countedMonitors = Prisma.sql`(select count(*)::float8 from monitor m where m.workspace_id = w.id)`;
/** Writes of all in this minute are counted where they are limited. */
const countedWrites = Prisma.sql`coalesce((select c.count::float8 from write_count c
  where c.workspace_id = w.id and c.key_id = w.id and c.minute = date_trunc('minute', now())), 0)`;

async function countUsed(ctx: Context, what: 'resources' | 'monitors'): Promise<number> {
  const counted = what === 'resources' ? countedResources : countedMonitors;
  const [found] = await rows<{ used: number }>(
    ctx,
    Prisma.sql`select ${counted} as used from workspace w where w.id = ${ctx.workspaceId}::uuid`,
  );
  return found?.used ?? 0;
}

/** The refusal of what would be more than there may be. */
function isFull({
  what,
  used,
  most,
  more,
}: Pick<WorkspaceUse, 'what' | 'used'> & { most: number; more: number }): CatalogError {
  const wanted = more === 0 ? '' : ` and this adds ${more}`;
  return new CatalogError(
    'UNPROCESSABLE',
    `This workspace may have ${most} ${limited[what].words}: it has ${used}${wanted}. ${whoRaises}`,
  );
}

const inMb = (bytes: number) => Math.ceil(bytes / 1_000_000);

/** The bytes that each workspace takes. */
const storageOf = ofDatabase((database) => remembered(() => shareOfStorage(database)));

/** What one workspace uses, and may use. */
export async function useOfWorkspace(ctx: Context): Promise<WorkspaceUse[]> {
  const [row] = await readUse(ctx, Prisma.sql`where w.id = ${ctx.workspaceId}::uuid`);
  return row ? usesOf(row, await storageOf(ctx.database).read()) : [];
}

/** What each workspace of a database uses, and may use. */
export async function useOfAll(database: Database): Promise<WorkspaceUse[]> {
  const found = await readUse(acrossWorkspaces(database), Prisma.empty);
  const storage = await storageOf(database).read();
  return found.flatMap((row) => usesOf(row, storage));
}

/** The same of those that have a limit, at most a minute old. */
export const useOfLimited = ofDatabase((database) =>
  remembered(async () => {
    const found = await readUse(
      acrossWorkspaces(database),
      Prisma.sql`where num_nonnulls(w.resource_limit, w.monitor_limit, w.write_limit, w.storage_limit_mb) > 0`,
    );
    if (found.length === 0) return [];
    const storage = await storageOf(database).read();
    return found.flatMap((row) => usesOf(row, storage));
  }),
);

interface UseRow extends WorkspaceLimits {
  readonly id: string;
  readonly resources: number;
  readonly monitors: number;
  readonly writes: number;
}

function readUse(db: Connection, where: Prisma.Sql): Promise<UseRow[]> {
  return rows<UseRow>(
    db,
    Prisma.sql`select w.id, ${limitColumns}, ${countedResources} as resources,
        ${countedMonitors} as monitors, ${countedWrites} as writes
      from workspace w ${where} order by w.created_at, w.id`,
  );
}

function usesOf(row: UseRow, storage: ReadonlyMap<string, number>): WorkspaceUse[] {
  const used: Readonly<Record<Limited, number>> = {
    resources: row.resources,
    monitors: row.monitors,
    writes_per_minute: row.writes,
    storage_mb: inMb(storage.get(row.id) ?? 0),
  };
  return limitedNames.map((what) => ({
    ...{ workspaceId: row.id, what, used: used[what] },
    most: row[limited[what].column],
  }));
}

/** Set limits of a workspace, null for any number; what is absent stays. */
export async function setLimits(
  tx: Context,
  limits: Readonly<Partial<Record<Limited, number | null>>>,
): Promise<{ before: WorkspaceLimits; after: WorkspaceLimits }> {
  const before = await readLimits(tx);
  const given = limitedNames.flatMap((what) => {
    const most = limits[what];
    return most === undefined ? [] : [[limited[what].column, most] as const];
  });
  const after = { ...before, ...Object.fromEntries(given) };
  await execute(
    tx,
    Prisma.sql`update workspace set resource_limit = ${after.resourceLimit}::integer,
        monitor_limit = ${after.monitorLimit}::integer, write_limit = ${after.writeLimit}::integer,
        storage_limit_mb = ${after.storageLimitMb}::integer
      where id = ${tx.workspaceId}::uuid`,
  );
  return { before, after };
}

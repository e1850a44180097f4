// Cached counts and page anchors of lists, valid until the log names a change that they depend on.
//
// The statement that asks for such changes counts again by itself where there is one: a cached count is as exact as
// another, and takes one statement like it. The database looks at a few rows of the log instead of all rows of the list.

import type { Context } from '../context.ts';
import {
  epochSqlOf,
  makeEpochSql,
  noEpoch,
  sinceSqlOf,
  snapshotSql,
} from '../database/change-log.ts';
import { ofDatabase } from '../database/database.ts';
import { execute, rows } from '../database/rows.ts';
import { clientOf } from '../database/transaction.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { PageAnchors } from './page-anchors.ts';

/** What is counted. */
interface Counted {
  readonly from: Prisma.Sql;
  readonly where: Prisma.Sql;
}

/** How many rows a list has, and its anchors; both are valid until something is logged. */
export interface CachedList {
  readonly n: number;
  readonly anchors: PageAnchors;
}

/** An entry of the cache, and the moment for which it is valid. */
interface Entry extends CachedList {
  readonly snapshot: string;
  readonly epoch: string;
  /** In milliseconds of the clock. */
  readonly at: number;
}

/** Entries of one process. */
const maxEntries = 1_000;
/** An entry that was not asked for in this time is counted again: the log is deleted some time later. */
const entryMs = 3_600_000;

const countsOf = ofDatabase(() => new Map<string, Entry>());

/**
 * How many rows a list of resources has, whose number only changes with what the log names: resources that
 * are made or deleted, and the kind, publication, archiving and teams of the others; and the anchors in it.
 */
export async function cachedList(ctx: Context, { from, where }: Counted): Promise<CachedList> {
  const count = Prisma.sql`select count(*) from ${from} where ${where}`;
  // A transaction sees its own changes, and a replica has no log.
  if (clientOf(ctx) || ctx.reads.fromReplica) {
    const n = await countOf(ctx, { from, where });
    return { n, anchors: new PageAnchors(n) };
  }
  const known = countsOf(ctx.database);
  const key = `${ctx.workspaceId} ${count.text} ${JSON.stringify(count.values)}`;
  const before = known.get(key);
  const isFresh = before !== undefined && Date.now() - before.at < entryMs;
  const now = await ask(ctx, count, isFresh ? before : null);
  known.delete(key);
  if (now.epoch === noEpoch) await execute(ctx, makeEpochSql, [ctx.workspaceId]);
  else {
    const [oldest] = known.keys();
    if (known.size >= maxEntries && oldest !== undefined) known.delete(oldest);
    known.set(key, now);
  }
  return now;
}

/** How many rows a list has. */
export async function countOf(ctx: Context, { from, where }: Counted): Promise<number> {
  const count = Prisma.sql`select count(*) as n from ${from} where ${where}`;
  const [row] = await rows<{ n: number }>(ctx, count);
  return row?.n ?? 0;
}

/** What was counted before, if it still holds; else what is counted by the same statement. */
async function ask(ctx: Context, count: Prisma.Sql, before: Entry | null): Promise<Entry> {
  const at = Date.now();
  const given = Prisma.sql`select ${ctx.workspaceId}::uuid as workspace,
    ${before?.snapshot ?? null}::text as since, ${before?.epoch ?? null}::text as epoch_then`;
  const [row] = await rows<{ snapshot: string; epoch: string; n: number | null }>(
    ctx,
    Prisma.sql`select s.snapshot, s.epoch, case when s.changed then (${count}) end as n
      from (select k.snapshot, k.epoch, k.epoch is distinct from k.epoch_then
            or exists (select from ${changes}) as changed
          from (select g.*, ${moment} from (${given}) g) k offset 0) s`,
  );
  const n = row?.n ?? before?.n ?? 0;
  const isAsBefore = before !== null && row?.n == null;
  return {
    n,
    anchors: isAsBefore ? before.anchors : new PageAnchors(n),
    snapshot: row?.snapshot ?? '',
    epoch: row?.epoch ?? noEpoch,
    at,
  };
}

const moment = Prisma.raw(`${snapshotSql} as snapshot, ${epochSqlOf('g.workspace')} as epoch`);
const changes = Prisma.raw(
  `${sinceSqlOf('k.workspace', 'k.since')} and l.what in ('resource', 'new')`,
);

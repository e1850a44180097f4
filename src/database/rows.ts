// Runs a statement of our own SQL on the context's connection.

import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Context } from '../context.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { LruCache } from '../limits/lru-cache.ts';
import { budgets } from './connections/budget.ts';
import { copyOn } from './connections/copy-rows.ts';
import type { Replica } from './replica.ts';
import { clientOf } from './transaction.ts';
import { getTypeParser } from './value-parsers.ts';

/** The part of a context that reaches the database. */
export type Connection = Pick<Context, 'db' | 'database' | 'workspaceId'> &
  Partial<Pick<Context, 'reads'>>;

/**
 * Run one statement and return its rows, typed by the caller: `rows<{ id: string }>(ctx, sql)`, the
 * statement as Prisma.sql or as text with `$1`. Inside a transaction it runs on its connection.
 *
 * timestamptz (and timestamp, taken as UTC) becomes Date, bigint a number (a bigint past 2^53),
 * uuid[] and text[] string[], json and jsonb what they hold; numeric and date stay text. Cast an
 * enum array to text[]. A value that is an object is sent as JSON, an array as a PostgreSQL array:
 * JSON.stringify an array that is meant for a jsonb column.
 */
export async function rows<Row extends object>(
  ctx: Connection,
  sql: Prisma.Sql | string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const replica = ctx.reads?.fromReplica && !clientOf(ctx) ? ctx.database.replica : null;
  const read = replica && (await fromReplica<Row>(replica, ctx, sql, values));
  const result = read ?? (await run<Row>(ctx, sql, values));
  return result.rows;
}

/** Run a read on the replica; null where that failed, also because the statement writes after all. */
async function fromReplica<Row extends object>(
  replica: Replica,
  ctx: Connection,
  sql: Prisma.Sql | string,
  values: readonly unknown[],
): Promise<pg.QueryResult<Row> | null> {
  try {
    const on = replica.pool.showing(ctx.workspaceId);
    const result = await on.query<Row>(kept(ctx, sql, values));
    replica.figures.served += 1;
    return result;
  } catch (error) {
    // A request whose time is over has nothing to ask elsewhere.
    if (budgets.getStore()?.isOver) throw error;
    if (!isAnswered(error)) replica.noteFailure();
    return null;
  }
}

/** Whether the replica is there, and only this statement failed, or was ended for what it replays. */
function isAnswered(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(08|53|57P)/.test(error.code ?? '');
}

/** Run one statement and return how many rows it wrote. */
export async function execute(
  ctx: Connection,
  sql: Prisma.Sql | string,
  values: readonly unknown[] = [],
): Promise<number> {
  const result = await run(ctx, sql, values);
  return result.rowCount ?? 0;
}

/** Run one statement, under a name where its plan can be kept, and read its values as `rows` says. */
function run<Row extends object>(
  ctx: Connection,
  sql: Prisma.Sql | string,
  values: readonly unknown[],
): Promise<pg.QueryResult<Row>> {
  return sendConfig<Row>(ctx, kept(ctx, sql, values));
}

/** A statement as it is sent, under a name where its plan can be kept; its values are read as `rows` says. */
function kept(
  { database }: Connection,
  sql: Prisma.Sql | string,
  values: readonly unknown[],
): pg.QueryConfig {
  const config = configOf(sql, values);
  const name = database.keepsPlans ? statementName(config.text) : undefined;
  return { ...config, ...(name !== undefined && { name }), types: { getTypeParser } };
}

/** Send one statement on the context's connection, and read its values as node-postgres does. */
export function send<Row extends object>(
  ctx: Connection,
  sql: Prisma.Sql | string,
  values: readonly unknown[],
): Promise<pg.QueryResult<Row>> {
  return sendConfig<Row>(ctx, configOf(sql, values));
}

function sendConfig<Row extends object>(
  ctx: Connection,
  config: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  const client = clientOf(ctx);
  if (client) return client.query<Row>(config);
  return ctx.database.pool.showing(ctx.workspaceId).query<Row>(config);
}

/** Run a `copy ... from stdin` on the context's connection, which reads these bytes. */
export async function copyIn(ctx: Connection, text: string, bytes: Buffer): Promise<void> {
  const client = clientOf(ctx);
  if (client) await copyOn(client, text, bytes);
  else await ctx.database.pool.showing(ctx.workspaceId).copyIn(text, bytes);
}

/** The text of a template is put together each time that it is asked for: that is here alone. */
function configOf(sql: Prisma.Sql | string, values: readonly unknown[]) {
  return typeof sql === 'string'
    ? { text: sql, values: [...values] }
    : { text: sql.text, values: sql.values };
}

/** The names of statements that came thrice, by their text: the thousand that were asked for last. */
const names = new LruCache<string>(1_000);

/** Texts that came once or twice, up to so many characters: what comes no more is to take no name. */
const newcomers = new LruCache<{ times: number }>(4_000_000);

/** A longer text, in characters, has no name: what is asked for makes some of any length. */
const longestNamed = 20_000;

/** A name by which PostgreSQL keeps the plan of a statement that came thrice; undefined before. */
function statementName(text: string): string | undefined {
  if (text.length > longestNamed) return undefined;
  const known = names.get(text);
  if (known !== undefined) return known;
  const newcomer = newcomers.get(text);
  if (!newcomer) newcomers.set(text, { times: 1 }, text.length);
  else newcomer.times += 1;
  if (!newcomer || newcomer.times < 3) return undefined;
  const name = `h${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
  names.set(text, name, 1);
  return name;
}

// Runs a statement of our own SQL on the context's connection.

import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Context } from '../context.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { clientOf } from './transaction.ts';

/** The part of a context that reaches the database. */
export type Connection = Pick<Context, 'db' | 'database'>;

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
  const result = await run<Row>(ctx, sql, values);
  return result.rows;
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
  const { keepsPlans } = ctx.database;
  const name = keepsPlans ? statementName(typeof sql === 'string' ? sql : sql.text) : undefined;
  return send<Row>(ctx, sql, values, { name, types: { getTypeParser } });
}

/** Send one statement on the context's connection, with the driver's own settings for it. */
export function send<Row extends object>(
  ctx: Connection,
  sql: Prisma.Sql | string,
  values: readonly unknown[],
  settings: Pick<pg.QueryConfig, 'name' | 'types'> = {},
): Promise<pg.QueryResult<Row>> {
  return (clientOf(ctx.db) ?? ctx.database.pool).query<Row>({
    ...settings,
    text: typeof sql === 'string' ? sql : sql.text,
    values: [...(typeof sql === 'string' ? values : sql.values)],
  });
}

const names = new Map<string, string>();
/** Each connection keeps a plan for each name; statements past so many are planned every time. */
const MAX_NAMES = 1000;

/** A name by which PostgreSQL keeps the statement's plan; undefined when there are too many. */
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMES) return known;
  const name = `h${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
  names.set(text, name);
  return name;
}

const { builtins } = pg.types;
// node-postgres names the types of PostgreSQL, but not those of arrays.
const TEXT_ARRAY: number = 1009;
const BIGINT_ARRAY = 1016;
const TIMESTAMP_ARRAY = 1115;
const DATE_ARRAY = 1182;

const asText = (text: string): string => text;
const parseTextArray: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY);
const parseOf =
  <T>(parse: (text: string) => T) =>
  (text: string) =>
    parseTextArray(text).map((item) => (item === null ? null : parse(item)));

function parseBigint(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

const parseTimestamp = (text: string): Date =>
  pg.types.getTypeParser(builtins.TIMESTAMPTZ)(`${text}+00`);

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, parseBigint],
  [BIGINT_ARRAY, parseOf(parseBigint)],
  [builtins.TIMESTAMP, parseTimestamp],
  [TIMESTAMP_ARRAY, parseOf(parseTimestamp)],
  [builtins.DATE, asText],
  [DATE_ARRAY, parseOf(asText)],
]);

// node-postgres asks for a parser by type and format; ours are for text, which is what is sent.
function getTypeParser(type: number, format?: 'text' | 'binary') {
  return parsers.get(type) ?? pg.types.getTypeParser(type, format);
}

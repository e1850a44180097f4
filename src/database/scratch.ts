// Tables that live as long as one piece of work, such as an import.

import type { Context } from '../context.ts';
import { CatalogError } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { patiently } from './connections/await-connection.ts';
import { type Connection, copyIn, send } from './rows.ts';
import { transaction } from './transaction.ts';

/** Scratch tables lie in a schema of their own: they are no part of the catalog's tables. */
export const scratchSchema = 'headwater_scratch';

/** Where statements on scratch tables run; a signal ends their waiting for a connection. */
type Surroundings = Connection & { readonly signal?: AbortSignal };

/**
 * Run one statement on scratch tables and answer its rows. It waits for its connection as long as that
 * takes. Its plan is not kept by name, as that of `rows` is: every piece of work has tables of its own,
 * whose plans no one needs again.
 */
export async function scratch<Row extends object>(
  ctx: Surroundings,
  sql: Prisma.Sql | string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await patiently(ctx, () => send<Row>(ctx, sql, values));
  return result.rows;
}

/** Run one statement as `scratch` does, and answer how many rows it wrote. */
export async function scratchCount(
  ctx: Surroundings,
  sql: Prisma.Sql | string,
  values: readonly unknown[] = [],
): Promise<number> {
  const result = await patiently(ctx, () => send(ctx, sql, values));
  return result.rowCount ?? 0;
}

const firstBytes = 1_048_576;
/** A character of a text takes no more bytes as UTF-8. */
const maxCharacterBytes = 3;

/** Rows as one JSON array, for `json_to_recordset($1::json)`. */
export function jsonRows(rows: readonly object[]): Buffer {
  const [first, ...others] = rows;
  return bytesOf(function* () {
    yield first === undefined ? '[' : `[${JSON.stringify(first)}`;
    for (const row of others) yield `,${JSON.stringify(row)}`;
    yield ']';
  });
}

/**
 * Texts one after another. As bytes, since a text of megabytes stays in memory until the next great
 * collection: a hundred of them then lie there.
 */
function bytesOf(texts: () => Iterable<string>): Buffer {
  let bytes = Buffer.allocUnsafeSlow(firstBytes);
  let length = 0;
  for (const text of texts()) {
    const needed = length + text.length * maxCharacterBytes;
    if (needed > bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, bytes.length * 2));
      bytes.copy(larger, 0, 0, length);
      bytes = larger;
    }
    length += bytes.write(text, length);
  }
  return bytes.subarray(0, length);
}

/** A value as it is copied in: a list is one of ids or texts, an object a Date or JSON. */
export type CopiedValue = string | number | boolean | object | null | undefined;

/**
 * Copy rows into a scratch table: the values of each in the order of the columns. It takes the database a third of what
 * it takes to read them from JSON. It waits for its connection as long as that takes.
 */
export async function copyIntoScratch(
  ctx: Surroundings,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly CopiedValue[]>,
): Promise<void> {
  const text = `copy ${table} (${columns.join(', ')}) from stdin`;
  const bytes = bytesOf(function* () {
    for (const row of rows) yield lineOf(row);
  });
  await patiently(ctx, () => copyIn(ctx, text, bytes));
}

/** A row as COPY reads it: lines are rows, tabs stand between columns. */
function lineOf(row: readonly CopiedValue[]): string {
  let line = '';
  for (const [i, value] of row.entries()) line += i === 0 ? copied(value) : `\t${copied(value)}`;
  return `${line}\n`;
}

function copied(value: CopiedValue): string {
  if (value === undefined || value === null) return '\\N';
  switch (typeof value) {
    case 'string':
      return escaped(value);
    case 'object':
      if (value instanceof Date) return value.toISOString();
      return escaped(
        Array.isArray(value) ? `{${value.map(element).join(',')}}` : JSON.stringify(value),
      );
    default:
      return String(value);
  }
}

/** An entry of a list: an id stands as it is, and any other text in quotes. */
function element(entry: unknown): string {
  const text = String(entry);
  return /^[\da-f-]{36}$/.test(text) ? text : `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
}

const marks: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function escaped(text: string): string {
  return /[\\\n\r\t]/.test(text)
    ? text.replace(/[\\\n\r\t]/g, (mark) => marks[mark] ?? mark)
    : text;
}

/**
 * Run statements that go over all of a scratch table, in a transaction: they may take longer than a
 * statement may as a rule, and more of the server's memory. It waits for its connection as long as
 * that takes.
 */
export async function atLength<C extends Context, T>(
  ctx: C,
  work: (tx: C) => Promise<T>,
): Promise<T> {
  return transaction(
    ctx,
    async (tx) => {
      await scratch(tx, "select set_config('work_mem', '64MB', true)");
      return work(tx);
    },
    { long: true, patient: true },
  );
}

/**
 * Run statements that make and fill scratch tables, and write nothing else, as `atLength` does. What is
 * found wrong in the meantime is thrown, but does not undo them; they go with their set. For PostgreSQL (up to
 * 18) fails in its recovery, once, where a crash follows at once upon a transaction that had made an
 * unlogged table and was undone.
 */
export async function prepare<T>(ctx: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  const { end } = await atLength(ctx, async (tx) => {
    try {
      const value = await work(tx);
      return { end: () => value };
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      const end = (): never => {
        throw error;
      };
      return { end };
    }
  });
  return end();
}

/** What a scratch table is made with: anyone who fills it makes its figures, and it is gone before it needs upkeep. */
export const unwatched = 'with (autovacuum_enabled = off)';

/**
 * Make a scratch table, in place of one of that name that a process may have left when it died. It is
 * not logged: a crash of the database empties it.
 */
export async function makeScratch(ctx: Surroundings, name: string, columns: string): Promise<void> {
  // Two who make the schema at once may collide in spite of the "if not exists".
  await scratch(
    ctx,
    `do $$ begin create schema if not exists ${scratchSchema};
      exception when unique_violation or duplicate_schema then null; end $$`,
  );
  await dropScratch(ctx, [name]);
  await scratch(ctx, `create unlogged table ${scratchSchema}.${name} (${columns}) ${unwatched}`);
}

/** Drop scratch tables, where they are there. */
export async function dropScratch(ctx: Surroundings, names: readonly string[]): Promise<void> {
  const tables = names.map((name) => `${scratchSchema}.${name}`);
  await scratch(ctx, `drop table if exists ${tables.join(', ')}`);
}

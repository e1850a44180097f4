// Writes many rows with few statements: one array a column, spread into rows by UNNEST.

import { type Connection, execute, rows as query } from './rows.ts';

/**
 * What to write to: the table, and the PostgreSQL type of each column that the rows carry, such as
 * `{ id: 'uuid', tag_ids: 'uuid[]', metadata: 'jsonb' }`. Columns left out get their default.
 */
export interface Target {
  readonly table: string;
  readonly columns: Readonly<Record<string, string>>;
}

/** One row by column name. Absent and undefined are null; json and jsonb are given as values. */
export type BulkRow = Readonly<Record<string, unknown>>;

export interface InsertOptions {
  /** What to do about a row that is there already; without it such a row is an error. */
  conflict?: Conflict;
  /** Columns to hand back of each row that was written, in the order of PostgreSQL's choice. */
  returning?: readonly string[];
  batchSize?: number;
}

export interface Conflict {
  /** The unique index as SQL: `(workspace_id, id)`, or one with its `where`. */
  readonly on: string;
  /** Columns that the new row overwrites, only where one differs; none leaves rows as they are. */
  readonly update: readonly string[];
  /** More to set in a row that changes, as SQL: `updated_at = now()`. */
  readonly set?: string;
}

/** A row that was written: whether it is new, and the columns that were asked for. */
export type Written<Row extends object> = Row & { readonly inserted: boolean };

/** Larger batches gained nothing on either engine, and each is kept in memory as a whole. */
const defaultBatchSize = 1000;

/**
 * Insert rows, or update those that conflict. Returns what was written; rows that were there and
 * did not change are not in it. A key may be given once in a batch: PostgreSQL refuses to touch a
 * row twice in a statement. Each batch is a statement: call it in a transaction.
 */
export async function insertMany<Row extends object = object>(
  ctx: Connection,
  target: Target,
  rows: Iterable<BulkRow> | AsyncIterable<BulkRow>,
  options: InsertOptions = {},
): Promise<Written<Row>[]> {
  const names = Object.keys(target.columns).map(quote).join(', ');
  const returned = ['(xmax = 0) as inserted', ...(options.returning ?? []).map(quote)].join(', ');
  const statement =
    `insert into ${quote(target.table)} as t (${names}) ${select(target)} ` +
    `${onConflict(options.conflict)} returning ${returned}`;
  const written: Written<Row>[] = [];
  for await (const batch of batches(rows, options.batchSize)) {
    const found = await query<Written<Row>>(ctx, statement, arrays(target, batch));
    for (const row of found) written.push(row);
  }
  return written;
}

/**
 * Update rows by key: `key` names the columns of the target that find a row, the others are set
 * where one differs. Returns how many rows changed. `set` is more to set in those, as SQL.
 */
export async function updateMany(
  ctx: Connection,
  target: Target,
  key: readonly string[],
  rows: Iterable<BulkRow> | AsyncIterable<BulkRow>,
  options: { set?: string; batchSize?: number } = {},
): Promise<number> {
  const changed = Object.keys(target.columns).filter((column) => !key.includes(column));
  const assignments = changed.map((column) => `${quote(column)} = u.${quote(column)}`);
  if (options.set !== undefined) assignments.push(options.set);
  const sameKey = key.map((column) => `t.${quote(column)} = u.${quote(column)}`);
  const statement =
    `update ${quote(target.table)} as t set ${assignments.join(', ')} ` +
    `from (${select(target)}) as u where ${sameKey.join(' and ')} and ${differ(changed, 'u')}`;
  let count = 0;
  for await (const batch of batches(rows, options.batchSize)) {
    count += await execute(ctx, statement, arrays(target, batch));
  }
  return count;
}

function onConflict(conflict: Conflict | undefined): string {
  if (conflict === undefined) return '';
  const { on, update, set } = conflict;
  if (update.length === 0) return `on conflict ${on} do nothing`;
  const assignments = update.map((column) => `${quote(column)} = excluded.${quote(column)}`);
  if (set !== undefined) assignments.push(set);
  return (
    `on conflict ${on} do update set ${assignments.join(', ')} ` +
    `where ${differ(update, 'excluded')}`
  );
}

/** True for a row that the write would change: an equal one stays as it is, and costs nothing. */
function differ(columns: readonly string[], other: string): string {
  const list = (alias: string) => columns.map((column) => `${alias}.${quote(column)}`).join(', ');
  return `(${list('t')}) is distinct from (${list(other)})`;
}

/** `unnest` would flatten arrays of arrays: those, and JSON, travel as text and are cast after. */
function travelsAsText(type: string): boolean {
  return type.endsWith('[]') || type === 'json' || type === 'jsonb';
}

function select({ columns }: Target): string {
  const entries = Object.entries(columns);
  const list = entries.map(([column, type]) =>
    travelsAsText(type) ? `v.${quote(column)}::${type} as ${quote(column)}` : `v.${quote(column)}`,
  );
  const parameters = entries.map(
    ([, type], index) => `$${index + 1}::${travelsAsText(type) ? 'text' : type}[]`,
  );
  const names = Object.keys(columns).map(quote).join(', ');
  return `select ${list.join(', ')} from unnest(${parameters.join(', ')}) as v (${names})`;
}

/** One array literal for each column of the target. */
function arrays({ columns }: Target, batch: readonly BulkRow[]): string[] {
  return Object.entries(columns).map(([column, type]) =>
    literal(batch.map((row) => textOf(row[column], type))),
  );
}

/** A value as PostgreSQL reads it in text form; null for none. */
function textOf(value: unknown, type: string): string | null {
  if (value === null || value === undefined) return null;
  if (type === 'json' || type === 'jsonb') return JSON.stringify(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return literal(value.map((item) => textOf(item, type.slice(0, -2))));
  return String(value);
}

function literal(items: readonly (string | null)[]): string {
  return `{${items.map(quoteItem).join(',')}}`;
}

function quoteItem(item: string | null): string {
  if (item === null) return 'NULL';
  return /["\\]/.test(item) ? `"${item.replaceAll(/["\\]/g, '\\$&')}"` : `"${item}"`;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

async function* batches(
  rows: Iterable<BulkRow> | AsyncIterable<BulkRow>,
  size = defaultBatchSize,
): AsyncGenerator<BulkRow[]> {
  let batch: BulkRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

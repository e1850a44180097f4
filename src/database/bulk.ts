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
  /** A unique index as SQL, such as `(workspace_id, id)`: a row that it has already is left out. */
  readonly unlessIn?: string;
  /** Columns to hand back of each row that was written, in the order of PostgreSQL's choice. */
  readonly returning?: readonly string[];
}

/** Rows of one statement. Larger batches gained nothing, and each is kept in memory as a whole. */
const batchSize = 1000;

/**
 * Insert rows, and return what was asked for of those that were written. A row that is there already is
 * an error unless `unlessIn` names its index. Each batch is a statement: call it in a transaction.
 */
export async function insertMany<Row extends object = object>(
  ctx: Connection,
  target: Target,
  rows: readonly BulkRow[],
  { unlessIn, returning = [] }: InsertOptions = {},
): Promise<Row[]> {
  const names = Object.keys(target.columns).map(quote).join(', ');
  const conflict = unlessIn === undefined ? '' : ` on conflict ${unlessIn} do nothing`;
  const returned = returning.length === 0 ? '' : ` returning ${returning.map(quote).join(', ')}`;
  const statement = `insert into ${quote(target.table)} as t (${names}) ${select(target)}${conflict}${returned}`;
  const written: Row[] = [];
  for (const batch of batches(rows)) {
    const found = await query<Row>(ctx, statement, arrays(target, batch));
    for (const row of found) written.push(row);
  }
  return written;
}

/** Update rows by key: `key` names the columns that find a row, the others are set where one differs. */
export async function updateMany(
  ctx: Connection,
  target: Target,
  key: readonly string[],
  rows: readonly BulkRow[],
): Promise<void> {
  const changed = Object.keys(target.columns).filter((column) => !key.includes(column));
  const assignments = changed.map((column) => `${quote(column)} = u.${quote(column)}`);
  const sameKey = key.map((column) => `t.${quote(column)} = u.${quote(column)}`);
  const statement =
    `update ${quote(target.table)} as t set ${assignments.join(', ')} ` +
    `from (${select(target)}) as u where ${sameKey.join(' and ')} and ${differ(changed, 'u')}`;
  for (const batch of batches(rows)) await execute(ctx, statement, arrays(target, batch));
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

function* batches(rows: readonly BulkRow[]): Generator<readonly BulkRow[]> {
  for (let from = 0; from < rows.length; from += batchSize) {
    yield rows.slice(from, from + batchSize);
  }
}

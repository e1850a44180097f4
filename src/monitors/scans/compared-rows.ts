// Rows of two queries, compared by a key: how many each of them lacks, and how many differ.

import { setImmediate } from 'node:timers/promises';
import type { FailedReading, SegmentValue } from './reading.ts';
import type { SourceDialect } from './source-dialect.ts';
import { checkQuery } from './user-sql.ts';

/** Rows of one query that are compared at most. */
const mostRows = 100_000;
/** After so many rows others have their turn. */
const turn = 5_000;

/** Rows as a source answers them: the key first, then all columns of the query. */
export type ComparedRows = readonly (readonly unknown[])[];

/**
 * The statement that answers a person's query with its key in front, and one row more than are compared.
 * @throws BAD_REQUEST on the field for a query that would not stay within its parentheses.
 */
export function comparedStatement(
  dialect: SourceDialect,
  query: string,
  keys: readonly string[],
  field: string,
): string {
  const text = checkQuery(query, dialect.lexical, dialect.name, field);
  const key = keys.map((name) => `compared.${dialect.quote(name)}`).join(', ');
  // SQL Server keeps the first rows of an order alone.
  const order = dialect.name === 'tsql' ? 'ORDER BY (SELECT NULL) ' : '';
  return `SELECT ${key}, compared.*\nFROM (\n${text}\n) compared\n${order}${dialect.limit(mostRows + 1)}`;
}

/** The counts of a comparison, or why the rows can't be compared; others have their turns in between. */
export async function compareRows(
  keys: number,
  first: ComparedRows,
  second: ComparedRows,
): Promise<readonly SegmentValue[] | FailedReading> {
  const widths = [first[0]?.length, second[0]?.length];
  if (widths[0] !== undefined && widths[1] !== undefined && widths[0] !== widths[1]) {
    const columns = widths.map((width = 0) => width - keys).join(' and ');
    return { error: `The queries answer ${columns} columns: they have to be the same.` };
  }
  const known = await byKey('first', keys, first);
  if ('error' in known) return known;
  const others = await byKey('second', keys, second);
  if ('error' in others) return others;
  let [missing, differing] = [0, 0];
  for (const [key, values] of others.rows) {
    const own = known.rows.get(key);
    if (own === undefined) missing += 1;
    else if (own !== values) differing += 1;
  }
  const lacking = known.rows.size - (others.rows.size - missing);
  return [
    { segment: 'rows that the first query lacks', value: missing },
    { segment: 'rows that the second query lacks', value: lacking },
    { segment: 'rows that differ', value: differing },
  ];
}

async function byKey(
  which: 'first' | 'second',
  keys: number,
  rows: ComparedRows,
): Promise<{ readonly rows: ReadonlyMap<string, string> } | FailedReading> {
  if (rows.length > mostRows) {
    const most = mostRows.toLocaleString('en');
    return { error: `The ${which} query answers more than ${most} rows; narrow both.` };
  }
  const found = new Map<string, string>();
  for (const [place, row] of rows.entries()) {
    if (place % turn === turn - 1) await setImmediate();
    const key = JSON.stringify(row.slice(0, keys).map(sameOf));
    if (found.has(key)) {
      return { error: `The key of the ${which} query is not unique; more columns may make it so.` };
    }
    found.set(key, JSON.stringify(row.slice(keys).map(sameOf)));
  }
  return { rows: found };
}

/** A value as all sources write it that have the same: numbers without trailing zeros, times in UTC. */
export function sameOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (value instanceof Date) return timeOf(value.toISOString());
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (/^-?\d+\.\d*$/.test(text)) return text.replace(/\.?0*$/, '').replace(/^-0$/, '0');
  return timeOf(text);
}

const time = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)?(?:Z|\+00(?::?00)?)?$/;

/** A time without its zone where that is UTC, and without a time of the day where that is midnight. */
function timeOf(text: string): string {
  const found = time.exec(text);
  if (!found) return text;
  const [, date = '', clock = '', fraction = ''] = found;
  const parts = fraction.replace(/\.?0*$/, '');
  return clock === '00:00:00' && parts === '' ? date : `${date} ${clock}${parts}`;
}

// In charge of what a whole text of SQL does: its statements as one flow, past the tables it makes itself.

import type { ColumnName, ColumnPair, SqlLineage, TableName } from '../sql/answer.ts';

/** What flows where in a text of SQL, from tables that were there before. */
export interface Flow {
  /** Tables that are read, each once. */
  readonly sources: readonly TableName[];
  /** The table that the text is about: the one it writes last, known ones first; null for a query. */
  readonly target: TableName | null;
  /** Column to column, each once. */
  readonly pairs: readonly ColumnPair[];
  /** Table to table, each once; target null for a query. */
  readonly tables: readonly { readonly source: TableName; readonly target: TableName | null }[];
}

/** Where the columns of a table that the text makes come from, and which tables it is made of. */
interface Made {
  readonly columns: Map<string, ColumnName[]>;
  readonly sources: TableName[];
}

/**
 * Join the statements of a text. A table that the text makes and the catalog does not know is passed
 * through: what reads it reads what it was made of.
 */
export function flowOf({ statements }: Pick<SqlLineage, 'statements'>): Flow {
  const made = new Map<string, Made>();
  const pairs = new Map<string, ColumnPair>();
  const sources = new Map<string, TableName>();
  const tables = new Map<string, Flow['tables'][number]>();
  const targets: TableName[] = [];
  for (const { target, pairs: own, sources: read } of statements) {
    const traced = own.flatMap((pair) =>
      originsOf(made, pair.source).map((source) => ({ source, target: pair.target })),
    );
    const readThrough = unique(read.flatMap((table) => tablesBehind(made, table)));
    if (target) remember(made, target, traced, readThrough);
    if (target && isMadeHere(target)) continue;
    if (target) targets.push(target);
    for (const pair of traced) pairs.set(pairKey(pair), pair);
    for (const source of readThrough) {
      sources.set(keyOf(source), source);
      tables.set(`${keyOf(source)}>${target ? keyOf(target) : ''}`, { source, target });
    }
  }
  return {
    sources: [...sources.values()],
    target: targets.findLast(({ id }) => id !== null) ?? targets.at(-1) ?? null,
    pairs: [...pairs.values()],
    tables: [...tables.values()],
  };
}

/** A table that exists within the text alone, as far as the catalog knows. */
function isMadeHere({ origin, id }: TableName): boolean {
  return origin === 'SCRIPT' && id === null;
}

function originsOf(made: ReadonlyMap<string, Made>, source: ColumnName): ColumnName[] {
  const table = isMadeHere(source.table) ? made.get(keyOf(source.table)) : undefined;
  if (!table) return [source];
  if (source.column === '*') return [...table.columns.values()].flat();
  return table.columns.get(source.column.toLowerCase()) ?? table.columns.get('*') ?? [];
}

function tablesBehind(made: ReadonlyMap<string, Made>, table: TableName): readonly TableName[] {
  const behind = isMadeHere(table) ? made.get(keyOf(table)) : undefined;
  return behind ? behind.sources : [table];
}

/** What is written adds to what was written before: a table may be filled in several steps. */
function remember(
  made: Map<string, Made>,
  target: TableName,
  pairs: readonly ColumnPair[],
  sources: readonly TableName[],
): void {
  const key = keyOf(target);
  const before = made.get(key);
  const columns = new Map(before?.columns);
  for (const { source, target: to } of pairs) {
    const name = to.column.toLowerCase();
    columns.set(name, [...(columns.get(name) ?? []), source]);
  }
  made.set(key, { columns, sources: unique([...(before?.sources ?? []), ...sources]) });
}

function unique(tables: readonly TableName[]): TableName[] {
  return [...new Map(tables.map((table) => [keyOf(table), table])).values()];
}

function pairKey({ source, target }: ColumnPair): string {
  const to = `${target.table ? keyOf(target.table) : ''}.${target.column}`;
  return `${keyOf(source.table)}.${source.column}>${to}`;
}

function keyOf(table: TableName): string {
  return table.id ?? table.name.toLowerCase();
}

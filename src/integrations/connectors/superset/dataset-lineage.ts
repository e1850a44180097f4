// The lineage of Superset: from tables of its databases to datasets, and from the columns of a dataset to charts.

import { LruCache } from '../../../limits/lru-cache.ts';
import { traceSql } from '../../../lineage/queries/trace-sql.ts';
import { findDialect } from '../../../lineage/sql/dialect.ts';
import type { Extracted, Extraction, Reference } from '../../readers/extraction.ts';
import { byKey, edge } from '../dashboards.ts';
import { readsOf } from './chart-reads.ts';
import type { DatabaseNames } from './database-name.ts';
import type { SupersetDataset } from './dataset.ts';

/** What lineage is read with. */
export interface DatasetReading {
  /** How the databases are called, by their ids. */
  readonly names: ReadonlyMap<number, DatabaseNames>;
  note(line: string): void;
}

const maxSql = 100_000;

/** What a dataset is made of: a table, or what its SQL reads, and of its own columns those that are calculated. */
export async function* datasetEdges(
  { names, note }: DatasetReading,
  one: SupersetDataset,
): Extraction {
  const known = names.get(one.database.id);
  const database = one.catalog || known?.database;
  const schema = one.schema || known?.schema;
  const own = byKey(`dataset:${one.id}`);
  const columns = columnKeys(one);
  if (one.sql) yield* sqlEdges(one, { database, schema, columns }, note);
  else {
    const place: Reference = { by: 'name', database, schema, table: one.table_name };
    yield edge(place, own);
    for (const { column_name: column, expression } of one.columns) {
      const to = columns.get(folded(column));
      if (to && !expression) yield edge({ ...place, column }, to);
    }
  }
  for (const { column_name: column, expression } of one.columns) {
    const to = columns.get(folded(column));
    if (!to || !expression) continue;
    for (const from of await columnsIn(one, expression)) if (from !== to) yield edge(from, to);
  }
}

interface Place {
  readonly database: string | undefined;
  readonly schema: string | undefined;
  readonly columns: ReadonlyMap<string, Reference>;
}

async function* sqlEdges(
  one: SupersetDataset,
  { database, schema, columns }: Place,
  note: (line: string) => void,
): Extraction {
  const sql = one.sql ?? '';
  const unread = `The SQL of the dataset ${one.id} cannot be read.`;
  if (sql.length > maxSql) return note(unread);
  const question = { sql, dialect: dialectOf(one) };
  const defaults = { defaultDatabase: database, defaultSchema: schema };
  const traced = await traceSql({ ...question, ...defaults }).catch(() => null);
  if (!traced || traced.errors.length > 0) note(unread);
  const met = new Set<string>();
  const once = (
    path: readonly string[],
    column: string | undefined,
    to: Reference,
  ): Extracted[] => {
    const key = JSON.stringify([path, column, to]);
    const [table = '', inSchema, inDatabase] = path.toReversed();
    if (table === '' || met.has(key)) return [];
    met.add(key);
    return [edge({ by: 'name', database: inDatabase, schema: inSchema, table, column }, to)];
  };
  for (const { sources, outputs } of traced?.statements ?? []) {
    for (const { path } of sources) yield* once(path, undefined, byKey(`dataset:${one.id}`));
    for (const { column: made, sources: from } of outputs) {
      for (const { table, column } of from) {
        // All columns of a table that is not known here: those of the dataset by their names.
        const pairs =
          column === '*'
            ? one.columns.map(({ column_name: name }) => [name, columns.get(folded(name))] as const)
            : [[column, columns.get(folded(made))] as const];
        for (const [name, to] of pairs) if (to) yield* once(table.path, name, to);
      }
    }
  }
}

/** What a chart reads of its dataset. */
export async function* chartEdges(
  chartId: number,
  params: string,
  one: SupersetDataset,
): Extraction {
  const to = byKey(`chart:${chartId}`);
  yield edge(byKey(`dataset:${one.id}`), to);
  const columns = columnKeys(one);
  const { names, expressions } = readsOf(params);
  const read = new Set<Reference>();
  for (const name of names) {
    const column = columns.get(folded(name));
    if (column) read.add(column);
  }
  const metrics = one.metrics
    .filter(({ metric_name: name }) => names.has(name))
    .map(({ expression }) => expression ?? '');
  for (const expression of [...metrics, ...expressions]) {
    for (const column of await columnsIn(one, expression)) read.add(column);
  }
  for (const column of read) yield edge(column, to);
}

const keysOf = new WeakMap<SupersetDataset, Map<string, Reference>>();

/** The columns of a dataset by their names in small letters; each always the same object. */
function columnKeys(one: SupersetDataset): Map<string, Reference> {
  const known = keysOf.get(one);
  if (known) return known;
  const keys = new Map(
    one.columns.map(({ column_name: name }) => [folded(name), byKey(`dataset:${one.id}:${name}`)]),
  );
  keysOf.set(one, keys);
  return keys;
}

/** Names that were found in expressions, by dialect and expression: metrics are in many charts. By characters. */
const traced = new LruCache<{ readonly names: Promise<readonly string[]> }>(1_000_000);

/** The columns of a dataset that an expression over it names. */
async function columnsIn(one: SupersetDataset, expression: string): Promise<Reference[]> {
  if (expression.trim() === '' || expression.length > maxSql) return [];
  const dialect = dialectOf(one);
  const key = JSON.stringify([dialect, expression]);
  const known = traced.get(key) ?? { names: namesIn(expression, dialect) };
  traced.set(key, known, key.length + 200);
  const columns = columnKeys(one);
  return (await known.names).flatMap((name) => columns.get(folded(name)) ?? []);
}

async function namesIn(expression: string, dialect: string): Promise<string[]> {
  const sql = `SELECT ${expression} AS v FROM dataset_`;
  const answer = await traceSql({ sql, dialect }).catch(() => null);
  const found = (answer?.statements ?? []).flatMap(({ outputs, indirect }) => [
    ...outputs.flatMap(({ sources }) => sources.map(({ column }) => column)),
    ...indirect.map(({ column }) => column),
  ]);
  return [...new Set(found)];
}

function dialectOf({ database: { backend } }: SupersetDataset): string {
  const name = backend === 'clickhousedb' ? 'clickhouse' : (backend ?? '');
  return findDialect(name) ? name : 'generic';
}

const folded = (name: string) => name.toLowerCase();

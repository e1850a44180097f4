// Reads the catalog of BigQuery: projects, datasets, tables, views, columns, nested fields, labels, sizes and use.

import { z } from 'zod';
import { groupBy } from '../../../lists/group-by.ts';
import type { Extraction } from '../../readers/extraction.ts';
import { type CatalogColumn, describeSchema, describeTable } from '../catalog.ts';
import type { Ask } from '../connector.ts';
import { rowsIfAllowed } from '../login-rights.ts';
import type { TableReads } from '../reads.ts';
import { countOrNull, text, textOrNull } from '../source-answer.ts';
import type { Dataset } from './datasets.ts';
import { bigQueryReads } from './history.ts';
import { shardSql } from './shards.ts';

const limits = { timeoutMs: 300_000 };
/** Each statement on the catalog is billed for 10 MB at least: few of them, then. */
const pageTables = 1_000;

/** All that the service account may see of the datasets that are chosen. */
export async function* extractBigQuery(
  ask: Ask,
  datasets: readonly Dataset[],
  note: (line: string) => void,
  signal?: AbortSignal,
): Extraction {
  const reads = await bigQueryReads(ask, datasets, signal);
  for (const dataset of datasets) {
    yield* describeSchema({ database: dataset.project, schema: dataset.dataset });
    yield* extractDataset(ask, dataset, reads, note);
  }
}

async function* extractDataset(
  ask: Ask,
  { project, dataset }: Dataset,
  reads: TableReads | null,
  note: (line: string) => void,
): Extraction {
  const rowsOf = async (sql: string) => (await ask(sql, limits)).rows;
  const from = `\`${project}\`.\`${dataset}\``;
  for (let after = ''; ; ) {
    const tables = await rowsOf(tablesAfter(from, after));
    const last = tables.at(-1);
    if (!last) return;
    after = text(last[0]);
    // The columns of shards are those of the youngest.
    const among = `table_name IN (${tables.map(([, youngest]) => literal(text(youngest))).join(', ')})`;
    const columns = groupBy(await rowsOf(columnsOf(from, among)), ([table]) => text(table));
    const options = groupBy(await rowsOf(optionsOf(from, among)), ([table]) => text(table));
    const views = new Map(
      (await rowsOf(viewsOf(from, among))).map(([table, ...view]) => [text(table), view]),
    );
    const sizes = new Map(
      (
        (await rowsIfAllowed(ask, sizesOf(from, text(tables[0]?.[0]), after), limits.timeoutMs)) ??
        []
      ).map(([table, ...size]) => [text(table), size]),
    );
    for (const [base, youngest, type, count] of tables) {
      const name = text(youngest);
      const [rowCount, byteSize, changedMs] = sizes.get(text(base)) ?? [];
      const said = optionsIn(options.get(name) ?? []);
      const isShard = Number(count) > 1 || text(base) !== name;
      yield* describeTable(
        {
          ...{ database: project, schema: dataset, table: text(base) },
          nativeType: isShard ? 'sharded table' : nativeTypeOf(text(type)),
          description: said.description,
          tags: said.labels,
          rowCount: countOrNull(rowCount),
          byteSize: countOrNull(byteSize),
          updatedAt: changedMs ? new Date(Number(changedMs)) : null,
          creationQuery: viewSql([project, dataset, name], views.get(name), note),
          ...(reads ? { usage: reads([project, dataset, text(base)]) } : {}),
          metadata: {
            ...(isShard ? { shards: Number(count) } : {}),
            ...(said.needsFilter ? { require_partition_filter: true } : {}),
          },
        },
        (columns.get(name) ?? []).map(columnOf),
        note,
      );
    }
  }
}

/** A column, or a field in one, of which only the type is known. */
function columnOf(row: readonly unknown[], at: number): CatalogColumn {
  const [, path, type, description, nullable, byDefault] = row;
  // Where there is none the word for it stands.
  const value = textOrNull(byDefault);
  return {
    ...{ name: text(path), type: text(type), position: at + 1 },
    description: textOrNull(description),
    ...(nullable === null
      ? {}
      : { isNullable: text(nullable) !== 'NO', defaultValue: value === 'NULL' ? null : value }),
  };
}

function nativeTypeOf(type: string): string {
  return type === 'BASE TABLE'
    ? 'table'
    : type === 'EXTERNAL'
      ? 'external table'
      : type.toLowerCase();
}

function viewSql(
  path: readonly string[],
  view: readonly unknown[] | undefined,
  note: (line: string) => void,
): string | null {
  const [sql, isStandard] = view ?? [];
  if (!textOrNull(sql)) return null;
  if (text(isStandard) === 'YES') return `CREATE VIEW \`${path.join('.')}\` AS\n${text(sql)}`;
  note(`${path.join('.')} is a view in legacy SQL, whose lineage is not read.`);
  return null;
}

const tablesAfter = (from: string, after: string) => `SELECT base, MAX(table_name),
    MAX(table_type), COUNT(*)
  FROM (SELECT ${shardSql} AS base, table_name, table_type FROM ${from}.INFORMATION_SCHEMA.TABLES)
  WHERE base > ${literal(after)} GROUP BY base ORDER BY base LIMIT ${pageTables}`;

const sizesOf = (from: string, first: string, last: string) => `SELECT base, SUM(row_count),
    SUM(size_bytes), MAX(last_modified_time)
  FROM (SELECT ${shardSql.replaceAll('table_name', 'table_id')} AS base, row_count, size_bytes,
      last_modified_time FROM ${from}.__TABLES__ WHERE type = 1)
  WHERE base BETWEEN ${literal(first)} AND ${literal(last)} GROUP BY base`;

/** Columns, each followed by the fields in it. */
const columnsOf = (from: string, among: string) => `SELECT p.table_name, p.field_path, p.data_type,
    p.description, CASE WHEN p.field_path = c.column_name THEN c.is_nullable END, c.column_default
  FROM ${from}.INFORMATION_SCHEMA.COLUMN_FIELD_PATHS p
  JOIN ${from}.INFORMATION_SCHEMA.COLUMNS c
    ON c.table_name = p.table_name AND c.column_name = p.column_name
  WHERE p.${among} ORDER BY p.table_name, c.ordinal_position, p.field_path`;

const viewsOf = (from: string, among: string) => `SELECT table_name, view_definition,
    use_standard_sql FROM ${from}.INFORMATION_SCHEMA.VIEWS WHERE ${among}`;

const optionsOf = (from: string, among: string) => `SELECT table_name, option_name, option_value
  FROM ${from}.INFORMATION_SCHEMA.TABLE_OPTIONS
  WHERE option_name IN ('description', 'labels', 'require_partition_filter') AND ${among}`;

/** The options of a table, whose values are literals of SQL. */
function optionsIn(rows: readonly (readonly unknown[])[]) {
  const value = (name: string) => text(rows.find(([, option]) => option === name)?.[2]);
  const labels = [...value('labels').matchAll(/STRUCT\("([^"]*)",\s*"([^"]*)"\)/g)];
  return {
    description: value('description') ? textOfLiteral(value('description')) : null,
    labels: labels.map(([, key = '', label = '']) => (label ? `${key}: ${label}` : key)),
    needsFilter: value('require_partition_filter') === 'true',
  };
}

/** The text that a literal of SQL stands for; as it is where it is none that JSON could read. */
function textOfLiteral(literalText: string): string {
  try {
    return z.string().parse(JSON.parse(literalText));
  } catch {
    return literalText.replace(/^(["'])(.*)\1$/s, '$2');
  }
}

/** A text as a literal: a backslash escapes there. */
const literal = (value: string): string =>
  `'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;

// Reads the CSV file of a custom integration: one line for each column of each table.

import { readRows } from './csv-rows.ts';
import { readDeprecated } from './deprecated.ts';
import {
  ancestorsOf,
  type Extracted,
  type ExtractedResource,
  pathKey,
  Recently,
} from './extraction.ts';
import { isUnstorable } from './json.ts';
import { checkKeyLength, JsonRecord, textLimits } from './json-fields.ts';
import { badField, badFile, badLine, type FilePlace, shown } from './place.ts';
import type { FileSource } from './source.ts';

const requiredColumns = ['col_name', 'database', 'schema', 'name'] as const;
const optionalColumns = [
  'col_description',
  'col_type',
  'col_sort_order',
  'sort_order',
  'description',
  'is_view',
  'last_updated_time',
  'cluster',
  'deprecated',
  'deprecation_note',
  'successor_database',
  'successor_schema',
  'successor_name',
] as const;
const columns = [...requiredColumns, ...optionalColumns];

type Column = (typeof columns)[number];
type Row = Partial<Record<Column, string>>;

/**
 * The tables and columns of a CSV file, with the schemas and databases they lie in. The names of
 * columns are lower-cased. Throws BAD_REQUEST naming file, line and field of the first thing that is
 * wrong: quoting, a row that is too short or long, an unknown or missing column, a bad value.
 */
export async function* readCsv(
  source: FileSource,
  options: { maxBytes: number },
): AsyncGenerator<Extracted> {
  const sent = new Recently();
  const position = new Position();
  let header: readonly Column[] | undefined;
  for await (const { values, line } of readRows(source, options.maxBytes)) {
    const place = { file: source.file, line };
    if (!header) {
      header = readHeader(place, values);
      continue;
    }
    if (values.length !== header.length) {
      throw badLine(place, `has ${values.length} fields where the header has ${header.length}.`);
    }
    const row: Row = {};
    header.forEach((name, i) => {
      row[name] = readText(place, name, values[i] ?? '');
    });
    for (const resource of readRow(place, row, position)) {
      // A table is sent once, and once more where a later row says more of it.
      const { key, description = '', deprecation = '' } = resource;
      const said = `${key} ${description} ${JSON.stringify(deprecation)}`;
      if (resource.kind !== 'column' && !sent.isNew(said)) continue;
      yield { is: 'resource', resource };
    }
  }
  if (!header)
    throw badFile(
      source.file,
      `is empty; its first line names the columns: ${columns.join(', ')}.`,
    );
}

function readHeader(place: FilePlace, values: readonly string[]): Column[] {
  const names = values.map((value) => value.toLowerCase());
  const header = names.map((name) => {
    const column = columns.find((known) => known === name);
    if (column) return column;
    throw badField(place, shown(name), `is not a column; allowed are ${columns.join(', ')}.`);
  });
  const missing = requiredColumns.find((name) => !header.includes(name));
  if (missing) {
    throw badField(
      place,
      missing,
      `is missing from the header; ${requiredColumns.join(', ')} are required.`,
    );
  }
  const twice = header.find((name, i) => header.indexOf(name) !== i);
  if (twice) throw badField(place, twice, 'stands twice in the header.');
  return header;
}

function readText(place: FilePlace, name: Column, value: string): string {
  const isLong = name.endsWith('description') || name === 'deprecation_note';
  const limit = isLong ? textLimits.text : name === 'col_type' ? textLimits.type : textLimits.name;
  if (value.length > limit) {
    throw badField(
      place,
      name,
      `is ${value.length} characters long; at most ${limit} are allowed.`,
    );
  }
  if (isUnstorable(value))
    throw badField(place, name, "contains the character U+0000, which text can't contain.");
  return value;
}

/** Everything a row says: the column it is about, and what holds that. */
function readRow(place: FilePlace, row: Row, position: Position): ExtractedResource[] {
  const { line } = place;
  const database = readName(place, row, 'database');
  const schema = readName(place, row, 'schema');
  const name = readName(place, row, 'name');
  const column = readName(place, row, 'col_name').toLowerCase();
  const cluster = row.cluster || undefined;
  const ancestors = ancestorsOf({ line, cluster, database, schema });
  const tablePath = [database, schema, name];
  const table: ExtractedResource = {
    line,
    kind: 'table',
    key: pathKey('table', cluster, tablePath),
    parentKey: ancestors.at(-1)?.key,
    standing: 'named',
    title: name,
    database,
    schema,
    cluster,
    description: row.description,
    nativeType: row.is_view === undefined ? undefined : readIsView(place, row.is_view),
    externalUpdatedAt: readEpoch(place, row.last_updated_time),
    deprecation: readDeprecation(place, row, { database, schema, name }),
  };
  checkKeyLength(place, 'name', table.key);
  const columnKey = pathKey('column', cluster, [...tablePath, column]);
  checkKeyLength(place, 'col_name', columnKey);
  const order = row.col_sort_order ? 'col_sort_order' : 'sort_order';
  return [
    ...ancestors,
    table,
    {
      line,
      kind: 'column',
      key: columnKey,
      parentKey: table.key,
      standing: 'named',
      title: column,
      description: row.col_description,
      type: row.col_type,
      sortOrder: readOrder(place, order, row[order]) ?? position.of(table.key),
    },
  ];
}

function readName(place: FilePlace, row: Row, field: (typeof requiredColumns)[number]): string {
  const name = row[field];
  if (name) return name;
  throw badField(place, field, 'is required.');
}

const yes = new Set(['true', 't', 'yes', 'y', '1']);
const no = new Set(['false', 'f', 'no', 'n', '0', '', 'none']);

function readIsView(place: FilePlace, value: string): string {
  return readFlag(place, 'is_view', value) ? 'view' : 'table';
}

function readFlag(place: FilePlace, field: Column, value: string): boolean {
  if (yes.has(value.toLowerCase())) return true;
  if (no.has(value.toLowerCase())) return false;
  throw badField(place, field, `must be true or false, not ${shown(value)}.`);
}

/** That a table is deprecated, as a line of JSONL says it; its successor lies next to it where nothing else is said. */
function readDeprecation(
  place: FilePlace,
  row: Row,
  table: { database: string; schema: string; name: string },
): ExtractedResource['deprecation'] {
  if (row.deprecated === undefined) return undefined;
  if (!readFlag(place, 'deprecated', row.deprecated)) return { is: false };
  const { successor_name: name } = row;
  const to = {
    ...{ type: 'external_table', cluster: row.cluster || undefined, table: name },
    database: row.successor_database || table.database,
    schema: row.successor_schema || table.schema,
  };
  const deprecated = { note: row.deprecation_note, ...(name ? { successor: to } : {}) };
  return readDeprecated(new JsonRecord(place, { deprecated }), 'table');
}

/** Seconds after the year 9999 would be milliseconds taken for seconds. */
const lastEpoch = 253_402_300_799;

function readEpoch(place: FilePlace, value: string | undefined): Date | undefined {
  if (!value || value === 'None') return undefined;
  const seconds = Number(value);
  if (/^\d+(\.\d+)?$/.test(value) && seconds <= lastEpoch) return new Date(seconds * 1000);
  const message = `must be seconds since 1970 (at most ${lastEpoch}) or None, not ${shown(value)}.`;
  throw badField(place, 'last_updated_time', message);
}

function readOrder(place: FilePlace, field: Column, value: string | undefined): number | undefined {
  if (!value) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw badField(place, field, `must be a whole number from 0 to 999999999, not ${shown(value)}.`);
}

/** Numbers the columns of a table as they come, where the file says no order. */
class Position {
  #table = '';
  #last = 0;

  of(table: string): number {
    this.#last = table === this.#table ? this.#last + 1 : 1;
    this.#table = table;
    return this.#last;
  }
}

// Reading the two JSONL files of a custom integration: resources and lineages.

import { isKind, type Kind, kindNames } from '../../resources/kind.ts';
import { readDeprecated, readTerm, withoutEffect } from './deprecated.ts';
import {
  ancestorsOf,
  databaseOf,
  type Extracted,
  type ExtractedResource,
  Recently,
  type Reference,
} from './extraction.ts';
import { readJson } from './json.ts';
import { beginsArray, firstByte, readElements } from './json-array.ts';
import { checkKeyLength, JsonRecord, textLimits } from './json-fields.ts';
import { type Line, readLines } from './lines.ts';
import { ownerName } from './owner-name.ts';
import { badField, badLine, shown } from './place.ts';
import { type Pointer, readFrom, readTo } from './reference.ts';
import { type FileSource, headOf, plainBytes } from './source.ts';

export interface JsonlOptions {
  /** Most bytes a file may hold, unpacked. */
  readonly maxBytes: number;
  /** Most bytes a line may hold. */
  readonly maxLineBytes?: number | undefined;
}

export interface LineageOptions extends JsonlOptions {
  /** The tables that a SQL query reads from. */
  readonly tablesOf: (sql: string, dialect: string | undefined) => Promise<QueryTables>;
}

/** What became of reading a query. */
export type QueryTables =
  | {
      ok: true;
      tables: readonly { database?: string; schema?: string; table: string }[];
      /** What is wrong with the statements that are left out. */
      unread: readonly string[];
    }
  | { ok: false; message: string; unknownDialect: boolean };

/** What a lineage line says: where data flows from, and to. */
const lineageFields = new Set(['from_identifier', 'to_identifier']);

/** What a resource line may say. */
const resourceFields: ReadonlySet<string> = new Set([
  'entity_type',
  'databuilder_id',
  'parent_databuilder_id',
  'title',
  'description',
  'definition',
  'external_updated_at',
  'native_type',
  'sort_order',
  'type',
  'is_pk',
  'hidden',
  'schema',
  'database',
  'cluster',
  'group',
  'product',
  'tags',
  'owners',
  'url',
  'external_usage',
  'synonyms',
  'term_status',
  'related_terms',
  'deprecated',
]);

/**
 * The resources of a JSONL file, one a line, with the schemas and databases that its tables imply.
 * Throws BAD_REQUEST naming the line, and column or field, of the first thing that is wrong.
 */
export async function* readResources(
  source: FileSource,
  options: JsonlOptions,
): AsyncGenerator<Extracted> {
  const sent = new Recently();
  for await (const line of linesOf(source, options)) {
    const record = parse(source.file, line);
    const resource = readResource(record);
    for (const problem of withoutEffect(record, resource.kind)) yield { is: 'problem', problem };
    for (const ancestor of impliedBy(resource)) {
      const place = { file: source.file, line: line.number };
      checkKeyLength(place, ancestor.kind, ancestor.key);
      if (sent.isNew(ancestor.key)) yield { is: 'resource', resource: ancestor };
    }
    yield { is: 'resource', resource };
  }
}

/**
 * The lineages of a JSONL file, one a line. A query among them is read into the tables it names; a
 * statement of it that cannot be read makes no lineage and is a problem of the import.
 */
export async function* readLineages(
  source: FileSource,
  options: LineageOptions,
): AsyncGenerator<Extracted> {
  for await (const line of linesOf(source, options)) {
    const record = parse(source.file, line);
    record.only(lineageFields);
    const from = readFrom(record);
    const to = readTo(record);
    const { ends, problems } =
      from.by === 'query' ? await readQuery(record, from, options) : { ends: [from], problems: [] };
    for (const problem of problems) yield { is: 'problem', problem };
    for (const each of ends) {
      yield { is: 'lineage', lineage: { line: line.number, from: each, to } };
    }
  }
}

/** The lines of a file, or the elements of an array, which some tools write in place of lines. */
async function* linesOf(
  source: FileSource,
  { maxBytes, maxLineBytes }: JsonlOptions,
): AsyncGenerator<Line> {
  const { head, whole } = await headOf(
    plainBytes(source, maxBytes),
    (start) => start.length >= maxBlank || firstByte(start) !== undefined,
  );
  const read = beginsArray(head) ? readElements : readLines;
  yield* read(source.file, whole, maxLineBytes);
}

/** Blanks before which a file may begin with an array. */
const maxBlank = 64 * 1024;

/** The tables that a query reads, and what is wrong with those of its statements that are left out. */
async function readQuery(
  record: JsonRecord,
  { sql, dialect, path }: Extract<Pointer, { by: 'query' }>,
  options: LineageOptions,
): Promise<{ ends: Reference[]; problems: string[] }> {
  const read = await options.tablesOf(sql, dialect);
  if (!read.ok && read.unknownDialect) throw record.fail(`${path}dialect`, read.message);
  const wrong = read.ok ? read.unread : [read.message];
  return {
    ends: read.ok ? read.tables.map((table) => ({ by: 'name', ...table })) : [],
    problems: wrong.map((message) => badField(record.place, `${path}sql`, message).message),
  };
}

function parse(file: string, line: Line): JsonRecord {
  const place = { file, line: line.number };
  const read = readJson(line.text);
  if (!read.ok) {
    const { at, message } = read.fault;
    const before = line.text.slice(0, at).split('\n');
    const spot = {
      line: line.number + before.length - 1,
      column: (before.at(-1)?.length ?? 0) + 1,
    };
    throw badLine({ ...place, ...spot }, `is not JSON: ${message}.`);
  }
  return new JsonRecord(place, read.value);
}

function readResource(record: JsonRecord): ExtractedResource {
  record.only(resourceFields);
  const kind = readKind(record);
  const key = record.required('databuilder_id', textLimits.key);
  return {
    line: record.place.line,
    kind,
    key,
    standing: 'named',
    parentKey: record.text('parent_databuilder_id', textLimits.key)?.trim() || undefined,
    title: record.text('title')?.trim() || undefined,
    description: record.text('description', textLimits.text),
    definition: record.text('definition', textLimits.text),
    externalUpdatedAt: record.date('external_updated_at'),
    nativeType: record.text('native_type'),
    sortOrder: record.integer('sort_order'),
    type: record.text('type', textLimits.type),
    isPk: record.boolean('is_pk'),
    hidden: record.boolean('hidden'),
    schema: record.text('schema')?.trim(),
    database: record.text('database')?.trim(),
    cluster: record.text('cluster')?.trim(),
    group: record.text('group'),
    product: record.text('product'),
    tags: record.texts('tags'),
    owners: record.texts('owners')?.map(ownerName),
    url: record.url('url'),
    externalUsage: record.number('external_usage'),
    ...readTerm(record, kind),
    deprecation: readDeprecated(record, kind),
  };
}

function readKind(record: JsonRecord): Kind {
  const kind = record.required('entity_type');
  if (isKind(kind)) return kind;
  throw record.fail('entity_type', `must be one of ${kindNames.join(', ')}, not ${shown(kind)}.`);
}

/** Give a table or schema that names no parent its ancestors by name, and answer these. */
function impliedBy(resource: ExtractedResource): ExtractedResource[] {
  if (resource.parentKey) return [];
  if (resource.kind === 'table') {
    const ancestors = ancestorsOf(resource);
    resource.parentKey = ancestors.at(-1)?.key;
    return ancestors;
  }
  if (resource.kind === 'schema' && resource.database) {
    const database = databaseOf(resource.line, resource.cluster, resource.database);
    resource.parentKey = database.key;
    return [database];
  }
  return [];
}

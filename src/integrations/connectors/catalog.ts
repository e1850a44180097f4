// What a source's own catalog says, in the shape that every source is read into.

import {
  ancestorsOf,
  type Extracted,
  type ExtractedResource,
  pathKey,
} from '../readers/extraction.ts';
import { textLimits } from '../readers/json-fields.ts';

/** A schema, as a source names it. */
export interface SourceSchema {
  readonly database: string;
  readonly schema: string;
  readonly description?: string | null;
}

/** A table or view of a source, without its columns. What is null is not known. */
export interface SourceTable extends SourceSchema {
  readonly table: string;
  /** What the source calls it, in words such as `table`, `view`, `materialized view`. */
  readonly nativeType: string;
  /** The statement that makes it. */
  readonly creationQuery?: string | null;
  readonly rowCount?: number | null;
  readonly byteSize?: number | null;
  /** How often it was read, as far as the source counts. */
  readonly usage?: number | null;
  readonly updatedAt?: Date | null;
  /** Names of its tags; absent where the source does not show them. */
  readonly tags?: readonly string[] | undefined;
  /** What else is worth keeping, such as its keys. */
  readonly metadata?: Record<string, unknown>;
}

export interface CatalogColumn {
  readonly name: string;
  readonly type: string;
  /** From 1. */
  readonly position: number;
  readonly description?: string | null;
  readonly isPk?: boolean;
  /** Whether it may be null; absent where the source does not say. */
  readonly isNullable?: boolean;
  /** What a row gets that says nothing of it, as SQL; null for nothing. */
  readonly defaultValue?: string | null;
  /** The expression that makes it, of one that is made of others. */
  readonly generatedAs?: string | null;
  /** Names of its tags; absent where the source does not show them. */
  readonly tags?: readonly string[] | undefined;
}

/** A database and one of its schemas. */
export function describeSchema({ database, schema, description }: SourceSchema): Extracted[] {
  const [holder, own] = ancestorsOf({ line: 0, database, schema });
  if (!holder || !own) return [];
  return [holder, { ...own, ...textIn('description', description) }].map(named);
}

/** A table, and its columns. Columns it no longer names become stale with the sync. */
export function describeTable(
  table: SourceTable,
  columns: readonly CatalogColumn[],
  note: (line: string) => void,
): Extracted[] {
  const path = [table.database, table.schema, table.table];
  const parent = ancestorsOf({ line: 0, ...table }).at(-1);
  const own: ExtractedResource = {
    line: 0,
    kind: 'table',
    key: pathKey('table', undefined, path),
    standing: 'named',
    title: table.table,
    database: table.database,
    schema: table.schema,
    nativeType: table.nativeType,
    metadata: table.metadata ?? {},
    ...(parent ? { parentKey: parent.key } : {}),
    ...details(table),
  };
  if (isTooLong(own)) {
    note(`${path.join('.').slice(0, 100)}... is left out: its name is too long.`);
    return [];
  }
  return [named(own), ...columns.flatMap((column) => describeColumn(own, path, column, note))];
}

/** What is learned of a table after it was described. */
export function describeMore(table: SourceTable): Extracted {
  const key = pathKey('table', undefined, [table.database, table.schema, table.table]);
  return {
    is: 'resource',
    resource: { line: 0, kind: 'table', key, standing: 'addition', ...details(table) },
  };
}

function details(table: SourceTable): Partial<ExtractedResource> {
  return {
    ...textIn('description', table.description),
    ...textIn('creationQuery', table.creationQuery),
    ...countIn('rowCount', table.rowCount),
    ...countIn('byteSize', table.byteSize),
    ...countIn('externalUsage', table.usage),
    ...(table.tags ? { tags: table.tags } : {}),
    ...(table.updatedAt ? { externalUpdatedAt: table.updatedAt } : {}),
  };
}

function describeColumn(
  table: ExtractedResource,
  path: readonly string[],
  column: CatalogColumn,
  note: (line: string) => void,
): Extracted[] {
  const own: ExtractedResource = {
    line: 0,
    kind: 'column',
    key: pathKey('column', undefined, [...path, column.name]),
    parentKey: table.key,
    standing: 'named',
    title: column.name,
    type: column.type.slice(0, textLimits.type),
    sortOrder: column.position,
    isPk: column.isPk ?? false,
    ...(column.tags ? { tags: column.tags } : {}),
    ...textIn('description', column.description),
    ...(column.isNullable === undefined ? {} : { metadata: factsOf(column) }),
  };
  if (!isTooLong(own)) return [named(own)];
  note(`A column of ${path.join('.')} is left out: its name is too long.`);
  return [];
}

/** What else is kept of a column, by the names under which `src/resources/source-facts.ts` reads it. */
function factsOf({ isNullable, defaultValue, generatedAs }: CatalogColumn) {
  return {
    nullable: isNullable,
    ...(defaultValue ? { default: defaultValue.slice(0, textLimits.type) } : {}),
    ...(generatedAs ? { generated: generatedAs.slice(0, textLimits.type) } : {}),
  };
}

function isTooLong({ key, title = '' }: ExtractedResource): boolean {
  return key.length > textLimits.key || title.length > textLimits.name;
}

function named(resource: ExtractedResource): Extracted {
  return { is: 'resource', resource: { ...resource, standing: 'named' } };
}

/** Absent where the source does not say, empty where it says that there is none. */
function textIn<Field extends string>(field: Field, text: string | null | undefined) {
  if (text === undefined) return {};
  const storable = (text ?? '').replaceAll('\0', '').toWellFormed().slice(0, textLimits.text);
  return { [field]: storable };
}

function countIn<Field extends string>(field: Field, count: number | null | undefined) {
  return count != null && Number.isFinite(count) && count >= 0 ? { [field]: count } : {};
}

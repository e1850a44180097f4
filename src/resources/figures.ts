// Figures of the catalog's size: rows as the database estimates them, and search indexes.

import { type Connection, rows } from '../database/rows.ts';

/** About how many rows a table holds: as the database last counted, without counting. */
export interface TableFigure {
  readonly table: string;
  readonly rows: number;
}

/** An index that search goes through. */
export interface SearchIndexFigure {
  /** What it covers: title, or document, which is all that can be said of a resource. */
  readonly field: string;
  /** In bytes. */
  readonly size: number;
  /** False where it is not used, because making it was cut. */
  readonly isValid: boolean;
}

/** The sizes of the tables of this program. */
export async function measureTables(db: Connection): Promise<TableFigure[]> {
  return rows<TableFigure>(
    db,
    `select c.relname as "table", greatest(c.reltuples, 0)::float8 as rows from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
        and c.relname <> '_prisma_migrations'`,
  );
}

/** The sizes of the indexes that search goes through. */
export async function measureSearch(db: Connection): Promise<SearchIndexFigure[]> {
  return rows<SearchIndexFigure>(
    db,
    `select f.field, pg_relation_size(c.oid)::float8 as size, i.indisvalid as "isValid"
      from (values ('title', 'title_word_trigram_idx'),
        ('document', 'search_document_doc_idx')) f(field, name)
      join pg_class c on c.relname = f.name and c.relnamespace = current_schema()::regnamespace
      join pg_index i on i.indexrelid = c.oid`,
  );
}

/** What the database takes on the disk, in bytes. */
export async function measureDatabase(db: Connection): Promise<number> {
  const [size] = await rows<{ bytes: number }>(
    db,
    `select pg_database_size(current_database())::float8 as bytes`,
  );
  if (!size) throw new Error('The database could not be measured.');
  return size.bytes;
}

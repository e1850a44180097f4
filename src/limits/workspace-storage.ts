// What each workspace takes of the database, from a sample of each table.

import type { Database } from '../database/database.ts';
import { acrossWorkspaces } from '../database/outside.ts';
import { rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** Pages that are read of a table: 8 MB. A smaller one is read as a whole. */
const samplePages = 1_000;

interface TableSize {
  readonly name: string;
  /** With its indexes and long values. */
  readonly bytes: number;
  readonly pages: number;
  /** The bytes of a row: those of each column as they lie there, so that long values are not read for it. */
  readonly sizes: string;
}

/** The bytes that each workspace takes: of each table with its indexes the part that its rows are of a sample. */
export async function shareOfStorage(database: Database): Promise<ReadonlyMap<string, number>> {
  const db = acrossWorkspaces(database);
  const tables = await rows<TableSize>(
    db,
    `select c.relname::text as name, (select string_agg(
          format('coalesce(pg_column_size(t.%I), 0)', s.attname), ' + ') from pg_attribute s
          where s.attrelid = c.oid and s.attnum > 0 and not s.attisdropped) as sizes, pg_total_relation_size(c.oid)::float8 as bytes,
        (pg_relation_size(c.oid) / current_setting('block_size')::integer)::float8 as pages
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
        and a.attname = 'workspace_id' and not a.attisdropped`,
  );
  const taken = new Map<string, number>();
  for (const { name, bytes, pages, sizes } of tables) {
    if (pages === 0) continue;
    const percent = Math.min(100, (samplePages / pages) * 100);
    const parts = await rows<{ id: string; part: number }>(
      db,
      Prisma.sql`select t.workspace_id as id,
          sum(${Prisma.raw(sizes)})::float8 / sum(sum(${Prisma.raw(sizes)})) over () as part
        from ${Prisma.raw(`"${name}"`)} t tablesample system (${percent}::real) group by 1`,
    );
    for (const { id, part } of parts) taken.set(id, (taken.get(id) ?? 0) + part * bytes);
  }
  return taken;
}

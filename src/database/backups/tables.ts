// Which tables and sequences a database has, as its own catalog lists them.

import pg from 'pg';

/** A table, and the columns that its rows are copied by. */
export interface BackupTable {
  readonly name: string;
  readonly columns: string[];
}

/** A sequence, and the number that it gives next. */
export interface Sequence {
  readonly name: string;
  readonly next: string;
}

/** The history of migrations is no content: anyone who restores applies the migrations. */
const history = '_prisma_migrations';

/** Relations of the schema that migrations write to, without those of extensions. */
export const ownRelations = `pg_class c
  where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
    and not exists (select 1 from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

/**
 * The tables that hold content, by name. Left out are those whose rows a crash may lose (unlogged) and,
 * with all other schemas, the scratch tables of imports; of the columns, those that are computed.
 */
export async function readTables(client: pg.ClientBase): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable>(
    `select t.name, array_agg(a.attname::text order by a.attnum) as columns
     from (select c.oid, c.relname::text as name from ${ownRelations}
       and c.relkind = 'r' and c.relpersistence = 'p' and c.relname <> $1) t
     join pg_attribute a on a.attrelid = t.oid
     where a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by t.name order by t.name collate "C"`,
    [history],
  );
  return rows;
}

/** The names of all tables that may hold rows, also of those whose rows are no content. */
export async function readTableNames(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname::text as name from ${ownRelations}
     and c.relkind in ('r', 'p') and c.relname <> $1 order by 1`,
    [history],
  );
  return rows.map(({ name }) => name);
}

/** The sequences of the tables. They are read as they are at this moment, not as of a snapshot. */
export async function readSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows: sequences } = await client.query<{ name: string; step: string }>(
    `select sequencename::text as name, increment_by::text as step
     from pg_sequences where schemaname = current_schema() order by 1`,
  );
  const read: Sequence[] = [];
  for (const { name, step } of sequences) {
    const { rows } = await client.query<{ next: string }>(
      `select (last_value + case when is_called then $1::bigint else 0 end)::text as next
       from ${pg.escapeIdentifier(name)}`,
      [step],
    );
    read.push({ name, next: rows[0]?.next ?? '1' });
  }
  return read;
}

/** Names as SQL, with commas between. */
export function listOf(names: readonly string[]): string {
  return names.map((name) => pg.escapeIdentifier(name)).join(', ');
}

// TableReads the catalog of PostgreSQL: schemas, tables, views, columns, keys and use.

import { CatalogError } from '../../../errors.ts';
import { groupBy } from '../../../lists/group-by.ts';
import type { Extraction } from '../../readers/extraction.ts';
import {
  type CatalogColumn,
  describeMore,
  describeSchema,
  describeTable,
  type SourceTable,
} from '../catalog.ts';
import type { Ask } from '../connector.ts';
import { isLocked } from '../failure.ts';
import type { TableReads } from '../reads.ts';
import { countOrNull, text, textOrNull } from '../source-answer.ts';
import { postgresReads } from './history.ts';

const limits = { timeoutMs: 60_000 };
/** Tables that are asked for at once. */
const pageTables = 500;

/** All that a database says of itself, table by table. */
export async function* extractPostgres(
  ask: Ask,
  note: (line: string) => void,
  signal?: AbortSignal,
): Extraction {
  const rows = async (sql: string) => (await ask(sql, limits)).rows;
  const reads = await postgresReads(ask, signal);
  for (const [database, schema, description] of await rows(schemas)) {
    yield* describeSchema({
      database: text(database),
      schema: text(schema),
      description: textOrNull(description),
    });
  }
  for (let after = '0'; ; ) {
    const page = await rows(relations(after));
    const ids = page.map(([id]) => text(id));
    const last = ids.at(-1);
    if (last === undefined) break;
    const columns = groupBy(await rows(columnsOf(ids)), ([id]) => text(id));
    const keys = groupBy(await rows(keysOf(ids)), ([id]) => text(id));
    const tables = new Map<string, SourceTable>();
    for (const row of page) {
      const id = text(row[0]);
      const table = tableOf(row, keys.get(id) ?? [], reads);
      tables.set(id, table);
      yield* describeTable(table, (columns.get(id) ?? []).map(columnOf), note);
    }
    for (const [id, byteSize, rowCount, view] of await detailsOf(rows, tables, note)) {
      const table = tables.get(text(id));
      if (table) yield describeMore(detailed(table, byteSize, rowCount, view));
    }
    after = last;
  }
}

type Row = readonly unknown[];
type Rows = (sql: string) => Promise<readonly Row[]>;

/**
 * Sizes and the SQL of views. Both need a lock, for a moment, on what they are about: where somebody
 * else's lock stands in the way of one table, the others are asked for alone.
 */
async function detailsOf(
  rows: Rows,
  tables: ReadonlyMap<string, SourceTable>,
  note: (line: string) => void,
): Promise<readonly Row[]> {
  const ids = [...tables.keys()];
  try {
    return await rows(details(ids));
  } catch (error) {
    if (!isAboutSome(error)) throw error;
  }
  const found: Row[] = [];
  for (const id of ids) {
    try {
      found.push(...(await rows(details([id]))));
    } catch (error) {
      if (!isAboutSome(error)) throw error;
      const table = tables.get(id);
      note(`Size and SQL of ${table?.schema}.${table?.table} are left out: ${error.message}`);
    }
  }
  return found;
}

/** Whether the source answers, and the tables that were asked for are what is wrong. */
const isAboutSome = (error: unknown): error is CatalogError =>
  error instanceof CatalogError && (error.code === 'BAD_REQUEST' || isLocked(error));

/** Names of what a temporary session made are no one's business, nor are those of the system. */
export const ofPeople = `n.nspname <> 'information_schema' and left(n.nspname, 3) <> 'pg_'`;

const schemas = `select current_database(), n.nspname,
    pg_catalog.obj_description(n.oid, 'pg_namespace')
  from pg_catalog.pg_namespace n where ${ofPeople} order by n.nspname`;

// A part of a partitioned table is no table of its own to anybody who queries it, and what an
// extension brings is part of the server.
const relations = (
  after: string,
) => `select c.oid::bigint, current_database(), n.nspname, c.relname,
    case c.relkind when 'r' then 'table' when 'p' then 'partitioned table' when 'v' then 'view'
      when 'm' then 'materialized view' else 'foreign table' end,
    pg_catalog.obj_description(c.oid, 'pg_class'),
    case when c.relkind in ('v', 'f') then null
      when s.n_live_tup > 0 and c.reltuples <= 0 then s.n_live_tup
      else c.reltuples end::double precision,
    (s.seq_scan + coalesce(s.idx_scan, 0))::double precision
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  left join pg_catalog.pg_stat_all_tables s on s.relid = c.oid
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and ${ofPeople}
    and not exists (select from pg_catalog.pg_depend d
      where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    and c.oid > ${after}::oid
  order by c.oid limit ${pageTables}`;

// An expression of columns needs a lock on their table, for which nothing here waits; a default names none.
const columnsOf = (ids: readonly string[]) => `select a.attrelid::bigint, a.attname,
    pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnum,
    pg_catalog.col_description(a.attrelid, a.attnum),
    exists (select from pg_catalog.pg_index i where i.indrelid = a.attrelid and i.indisprimary
      and a.attnum = any(i.indkey)),
    not a.attnotnull,
    case when a.attidentity <> '' then 'identity' when a.attgenerated = ''
      then pg_catalog.pg_get_expr(d.adbin, 0) end,
    case when a.attgenerated <> '' and not exists (select from pg_catalog.pg_locks l
        where l.relation = a.attrelid and l.mode = 'AccessExclusiveLock'
          and l.database = (select b.oid from pg_catalog.pg_database b where b.datname = current_database()))
      then pg_catalog.pg_get_expr(d.adbin, d.adrelid) end
  from pg_catalog.pg_attribute a
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid in (${ids.join(', ')}) and a.attnum > 0 and not a.attisdropped
  order by a.attrelid, a.attnum`;

const keysOf = (ids: readonly string[]) => `select c.conrelid::bigint, c.conname, c.contype::text,
    (select pg_catalog.json_agg(a.attname order by k.n)
      from unnest(c.conkey) with ordinality k(attnum, n)
      join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum),
    case when c.contype = 'f' then (select n.nspname || '.' || t.relname
      from pg_catalog.pg_class t join pg_catalog.pg_namespace n on n.oid = t.relnamespace
      where t.oid = c.confrelid) end,
    (select pg_catalog.json_agg(a.attname order by k.n)
      from unnest(c.confkey) with ordinality k(attnum, n)
      join pg_catalog.pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.attnum)
  from pg_catalog.pg_constraint c
  where c.conrelid in (${ids.join(', ')}) and c.contype in ('p', 'u', 'f')
  order by c.conrelid, c.conname`;

// A partitioned table holds nothing itself: what it has are its parts. With an empty search path the
// SQL of a view names each table with its schema.
const details = (ids: readonly string[]) => `with alone as (
    select pg_catalog.set_config('search_path', 'pg_catalog', true))
  select c.oid::bigint,
    case c.relkind when 'p' then (select sum(pg_catalog.pg_total_relation_size(p.relid))
        from pg_catalog.pg_partition_tree(c.oid) p)
      when 'v' then null when 'f' then null
      else pg_catalog.pg_total_relation_size(c.oid) end::double precision,
    case c.relkind when 'p' then (select sum(greatest(t.reltuples, 0))
      from pg_catalog.pg_partition_tree(c.oid) p join pg_catalog.pg_class t on t.oid = p.relid
      where p.isleaf) end::double precision,
    case when c.relkind in ('v', 'm') then pg_catalog.pg_get_viewdef(c.oid) end
  from alone cross join pg_catalog.pg_class c where c.oid in (${ids.join(', ')})`;

function tableOf(row: Row, keys: readonly Row[], reads: TableReads | null): SourceTable {
  const [, database, schema, table, nativeType, description, rowCount, scans] = row;
  const counted = reads ? null : countOrNull(scans);
  return {
    database: text(database),
    schema: text(schema),
    table: text(table),
    nativeType: text(nativeType),
    description: textOrNull(description),
    rowCount: countOrNull(rowCount),
    usage: reads?.([text(database), text(schema), text(table)]) ?? 0,
    metadata: {
      ...(keys.length > 0 ? { keys: keys.map(keyOf) } : {}),
      // The server scans for foreign keys as well, and once for each row of a join: these are no uses.
      ...(counted === null ? {} : { scans: counted }),
    },
  };
}

function columnOf(row: Row): CatalogColumn {
  const [, name, type, position, description, isPk, isNullable, byDefault, made] = row;
  return {
    ...{ isNullable: isNullable === true, defaultValue: textOrNull(byDefault) },
    generatedAs: textOrNull(made),
    name: text(name),
    type: text(type),
    position: Number(position),
    description: textOrNull(description),
    isPk: isPk === true,
  };
}

const keyKinds: Readonly<Record<string, string>> = { p: 'primary', u: 'unique', f: 'foreign' };

function keyOf([, name, kind, columns, refersTo, referred]: Row) {
  return {
    name,
    kind: keyKinds[text(kind)],
    columns,
    ...(refersTo ? { refers_to: { table: refersTo, columns: referred } } : {}),
  };
}

function detailed(table: SourceTable, byteSize: unknown, rowCount: unknown, view: unknown) {
  const { database, schema, table: name, nativeType } = table;
  const path = [schema, name].map((part) => `"${part.replaceAll('"', '""')}"`).join('.');
  const what = nativeType === 'materialized view' ? 'MATERIALIZED VIEW' : 'VIEW';
  return {
    database,
    schema,
    table: name,
    nativeType,
    byteSize: countOrNull(byteSize),
    rowCount: countOrNull(rowCount),
    ...(view ? { creationQuery: `CREATE ${what} ${path} AS\n${text(view)}` } : {}),
  };
}

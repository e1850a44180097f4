// What foreign tables of PostgreSQL show: tables of other servers, from which their data comes.

import { type Extraction, pathKey } from '../../readers/extraction.ts';
import type { Ask } from '../connector.ts';
import { text, textOrNull } from '../source-answer.ts';
import { ofPeople } from './catalog.ts';

const limits = { timeoutMs: 60_000 };

const option = (options: string, ...names: string[]) => `(select o.option_value
  from pg_catalog.pg_options_to_table(${options}) o
  where o.option_name in (${names.map((name) => `'${name}'`).join(', ')}) limit 1)`;

// A wrapper of PostgreSQL takes the names that stand here where no others are given; of others a table is known by its option.
const remoteColumns = `with remote as (
    select c.oid, n.nspname, c.relname, w.fdwname ~* 'postgres' as own,
      ${option('s.srvoptions', 'dbname', 'database')} as database,
      ${option('f.ftoptions', 'schema_name', 'schema', 'dbname', 'database')} as schema,
      ${option('f.ftoptions', 'table_name', 'table')} as table
    from pg_catalog.pg_foreign_table f
    join pg_catalog.pg_class c on c.oid = f.ftrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_foreign_server s on s.oid = f.ftserver
    join pg_catalog.pg_foreign_data_wrapper w on w.oid = s.srvfdw
    where ${ofPeople})
  select current_database(), r.nspname, r.relname, r.database,
    coalesce(r.schema, case when r.own then r.nspname end),
    coalesce(r.table, case when r.own then r.relname end), a.attname,
    coalesce(${option('a.attfdwoptions', 'column_name')}, a.attname)
  from remote r
  join pg_catalog.pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
  where r.own or r.table is not null
  order by r.oid, a.attnum`;

/** The lineage of foreign tables and their columns. */
export async function* foreignEdges(ask: Ask): Extraction {
  const { rows } = await ask(remoteColumns, limits);
  let last = '';
  for (const [database, schema, table, ofServer, inSchema, ofTable, column, ofColumn] of rows) {
    const path = [database, schema, table].map(text);
    const to = { by: 'key' as const, key: pathKey('table', undefined, path) };
    const from = {
      ...{ by: 'name' as const, database: textOrNull(ofServer) ?? undefined },
      ...{ schema: textOrNull(inSchema) ?? undefined, table: text(ofTable) },
    };
    if (to.key !== last) yield { is: 'lineage', lineage: { line: 0, from, to } };
    last = to.key;
    const key = pathKey('column', undefined, [...path, text(column)]);
    const ofRemote = { ...from, column: text(ofColumn) };
    yield { is: 'lineage', lineage: { line: 0, from: ofRemote, to: { by: 'key', key } } };
  }
}

// Reads the catalog of Redshift: schemas, tables, views, columns, sizes.

import { groupBy } from '../../../lists/group-by.ts';
import type { Extraction } from '../../readers/extraction.ts';
import { describeSchema, describeTable } from '../catalog.ts';
import type { Ask } from '../connector.ts';
import { countOrNull, text, textOrNull } from '../source-answer.ts';
import { ofPeople } from './catalog.ts';

const limits = { timeoutMs: 120_000 };
/** Tables whose columns are asked for at once. */
const pageTables = 500;

/**
 * All that a database says of itself. Redshift has the catalog of PostgreSQL 8: no aggregate of arrays,
 * no partitions, and sizes in a view of its own, which lacks tables that hold nothing.
 */
export async function* extractRedshift(ask: Ask, note: (line: string) => void): Extraction {
  const rows = async (sql: string) => (await ask(sql, limits)).rows;
  for (const [database, schema] of await rows(schemas)) {
    yield* describeSchema({ database: text(database), schema: text(schema) });
  }
  const sizes = new Map<string, readonly unknown[]>();
  for (const row of await rows(sizesOfAll)) sizes.set(text(row[0]), row);
  for (let after = '0'; ; ) {
    const page = await rows(relations(after));
    const ids = page.map(([id]) => text(id));
    const last = ids.at(-1);
    if (last === undefined) return;
    const columns = groupBy(await rows(columnsOf(ids)), ([id]) => text(id));
    for (const [id, database, schema, table, isView, description, view] of page) {
      const [, megabytes, rowCount] = sizes.get(text(id)) ?? [];
      const size = countOrNull(megabytes);
      const described = {
        database: text(database),
        schema: text(schema),
        table: text(table),
        nativeType: isView === true ? 'view' : 'table',
        description: textOrNull(description),
        creationQuery: isView === true ? textOrNull(view) : null,
        byteSize: size === null ? null : size * 1024 ** 2,
        rowCount: countOrNull(rowCount),
      };
      const own = (columns.get(text(id)) ?? []).map(([, name, type, position, comment]) => ({
        name: text(name),
        type: text(type),
        position: Number(position),
        description: textOrNull(comment),
      }));
      yield* describeTable(described, own, note);
    }
    after = last;
  }
}

const schemas = `select current_database(), n.nspname from pg_catalog.pg_namespace n
  where ${ofPeople} order by n.nspname`;

const sizesOfAll = `select table_id::bigint, size, tbl_rows from svv_table_info`;

const relations = (after: string) => `select c.oid::bigint, current_database(), n.nspname,
    c.relname, c.relkind = 'v', obj_description(c.oid, 'pg_class'),
    case when c.relkind = 'v' then pg_get_viewdef(c.oid) end
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'v') and ${ofPeople} and c.oid > ${after}
  order by c.oid limit ${pageTables}`;

const columnsOf = (ids: readonly string[]) => `select a.attrelid::bigint, a.attname,
    format_type(a.atttypid, a.atttypmod), a.attnum, col_description(a.attrelid, a.attnum)
  from pg_catalog.pg_attribute a
  where a.attrelid in (${ids.join(', ')}) and a.attnum > 0 and not a.attisdropped
  order by a.attrelid, a.attnum`;

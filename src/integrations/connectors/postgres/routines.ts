// Functions, procedures and triggers of PostgreSQL that write tables: statements from which lineage is read, as they stand.

import type { Ask, PastQuery } from '../connector.ts';
import { text } from '../source-answer.ts';
import { ofPeople } from './catalog.ts';

const limits = { timeoutMs: 60_000 };
const maxRoutines = 1_000;

/** Languages whose bodies are SQL, or statements of it between others. */
const isSql = `l.lanname in ('sql', 'plpgsql') and p.prokind in ('f', 'p') and ${ofPeople}
  and not exists (select from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`;

const writes = String.raw`~* '\m(insert|update|merge|create)\M'`;

// With an empty search path a body that is kept as a tree names each table with its schema.
const alone = `with alone as materialized (
  select pg_catalog.set_config('search_path', 'pg_catalog', true))`;

/** Of a trigger its function is the body: NEW and OLD are rows of the trigger's table. */
const statements = `${alone}, found as (
    select p.oid, 1 as turn, pg_catalog.pg_get_functiondef(p.oid) as body
      from alone cross join pg_catalog.pg_proc p
      join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      join pg_catalog.pg_language l on l.oid = p.prolang
      where ${isSql} and p.prorettype <> 'trigger'::regtype
    union all
    select t.oid, 2, pg_catalog.pg_get_triggerdef(t.oid) || E';\\n' || pg_catalog.pg_get_functiondef(p.oid)
      from alone cross join pg_catalog.pg_trigger t
      join pg_catalog.pg_class c on c.oid = t.tgrelid and not c.relispartition
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_proc p on p.oid = t.tgfoid
      join pg_catalog.pg_language l on l.oid = p.prolang
      where not t.tgisinternal and ${isSql})
  select f.body, current_database() from found f where f.body ${writes}
  order by f.turn, f.oid limit ${maxRoutines}`;

/** The routines of a database. How often they ran is not known here. */
export async function* postgresRoutines(ask: Ask): AsyncGenerator<PastQuery> {
  const { rows } = await ask(statements, limits);
  for (const [body, database] of rows) {
    yield {
      ...{ sql: text(body), count: 0, counted: 'ever', user: null, at: null },
      ...{ database: text(database), schema: 'public' },
    };
  }
}

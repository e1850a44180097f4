// Functions, procedures and triggers of MySQL and MariaDB that write tables: statements from which lineage is read, as they stand.

import type { Ask, PastQuery } from '../connector.ts';
import { text } from '../source-answer.ts';
import { catalogName, systemSchemas } from './system-schemas.ts';

const limits = { timeoutMs: 60_000 };
const maxRoutines = 1_000;
const writes = `regexp '(^|[^a-z_])(insert|replace|update|create)([^a-z_]|$)'`;

/** Bodies are null where the login may not see them. */
const routines = `select r.routine_schema, r.routine_type, r.routine_name, r.routine_definition,
    (select group_concat(concat('\`', p.parameter_name, '\` ', p.dtd_identifier)
        order by p.ordinal_position separator ', ')
      from information_schema.parameters p where p.specific_schema = r.routine_schema
        and p.specific_name = r.specific_name and p.routine_type = r.routine_type
        and p.ordinal_position > 0),
    r.dtd_identifier
  from information_schema.routines r
  where r.routine_schema not in ${systemSchemas} and r.routine_type in ('FUNCTION', 'PROCEDURE')
    and lower(r.routine_definition) ${writes}
  order by r.routine_schema, r.routine_name limit ${maxRoutines}`;

const triggers = `select t.trigger_schema, t.trigger_name, t.action_timing, t.event_manipulation,
    t.event_object_schema, t.event_object_table, t.action_statement
  from information_schema.triggers t
  where t.trigger_schema not in ${systemSchemas} and lower(t.action_statement) ${writes}
  order by t.trigger_schema, t.trigger_name limit ${maxRoutines}`;

/** The routines and triggers that the login sees. How often they ran is not known here. */
export async function* mySqlRoutines(ask: Ask): AsyncGenerator<PastQuery> {
  for (const row of (await ask(routines, limits)).rows) {
    const [schema, type, name, body, parameters, returns] = row.map(text);
    const answers = type === 'FUNCTION' ? ` RETURNS ${returns}` : '';
    const head = `CREATE ${type} ${quoted([schema, name])}(${parameters})${answers}`;
    yield routine(schema, `${head}\n${body}`);
  }
  for (const row of (await ask(triggers, limits)).rows) {
    const [schema, name, timing, event, onSchema, onTable, body] = row.map(text);
    const on = `${timing} ${event} ON ${quoted([onSchema, onTable])}`;
    yield routine(schema, `CREATE TRIGGER ${quoted([schema, name])} ${on} FOR EACH ROW\n${body}`);
  }
}

function routine(schema: string | undefined, sql: string): PastQuery {
  return {
    ...{ sql, count: 0, counted: 'ever', user: null, at: null },
    ...{ database: catalogName, schema: schema ?? null },
  };
}

const quoted = (path: readonly (string | undefined)[]) =>
  path.map((part = '') => `\`${part.replaceAll('`', '``')}\``).join('.');

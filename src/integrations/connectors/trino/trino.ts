// Trino as a live source, over its HTTP interface.

import type { z } from 'zod';
import { groupBy } from '../../../lists/group-by.ts';
import { findHost } from '../../../network/reach.ts';
import { scrubberOf } from '../../../secrets/redaction.ts';
import type { Credentials } from '../../credentials.ts';
import type { Extraction } from '../../readers/extraction.ts';
import { assemble } from '../assemble.ts';
import { describeSchema, describeTable } from '../catalog.ts';
import { type Ask, type ConnectionCheck, type Connector, found } from '../connector.ts';
import type { LiveSource } from '../live-source.ts';
import { mustBeQuery } from '../only-query.ts';
import { chooseSchemasOfOne } from '../patterns.ts';
import { readFields, shownNames } from '../read-fields.ts';
import { countOrNull, text, textOrNull } from '../source-answer.ts';
import { trino } from './manifest.ts';
import { rightsCheck } from './rights.ts';
import { openTrino } from './session.ts';

type Login = z.infer<typeof trino.credentials>;

const limits = { timeoutMs: 15_000 };
const extractLimits = { timeoutMs: 120_000 };

/** One catalog of a Trino server. What a login may do is the server's to say: there is no superuser. */
export function openTrinoConnector({ id, reach }: LiveSource, credentials: Credentials): Connector {
  // Clients know the catalog as the database, too.
  const { database, ...rest } = credentials;
  const login = readFields(trino.credentials, { catalog: database, ...rest });
  const extract = (ask: Ask, note: (line: string) => void) => extractTrino(login, ask, note);
  return assemble({
    dialect: trino.dialect,
    source: id,
    choice: chooseSchemasOfOne(login.include, login.exclude),
    scrub: scrubberOf(credentials, new Set([...shownNames(trino.credentials), 'database'])),
    async connect(signal) {
      return openTrino(await findHost(login.host, reach), login, signal);
    },
    excess: async () => null,
    async version(ask) {
      const { rows } = await ask('SELECT version()', limits);
      return `Trino ${text(rows[0]?.[0])}`;
    },
    checks: async (ask) => [await rightsCheck(ask, login), await tablesCheck(ask, login)],
    extract,
    // Trino reads one statement; one that begins as a query does is nothing else in its grammar.
    refuse: (sql) => mustBeQuery(sql, 'trino'),
  });
}

async function tablesCheck(ask: Ask, { catalog }: Login): Promise<ConnectionCheck> {
  const { rows } = await ask(
    `SELECT count(*) FROM ${quoted(catalog)}.information_schema.tables
      WHERE table_schema <> 'information_schema'`,
    { timeoutMs: 60_000 },
  );
  const count = countOrNull(rows[0]?.[0]) ?? 0;
  if (count > 0) return found('tables', `${count} tables and views can be seen.`);
  const message = `The login sees no table or view of the catalog ${catalog}.`;
  const fix = 'Check the name of the catalog, and the access rules of the server.';
  return { name: 'tables', state: 'missing', message, fix };
}

/** All that the catalog says of itself, schema by schema. */
async function* extractTrino(
  { catalog }: Login,
  ask: Ask,
  note: (line: string) => void,
): Extraction {
  const rows = async (sql: string) => (await ask(sql, extractLimits)).rows;
  const from = `${quoted(catalog)}.information_schema`;
  const schemas = await rows(
    `SELECT schema_name FROM ${from}.schemata
      WHERE schema_name <> 'information_schema' ORDER BY schema_name`,
  );
  for (const [name] of schemas) {
    const schema = text(name);
    yield* describeSchema({ database: catalog, schema });
    const within = `WHERE table_schema = ${literal(schema)}`;
    const tables = await rows(`SELECT table_name, table_type FROM ${from}.tables ${within}`);
    const views = await rows(`SELECT table_name, view_definition FROM ${from}.views ${within}`);
    const sqlOf = new Map(views.map(([table, sql]) => [text(table), textOrNull(sql)]));
    const columns = groupBy(await rows(columnsOf(from, within)), ([table]) => text(table));
    for (const [title, type] of tables) {
      const table = text(title);
      const sql = sqlOf.get(table);
      const described = {
        database: catalog,
        schema,
        table,
        nativeType: /VIEW/i.test(text(type)) || sqlOf.has(table) ? 'view' : 'table',
        creationQuery: sql
          ? `CREATE VIEW ${[catalog, schema, table].map(quoted).join('.')} AS\n${sql}`
          : null,
      };
      const own = (columns.get(table) ?? []).map(([, column, dataType, position]) => ({
        name: text(column),
        type: text(dataType),
        position: Number(position),
      }));
      yield* describeTable(described, own, note);
    }
  }
}

const columnsOf = (from: string, within: string) => `SELECT table_name, column_name, data_type,
    ordinal_position FROM ${from}.columns ${within} ORDER BY table_name, ordinal_position`;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;

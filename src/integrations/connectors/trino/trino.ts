// Trino as a live source, over its HTTP interface.

import type { z } from 'zod';
import { groupBy } from '../../../lists/group-by.ts';
import { findHost } from '../../../network/reach.ts';
import { type Scrub, scrubberOf } from '../../../secrets/redaction.ts';
import type { Credentials } from '../../credentials.ts';
import type { Extraction } from '../../readers/extraction.ts';
import { assemble } from '../assemble.ts';
import { describeSchema, describeTable } from '../catalog.ts';
import { type Ask, type ConnectionCheck, type Connector, found } from '../connector.ts';
import type { LiveSource } from '../live-source.ts';
import { mustBeQuery } from '../only-query.ts';
import { chooseSchemas, chooseSchemasOfOne, fitsGlob, type SchemaChoice } from '../patterns.ts';
import { readFields, shownNames } from '../read-fields.ts';
import { databasesIn, openDatabases } from '../several-databases.ts';
import { countOrNull, text, textOrNull } from '../source-answer.ts';
import { type TrinoNames, trinoHistory, trinoHistoryCheck } from './history.ts';
import { trino } from './manifest.ts';
import { allCatalogs, rightsCheck } from './rights.ts';
import { openTrino } from './session.ts';

type Login = z.infer<typeof trino.credentials>;

const limits = { timeoutMs: 15_000 };
const extractLimits = { timeoutMs: 120_000 };

/** Catalogs of a Trino server. What a login may do is the server's to say: there is no superuser. */
export function openTrinoConnector(source: LiveSource, credentials: Credentials): Connector {
  // Clients know the catalog as the database, too.
  const { database, ...rest } = credentials;
  const login = readFields(trino.credentials, { catalog: database, ...rest });
  const scrub = scrubberOf(credentials, new Set([...shownNames(trino.credentials), 'database']));
  const wanted = databasesIn(login.catalog);
  if (wanted === null) {
    const choice = chooseSchemasOfOne(login.include, login.exclude);
    const isRead = (catalog: string) => catalog === login.catalog.toLowerCase();
    return openCatalog(source, login, { choice, isRead, scrub, unnamed: login });
  }
  const choice = chooseSchemas(login.include, login.exclude);
  const isRead = (catalog: string) =>
    wanted.some((pattern) => fitsGlob(pattern, catalog)) && choice.database(catalog);
  // In which catalog the names of a query lie is not known where there are several.
  const around = { choice, isRead, scrub, unnamed: { catalog: null } };
  return openDatabases({
    ...{ wanted, choice, noun: 'catalogs', hasOneHistory: true },
    first: wanted.find((name) => !name.includes('*')) ?? 'system',
    listed: allCatalogs,
    open: (catalog) => openCatalog(source, { ...login, catalog }, around),
  });
}

/** What is the same for all catalogs of a source. */
interface Around {
  readonly choice: SchemaChoice;
  /** Whether the source reads a catalog. */
  isRead(catalog: string): boolean;
  readonly scrub: Scrub;
  readonly unnamed: TrinoNames;
}

/** One catalog. */
function openCatalog(
  { id, reach }: LiveSource,
  login: Login,
  { choice, isRead, scrub, unnamed }: Around,
): Connector {
  const extract = (ask: Ask, note: (line: string) => void) => extractTrino(login, ask, note);
  return assemble({
    ...{ dialect: trino.dialect, source: id, choice, scrub, extract },
    async connect(signal) {
      return openTrino(await findHost(login.host, reach), login, signal);
    },
    excess: async () => null,
    async version(ask) {
      const { rows } = await ask('SELECT version()', limits);
      return `Trino ${text(rows[0]?.[0])}`;
    },
    checks: async (ask) => [
      await rightsCheck(ask, login, isRead),
      await tablesCheck(ask, login),
      await trinoHistoryCheck(ask),
    ],
    history: (ask, since) => trinoHistory(ask, unnamed, since),
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

// Databricks as a live source, over its REST interfaces of statements and of Unity Catalog.

import { scrubberOf } from '../../../secrets/redaction.ts';
import type { Credentials } from '../../credentials.ts';
import { assemble } from '../assemble.ts';
import { type Ask, type ConnectionCheck, type Connector, found } from '../connector.ts';
import { sourceFailure } from '../failure.ts';
import type { LiveSource } from '../live-source.ts';
import { mustBeQuery } from '../only-query.ts';
import { chooseSchemas } from '../patterns.ts';
import { readFields, shownNames } from '../read-fields.ts';
import { text } from '../source-answer.ts';
import { extractDatabricks, listing, unitySchemas } from './catalog.ts';
import { databricksHistory, seesHistory } from './history.ts';
import { databricks } from './manifest.ts';
import { recordedEdges, seesLineage } from './recorded-lineage.ts';
import { databricksApi } from './requests.ts';
import { openDatabricks } from './session.ts';

/** A warehouse that is stopped starts by itself, which may take minutes. */
const startMs = 300_000;

/** The catalogs of a workspace, as one login sees them. */
export function openDatabricksConnector(
  { id, reach }: LiveSource,
  credentials: Credentials,
): Connector {
  const login = readFields(databricks.credentials, credentials);
  const scrub = scrubberOf(credentials, shownNames(databricks.credentials));
  const api = databricksApi(login, reach, scrub.also);
  const choice = chooseSchemas(login.include, login.exclude);
  const schemas = async () => {
    let count = 0;
    for await (const _ of unitySchemas(await listing(api), choice)) count += 1;
    return count;
  };
  // Listing is no statement: what fails in it is put into words here.
  const worded = (error: unknown, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    return sourceFailure(error, scrub, '');
  };
  return assemble({
    dialect: databricks.dialect,
    source: id,
    scrub,
    connect: (signal) => openDatabricks(api, login.warehouse_id, signal),
    async version(ask) {
      const { rows } = await ask('SELECT current_version().dbsql_version', { timeoutMs: startMs });
      return `Databricks SQL ${text(rows[0]?.[0])}`;
    },
    async checks(ask) {
      const count = await schemas().catch((error: unknown) => {
        throw worded(error);
      });
      return [tablesCheck(count), await historyCheck(ask), await lineageCheck(ask)];
    },
    async *extract(ask, note, signal) {
      try {
        yield* extractDatabricks(ask, await listing(api, signal), choice, note);
        // An import plans its resources before it takes lineage.
        yield* recordedEdges(ask, choice, note);
      } catch (error) {
        throw worded(error, signal);
      }
    },
    history: databricksHistory,
    refuse: (sql) => mustBeQuery(sql, databricks.dialect, databricks.forbiddenCalls),
  });
}

function tablesCheck(schemas: number): ConnectionCheck {
  if (schemas > 0) return found('tables', `${schemas} schemas can be seen.`);
  return {
    ...{ name: 'tables', state: 'missing' },
    message: 'The login sees no schema of a catalog, or none that is to be read.',
    fix: 'GRANT USE CATALOG, USE SCHEMA, BROWSE ON CATALOG ... TO `...`;',
  };
}

async function historyCheck(ask: Ask): Promise<ConnectionCheck> {
  const name = 'history';
  if (await seesHistory(ask)) return found(name, 'Queries that ran can be read.');
  return {
    ...{ name, state: 'limited' },
    message: 'Queries that ran, and the lineage and usage in them, cannot be read.',
    fix: 'An account admin enables the schema system.query; then GRANT USE CATALOG ON CATALOG system TO `...`; GRANT USE SCHEMA, SELECT ON SCHEMA system.query TO `...`;',
  };
}

async function lineageCheck(ask: Ask): Promise<ConnectionCheck> {
  const name = 'lineage';
  if (await seesLineage(ask)) return found(name, 'The lineage that it records can be read.');
  return {
    ...{ name, state: 'limited' },
    message: 'The lineage that it records of notebooks, jobs and queries cannot be read.',
    fix: 'An account admin enables the schema system.access; then GRANT USE CATALOG ON CATALOG system TO `...`; GRANT USE SCHEMA, SELECT ON SCHEMA system.access TO `...`;',
  };
}

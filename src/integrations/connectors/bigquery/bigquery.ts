// BigQuery as a live source, over its REST interface.

import { scrubberOf } from '../../../secrets/redaction.ts';
import type { Credentials } from '../../credentials.ts';
import { callOf } from '../../http-sources/http-api.ts';
import { assemble } from '../assemble.ts';
import { type Ask, type ConnectionCheck, type Connector, found } from '../connector.ts';
import { sourceFailure } from '../failure.ts';
import type { LiveSource } from '../live-source.ts';
import { mustBeQuery } from '../only-query.ts';
import { chooseSchemas } from '../patterns.ts';
import { readFields, shownNames } from '../read-fields.ts';
import { extractBigQuery } from './catalog.ts';
import { datasetsOf } from './datasets.ts';
import { bigQueryHistory, seesJobs } from './history.ts';
import { bigquery } from './manifest.ts';
import { bigQueryApi } from './requests.ts';
import { bytesOf, openBigQuery } from './session.ts';

/** The datasets of some projects, as a service account sees them; one project pays for what is asked. */
export function openBigQueryConnector(
  { id, reach }: LiveSource,
  credentials: Credentials,
): Connector {
  const login = readFields(bigquery.credentials, credentials);
  const scrub = scrubberOf(credentials, shownNames(bigquery.credentials));
  const api = bigQueryApi(login, reach, scrub.also);
  const choice = chooseSchemas(login.include, login.exclude);
  const projects = login.projects.length > 0 ? login.projects : [login.project];
  // Listing is no statement: what fails in it is put into words here.
  const datasets = (signal?: AbortSignal) =>
    datasetsOf(api, projects, choice, signal).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw sourceFailure(error, scrub, '');
    });
  return assemble({
    dialect: bigquery.dialect,
    source: id,
    scrub,
    connect: (signal) => openBigQuery(api, login, signal),
    async version(ask) {
      await ask('SELECT 1', { timeoutMs: 60_000 });
      return 'BigQuery';
    },
    checks: async (ask) => checksOf(ask, projects, await datasets()),
    async *extract(ask, note, signal) {
      yield* extractBigQuery(ask, await datasets(signal), note, signal);
    },
    async *history(ask, since) {
      yield* bigQueryHistory(ask, await datasets(), since);
    },
    estimate: async (sql, timeoutMs, signal) =>
      bytesOf(await callOf(api, timeoutMs, signal), login, sql),
    refuse: (sql) => mustBeQuery(sql, bigquery.dialect, bigquery.forbiddenCalls),
  });
}

async function checksOf(
  ask: Ask,
  projects: readonly string[],
  datasets: Awaited<ReturnType<typeof datasetsOf>>,
): Promise<ConnectionCheck[]> {
  const tables: ConnectionCheck =
    datasets.length > 0
      ? found('tables', `${datasets.length} datasets can be seen.`)
      : {
          ...{ name: 'tables', state: 'missing' },
          message: `No dataset of ${projects.slice(0, 5).join(', ')} can be seen, or none that is to be read.`,
          fix: 'Give the service account the role roles/bigquery.metadataViewer on each project that is read.',
        };
  const history: ConnectionCheck = (await seesJobs(ask, datasets))
    ? found('history', 'Queries that ran can be read.')
    : {
        ...{ name: 'history', state: 'limited' },
        message: 'Queries that ran, and the lineage and usage in them, cannot be read.',
        fix: 'Give the service account the role roles/bigquery.resourceViewer on each project that is read.',
      };
  return [tables, history];
}

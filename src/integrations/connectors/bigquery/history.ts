// The queries that ran on BigQuery, as the project that pays keeps them, and how often tables are read.

import type { Ask, PastQuery } from '../connector.ts';
import { rowsIfAllowed } from '../login-rights.ts';
import { countReads, type TableReads } from '../reads.ts';
import { dateOrNull, text, usersIn } from '../source-answer.ts';
import type { Dataset } from './datasets.ts';
import { jobLabel } from './session.ts';

const limits = { timeoutMs: 300_000 };
const maxQueries = 2_000;
const weekMs = 7 * 86_400_000;

/** Statements that read or write rows. */
const types = `('SELECT', 'INSERT', 'MERGE', 'UPDATE', 'CREATE_TABLE_AS_SELECT', 'CREATE_VIEW',
      'CREATE_MATERIALIZED_VIEW')`;

/** The places where jobs are kept: one for each region of the datasets. */
function* viewsOf(datasets: readonly Dataset[]): Generator<{ project: string; view: string }> {
  const met = new Set<string>();
  for (const { project, location } of datasets) {
    const region = `region-${location.toLowerCase()}`;
    // Those of other clouds have none.
    if (!/^region-[a-z0-9-]+$/.test(region) || /^region-(aws|azure)-/.test(region)) continue;
    const view = `\`${project}\`.\`${region}\`.INFORMATION_SCHEMA.JOBS`;
    if (met.has(view)) continue;
    met.add(view);
    yield { project, view };
  }
}

/** The queries that ran since, those that ran most first in each region; equal ones but for their values are one. */
export async function* bigQueryHistory(
  ask: Ask,
  datasets: readonly Dataset[],
  since: Date | null,
): AsyncGenerator<PastQuery> {
  const from = (since ?? new Date(Date.now() - weekMs)).toISOString();
  for (const { project, view } of viewsOf(datasets)) {
    const rows = await rowsIfAllowed(
      ask,
      `SELECT ANY_VALUE(query), COUNT(*), STRING_AGG(DISTINCT user_email, ','), MAX(creation_time)
        FROM ${view}
        WHERE creation_time >= TIMESTAMP '${from}' AND job_type = 'QUERY' AND state = 'DONE'
          AND error_result IS NULL AND statement_type IN ${types}
          AND TO_JSON_STRING(labels) NOT LIKE '%"${jobLabel}"%' AND query NOT LIKE '%INFORMATION_SCHEMA%'
        GROUP BY query_info.query_hashes.normalized_literals ORDER BY 2 DESC, 1 LIMIT ${maxQueries}`,
      limits.timeoutMs,
    );
    for (const [sql, count, user, at] of rows ?? []) {
      yield {
        ...{ sql: text(sql), count: Number(count), counted: 'since', ...usersIn(user) },
        ...{ at: dateOrNull(at), database: project, schema: null },
      };
    }
  }
}

/** How often each table was read in the last week; null where no jobs may be seen. */
export async function bigQueryReads(
  ask: Ask,
  datasets: readonly Dataset[],
  signal?: AbortSignal,
): Promise<TableReads | null> {
  if (!(await seesJobs(ask, datasets))) return null;
  return countReads(bigQueryHistory(ask, datasets, null), 'bigquery', signal);
}

/** Whether the service account sees the queries of others. */
export async function seesJobs(ask: Ask, datasets: readonly Dataset[]): Promise<boolean> {
  const [first] = viewsOf(datasets);
  if (!first) return false;
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const sql = `SELECT 1 FROM ${first.view} WHERE creation_time >= TIMESTAMP '${soon}' LIMIT 1`;
  return (await rowsIfAllowed(ask, sql, limits.timeoutMs)) !== null;
}

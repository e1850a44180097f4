// Runs a statement on BigQuery: it is posted, waited for, and its rows read page by page.

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type HttpSource, keepAlive, send } from '../../http-sources/http-source.ts';
import type { RunSession } from '../assemble.ts';
import { answerTooLarge, maxAnswerBytes } from '../byte-limit.ts';
import type { QueryResult } from '../connector.ts';
import { refused, tooSlow } from '../failure.ts';
import { askBigQuery, type BigQueryApi, type BigQueryCall, isReason, parsed } from './requests.ts';
import { bigQueryField, bigQueryRow } from './values.ts';

/** It marks the statements of this program in the history of queries. */
export const jobLabel = 'headwater';

/** Whose statements run, and what one of them may read. */
export interface BigQueryLimits {
  readonly project: string;
  readonly max_scan_gib: number;
}

const answered = z.object({
  jobComplete: z.boolean(),
  jobReference: z.object({ jobId: z.string(), location: z.string().optional() }).optional(),
  schema: z.object({ fields: z.array(bigQueryField).default([]) }).optional(),
  rows: z.array(z.unknown()).default([]),
  totalRows: z.string().optional(),
  pageToken: z.string().optional(),
  totalBytesProcessed: z.string().optional(),
});
type Answered = z.infer<typeof answered>;

const gibibyte = 1024 ** 3;
const pageRows = 10_000;
/** How long BigQuery holds an answer back for a statement that is not done. */
const holdMs = 10_000;

/** Each statement is a job of its own: there is nothing to keep but the connection to the address. */
export async function openBigQuery(
  api: BigQueryApi,
  limits: BigQueryLimits,
  signal: AbortSignal,
): Promise<RunSession> {
  const source = keepAlive(await api.find());
  signal.throwIfAborted();
  const cutting = new AbortController();
  return {
    lasts: true,
    link: source,
    destroy() {
      cutting.abort();
      source.agent.destroy();
    },
    run: (sql, timeoutMs) =>
      runStatement(
        { api, source, deadline: Date.now() + timeoutMs, signal: cutting.signal },
        limits,
        sql,
        timeoutMs,
      ),
  };
}

async function runStatement(
  call: BigQueryCall,
  limits: BigQueryLimits,
  sql: string,
  timeoutMs: number,
): Promise<QueryResult> {
  const { project } = limits;
  let job: Answered['jobReference'];
  let isDone = false;
  try {
    let answer = parsed(
      answered,
      await askBigQuery(call, 'POST', `projects/${project}/queries`, {
        ...bodyOf(sql, limits),
        ...{ timeoutMs: Math.min(holdMs, timeoutMs), jobTimeoutMs: String(timeoutMs) },
      }),
    );
    job = answer.jobReference;
    while (!answer.jobComplete) answer = await nextOf(call, project, job, {});
    const result = await readRows(call, project, answer, job);
    isDone = true;
    return result;
  } catch (error) {
    if (isReason(error, 'stopped', 'timeout')) throw tooSlow('The query', timeoutMs);
    if (isReason(error, 'bytesBilledLimitExceeded')) throw await tooMuch(call, limits, sql);
    throw error;
  } finally {
    if (!isDone && job) void cancel(call.api, call.source, project, job);
  }
}

function bodyOf(sql: string, { max_scan_gib: gib }: BigQueryLimits): object {
  return {
    query: sql,
    // Where nothing is said it reads another dialect.
    useLegacySql: false,
    maximumBytesBilled: String(Math.floor(gib * gibibyte)),
    maxResults: pageRows,
    labels: { [jobLabel]: 'true' },
    requestId: randomUUID(),
    formatOptions: { useInt64Timestamp: true },
  };
}

async function nextOf(
  call: BigQueryCall,
  project: string,
  job: Answered['jobReference'],
  more: Readonly<Record<string, string>>,
): Promise<Answered> {
  if (!job) throw refused('it names no job to wait for.');
  const query = new URLSearchParams({
    ...{ timeoutMs: String(holdMs), maxResults: String(pageRows) },
    'formatOptions.useInt64Timestamp': 'true',
    // Outside of the US and the EU a job is found only where it is.
    ...(job.location ? { location: job.location } : {}),
    ...more,
  });
  const path = `projects/${project}/queries/${encodeURIComponent(job.jobId)}?${query}`;
  return parsed(answered, await askBigQuery(call, 'GET', path));
}

async function readRows(
  call: BigQueryCall,
  project: string,
  first: Answered,
  job: Answered['jobReference'],
): Promise<QueryResult> {
  const fields = first.schema?.fields ?? [];
  const rows: unknown[][] = [];
  let bytes = 0;
  for (let answer = first; ; ) {
    bytes += JSON.stringify(answer.rows).length;
    if (bytes > maxAnswerBytes) throw answerTooLarge();
    for (const row of answer.rows) rows.push(bigQueryRow(row, fields));
    if (!answer.pageToken) break;
    answer = await nextOf(call, project, job, { pageToken: answer.pageToken });
  }
  if (rows.length !== Number(first.totalRows ?? rows.length)) {
    throw refused('its answer lacks rows: ask again.');
  }
  return { rows, columns: fields.map(({ name }) => name) };
}

/** The error for a statement that would read too much, with how much that is: asking costs nothing. */
async function tooMuch(call: BigQueryCall, limits: BigQueryLimits, sql: string) {
  const body = { ...bodyOf(sql, limits), dryRun: true };
  const path = `projects/${limits.project}/queries`;
  const gib = await askBigQuery(call, 'POST', path, body).then(
    (answer) => Number(parsed(answered, answer).totalBytesProcessed ?? 0) / gibibyte,
    () => 0,
  );
  const much =
    gib > 0 ? `it would read ${gib.toFixed(2)} GiB` : 'it would read more than is allowed';
  return refused(`${much}, and max_scan_gib allows ${limits.max_scan_gib} GiB.`);
}

/** Ask the server to stop what no one waits for any more. */
async function cancel(
  api: BigQueryApi,
  source: HttpSource,
  project: string,
  { jobId, location }: { jobId: string; location?: string | undefined },
): Promise<void> {
  const signal = AbortSignal.timeout(5_000);
  const token = await api.tokens.get(signal).catch(() => null);
  if (token === null) return;
  const query = location ? `?location=${encodeURIComponent(location)}` : '';
  await send(
    // The session's own connection is closed by now.
    { ...source, agent: undefined },
    {
      ...{ method: 'POST', body: '{}', signal },
      path: `/bigquery/v2/projects/${project}/jobs/${encodeURIComponent(jobId)}/cancel${query}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    },
  ).catch(() => {});
}

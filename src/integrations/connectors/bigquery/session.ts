// Runs a statement on BigQuery: it is posted, waited for, and its rows read page by page.

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type ApiStatement,
  askApi,
  cancelAt,
  type HttpApi,
  type HttpCall,
  isReason,
  mustBeWhole,
  openStatements,
  parsed,
} from '../../http-sources/http-api.ts';
import type { RunSession } from '../assemble.ts';
import { answerTooLarge, maxAnswerBytes } from '../byte-limit.ts';
import type { QueryResult } from '../connector.ts';
import { refused, tooSlow } from '../failure.ts';
import { projectPath } from './requests.ts';
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

/** A session of a service account. */
export function openBigQuery(
  api: HttpApi,
  limits: BigQueryLimits,
  signal: AbortSignal,
): Promise<RunSession> {
  return openStatements(api, (call, one) => runStatement(call, limits, one), signal);
}

async function runStatement(
  call: HttpCall,
  limits: BigQueryLimits,
  { sql, timeoutMs }: ApiStatement,
): Promise<QueryResult> {
  const { project } = limits;
  let job: Answered['jobReference'];
  let isDone = false;
  try {
    let answer = await post(call, project, {
      ...bodyOf(sql, limits),
      ...{ timeoutMs: Math.min(holdMs, timeoutMs), jobTimeoutMs: String(timeoutMs) },
    });
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
    if (!isDone && job) void cancelAt(call, cancelPath(project, job));
  }
}

/** Post a statement, which carries an id: it runs once however often it is sent. */
async function post(call: HttpCall, project: string, body: object): Promise<Answered> {
  const path = `${projectPath(project)}/queries`;
  return parsed(
    call.api,
    answered,
    await askApi(call, { method: 'POST', path, body, isRepeatable: true }),
  );
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
  call: HttpCall,
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
  const path = `${projectPath(project)}/queries/${encodeURIComponent(job.jobId)}?${query}`;
  return parsed(call.api, answered, await askApi(call, { method: 'GET', path }));
}

async function readRows(
  call: HttpCall,
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
  mustBeWhole(rows.length, Number(first.totalRows ?? rows.length));
  return { rows, columns: fields.map(({ name }) => name) };
}

/** Bytes that a statement would read: asking costs nothing. */
export async function bytesOf(
  call: HttpCall,
  limits: BigQueryLimits,
  sql: string,
): Promise<number> {
  const answer = await post(call, limits.project, { ...bodyOf(sql, limits), dryRun: true });
  return Number(answer.totalBytesProcessed ?? 0);
}

/** The error for a statement that would read too much, with how much that is. */
async function tooMuch(call: HttpCall, limits: BigQueryLimits, sql: string) {
  const gib = (await bytesOf(call, limits, sql).catch(() => 0)) / gibibyte;
  const much =
    gib > 0 ? `it would read ${gib.toFixed(2)} GiB` : 'it would read more than is allowed';
  return refused(`${much}, and max_scan_gib allows ${limits.max_scan_gib} GiB.`);
}

function cancelPath(
  project: string,
  { jobId, location }: NonNullable<Answered['jobReference']>,
): string {
  const query = location ? `?location=${encodeURIComponent(location)}` : '';
  return `${projectPath(project)}/jobs/${encodeURIComponent(jobId)}/cancel${query}`;
}

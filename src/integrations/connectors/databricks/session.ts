// Runs a statement on a SQL warehouse of Databricks: it is posted, waited for, and its answer read chunk by chunk.

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { keepAlive, send } from '../../http-sources/http-source.ts';
import type { RunSession } from '../assemble.ts';
import { answerTooLarge, maxAnswerBytes } from '../byte-limit.ts';
import type { QueryResult } from '../connector.ts';
import { refused, SourceRefusal, tooSlow } from '../failure.ts';
import { askDatabricks, type DatabricksApi, type DatabricksCall, parsed } from './requests.ts';
import { type DatabricksColumn, databricksValue } from './values.ts';

const chunk = z.object({
  data_array: z.array(z.array(z.string().nullable())).optional(),
  next_chunk_index: z.number().optional(),
});
const statement = z.object({
  statement_id: z.string().regex(/^[0-9A-Za-z-]{1,100}$/),
  status: z.object({
    state: z.string(),
    error: z
      .object({ error_code: z.string().optional(), message: z.string().optional() })
      .optional(),
    sql_state: z.string().optional(),
  }),
  manifest: z
    .object({
      schema: z.object({
        columns: z.array(z.object({ name: z.string(), type_name: z.string() })).default([]),
      }),
      total_row_count: z.number().optional(),
      truncated: z.boolean().optional(),
    })
    .optional(),
  result: chunk.optional(),
});
type Statement = z.infer<typeof statement>;

const firstPollMs = 200;
const longestPollMs = 5_000;
/** How long a statement that is not done is waited for before it is asked for again; 5 s at least. */
const holdSeconds = 10;

/** Each statement is a job of its own: there is nothing to keep but the connection to the address. */
export async function openDatabricks(
  api: DatabricksApi,
  warehouseId: string,
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
        { sql, warehouseId, timeoutMs },
      ),
  };
}

async function runStatement(
  call: DatabricksCall,
  { sql, warehouseId, timeoutMs }: { sql: string; warehouseId: string; timeoutMs: number },
): Promise<QueryResult> {
  let id: string | null = null;
  try {
    let answer = parsed(
      statement,
      await askDatabricks(call, 'POST', '2.0/sql/statements', {
        ...{
          warehouse_id: warehouseId,
          statement: sql,
          disposition: 'INLINE',
          format: 'JSON_ARRAY',
        },
        ...{ wait_timeout: `${holdSeconds}s`, on_wait_timeout: 'CONTINUE' },
        query_tags: [{ key: 'headwater', value: 'true' }],
      }),
    );
    id = answer.statement_id;
    const path = `2.0/sql/statements/${id}`;
    for (let wait = firstPollMs; isUnderWay(answer); wait = Math.min(wait * 2, longestPollMs)) {
      if (Date.now() + wait > call.deadline) throw tooSlow('The query', timeoutMs);
      await sleep(wait, undefined, { signal: call.signal });
      answer = parsed(statement, await askDatabricks(call, 'GET', path));
    }
    const result = await readRows(call, path, mustSucceed(answer));
    id = null;
    return result;
  } finally {
    if (id !== null) void cancel(call, id);
  }
}

const isUnderWay = ({ status }: Statement) => ['PENDING', 'RUNNING'].includes(status.state);

function mustSucceed(answer: Statement): Statement {
  const { state, error, sql_state: sqlState } = answer.status;
  if (state === 'SUCCEEDED') return answer;
  if (error) throw new SourceRefusal(error.message ?? '', sqlState || error.error_code || state);
  throw new SourceRefusal(`The statement is ${state}.`, state);
}

/** All rows: those of the answer, and of its further chunks. Throws where one is missing. */
async function readRows(
  call: DatabricksCall,
  path: string,
  { manifest, result }: Statement,
): Promise<QueryResult> {
  const columns = manifest?.schema.columns ?? [];
  if (manifest?.truncated) throw answerTooLarge();
  const rows: unknown[][] = [];
  let bytes = 0;
  for (let part = result; part; ) {
    const data = part.data_array ?? [];
    for (const row of data) rows.push(typed(row, columns));
    const next: number | undefined = part.next_chunk_index;
    if (next === undefined) break;
    const answer = await askDatabricks(call, 'GET', `${path}/result/chunks/${next}`);
    bytes += answer.body.length;
    if (bytes > maxAnswerBytes) throw answerTooLarge();
    part = parsed(chunk, answer);
    if (part.next_chunk_index !== undefined && part.next_chunk_index <= next) {
      throw refused('its chunks go in a circle.');
    }
  }
  if (rows.length !== (manifest?.total_row_count ?? rows.length)) {
    throw refused('its answer lacks rows: ask again.');
  }
  return { rows, columns: columns.map(({ name }) => name) };
}

function typed(row: readonly (string | null)[], columns: readonly DatabricksColumn[]): unknown[] {
  return columns.map((column, at) => databricksValue(row[at] ?? null, column));
}

/** Ask the server to stop what no one waits for any more. */
async function cancel({ api, source }: DatabricksCall, id: string): Promise<void> {
  const signal = AbortSignal.timeout(5_000);
  const token = await api.tokens.get(signal).catch(() => null);
  if (token === null) return;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const path = `/api/2.0/sql/statements/${id}/cancel`;
  // The session's own connection is closed by now.
  const apart = { ...source, agent: undefined };
  await send(apart, { method: 'POST', path, headers, body: '{}', signal }).catch(() => {});
}

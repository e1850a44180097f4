// Runs a statement on a SQL warehouse of Databricks: it is posted, waited for, and its answer read chunk by chunk.

import { z } from 'zod';
import {
  type ApiStatement,
  askApi,
  cancelAt,
  type HttpApi,
  type HttpCall,
  mustBeWhole,
  openStatements,
  parsed,
  whenDone,
} from '../../http-sources/http-api.ts';
import type { RunSession } from '../assemble.ts';
import { answerTooLarge, maxAnswerBytes } from '../byte-limit.ts';
import type { QueryResult } from '../connector.ts';
import { refused, SourceRefusal } from '../failure.ts';
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

/** How long a statement that is not done is waited for before it is asked for again; 5 s at least. */
const holdSeconds = 10;

/** A session on a SQL warehouse. */
export function openDatabricks(
  api: HttpApi,
  warehouseId: string,
  signal: AbortSignal,
): Promise<RunSession> {
  return openStatements(api, (call, one) => runStatement(call, warehouseId, one), signal);
}

async function runStatement(
  call: HttpCall,
  warehouseId: string,
  { sql, timeoutMs }: ApiStatement,
): Promise<QueryResult> {
  let path = '/api/2.0/sql/statements';
  let isDone = true;
  try {
    // It has no id that would keep it from running twice: it is sent again only where it was not taken.
    const posted = await askApi(call, {
      ...{ method: 'POST', path },
      body: {
        ...{ warehouse_id: warehouseId, statement: sql },
        ...{ disposition: 'INLINE', format: 'JSON_ARRAY' },
        ...{ wait_timeout: `${holdSeconds}s`, on_wait_timeout: 'CONTINUE' },
        query_tags: [{ key: 'headwater', value: 'true' }],
      },
    });
    const first = parsed(call.api, statement, posted);
    path = `${path}/${first.statement_id}`;
    isDone = false;
    const answer = await whenDone(call, timeoutMs, first, isUnderWay, async () =>
      parsed(call.api, statement, await askApi(call, { method: 'GET', path })),
    );
    const result = await readRows(call, path, mustSucceed(answer));
    isDone = true;
    return result;
  } finally {
    if (!isDone) void cancelAt(call, `${path}/cancel`);
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
  call: HttpCall,
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
    const chunkPath = `${path}/result/chunks/${next}`;
    const answer = await askApi(call, { method: 'GET', path: chunkPath });
    bytes += answer.body.length;
    if (bytes > maxAnswerBytes) throw answerTooLarge();
    part = parsed(call.api, chunk, answer);
    if (part.next_chunk_index !== undefined && part.next_chunk_index <= next) {
      throw refused('its chunks go in a circle.');
    }
  }
  mustBeWhole(rows.length, manifest?.total_row_count ?? rows.length);
  return { rows, columns: columns.map(({ name }) => name) };
}

function typed(row: readonly (string | null)[], columns: readonly DatabricksColumn[]): unknown[] {
  return columns.map((column, at) => databricksValue(row[at] ?? null, column));
}

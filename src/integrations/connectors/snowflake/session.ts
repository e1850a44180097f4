// Runs a statement on Snowflake over its SQL API: it is posted, waited for, and its answer read part by part.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Host } from '../../../network/reach.ts';
import {
  type HttpAnswer,
  type HttpSource,
  keepAlive,
  send,
} from '../../http-sources/http-source.ts';
import { retrying } from '../../http-sources/retry.ts';
import type { RunSession } from '../assemble.ts';
import { answerTooLarge, maxAnswerBytes } from '../byte-limit.ts';
import type { QueryResult } from '../connector.ts';
import { refused, SourceRefusal, tooSlow } from '../failure.ts';
import { type EncryptionSetting, encryptionOverHttp } from '../tls.ts';
import type { SnowflakeSignIn } from './key-pair.ts';
import { type SnowflakeColumn, snowflakeValue } from './values.ts';

/** Where statements run, and by whom. */
export interface SnowflakePlace {
  readonly port: number;
  readonly role: string;
  readonly warehouse: string;
  readonly ssl: EncryptionSetting;
  readonly ca?: string | undefined;
}

/** It marks the statements of this program in the history of queries. */
export const queryTag = 'headwater';

const cells = z.array(z.array(z.string().nullable()));
const failure = z.object({
  code: z.string().optional(),
  sqlState: z.string().optional(),
  message: z.string().optional(),
});
const running = z.object({ statementHandle: z.string().regex(/^[0-9A-Za-z-]{1,100}$/) });
const resultSet = running.extend({
  code: z.string().optional(),
  message: z.string().optional(),
  resultSetMetaData: z.object({
    numRows: z.number(),
    rowType: z.array(z.object({ name: z.string(), type: z.string(), scale: z.number().nullish() })),
    partitionInfo: z.array(z.object({ rowCount: z.number() })).optional(),
  }),
  data: cells.nullish(),
});
type ResultSet = z.infer<typeof resultSet>;
const partition = z.object({ data: cells });

const firstPollMs = 200;
const longestPollMs = 5_000;
/** The code of an answer that is cut because it is too large. */
const isCutCode = '391908';

/** Each statement is a job of its own: there is nothing to keep but the connection to the address. */
export function openSnowflake(
  host: Host,
  place: SnowflakePlace,
  signIn: SnowflakeSignIn,
  signal: AbortSignal,
): RunSession {
  signal.throwIfAborted();
  const cutting = new AbortController();
  const encryption = encryptionOverHttp(place.ssl, host, true);
  const source = keepAlive({ host, port: place.port, encryption, ca: place.ca });
  return {
    lasts: true,
    link: source,
    destroy() {
      cutting.abort();
      source.agent.destroy();
    },
    run: (sql, timeoutMs) =>
      runStatement(
        { source, signIn, deadline: Date.now() + timeoutMs, signal: cutting.signal },
        place,
        {
          sql,
          timeoutMs,
        },
      ),
  };
}

/** A statement under way. */
interface Call {
  readonly source: HttpSource;
  readonly signIn: SnowflakeSignIn;
  readonly deadline: number;
  readonly signal: AbortSignal;
}

async function runStatement(
  call: Call,
  { role, warehouse }: SnowflakePlace,
  { sql, timeoutMs }: { readonly sql: string; readonly timeoutMs: number },
): Promise<QueryResult> {
  const seconds = Math.max(1, Math.ceil(timeoutMs / 1_000));
  // With the same id nothing runs twice, however often it is sent.
  const id = randomUUID();
  const body = JSON.stringify({
    ...{ statement: sql, timeout: seconds, role, warehouse },
    parameters: { query_tag: queryTag, timezone: 'UTC' },
  });
  let handle: string | null = null;
  try {
    let answer = await request(
      call,
      'POST',
      (count) => {
        const again = count > 0 ? '&retry=true' : '';
        return `/api/v2/statements?requestId=${id}&async=false&nullable=true${again}`;
      },
      body,
    );
    for (let wait = firstPollMs; answer.status === 202; wait = Math.min(wait * 2, longestPollMs)) {
      const known: string = parsed(running, answer).statementHandle;
      handle = known;
      await sleep(wait, undefined, { signal: call.signal });
      answer = await request(call, 'GET', () => `/api/v2/statements/${known}`);
    }
    const result = parsed(resultSet, mustSucceed(answer, timeoutMs));
    handle = result.statementHandle;
    const rows = await readRows(call, result, answer.body.length);
    handle = null;
    return { rows, columns: result.resultSetMetaData.rowType.map(({ name }) => name) };
  } finally {
    if (handle !== null) void cancel(call, handle);
  }
}

/** All rows: those of the answer, and of its further parts. Throws where one is missing. */
async function readRows(call: Call, result: ResultSet, length: number): Promise<unknown[][]> {
  const { rowType, numRows, partitionInfo = [] } = result.resultSetMetaData;
  if (result.code === isCutCode) throw answerTooLarge();
  const rows = typed(result.data ?? [], rowType);
  let bytes = length;
  for (let part = 1; part < partitionInfo.length; part += 1) {
    const path = `/api/v2/statements/${result.statementHandle}?partition=${part}`;
    const answer = mustSucceed(await request(call, 'GET', () => path), 0);
    bytes += answer.body.length;
    if (bytes > maxAnswerBytes) throw answerTooLarge();
    for (const row of typed(parsed(partition, answer).data, rowType)) rows.push(row);
  }
  if (rows.length !== numRows) throw refused('its answer lacks rows: ask again.');
  return rows;
}

function typed(
  data: readonly (readonly (string | null)[])[],
  columns: readonly SnowflakeColumn[],
): unknown[][] {
  return data.map((row) => columns.map((column, at) => snowflakeValue(row[at] ?? null, column)));
}

function request(
  { source, signIn, deadline, signal }: Call,
  method: 'GET' | 'POST',
  path: (count: number) => string,
  body?: string,
): Promise<HttpAnswer> {
  let used = '';
  const attempt = async (count: number) => {
    used = await signIn.tokens.get(signal);
    return send(source, {
      ...{ method, path: path(count), headers: headersOf(signIn, used), signal },
      ...(body === undefined ? {} : { body }),
    });
  };
  const renew = () => signIn.tokens.forget(used);
  return retrying(attempt, { isRepeatable: true, deadline, signal, renew });
}

function headersOf(signIn: SnowflakeSignIn, token: string): Readonly<Record<string, string>> {
  return {
    authorization: `Bearer ${token}`,
    'x-snowflake-authorization-token-type': signIn.kind,
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'headwater/1',
  };
}

function mustSucceed(answer: HttpAnswer, timeoutMs: number): HttpAnswer {
  if (answer.status === 200) return answer;
  if (answer.status === 408) throw tooSlow('The query', timeoutMs);
  if (answer.status === 401 || answer.status === 403) {
    throw refused('the login is not accepted: check account, user, key or token, and role.');
  }
  if (answer.status === 404) throw refused('there is nothing at this address: check the account.');
  const said = failure.safeParse(json(answer.body)).data;
  const code = said?.sqlState || said?.code || `HTTP ${answer.status}`;
  throw new SourceRefusal(said?.message ?? answer.body, code);
}

function parsed<Fields>(schema: z.ZodType<Fields>, { body }: HttpAnswer): Fields {
  const { data } = schema.safeParse(json(body));
  if (data === undefined) throw refused('what it answers is not an answer of Snowflake.');
  return data;
}

function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Ask the server to stop what no one waits for any more. */
async function cancel({ source, signIn }: Call, handle: string): Promise<void> {
  const signal = AbortSignal.timeout(5_000);
  const token = await signIn.tokens.get(signal).catch(() => null);
  if (token === null) return;
  const path = `/api/v2/statements/${handle}/cancel`;
  const headers = headersOf(signIn, token);
  // The session's own connection is closed by now. It stops by itself after its time.
  const apart = { ...source, agent: undefined };
  await send(apart, { method: 'POST', path, headers, body: '{}', signal }).catch(() => {});
}

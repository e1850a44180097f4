// Runs a statement on Snowflake over its SQL API: it is posted, waited for, and its answer read part by part.

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { NetworkReach } from '../../../network/reach.ts';
import {
  type ApiStatement,
  askApi,
  cancelAt,
  findSource,
  type HttpApi,
  type HttpCall,
  isReason,
  jsonIn,
  mustBeWhole,
  openStatements,
  parsed,
  whenDone,
} from '../../http-sources/http-api.ts';
import type { HttpAnswer } from '../../http-sources/http-source.ts';
import type { RunSession } from '../assemble.ts';
import { answerTooLarge, maxAnswerBytes } from '../byte-limit.ts';
import type { QueryResult } from '../connector.ts';
import { refused, SourceRefusal, tooSlow } from '../failure.ts';
import type { EncryptionSetting } from '../tls.ts';
import type { SnowflakeSignIn } from './key-pair.ts';
import { type SnowflakeColumn, snowflakeValue } from './values.ts';

/** Where statements run. */
export interface SnowflakePlace {
  readonly host: string;
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

/** The code of an answer that is cut because it is too large. */
const isCutCode = '391908';
const statements = '/api/v2/statements';

/** The SQL API of an account. */
export function snowflakeApi(
  place: SnowflakePlace,
  { tokens, kind }: SnowflakeSignIn,
  reach: NetworkReach,
): HttpApi {
  return {
    ...{ name: 'Snowflake', tokens, find: () => findSource(place, reach), refusal: refusalOf },
    headers: { 'x-snowflake-authorization-token-type': kind },
  };
}

/** A session of a role on a warehouse. */
export function openSnowflake(
  api: HttpApi,
  place: SnowflakePlace,
  signal: AbortSignal,
): Promise<RunSession> {
  return openStatements(api, (call, one) => runStatement(call, place, one), signal);
}

async function runStatement(
  call: HttpCall,
  { role, warehouse }: SnowflakePlace,
  { sql, timeoutMs }: ApiStatement,
): Promise<QueryResult> {
  const seconds = Math.max(1, Math.ceil(timeoutMs / 1_000));
  // With the same id nothing runs twice, however often it is sent.
  const id = randomUUID();
  let handle: string | null = null;
  try {
    const posted = await askApi(call, {
      ...{ method: 'POST', isRepeatable: true },
      path: (count) =>
        `${statements}?requestId=${id}&async=false&nullable=true${count > 0 ? '&retry=true' : ''}`,
      body: {
        ...{ statement: sql, timeout: seconds, role, warehouse },
        parameters: { query_tag: queryTag, timezone: 'UTC' },
      },
    });
    const isUnderWay = ({ status }: HttpAnswer) => status === 202;
    const answer = await whenDone(call, timeoutMs, posted, isUnderWay, (last) => {
      handle = parsed(call.api, running, last).statementHandle;
      return askApi(call, { method: 'GET', path: `${statements}/${handle}` });
    });
    const result = parsed(call.api, resultSet, answer);
    handle = result.statementHandle;
    const rows = await readRows(call, result, answer.body.length);
    handle = null;
    return { rows, columns: result.resultSetMetaData.rowType.map(({ name }) => name) };
  } catch (error) {
    throw isReason(error, 'HTTP 408') ? tooSlow('The query', timeoutMs) : error;
  } finally {
    if (handle !== null) void cancelAt(call, `${statements}/${handle}/cancel`);
  }
}

/** All rows: those of the answer, and of its further parts. Throws where one is missing. */
async function readRows(call: HttpCall, result: ResultSet, length: number): Promise<unknown[][]> {
  const { rowType, numRows, partitionInfo = [] } = result.resultSetMetaData;
  if (result.code === isCutCode) throw answerTooLarge();
  const rows = typed(result.data ?? [], rowType);
  let bytes = length;
  for (let part = 1; part < partitionInfo.length; part += 1) {
    const path = `${statements}/${result.statementHandle}?partition=${part}`;
    const answer = await askApi(call, { method: 'GET', path });
    bytes += answer.body.length;
    if (bytes > maxAnswerBytes) throw answerTooLarge();
    for (const row of typed(parsed(call.api, partition, answer).data, rowType)) rows.push(row);
  }
  mustBeWhole(rows.length, numRows);
  return rows;
}

function typed(
  data: readonly (readonly (string | null)[])[],
  columns: readonly SnowflakeColumn[],
): unknown[][] {
  return data.map((row) => columns.map((column, at) => snowflakeValue(row[at] ?? null, column)));
}

function refusalOf({ status, body }: HttpAnswer): Error {
  if (status === 401 || status === 403) {
    return refused('the login is not accepted: check account, user, key or token, and role.');
  }
  if (status === 404) return refused('there is nothing at this address: check the account.');
  const said = failure.safeParse(jsonIn(body)).data;
  const code = status === 408 ? undefined : said?.sqlState || said?.code;
  return new SourceRefusal(said?.message ?? body, code || `HTTP ${status}`);
}

// Interfaces over HTTP that are asked with a token: requests, what is asked again, and sessions of statements.

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { standingOf } from '../../network/address.ts';
import { findHost, type NetworkReach } from '../../network/reach.ts';
import type { RunSession } from '../connectors/assemble.ts';
import type { QueryResult } from '../connectors/connector.ts';
import { refused, SourceRefusal, tooSlow } from '../connectors/failure.ts';
import { type EncryptionSetting, encryptionOverHttp } from '../connectors/tls.ts';
import { type HttpAnswer, type HttpSource, keepAlive, send } from './http-source.ts';
import { type RetryRules, retrying } from './retry.ts';
import type { MintedToken, TokenCache } from './token-cache.ts';

/** An interface: where it is, who asks, and what its answers mean. */
export interface HttpApi {
  /** What people call it, for messages. */
  readonly name: string;
  readonly tokens: TokenCache;
  /** Its address, checked now. */
  find(): Promise<HttpSource>;
  /** Headers of each request, besides those that all have. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly judge?: RetryRules['judge'];
  /** The error for an answer that is no success. */
  refusal(answer: HttpAnswer): Error;
}

/** Who waits for answers, and for how long. */
export interface HttpCall {
  readonly api: HttpApi;
  readonly source: HttpSource;
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** What is asked for. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, by how often it was sent before. */
  readonly path: string | ((count: number) => string);
  readonly body?: object;
  /** Whether it does the same however often it is sent, as a GET does. */
  readonly isRepeatable?: boolean;
}

/** Where an interface listens: always encrypted where nothing else is set. */
export async function findSource(
  place: {
    readonly host: string;
    readonly port: number;
    readonly ssl: EncryptionSetting;
    readonly ca?: string | undefined;
  },
  reach: NetworkReach,
): Promise<HttpSource> {
  const host = await findHost(place.host, reach);
  const encryption = encryptionOverHttp(place.ssl, host, true);
  return { host, port: place.port, encryption, ca: place.ca };
}

/** Where an address of the web leads. Throws for one that is not encrypted outside of private networks. */
export async function findWeb(
  { url, ca }: { readonly url: string; readonly ca?: string | undefined },
  reach: NetworkReach,
): Promise<HttpSource> {
  const { protocol, hostname, port } = new URL(url);
  const isSecure = protocol === 'https:';
  const host = await findHost(hostname, reach);
  if (!isSecure && standingOf(host.address) === 'public') {
    throw refused('outside of private networks its address has to begin with https.');
  }
  const encryption = isSecure ? 'verify-full' : 'disable';
  return { host, port: Number(port) || (isSecure ? 443 : 80), encryption, ca };
}

/** A call that is no statement, on connections of its own. */
export async function callOf(
  api: HttpApi,
  timeoutMs: number,
  signal: AbortSignal = AbortSignal.timeout(timeoutMs),
): Promise<HttpCall> {
  return { api, source: await api.find(), signal, deadline: Date.now() + timeoutMs };
}

/** Ask, with a token, and answer what was said where it is a success. */
export async function askApi(call: HttpCall, request: ApiRequest): Promise<HttpAnswer> {
  const { api, source, deadline, signal } = call;
  const { method, path, body, isRepeatable = method === 'GET' } = request;
  let used = '';
  const attempt = async (count: number) => {
    used = await api.tokens.get(signal);
    return send(source, {
      ...{ method, path: typeof path === 'string' ? path : path(count), signal },
      headers: headersOf(api, used),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  };
  const renew = () => api.tokens.forget(used);
  const { judge } = api;
  const answer = await retrying(attempt, { isRepeatable, deadline, signal, judge, renew });
  if (answer.status === 200 || answer.status === 202) return answer;
  throw api.refusal(answer);
}

function headersOf(api: HttpApi, token: string): Readonly<Record<string, string>> {
  return {
    ...{ authorization: `Bearer ${token}`, 'user-agent': 'headwater/1' },
    ...{ accept: 'application/json', 'content-type': 'application/json' },
    ...api.headers,
  };
}

/** What an answer holds. Throws where it is not one of the interface. */
export function parsed<Fields>(
  { name }: Pick<HttpApi, 'name'>,
  schema: z.ZodType<Fields>,
  { body }: HttpAnswer,
): Fields {
  const { data } = schema.safeParse(jsonIn(body));
  if (data === undefined) throw refused(`what it answers is not an answer of ${name}.`);
  return data;
}

/** A text as JSON; undefined where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether an error is a refusal that the interface calls so. */
export function isReason(error: unknown, ...reasons: string[]): boolean {
  return error instanceof SourceRefusal && reasons.includes(error.code);
}

const minted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const unminted = z.object({ error: z.string() });

/** Where tokens are made, and for what. */
export interface TokenEndpoint {
  readonly source: HttpSource;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form: Readonly<Record<string, string>>;
  /** The error for a login that is not accepted, with what the endpoint calls it. */
  refusal(said: string): Error;
}

/** A token of an endpoint of OAuth. */
export async function mintToken(
  { source, path, headers, form, refusal }: TokenEndpoint,
  signal: AbortSignal,
): Promise<MintedToken> {
  const request = {
    ...{ method: 'POST' as const, path, signal },
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  };
  const rules = { isRepeatable: true, deadline: Date.now() + 20_000, signal };
  const { status, body } = await retrying(() => send(source, request), rules);
  const { data } = minted.safeParse(jsonIn(body));
  if (data) return { token: data.access_token, lifeMs: data.expires_in * 1_000 };
  const said = unminted.safeParse(jsonIn(body)).data?.error ?? `HTTP ${status}`;
  throw refusal(said.slice(0, 60));
}

/** One statement to run. */
export interface ApiStatement {
  readonly sql: string;
  readonly timeoutMs: number;
}

/** A session of statements that are jobs of their own: there is nothing to keep but the connection to the address. */
export async function openStatements(
  api: HttpApi,
  run: (call: HttpCall, statement: ApiStatement) => Promise<QueryResult>,
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
      run(
        { api, source, deadline: Date.now() + timeoutMs, signal: cutting.signal },
        { sql, timeoutMs },
      ),
  };
}

const firstPollMs = 200;
const longestPollMs = 5_000;

/** The answer that is asked for again, after longer and longer waits, while it says that a statement is under way. */
export async function whenDone<Answer>(
  { deadline, signal }: HttpCall,
  timeoutMs: number,
  first: Answer,
  isUnderWay: (answer: Answer) => boolean,
  next: (answer: Answer) => Promise<Answer>,
): Promise<Answer> {
  let answer = first;
  for (let wait = firstPollMs; isUnderWay(answer); wait = Math.min(wait * 2, longestPollMs)) {
    if (Date.now() + wait > deadline) throw tooSlow('The query', timeoutMs);
    await sleep(wait, undefined, { signal });
    answer = await next(answer);
  }
  return answer;
}

/** Throw for an answer of which rows are missing. */
export function mustBeWhole(rows: number, said: number): void {
  if (rows !== said) throw refused('its answer lacks rows: ask again.');
}

/** Ask the server to stop what no one waits for any more. */
export async function cancelAt({ api, source }: HttpCall, path: string): Promise<void> {
  const signal = AbortSignal.timeout(5_000);
  const token = await api.tokens.get(signal).catch(() => null);
  if (token === null) return;
  const headers = headersOf(api, token);
  // The session's own connection is closed by now. Where this fails, it stops by itself after its time.
  const apart = { ...source, agent: undefined };
  await send(apart, { method: 'POST', path, headers, body: '{}', signal }).catch(() => {});
}

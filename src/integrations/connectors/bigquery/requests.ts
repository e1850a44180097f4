// BigQuery's REST interface: who signs in, requests, and what is asked again.

import { z } from 'zod';
import { CatalogError, invalidField } from '../../../errors.ts';
import { findHost, type NetworkReach } from '../../../network/reach.ts';
import { type HttpAnswer, type HttpSource, send } from '../../http-sources/http-source.ts';
import { type Repetition, retrying } from '../../http-sources/retry.ts';
import { readRsaKey, signed } from '../../http-sources/signed.ts';
import { type MintedToken, type TokenCache, tokenCache } from '../../http-sources/token-cache.ts';
import { refused, SourceRefusal } from '../failure.ts';
import { type EncryptionSetting, encryptionOverHttp } from '../tls.ts';

/** Where the interface is, and by whom it is asked. */
export interface BigQueryPlace {
  readonly project: string;
  readonly service_account: string;
  readonly host?: string | undefined;
  readonly port: number;
  readonly ssl: EncryptionSetting;
  readonly ca?: string | undefined;
}

const accountFile = z.object({
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
  token_uri: z.string().default('https://oauth2.googleapis.com/token'),
});

const minted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const unminted = z.object({ error: z.string(), error_description: z.string().optional() });
const failure = z.object({
  error: z.object({
    message: z.string().default(''),
    status: z.string().optional(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
});

const scope = 'https://www.googleapis.com/auth/bigquery';
const lifeMs = 3_600_000;
const usualHost = 'bigquery.googleapis.com';

/** How requests are made: by whom, and to where. */
export interface BigQueryApi {
  readonly tokens: TokenCache;
  /** The address of the interface, checked now. */
  find(): Promise<HttpSource>;
}

/** The interface of a service account. Throws BAD_REQUEST for a file that is none. */
export function bigQueryApi(
  place: BigQueryPlace,
  reach: NetworkReach,
  learn: (secret: string) => void,
): BigQueryApi {
  const wrong = (message: string) => invalidField('credentials.service_account', message);
  const { data: account } = accountFile.safeParse(json(place.service_account));
  if (!account) throw wrong('Use the JSON file of a key, with client_email and private_key.');
  const key = readRsaKey(account.private_key);
  if (!key) throw wrong('Its private_key cannot be read.');
  const name = place.host ?? usualHost;
  const tokenUrl = URL.canParse(account.token_uri) ? new URL(account.token_uri) : null;
  const isOwn = tokenUrl?.hostname === name;
  // Another host would be sent a signed statement of the account.
  if (!tokenUrl || !(isOwn || /\.googleapis\.com$/.test(tokenUrl.hostname))) {
    throw wrong('Its token_uri has to be below googleapis.com.');
  }
  const at = async (hostName: string, port: number, isEndpoint: boolean): Promise<HttpSource> => {
    const host = await findHost(hostName, reach);
    const ssl = isEndpoint ? place.ssl : 'verify-full';
    return {
      host,
      port,
      encryption: encryptionOverHttp(ssl, host, true),
      ca: isEndpoint ? place.ca : undefined,
    };
  };
  const mint = async (signal: AbortSignal) => {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      ...{ iss: account.client_email, scope, aud: account.token_uri },
      ...{ iat: now, exp: now + lifeMs / 1_000 },
    };
    const assertion = signed(
      key,
      claims,
      account.private_key_id ? { kid: account.private_key_id } : {},
    );
    learn(assertion);
    const source = await (isOwn ? at(name, place.port, true) : at(tokenUrl.hostname, 443, false));
    return mintAt(source, tokenUrl.pathname, assertion, signal);
  };
  return { tokens: tokenCache(mint, learn), find: () => at(name, place.port, true) };
}

async function mintAt(
  source: HttpSource,
  path: string,
  assertion: string,
  signal: AbortSignal,
): Promise<MintedToken> {
  const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const body = new URLSearchParams({ grant_type: grant, assertion }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await retrying(
    () => send(source, { method: 'POST', path, headers, body, signal }),
    { isRepeatable: true, deadline: Date.now() + 20_000, signal },
  );
  const { data } = minted.safeParse(json(answer.body));
  if (data) return { token: data.access_token, lifeMs: data.expires_in * 1_000 };
  const said = unminted.safeParse(json(answer.body)).data?.error ?? `HTTP ${answer.status}`;
  throw refused(
    `the service account is not accepted (${said.slice(0, 60)}): check its key, and the clock of this machine.`,
  );
}

/** A request of the interface. */
export interface BigQueryCall {
  readonly api: BigQueryApi;
  readonly source: HttpSource;
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** Ask, and answer what was said where it is a success. Throws SourceRefusal with the reason for anything else. */
export async function askBigQuery(
  { api, source, deadline, signal }: BigQueryCall,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<HttpAnswer> {
  let used = '';
  const attempt = async () => {
    used = await api.tokens.get(signal);
    return send(source, {
      ...{ method, path: `/bigquery/v2/${path}`, signal },
      headers: { authorization: `Bearer ${used}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  };
  const renew = () => api.tokens.forget(used);
  const answer = await retrying(attempt, {
    ...{ isRepeatable: true, deadline, signal, judge, renew },
  });
  if (answer.status === 200) return answer;
  const { data } = failure.safeParse(json(answer.body));
  throw new SourceRefusal(
    data?.error.message ?? answer.body,
    reasonOf(answer) ?? `HTTP ${answer.status}`,
  );
}

const passing = ['rateLimitExceeded', 'jobRateLimitExceeded', 'backendError', 'internalError'];

/** Throttling comes as 403, with a reason. */
function judge(answer: HttpAnswer): Repetition | undefined {
  if (answer.status < 400 || answer.status === 401) return undefined;
  const reason = reasonOf(answer);
  if (reason === undefined) return undefined;
  return passing.includes(reason) ? 'again' : 'final';
}

/** What BigQuery calls a failure. */
function reasonOf({ body }: HttpAnswer): string | undefined {
  const { data } = failure.safeParse(json(body));
  return data?.error.errors?.[0]?.reason ?? data?.error.status;
}

/** What an answer holds. Throws where it is not one of BigQuery. */
export function parsed<Fields>(schema: z.ZodType<Fields>, { body }: HttpAnswer): Fields {
  const { data } = schema.safeParse(json(body));
  if (data === undefined) throw refused('what it answers is not an answer of BigQuery.');
  return data;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether an error is a refusal that BigQuery calls so. */
export function isReason(error: unknown, ...reasons: string[]): boolean {
  return (
    error instanceof SourceRefusal &&
    reasons.includes(error.code) &&
    !(error instanceof CatalogError)
  );
}

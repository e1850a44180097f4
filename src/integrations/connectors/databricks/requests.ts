// Databricks' REST interface: who signs in, requests, and what is asked again.

import { z } from 'zod';
import { findHost, type NetworkReach } from '../../../network/reach.ts';
import {
  basicAuth,
  type HttpAnswer,
  type HttpSource,
  send,
} from '../../http-sources/http-source.ts';
import { retrying } from '../../http-sources/retry.ts';
import { type MintedToken, type TokenCache, tokenCache } from '../../http-sources/token-cache.ts';
import { refused, SourceRefusal } from '../failure.ts';
import { type EncryptionSetting, encryptionOverHttp } from '../tls.ts';

/** Where the interface is, and by whom it is asked. */
export interface DatabricksPlace {
  readonly host: string;
  readonly port: number;
  readonly auth: 'token' | 'service_principal';
  readonly token: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly ssl: EncryptionSetting;
  readonly ca?: string | undefined;
}

/** How requests are made: by whom, and to where. */
export interface DatabricksApi {
  readonly tokens: TokenCache;
  /** The address of the workspace, checked now. */
  find(): Promise<HttpSource>;
}

const minted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const failure = z.object({ error_code: z.string().optional(), message: z.string().optional() });
const yearMs = 365 * 86_400_000;

/** The interface of a workspace, as one of its users or service principals. */
export function databricksApi(
  place: DatabricksPlace,
  reach: NetworkReach,
  learn: (secret: string) => void,
): DatabricksApi {
  const find = async () => {
    const host = await findHost(place.host, reach);
    return {
      host,
      port: place.port,
      encryption: encryptionOverHttp(place.ssl, host, true),
      ca: place.ca,
    };
  };
  const mint = async (signal: AbortSignal) =>
    place.auth === 'token'
      ? { token: place.token.trim(), lifeMs: yearMs }
      : mintAt(await find(), place, signal);
  return { tokens: tokenCache(mint, learn), find };
}

async function mintAt(
  source: HttpSource,
  { client_id: id, client_secret: secret }: DatabricksPlace,
  signal: AbortSignal,
): Promise<MintedToken> {
  const headers = {
    ...basicAuth(id, secret),
    'content-type': 'application/x-www-form-urlencoded',
  };
  const body = 'grant_type=client_credentials&scope=all-apis';
  const answer = await retrying(
    () => send(source, { method: 'POST', path: '/oidc/v1/token', headers, body, signal }),
    { isRepeatable: true, deadline: Date.now() + 20_000, signal },
  );
  const { data } = minted.safeParse(json(answer.body));
  if (data) return { token: data.access_token, lifeMs: data.expires_in * 1_000 };
  throw refused('the service principal is not accepted: check client_id and client_secret.');
}

/** A request of the interface. */
export interface DatabricksCall {
  readonly api: DatabricksApi;
  readonly source: HttpSource;
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/**
 * Ask, and answer what was said where it is a success. Throws SourceRefusal for anything else. A statement has no id that
 * would keep it from running twice: it is sent again only where it was not taken.
 */
export async function askDatabricks(
  { api, source, deadline, signal }: DatabricksCall,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<HttpAnswer> {
  let used = '';
  const attempt = async () => {
    used = await api.tokens.get(signal);
    return send(source, {
      ...{ method, path: `/api/${path}`, signal },
      headers: {
        ...{ authorization: `Bearer ${used}`, 'content-type': 'application/json' },
        'user-agent': 'headwater/1',
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  };
  const renew = () => api.tokens.forget(used);
  const isRepeatable = method === 'GET';
  const answer = await retrying(attempt, { isRepeatable, deadline, signal, renew });
  if (answer.status === 200) return answer;
  if (answer.status === 401) throw refused('the login is not accepted: check the token.');
  const { data } = failure.safeParse(json(answer.body));
  const code = data?.error_code ?? `HTTP ${answer.status}`;
  throw new SourceRefusal(data?.message ?? answer.body, code);
}

/** What an answer holds. Throws where it is not one of Databricks. */
export function parsed<Fields>(schema: z.ZodType<Fields>, { body }: HttpAnswer): Fields {
  const { data } = schema.safeParse(json(body));
  if (data === undefined) throw refused('what it answers is not an answer of Databricks.');
  return data;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

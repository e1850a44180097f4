// Databricks' REST interface: who signs in, and what its answers mean.

import { z } from 'zod';
import type { NetworkReach } from '../../../network/reach.ts';
import { findSource, type HttpApi, jsonIn, mintToken } from '../../http-sources/http-api.ts';
import { basicAuth } from '../../http-sources/http-source.ts';
import { tokenCache } from '../../http-sources/token-cache.ts';
import { refused, SourceRefusal } from '../failure.ts';
import type { EncryptionSetting } from '../tls.ts';

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

const failure = z.object({ error_code: z.string().optional(), message: z.string().optional() });
const yearMs = 365 * 86_400_000;

/** The interface of a workspace, as one of its users or service principals. */
export function databricksApi(
  place: DatabricksPlace,
  reach: NetworkReach,
  learn: (secret: string) => void,
): HttpApi {
  const find = () => findSource(place, reach);
  const mint = async (signal: AbortSignal) =>
    place.auth === 'token'
      ? { token: place.token.trim(), lifeMs: yearMs }
      : mintToken(
          {
            ...{ source: await find(), path: '/oidc/v1/token' },
            headers: basicAuth(place.client_id, place.client_secret),
            form: { grant_type: 'client_credentials', scope: 'all-apis' },
            refusal: () =>
              refused('the service principal is not accepted: check client_id and client_secret.'),
          },
          signal,
        );
  return {
    ...{ name: 'Databricks', tokens: tokenCache(mint, learn), find },
    refusal({ status, body }) {
      if (status === 401) return refused('the login is not accepted: check the token.');
      const { data } = failure.safeParse(jsonIn(body));
      return new SourceRefusal(data?.message ?? body, data?.error_code ?? `HTTP ${status}`);
    },
  };
}

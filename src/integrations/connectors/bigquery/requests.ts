// BigQuery's REST interface: who signs in, and what its answers mean.

import { z } from 'zod';
import { invalidField } from '../../../errors.ts';
import type { NetworkReach } from '../../../network/reach.ts';
import { findSource, type HttpApi, jsonIn, mintToken } from '../../http-sources/http-api.ts';
import type { HttpAnswer } from '../../http-sources/http-source.ts';
import type { Repetition } from '../../http-sources/retry.ts';
import { readRsaKey, signed } from '../../http-sources/signed.ts';
import { tokenCache } from '../../http-sources/token-cache.ts';
import { refused, SourceRefusal } from '../failure.ts';
import type { EncryptionSetting } from '../tls.ts';

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

const failure = z.object({
  error: z.object({
    message: z.string().default(''),
    status: z.string().optional(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
});

const scope = 'https://www.googleapis.com/auth/bigquery';
const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const lifeSeconds = 3_600;
const usualHost = 'bigquery.googleapis.com';

/** What the paths of a project begin with. */
export const projectPath = (project: string) =>
  `/bigquery/v2/projects/${encodeURIComponent(project)}`;

/** The interface of a service account. Throws BAD_REQUEST for a file that is none. */
export function bigQueryApi(
  place: BigQueryPlace,
  reach: NetworkReach,
  learn: (secret: string) => void,
): HttpApi {
  const wrong = (message: string) => invalidField('credentials.service_account', message);
  const { data: account } = accountFile.safeParse(jsonIn(place.service_account));
  if (!account) throw wrong('Use the JSON file of a key, with client_email and private_key.');
  const key = readRsaKey(account.private_key);
  if (!key) throw wrong('Its private_key cannot be read.');
  const own = { ...place, host: place.host ?? usualHost };
  const tokenUrl = URL.canParse(account.token_uri) ? new URL(account.token_uri) : null;
  const isOwn = tokenUrl?.hostname === own.host;
  // Another host would be sent a signed statement of the account.
  if (!tokenUrl || !(isOwn || /\.googleapis\.com$/.test(tokenUrl.hostname))) {
    throw wrong('Its token_uri has to be below googleapis.com.');
  }
  const issuer = isOwn ? own : { host: tokenUrl.hostname, port: 443, ssl: 'verify-full' as const };
  const mint = async (signal: AbortSignal) => {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      ...{ iss: account.client_email, scope, aud: account.token_uri },
      ...{ iat: now, exp: now + lifeSeconds },
    };
    const { private_key_id: kid } = account;
    const assertion = signed(key, claims, kid ? { kid } : {});
    learn(assertion);
    const endpoint = {
      ...{ source: await findSource(issuer, reach), path: tokenUrl.pathname },
      form: { grant_type: grant, assertion },
      refusal: (said: string) =>
        refused(
          `the service account is not accepted (${said}): check its key, and the clock of this machine.`,
        ),
    };
    return mintToken(endpoint, signal);
  };
  return {
    ...{ name: 'BigQuery', tokens: tokenCache(mint, learn), find: () => findSource(own, reach) },
    judge,
    refusal: (answer) =>
      new SourceRefusal(
        failure.safeParse(jsonIn(answer.body)).data?.error.message ?? answer.body,
        reasonOf(answer) ?? `HTTP ${answer.status}`,
      ),
  };
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
  const { data } = failure.safeParse(jsonIn(body));
  return data?.error.errors?.[0]?.reason ?? data?.error.status;
}

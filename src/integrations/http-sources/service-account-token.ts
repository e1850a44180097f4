// Tokens of a service account of Google.

import { z } from 'zod';
import { invalidField } from '../../errors.ts';
import type { NetworkReach } from '../../network/reach.ts';
import { refused } from '../connectors/failure.ts';
import { findSource, jsonIn, mintToken } from './http-api.ts';
import { readRsaKey, signed } from './signed.ts';
import { type TokenCache, tokenCache } from './token-cache.ts';

const accountFile = z.object({
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
  token_uri: z.string().default('https://oauth2.googleapis.com/token'),
});

const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const lifeSeconds = 3_600;

/** An account, and what its tokens are for. */
export interface AccountFile {
  /** The JSON file of its key. */
  readonly file: string;
  readonly scope: string;
  /** Where the interface is that takes the tokens; tokens may be made at the same host, too. */
  readonly own: Parameters<typeof findSource>[0];
}

/** The tokens of a service account. Throws BAD_REQUEST for a file that is none. */
export function serviceAccountTokens(
  { file, scope, own }: AccountFile,
  reach: NetworkReach,
  learn: (secret: string) => void,
): TokenCache {
  const wrong = (message: string) => invalidField('credentials.service_account', message);
  const { data: account } = accountFile.safeParse(jsonIn(file));
  if (!account) throw wrong('Use the JSON file of a key, with client_email and private_key.');
  const key = readRsaKey(account.private_key);
  if (!key) throw wrong('Its private_key cannot be read.');
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
  return tokenCache(mint, learn);
}

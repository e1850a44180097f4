// Starts a real OpenID provider on the loopback, with people whose claims a test may change.

import { createServer } from 'node:http';
import { freePort } from '../../scripts/free-port.mjs';

/** What the provider says of somebody. */
export interface Claimed {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly groups?: readonly string[];
}

export interface OpenIdProvider extends AsyncDisposable {
  /** Of another site than 127.0.0.1, as a provider usually is. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** People by the name that they sign in with, which is their subject. */
  readonly people: Map<string, Claimed>;
}

const package_ = new URL('../../tools/node_modules/oidc-provider/lib/index.js', import.meta.url);

/** Start a provider that sends people back to these addresses alone. */
export async function startProvider(redirects: readonly string[]): Promise<OpenIdProvider> {
  const { default: Provider } = await import(package_.href);
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const [clientId, clientSecret] = ['headwater', 'only-for-tests-only-for-tests'];
  const people = new Map<string, Claimed>();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: redirects,
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'groups'],
    },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ['only-for-tests'] },
    findAccount: (_ctx: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, ...people.get(sub) }),
    }),
  });
  const server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    issuer,
    clientId,
    clientSecret,
    people,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

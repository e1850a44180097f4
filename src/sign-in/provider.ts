// One OpenID provider: where people are sent, and who it says that they are.

import type { Configuration, IDToken, UserInfoResponse } from 'openid-client';
import { scrubberOf } from '../secrets/redaction.ts';
import { lineOf } from '../text/text.ts';
import { providerFailed, SignInRefused } from './refused.ts';
import { isOnLoopback, type ProviderSettings } from './sign-in-settings.ts';

/** What a sign-in is begun with; all of it comes back in a sealed cookie. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE. */
  readonly verifier: string;
}

/** What a provider says of somebody. */
export interface IdentityClaims {
  readonly issuer: string;
  /** Who they are to the issuer, for good. */
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider checked the address; null where it doesn't say. */
  readonly isVerified: boolean | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly groups: readonly string[];
}

/** An OpenID provider. */
export interface OpenIdProvider {
  readonly settings: ProviderSettings;
  /** Ask it whether it is there and what it can. Throws `SignInRefused`. */
  check(): Promise<void>;
  /** Where a person is to go who wants to sign in. */
  begin(back: string): Promise<{ readonly to: URL; readonly checks: SignInChecks }>;
  /** Who came back to an address, after a sign-in that was begun with these checks. */
  finish(at: URL, checks: SignInChecks): Promise<IdentityClaims>;
}

/** A provider that does not answer in this time, in seconds, does not answer. */
const timeoutSeconds = 10;
/** What a provider says of itself is asked again after this time. */
const keptMs = 3_600_000;

/** A provider that is asked for what it is when somebody first wants to sign in. */
export function createOpenIdProvider(settings: ProviderSettings): OpenIdProvider {
  const { name, scopes } = settings;
  let found: { readonly config: Promise<Configuration>; readonly until: number } | null = null;

  function discovered(): Promise<Configuration> {
    if (found && performance.now() < found.until) return found.config;
    const config = discover(settings);
    found = { config, until: performance.now() + keptMs };
    config.catch(() => {
      found = null;
    });
    return config;
  }

  return {
    settings,
    async check() {
      await discovered();
    },
    async begin(back) {
      const config = await discovered();
      const openid = await import('openid-client');
      const verifier = openid.randomPKCECodeVerifier();
      const checks = { state: openid.randomState(), nonce: openid.randomNonce(), verifier };
      const to = openid.buildAuthorizationUrl(config, {
        redirect_uri: back,
        scope: scopes.join(' '),
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: checks.state,
        nonce: checks.nonce,
      });
      return { to, checks };
    },
    async finish(at, { state, nonce, verifier }) {
      const refusal = at.searchParams.get('error');
      if (refusal !== null && at.searchParams.get('state') === state) {
        throw refusedBy(name, refusal, at.searchParams.get('error_description'));
      }
      const config = await discovered();
      const openid = await import('openid-client');
      try {
        const tokens = await openid.authorizationCodeGrant(config, at, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const id = tokens.claims();
        if (!id) throw new Error('The answer contains no ID token.');
        mustBeForUs(id, settings.clientId);
        const more = config.serverMetadata().userinfo_endpoint
          ? await openid.fetchUserInfo(config, tokens.access_token, id.sub)
          : {};
        return claimsOf({ ...id, ...more, ...emailOf(id, more) }, id, settings.groupsClaim);
      } catch (error) {
        throw providerFailed(
          name,
          'what it said of you could not be checked. Try again; if that does not help, tell your administrator.',
          error,
          // Some say what they were sent.
          scrubberOf({ ...secretsOf(settings), state, nonce, verifier, code: codeIn(at) }),
        );
      }
    },
  };
}

/** The secret of the client, as it is and as the header of a login has it, in base64 with the client's id. */
function secretsOf({ clientSecret = '' }: ProviderSettings) {
  const inHeader = encodeURIComponent(clientSecret)
    .replace(/[-_.!~*'()]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
  return { clientSecret, inHeader };
}

function codeIn(at: URL): string {
  return at.searchParams.get('code') ?? '';
}

async function discover(settings: ProviderSettings): Promise<Configuration> {
  const { issuer, clientId, clientSecret, name } = settings;
  // Loaded only where somebody set a provider up.
  const openid = await import('openid-client');
  const auth = clientSecret === undefined ? openid.None() : authOf(clientSecret);
  try {
    const config = await openid.discovery(new URL(issuer), clientId, undefined, auth, {
      timeout: timeoutSeconds,
      execute: [
        ...(isOnLoopback(issuer) ? [openid.allowInsecureRequests] : []),
        openid.enableNonRepudiationChecks,
      ],
    });
    return config;
  } catch (error) {
    throw providerFailed(
      name,
      'it can’t be asked right now. Try again in a moment; if that does not help, tell your administrator.',
      error,
    );
  }

  /** In the way that the provider takes; the header is what every one has to. */
  function authOf(secret: string): ReturnType<typeof openid.ClientSecretPost> {
    const post = openid.ClientSecretPost(secret);
    const basic = openid.ClientSecretBasic(secret);
    return (server, client, body, headers) => {
      const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      const isBasic = ways.includes('client_secret_basic') || !ways.includes('client_secret_post');
      return (isBasic ? basic : post)(server, client, body, headers);
    };
  }
}

/** The provider itself said no; what it says is shown as text. */
function refusedBy(name: string, code: string, description: string | null): SignInRefused {
  if (code === 'access_denied') {
    return new SignInRefused(
      'provider',
      `${name} did not let you in, or you changed your mind.${saying(description)}`,
    );
  }
  return new SignInRefused(
    'provider',
    `${name} refused: ${code.slice(0, 100)}.${saying(description)}`,
    `${code}${saying(description)}`,
  );
}

function saying(description: string | null): string {
  return description ? ` It says: ${description.slice(0, 300)}` : '';
}

/** Seconds that a provider's clock may be ahead of ours. */
const clockTolerance = 300;

/** Refuse an ID token that was made for another client, or in the future: the library checks neither. */
function mustBeForUs({ azp, iat }: IDToken, clientId: string): void {
  if (azp !== undefined && azp !== clientId)
    throw new Error('The ID token is for another client (azp).');
  if (iat > Date.now() / 1_000 + clockTolerance)
    throw new Error('The ID token is of the future (iat).');
}

/** The address and whether it is verified, both from one place: one says nothing of the address of the other. */
function emailOf(id: IDToken, more: Partial<UserInfoResponse>) {
  const { email, email_verified } = more.email === undefined ? id : more;
  return { email, email_verified };
}

function claimsOf(
  all: Readonly<Record<string, unknown>>,
  { iss, sub }: IDToken,
  groupsClaim: string,
): IdentityClaims {
  const text = (name: string) => {
    const value = all[name];
    return typeof value === 'string' ? value.trim() : '';
  };
  const verified = all.email_verified;
  const [first = '', ...rest] = text('name').split(/\s+/);
  return {
    issuer: iss,
    subject: sub,
    email: text('email') || null,
    // Some say it as a text.
    isVerified: verified === undefined ? null : String(verified) === 'true',
    firstName: lineOf(text('given_name') || (text('family_name') ? '' : first)),
    lastName: lineOf(text('family_name') || (text('given_name') ? '' : rest.join(' '))),
    groups: groupsIn(all[groupsClaim]),
  };
}

/** Groups that one person may be in; what comes beyond is none of ours. */
const maxGroups = 10_000;

/** A list of names, or one name: a comma is part of it. */
function groupsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value.trim()];
  if (!Array.isArray(value)) return [];
  return value.filter((name) => typeof name === 'string').slice(0, maxGroups);
}

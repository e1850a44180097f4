// Sign-in settings: the providers of a file, read once and checked.

import { readFileSync } from 'node:fs';
import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import type { SessionLimits } from '../auth/session-limits.ts';
import { roles } from '../auth/viewer.ts';
import { messageOf } from '../errors.ts';
import { loopbackHosts } from '../network/address.ts';

/** How people sign in. */
export interface SignInSettings {
  /** Origin under which browsers reach this server; null where it is whatever they asked. */
  readonly publicUrl: string | null;
  /** Whether `X-Forwarded-Host` says what the browser asked. */
  readonly trustsProxy: boolean;
  readonly sessions: SessionLimits;
  readonly providers: readonly ProviderSettings[];
}

/** An OpenID provider, as the file describes it. */
export type ProviderSettings = z.output<typeof provider>;

/** The settings of the environment that say so; `src/config.ts` explains them. */
export interface SignInEnvironment {
  readonly PUBLIC_URL?: string | undefined;
  readonly TRUST_PROXY: boolean;
  readonly SIGN_IN_FILE?: string | undefined;
  readonly SESSION_IDLE_MINUTES: number;
  readonly SESSION_HOURS: number;
}

/** Ids that stand for something else. */
const taken = ['code', 'link'];
const maxProviders = 20;
const texts = (most: number) => z.array(z.string().min(1).max(200)).max(most);
const byGroup = <T extends z.ZodType<string>>(value: T) =>
  z.record(z.string().min(1).max(200), value);

/** Whether an issuer may be asked without TLS: only on this machine. */
export function isOnLoopback(issuer: string): boolean {
  return URL.canParse(issuer) && loopbackHosts.has(new URL(issuer).hostname);
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, search, hash, username } = new URL(text);
  const isPlain = search === '' && hash === '' && username === '';
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && isOnLoopback(text)));
}

const provider = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'Use 1 to 40 lower-case letters, digits and dashes.')
      .refine((id) => !taken.includes(id), `Use another id than ${taken.join(' and ')}.`),
    name: z.string().trim().min(1).max(60),
    issuer: z
      .string()
      .refine(isIssuer, 'Use the https address that the provider calls itself, without ? and #.'),
    clientId: z.string().min(1).max(500),
    clientSecret: z.string().min(1).max(2_000).optional(),
    clientSecretEnv: z.string().min(1).max(200).optional(),
    scopes: texts(50)
      .default(['openid', 'email', 'profile'])
      .refine(
        (all) => all.includes('openid'),
        'Add openid: without it the provider does not say who signs in.',
      ),
    allowedDomains: texts(1_000).default([]),
    trustEmail: z.boolean().default(false),
    createAccounts: z.boolean().default(false),
    linkAccounts: z.enum(['never', 'unlinked', 'any']).default('unlinked'),
    role: z.enum([...roles, 'none']).default('viewer'),
    groupsClaim: z.string().min(1).max(200).default('groups'),
    roles: byGroup(z.enum(roles)).default({}),
    teams: byGroup(z.string().min(1).max(255)).default({}),
    workspace: z.string().min(1).max(255).optional(),
  })
  .refine(({ role, roles }) => role !== 'none' || Object.keys(roles).length > 0, {
    path: ['role'],
    message: 'Set roles, or no one can sign in.',
  })
  .refine(({ clientSecret, clientSecretEnv }) => !clientSecret || !clientSecretEnv, {
    path: ['clientSecretEnv'],
    message: 'Give clientSecret or clientSecretEnv, not both.',
  });

const file = z.strictObject({
  providers: z
    .array(provider)
    .min(1)
    .max(maxProviders)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'Use each id once.'),
});

/** What the settings say. Throws an Error with a line for each that can't be used, and why. */
export function signInSettingsOf(
  settings: SignInEnvironment,
  env: Readonly<Record<string, string | undefined>>,
): SignInSettings {
  const { PUBLIC_URL, SIGN_IN_FILE, TRUST_PROXY } = settings;
  const providers = SIGN_IN_FILE === undefined ? [] : readProviders(SIGN_IN_FILE, env);
  if (providers.length > 0 && PUBLIC_URL === undefined) {
    throw unusable(
      'PUBLIC_URL',
      'it is missing: providers send people back to it, such as https://headwater.example.com',
    );
  }
  return {
    publicUrl: PUBLIC_URL ?? null,
    trustsProxy: TRUST_PROXY,
    sessions: {
      idleMs: settings.SESSION_IDLE_MINUTES * 60_000,
      maxAgeMs: settings.SESSION_HOURS * 3_600_000,
    },
    providers,
  };
}

function readProviders(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): ProviderSettings[] {
  let given: unknown;
  try {
    // Warnings show lines of the file, which may hold secrets.
    given = parse(readFileSync(path, 'utf8'), { logLevel: 'error' });
  } catch (error) {
    throw unusable('SIGN_IN_FILE', `${path} can't be read as YAML: ${yamlFault(error)}`);
  }
  const result = file.safeParse(given);
  if (!result.success) {
    const lines = result.error.issues.map(
      (issue) => `${placeOf(issue.path, given)}: ${issue.message}`,
    );
    throw unusable('SIGN_IN_FILE', `${path} can't be used:\n    ${lines.join('\n    ')}`);
  }
  return result.data.providers.map((one) => withSecret(one, env));
}

/** What is wrong, and where, without the line itself, which may hold a secret. */
function yamlFault(error: unknown): string {
  if (error instanceof YAMLParseError) {
    const [at] = error.linePos ?? [];
    return `${error.code} at line ${at?.line}, column ${at?.col}`;
  }
  const isOfFile = error instanceof Error && 'syscall' in error;
  return isOfFile
    ? error.message
    : 'an alias (*name) names nothing; quote a value that begins with *';
}

/** A provider with the secret that the environment has for it. */
function withSecret(
  one: ProviderSettings,
  env: Readonly<Record<string, string | undefined>>,
): ProviderSettings {
  const { clientSecretEnv } = one;
  if (clientSecretEnv === undefined) return one;
  const path = env[`${clientSecretEnv}_FILE`];
  const clientSecret = env[clientSecretEnv] || (path && secretIn(one.id, path));
  if (clientSecret) return { ...one, clientSecret };
  throw unusable(
    'SIGN_IN_FILE',
    `${one.id}: clientSecretEnv names ${shownName(clientSecretEnv)}, which is not set`,
  );
}

function secretIn(id: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw unusable('SIGN_IN_FILE', `${id}: ${messageOf(error)}`);
  }
}

/** A name as variables have them; anything else may be the secret itself. */
function shownName(name: string): string {
  return /^[A-Z][A-Z0-9_]*$/.test(name) ? name : 'a variable';
}

/** Where in the file something is: `providers[0].issuer`, with the id of the provider where it has one. */
function placeOf(path: readonly PropertyKey[], given: unknown): string {
  const place = path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}.${String(part)}`),
    '',
  );
  const [, index] = path;
  const id = idShape.safeParse(given);
  const name = id.success && typeof index === 'number' ? id.data.providers[index]?.id : undefined;
  return `${place.replace(/^\./, '') || 'the file'}${typeof name === 'string' ? ` (${name})` : ''}`;
}

const idShape = z.object({ providers: z.array(z.object({ id: z.unknown() }).partial()) });

function unusable(name: string, why: string): Error {
  return new Error(`Some settings cannot be used:\n  ${name}: ${why}`);
}

// The settings: read from the environment once, checked, and documented by their rules.

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from './errors.ts';
import { usualBounds } from './limits/bounds.ts';
import { nearest } from './text/nearest.ts';

/** Levels of the log, of which each says more than the one before. */
const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;

/** A whole number, in digits. */
function whole(least: number, most = Number.MAX_SAFE_INTEGER) {
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} on` : `${least} to ${most}`;
  return numberOf(/^\d{1,16}$/, least, most, `it is a whole number from ${range}`);
}

function numberOf(form: RegExp, least: number, most: number, words: string) {
  const isAllowed = (text: string) =>
    form.test(text) && Number(text) >= least && Number(text) <= most;
  return z.string().refine(isAllowed, words).transform(Number);
}

/** One of some words. */
function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, { error: `it is one of ${words.join(', ')}` });
}

const port = whole(0, 65_535);
const keptDays = whole(0, 36_500);
const bytes = whole(1024);
const flag = oneOf(['true', 'false', '1', '0', 'yes', 'no']).transform(
  (value) => value === 'true' || value === '1' || value === 'yes',
);

const serverAddress = z.string().refine(
  // Without a host, as in `postgresql://user@/database?host=/socket`, it is no URL but an address.
  (text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text.replace('@/', '@host/')),
  'it is an address such as postgresql://user:password@host:5432/database',
);
/** Whether a text is an origin as browsers send it: a scheme and a host, and no path. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

const settings = z.object({
  PORT: port.default(4000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: serverAddress.optional(),
  DATABASE_DIRECT_URL: serverAddress.optional(),
  DATABASE_READ_URL: serverAddress.optional(),
  DATABASE_PREPARED_STATEMENTS: flag.default(false),
  DATABASE_POOL: whole(3, 500).default(10),
  LINEAGE_MEMORY_MB: whole(0, 65_536).default(256),
  DURABILITY: oneOf(['full', 'relaxed']).default('full'),
  ADMIN_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'it is 16 to 200 visible ASCII characters without spaces')
    .optional(),
  OPERATOR_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{32,200}$/, 'it is 32 to 200 visible ASCII characters without spaces')
    .optional(),
  API_KEY_DAYS: whole(0, 3_650).default(365),
  SECRETS_KEY: z
    .string()
    .regex(
      /^[\x21-\x2b\x2d-\x7e]{32,200}(,[\x21-\x2b\x2d-\x7e]{32,200}){0,9}$/,
      'it is 32 to 200 visible ASCII characters, or several such keys with commas between',
    )
    .optional(),
  ALLOW_PRIVATE_HOSTS: z.string().max(10_000).default(''),
  CORS_ORIGINS: z
    .string()
    .max(10_000)
    .transform((text) => text.split(',').flatMap((origin) => origin.trim() || []))
    .refine(
      (origins) => origins.every((origin) => origin === '*' || isOrigin(origin)),
      'it is origins with commas between, such as https://app.example.com, or *',
    )
    .default([]),
  PUBLIC_URL: z
    .string()
    .refine(
      (text) => isOrigin(text) && /^https?:/.test(text),
      'it is the origin that browsers see, such as https://headwater.example.com, without a path',
    )
    .optional(),
  SIGN_IN_FILE: z.string().min(1).optional(),
  SESSION_IDLE_MINUTES: whole(5, 525_600).default(720),
  SESSION_HOURS: whole(1, 8_760).default(168),
  FILES_DIR: z.string().min(1).optional(),
  CHAT_API_BASE: z
    .string()
    .regex(/^https?:\/\/[^\s?#]+$/, 'it is an address such as https://slack.com')
    .default('https://slack.com'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/\S+$/, 'it is an address such as smtp://user:password@mail.example.com:587')
    .optional(),
  SMTP_FROM: z
    .string()
    .regex(/^[^\r\n]{3,200}$/, 'it is an email address')
    .default('headwater@localhost'),
  AUDIT_STREAM_URL: z
    .string()
    .refine(
      (text) =>
        /^(syslogs?|https?):\/\/[^\s@/]{1,2000}/.test(text) &&
        !/[\s@]/.test(text) &&
        URL.canParse(text),
      'it is an address without a login, such as syslogs://logs.example.com:6514 or https://logs.example.com/audit',
    )
    .optional(),
  AUDIT_STREAM_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,200}={0,2}$/, 'it is whsec_ and 24 to 150 bytes in base64')
    .optional(),
  RETENTION_MEASUREMENTS_DAYS: keptDays.default(400),
  RETENTION_INCIDENTS_DAYS: keptDays.default(730),
  RETENTION_ENDED_LINEAGE_DAYS: keptDays.default(180),
  RETENTION_VERSIONS_DAYS: keptDays.default(0),
  RETENTION_USAGE_DAYS: keptDays.default(400),
  RETENTION_NOTIFICATIONS_DAYS: keptDays.default(90),
  RETENTION_JOBS_DAYS: keptDays.default(30),
  RETENTION_SESSIONS_DAYS: keptDays.default(90),
  RETENTION_IMAGES_DAYS: keptDays.default(30),
  RETENTION_AUDIT_DAYS: keptDays.default(0),
  AUDIT_ARCHIVE_DIR: z.string().min(1).optional(),
  ROLE: oneOf(['all', 'api', 'worker']).default('all'),
  LOG_LEVEL: oneOf(logLevels).default('info'),
  TRUST_PROXY: flag.default(false),
  MAX_CONNECTIONS: whole(10, 1_000_000).default(2_000),
  KEEP_ALIVE_SECONDS: whole(1, 3_600).default(75),
  MAX_BODY_BYTES: bytes.default(1024 * 1024),
  MAX_UPLOAD_BYTES: bytes.default(1024 * 1024 * 1024),
  PERSISTED_OPERATIONS: z
    .string()
    .max(10_000)
    .transform((text) => text.split(',').flatMap((path) => path.trim() || []))
    .default([]),
  PERSISTED_OPERATIONS_ONLY: flag.default(false),
  REST_UNKNOWN_PARAMETERS: oneOf(['refuse', 'warn']).default('refuse'),
  MCP_WRITES: flag.default(false),
  RATE_LIMIT_WRITES_PER_MINUTE: whole(0).default(0),
  WRITE_BYTES_PER_DAY: whole(0).default(0),
  MEMBER_WRITES_PER_MINUTE: whole(0).default(120),
  MEMBER_WRITE_BYTES_PER_DAY: whole(0).default(50_000_000),
  UPLOADS_PER_MINUTE: whole(0).default(60),
  OPENLINEAGE_QUEUE_EVENTS: whole(1, 10_000_000).default(100_000),
  OPENLINEAGE_UNSEEN_DAYS: whole(1, 3_650).default(30),
  OPENLINEAGE_UNSEEN_RUNS: whole(1, 100_000).default(20),
  ALLOWED_EMAIL_DOMAINS: z
    .string()
    .max(10_000)
    .transform((text) => text.split(',').flatMap((domain) => domain.trim() || []))
    .refine(
      (domains) => domains.every((domain) => /^[^\s@,]+\.[^\s@,]+$/.test(domain)),
      'it is domains with commas between, such as example.com,example.org',
    )
    .default([]),
  REQUEST_TIMEOUT_MS: whole(100, 3_600_000).default(usualBounds.timeoutMs),
  REQUEST_DATABASE_MS: whole(100, 3_600_000).default(usualBounds.databaseMs),
  REQUESTS_PER_KEY: whole(1, 1_000).default(usualBounds.requestsPerKey),
  SUBSCRIPTIONS_PER_KEY: whole(0, 10_000).default(20),
  SUBSCRIPTION_SECONDS: whole(1, 86_400).default(900),
  SLOW_STATEMENT_MS: whole(0, 3_600_000).default(1_000),
  STATEMENT_TIMEOUT_MS: whole(100, 3_600_000).default(30_000),
  DRAIN_SECONDS: numberOf(
    /^\d{1,4}(\.\d{1,3})?$/,
    0,
    3_600,
    'it is a number of seconds from 0 to 3600',
  ).default(5),
});

/** The settings by their names in the environment. */
export type Config = z.infer<typeof settings>;

/** Names of all settings, for the page that documents them. */
export const settingNames: readonly string[] = Object.keys(settings.shape);

// Names that begin like one of ours but are none are likely typing errors: PROT=4000 helps no one.
const known = new Set(settingNames);

const secrets = [
  'ADMIN_API_KEY',
  'OPERATOR_KEY',
  'SECRETS_KEY',
  'SMTP_URL',
  'AUDIT_STREAM_URL',
  'AUDIT_STREAM_SECRET',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
] as const;
const secret = new Set<string>(secrets);

/** Names that give a file in place of a secret setting, which would be seen in the environment of the process. */
export const fileSettingNames: readonly string[] = secrets.map((name) => `${name}_FILE`);

/** The environment with what the files hold that it names, without line breaks at their ends. Notes what is wrong. */
function withFiles(
  env: Readonly<Record<string, string | undefined>>,
  wrong: { name: string; message: string }[],
): Readonly<Record<string, string | undefined>> {
  const read: Record<string, string> = {};
  for (const name of secrets) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    try {
      if (env[name]) throw new Error(`${name} is set as well`);
      read[name] = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
      if (read[name] === '') throw new Error('the file is empty');
    } catch (error) {
      wrong.push({ name: `${name}_FILE`, message: messageOf(error) });
    }
  }
  return { ...env, ...read };
}

/**
 * Read the settings. Throws an Error with a line for each setting whose value is not allowed, saying
 * what is; an empty value counts as absent.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const wrong: { name: string; message: string }[] = [];
  const given = Object.fromEntries(
    Object.entries(withFiles(env, wrong)).filter(
      ([name, value]) => known.has(name) && value !== '',
    ),
  );
  const result = settings.safeParse(given);
  for (const { path, message } of result.error?.issues ?? []) {
    wrong.push({ name: String(path[0]), message });
  }
  // Who forgot the first of them would work on another database, which lies in DATA_DIR.
  const alone = given.DATABASE_URL === undefined ? besideDatabaseUrl : [];
  for (const name of alone.filter((one) => given[one] !== undefined)) {
    wrong.push({ name, message: 'it needs DATABASE_URL as well' });
  }
  if (result.success && wrong.length === 0) return result.data;
  const lines = wrong.map(
    ({ name, message }) => `  ${name}=${show(name, given[name] ?? env[name])}: ${message}`,
  );
  const slips = unknownSettings(env).map((name) => `  ${unknownNotice(name)}`);
  throw new Error(`Some settings cannot be used:\n${[...lines, ...slips].join('\n')}`);
}

/** What says more of the server that DATABASE_URL names. */
const besideDatabaseUrl = ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const;

function show(name: string, value: string | undefined): string {
  return secret.has(name) ? '(not shown)' : JSON.stringify(value ?? '');
}

/** Unknown settings that start with HEADWATER_, or are one slip away from a name of ours. */
export function unknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(env).filter(
    (name) => !known.has(name) && (name.startsWith('HEADWATER_') || isSlip(name)),
  );
}

/** What is said of a name that is not known. */
export function unknownNotice(name: string): string {
  const meant = nearest(name.replace(/^HEADWATER_/, ''), settingNames);
  const hint = meant ? ` Did you mean ${meant}?` : '';
  return `The setting ${name} is not known and has no effect.${hint}`;
}

/** Whether two neighbouring letters of a known name were swapped, or one left out. */
function isSlip(name: string): boolean {
  return [...known].some((right) => {
    if (Math.abs(right.length - name.length) > 1 || right.length < 4) return false;
    return variants(right).has(name);
  });
}

function variants(name: string): Set<string> {
  const all = new Set<string>();
  for (let i = 0; i < name.length; i += 1) {
    all.add(name.slice(0, i) + name.slice(i + 1));
    all.add(name.slice(0, i) + name.charAt(i + 1) + name.charAt(i) + name.slice(i + 2));
  }
  all.delete(name);
  return all;
}

// The credentials that connectors need: their fields, how forms name them, and what is said when one is wrong.

import { z } from 'zod';
import { type FieldError, invalid } from '../../errors.ts';
import { namesOf } from '../../fields.ts';
import { nearest } from '../../text/nearest.ts';
import type { Credentials } from '../credentials.ts';

/** Other names by which clients know the fields of credentials. */
const aliases: Readonly<Record<string, string>> = {
  username: 'user',
  login: 'user',
  pass: 'password',
  hostname: 'host',
  server: 'host',
  dbname: 'database',
  sslmode: 'ssl',
  file: 'path',
  filename: 'path',
};

/** The ways of encrypting a connection, by what forms call them; the first is the default. */
const encryptions = {
  auto: 'Outside of private networks with a certificate for this host',
  prefer: 'Where the source offers it',
  require: 'Always',
  'verify-ca': 'Always, with a certificate that can be checked',
  'verify-full': 'Always, with a certificate for this host',
  disable: 'Never',
} as const;

/** How a form shows a field of credentials. */
interface Shown {
  readonly label: string;
  readonly isSecret?: true;
  readonly choices?: Readonly<Record<string, string>>;
}

/** All fields of credentials. A connector that needs another one adds it here. */
const known = {
  host: { label: 'Host' },
  port: { label: 'Port' },
  database: { label: 'Database' },
  catalog: { label: 'Catalog' },
  schema: { label: 'Schema' },
  user: { label: 'User' },
  password: { label: 'Password', isSecret: true },
  ssl: { label: 'Encryption', choices: encryptions },
  ca: { label: 'CA certificate (PEM)' },
  path: { label: 'File path, relative to FILES_DIR' },
} as const satisfies Readonly<Record<string, Shown>>;

/** What a connector reads of credentials: some of the known fields. */
export type CredentialFields = z.ZodObject<{
  readonly [Name in keyof typeof known]?: z.ZodType;
}>;

/** A field of credentials, as a form asks for it. */
export interface CredentialField {
  readonly name: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  /** What it may be, the default first; empty where it is free text. */
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}

/** The form of credentials. */
export function formOf(fields: CredentialFields): CredentialField[] {
  return Object.entries(known).flatMap(([name, { label, isSecret, choices }]: [string, Shown]) => {
    const schema = Object.entries(fields.shape).find(([field]) => field === name)?.[1];
    if (schema === undefined) return [];
    return {
      name,
      label,
      isRequired: !schema.safeParse(undefined).success,
      isSecret: isSecret === true,
      choices: Object.entries(choices ?? {}).map(([value, label]) => ({ value, label })),
    };
  });
}

/**
 * Check that no field of credentials is a typo of one that connectors read, such as `sll`: they would connect in another
 * way than was meant. Other names are kept, as clients of other catalogs have them. Throws BAD_REQUEST that names each,
 * and what was meant.
 */
export function checkNames(credentials: Credentials): void {
  const errors = Object.keys(credentials).flatMap((name): FieldError[] => {
    const meant = meantBy(name.toLowerCase());
    if (meant === undefined) return [];
    const message = `There is no such field. Did you mean ${meant}?`;
    return [{ field: `credentials.${name}`, message }];
  });
  if (errors.length === 0) return;
  const all = errors.map(({ field, message }) => `${field}: ${message}`).join(' ');
  throw invalid(`The credentials cannot be used. ${all}`, errors);
}

/** The field of which a name is a typo; a longer name, such as `database_role`, is one of its own. */
function meantBy(name: string): string | undefined {
  const names = [...Object.keys(known), ...Object.keys(aliases)];
  if (names.includes(name)) return undefined;
  const meant = nearest(name, names);
  return meant && !name.startsWith(meant) && !meant.startsWith(name) ? meant : undefined;
}

const isAlias = (name: string) => Object.hasOwn(aliases, name);

/**
 * Credentials as a connector needs them. Throws BAD_REQUEST naming each field that is missing or
 * wrong, and what it has to be; never what it is.
 */
export function readFields<Fields>(schema: z.ZodType<Fields>, credentials: Credentials): Fields {
  const result = schema.safeParse(named(credentials));
  if (result.success) return result.data;
  const fields = result.error.issues.map(({ path, message }) => ({
    field: ['credentials', ...path.map(String)].join('.'),
    message,
  }));
  const all = fields.map(({ field, message }) => `${field}: ${message}`).join(' ');
  throw invalid(`The credentials cannot be used. ${all}`, fields);
}

/** Credentials as a connector needs them, and the names of those that were given; null where one is missing or wrong. */
export function readableFields<Fields>(schema: z.ZodType<Fields>, credentials: Credentials) {
  const given = named(credentials);
  const { success, data } = schema.safeParse(given);
  return success ? { fields: data, names: new Set(Object.keys(given)) } : null;
}

/** Credentials by the names that connectors know them by. */
function named(credentials: Credentials): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => {
      const key = name.toLowerCase();
      return [isAlias(key) ? (aliases[key] ?? key) : key, value];
    }),
  );
}

const word = (what: string) =>
  z
    .string({ error: `It is required: ${what}.` })
    .trim()
    .min(1, `It is required: ${what}.`)
    .max(1_000, 'Use at most 1000 characters.')
    .refine((text) => !text.includes('\0'), 'Use text without U+0000.');

/** How a connection is kept from being read by others. */
const ssl = z
  .preprocess(
    (value) => (value === true ? 'require' : value === false ? 'disable' : value),
    z.enum(namesOf(encryptions), {
      error: `Use one of ${namesOf(encryptions).join(', ')}.`,
    }),
  )
  .default('auto');

/** The fields of credentials, to put those together that a connector needs. */
export const fieldOf = {
  // What is no name is not said back either: in an address there may be a password.
  host: word('the name or address of the server')
    .max(255, 'Use at most 255 characters.')
    .regex(/^[^\s/@?#]*$/, 'Use a name or an address alone, without login or path.'),
  port: (usual: number) =>
    z.coerce
      .number({ error: 'Use a port, 1 to 65535.' })
      .int('Use a port, 1 to 65535.')
      .min(1, 'Use a port, 1 to 65535.')
      .max(65_535, 'Use a port, 1 to 65535.')
      .default(usual),
  database: word('the name of the database'),
  user: word('the name of the login'),
  password: z.string('Use a string.').max(10_000, 'Use at most 10000 characters.').default(''),
  ssl,
  ca: z.string('Use a certificate in PEM form.').max(100_000, 'It is too long.').optional(),
  path: word('the path of the file, below FILES_DIR'),
  word,
} as const;

// The credentials that connectors need: their fields, and what is said when one is wrong.

import { z } from 'zod';
import { type FieldError, invalid } from '../../errors.ts';
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

/** The fields of the credentials of some source. */
const known: readonly string[] = [
  ...['host', 'port', 'database', 'catalog', 'schema', 'user', 'password', 'ssl', 'ca', 'path'],
];

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
  const names = [...known, ...Object.keys(aliases)];
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
  const named = Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => {
      const key = name.toLowerCase();
      return [isAlias(key) ? (aliases[key] ?? key) : key, value];
    }),
  );
  const result = schema.safeParse(named);
  if (result.success) return result.data;
  const fields = result.error.issues.map(({ path, message }) => ({
    field: ['credentials', ...path.map(String)].join('.'),
    message,
  }));
  const all = fields.map(({ field, message }) => `${field}: ${message}`).join(' ');
  throw invalid(`The credentials cannot be used. ${all}`, fields);
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
    z.enum(['disable', 'prefer', 'require', 'verify-ca', 'verify-full'], {
      error: 'Use disable, prefer, require, verify-ca or verify-full.',
    }),
  )
  .default('prefer');

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

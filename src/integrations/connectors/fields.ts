// The fields of credentials that connectors share, and how any field is described: once, for forms and for checks.

import { z } from 'zod';
import { namesOf } from '../../fields.ts';

/** How a form asks for a field of credentials. */
export interface FieldForm {
  readonly label: string;
  /** What to enter, in a sentence or two; empty where the label says it. */
  readonly help?: string;
  /** Whether its value opens a source: it is hidden in forms, and taken out of every message. */
  readonly isSecret?: true;
  /** Whether a value has several lines, such as a key. */
  readonly isMultiline?: true;
  /** What it may be, the default first; absent where it is free text. */
  readonly choices?: Readonly<Record<string, string>>;
  /** It is asked for only where each of these fields has one of these values; required only then, too. */
  readonly when?: Readonly<Record<string, readonly string[]>>;
  /** Whether it is required where `when` holds. */
  readonly isNeeded?: true;
}

/** How a form asks for each field. One that is not here belongs to no form. */
export const fieldForms = z.registry<FieldForm>();

/** A field of credentials: what may be in it, and how a form asks for it. */
export function field<Schema extends z.ZodType>(form: FieldForm, schema: Schema): Schema {
  // A copy of its own: two fields may share what may be in them.
  const own = schema.clone();
  fieldForms.add(own, form);
  return own;
}

/** A text of up to `most` characters that has to be there; `what` says what it is, as in "the name of the login". */
export const word = (what: string, most = 1_000) =>
  z
    .string({ error: `Required: ${what}.` })
    .trim()
    .min(1, `Required: ${what}.`)
    .max(most, `Use at most ${most} characters.`)
    .refine((text) => !text.includes('\0'), 'Use text without U+0000.');

/** A text of up to `most` characters, empty where it is not given. */
export const optionalText = (most = 10_000) =>
  z.string('Use a string.').max(most, `Use at most ${most} characters.`).default('');

/** Names or patterns: a list, or a text with commas between them. Empty where none is given. */
export const names = () =>
  z
    .preprocess(
      (value) => (typeof value === 'string' ? value.split(',') : value),
      z
        .array(z.string('Use strings.').trim().max(500, 'Use at most 500 characters each.'), {
          error: 'Use a list of names, or a text with commas between them.',
        })
        .max(1_000, 'Use at most 1000 names.'),
    )
    .transform((all) => all.filter((name) => name !== ''))
    .default([]);

/** The ways of encrypting a connection, by what forms call them; the first is the default. */
const encryptions = {
  auto: 'Verify certificate and host, except in private networks',
  prefer: 'If the server offers it',
  require: 'Always',
  'verify-ca': 'Verify certificate',
  'verify-full': 'Verify certificate and host',
  disable: 'Never',
} as const;

/** How a connection is kept from being read by others. */
const ssl = z
  .preprocess(
    (value) => (value === true ? 'require' : value === false ? 'disable' : value),
    z.enum(namesOf(encryptions), {
      error: `Use one of ${namesOf(encryptions).join(', ')}.`,
    }),
  )
  .default('auto');

const badPort = 'Use a port, 1 to 65535.';

function isPlainUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return (
    url !== null && isWeb && [url.username, url.password, url.search, url.hash].join('') === ''
  );
}

/** The fields of credentials that many sources have. */
export const fieldOf = {
  // What is no name is not said back either: in an address there may be a password.
  host: field(
    { label: 'Host' },
    word('the name or address of the server')
      .max(255, 'Use at most 255 characters.')
      .regex(/^[^\s/@?#]*$/, 'Use a name or an address alone, without login or path.'),
  ),
  /** The address of something that people open in a browser. */
  url: (product: string, example: string) =>
    field(
      { label: 'URL', help: `As in a browser, such as ${example}.` },
      word(`the address of ${product}`).refine(
        isPlainUrl,
        `Use an address such as ${example}, without login, query or fragment.`,
      ),
    ),
  port: (usual: number) =>
    field(
      { label: 'Port', help: `Leave empty for ${usual}.` },
      z.coerce
        .number({ error: badPort })
        .int(badPort)
        .min(1, badPort)
        .max(65_535, badPort)
        .default(usual),
    ),
  include: field(
    {
      label: 'Included databases and schemas',
      help: 'Such as SALES, SALES.PUBLIC or *.STAGING_*, separated by commas. Leave empty for all.',
    },
    names(),
  ),
  exclude: field(
    {
      label: 'Excluded databases and schemas',
      help: 'In the same format. Leave empty for none.',
    },
    names(),
  ),
  // Of sources that have one database.
  includeSchemas: field(
    {
      label: 'Included schemas',
      help: 'Such as public or staging_*, separated by commas. Leave empty for all.',
    },
    names(),
  ),
  excludeSchemas: field(
    { label: 'Excluded schemas', help: 'In the same format. Leave empty for none.' },
    names(),
  ),
  user: field({ label: 'User' }, word('the name of the login')),
  password: field({ label: 'Password', isSecret: true }, optionalText()),
  ssl: field({ label: 'Encryption', choices: encryptions }, ssl),
  ca: field(
    {
      label: 'CA certificate (PEM)',
      help: 'Needed if a private authority signed the certificate of the host.',
      isMultiline: true,
    },
    z
      .string('Use a certificate in PEM form.')
      .max(100_000, 'Use at most 100,000 characters.')
      .optional(),
  ),
} as const;

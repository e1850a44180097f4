// What people may read of stored credentials, and which of their secrets stay when the rest is entered again.

import type { ServerContext } from '../context.ts';
import { invalid } from '../errors.ts';
import type { Integration } from '../generated/prisma/client.ts';
import { scrubberOf } from '../secrets/redaction.ts';
import {
  type CredentialField,
  formOf,
  isAskedFor,
  namedAsRead,
  shownNames,
} from './connectors/read-fields.ts';
import { type Credentials, openCredentials, unsealCredentials } from './credentials.ts';
import { credentialsOf } from './integration-type.ts';

/** What clients are told of it. */
export const keepsSecretsHelp =
  'Whether secrets that `credentials` leaves out are the stored ones; host, user and way of signing in have to be as they were.';

/** Fields that say what is read of a source, and not where a secret goes to. */
const aboutContents: ReadonlySet<string> = new Set(['include', 'exclude']);

/**
 * The stored credentials without secrets, by the names of the form; null where none are kept. The caller has checked that
 * the viewer may manage integrations. A value that holds a password, such as an address, is left out as a whole.
 */
export function shownCredentials(
  ctx: ServerContext,
  { id, type, credentials }: Pick<Integration, 'id' | 'type' | 'credentials'>,
): Credentials | null {
  const fields = credentialsOf(type);
  if (credentials === null || !fields) return null;
  const stored = namedAsRead(unsealCredentials(ctx, id, credentials));
  const shown = shownNames(fields);
  const scrub = scrubberOf(stored, shown);
  const isPlain = (value: unknown) => scrub(JSON.stringify(value)) === JSON.stringify(value);
  return Object.fromEntries(
    formOf(fields)
      .filter(({ name }) => shown.has(name) && stored[name] !== undefined)
      .flatMap(({ name }) => (isPlain(stored[name]) ? [[name, stored[name]]] : [])),
  );
}

/**
 * Credentials with the stored secrets that they leave out. A stored secret goes only where it was entered for: with
 * another host, user or way of signing in, and whatever else says more than what is read, it has to be entered again.
 * Throws BAD_REQUEST that names each such field.
 */
export async function withStoredSecrets(
  ctx: ServerContext,
  { id, type }: Pick<Integration, 'id' | 'type'>,
  credentials: Credentials,
): Promise<Credentials> {
  const fields = credentialsOf(type);
  if (!fields) return credentials;
  const form = formOf(fields);
  const given = namedAsRead(credentials);
  const stored = namedAsRead(await openCredentials(ctx, id));
  const left = form.filter(
    (field) =>
      field.isSecret &&
      given[field.name] === undefined &&
      stored[field.name] !== undefined &&
      isAskedFor(field, form, given),
  );
  const changed = form.filter((field) => isElsewhere(field, given, stored));
  if (left.length > 0 && changed.length > 0) {
    const because = changed.map(({ label }) => label).join(', ');
    const message = `Enter it again: a stored secret is only used where it was entered for, and this changes: ${because}.`;
    throw invalid(
      left.map(({ label }) => `${label}: ${message}`).join(' '),
      left.map(({ name }) => ({ field: `credentials.${name}`, message })),
    );
  }
  return { ...given, ...Object.fromEntries(left.map(({ name }) => [name, stored[name]])) };
}

function isElsewhere(
  { name, isSecret, choices }: CredentialField,
  given: Credentials,
  stored: Credentials,
): boolean {
  if (aboutContents.has(name)) return false;
  // Of an address that is a secret itself, only another one leads elsewhere.
  if (isSecret && (name !== 'address' || given[name] === undefined)) return false;
  const usual = choices[0]?.value ?? '';
  const textOf = (value: unknown) => String(value ?? '').trim() || usual;
  return textOf(given[name]) !== textOf(stored[name]);
}

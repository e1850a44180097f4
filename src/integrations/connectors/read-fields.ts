// Credentials as a connector reads them: the form of each field, typos, and what is said when one is wrong.

import { z } from 'zod';
import { type FieldError, invalid } from '../../errors.ts';
import { nearest } from '../../text/nearest.ts';
import type { Credentials } from '../credentials.ts';
import { type FieldForm, fieldForms } from './fields.ts';

/** Other names by which clients know the fields of credentials. */
const aliases: Readonly<Record<string, string>> = {
  username: 'user',
  login: 'user',
  pass: 'password',
  pwd: 'password',
  hostname: 'host',
  server: 'host',
  dbname: 'database',
  sslmode: 'ssl',
  file: 'path',
  filename: 'path',
};

/** What a connector reads of credentials. */
export type CredentialFields = z.ZodObject;

/** A field of credentials, as a form asks for it. */
export interface CredentialField {
  readonly name: string;
  readonly label: string;
  /** What to enter; null where the label says it. */
  readonly help: string | null;
  /** Whether there is no connection without it, where `when` holds. */
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly isMultiline: boolean;
  /** What it may be, the default first; empty where it is free text. */
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** The fields and values that it is asked for with, all of them; empty where always. */
  readonly when: readonly { readonly field: string; readonly values: readonly string[] }[];
}

/** The form of credentials, in the order of the manifest. */
export function formOf(fields: CredentialFields): CredentialField[] {
  return formsIn(fields).map(([name, form, schema]) => ({
    name,
    label: form.label,
    help: form.help ?? null,
    isRequired: form.isNeeded === true || !z.safeParse(schema, undefined).success,
    isSecret: form.isSecret === true,
    isMultiline: form.isMultiline === true,
    choices: Object.entries(form.choices ?? {}).map(([value, label]) => ({ value, label })),
    when: Object.entries(form.when ?? {}).map(([field, values]) => ({ field, values })),
  }));
}

function formsIn(fields: CredentialFields): [string, FieldForm, z.core.$ZodType][] {
  return Object.entries(fields.shape).flatMap(([name, schema]) => {
    const form = fieldForms.get(schema);
    return form ? [[name, form, schema]] : [];
  });
}

/** The names of the fields whose values people may read, aliases included. */
export function shownNames(fields: CredentialFields): Set<string> {
  const shown = new Set(
    formsIn(fields).flatMap(([name, { isSecret }]) => (isSecret ? [] : [name])),
  );
  const others = Object.keys(aliases).filter((alias) => shown.has(aliases[alias] ?? ''));
  return new Set([...shown, ...others]);
}

/**
 * Check that no field of credentials is a typo of one that the connector reads, such as `sll`: it would connect in another
 * way than was meant. Other names are kept, as clients of other catalogs have them. Throws BAD_REQUEST that names each,
 * and what was meant.
 */
export function checkNames(fields: CredentialFields, credentials: Credentials): void {
  const own = Object.keys(fields.shape);
  const known = [
    ...own,
    ...Object.keys(aliases).filter((name) => own.includes(aliases[name] ?? '')),
  ];
  const errors = Object.keys(credentials).flatMap((name): FieldError[] => {
    const meant = meantBy(name.toLowerCase(), known);
    if (meant === undefined) return [];
    const message = `There is no such field. Did you mean ${meant}?`;
    return [{ field: `credentials.${name}`, message }];
  });
  if (errors.length === 0) return;
  const all = errors.map(({ field, message }) => `${field}: ${message}`).join(' ');
  throw invalid(`The credentials cannot be used. ${all}`, errors);
}

/** The field of which a name is a typo; a longer name, such as `database_role`, is one of its own. */
function meantBy(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name) || Object.hasOwn(aliases, name)) return undefined;
  const meant = nearest(name, known);
  return meant && !name.startsWith(meant) && !meant.startsWith(name) ? meant : undefined;
}

/**
 * Credentials as a connector needs them. Throws BAD_REQUEST naming each field that is missing or
 * wrong, and what it has to be; never what it is.
 */
export function readFields<Fields>(schema: z.ZodType<Fields>, credentials: Credentials): Fields {
  const given = namedAsRead(credentials);
  const result = schema.safeParse(given);
  const lacking = schema instanceof z.ZodObject ? lackingIn(schema, given) : [];
  if (result.success && lacking.length === 0) return result.data;
  const wrong = result.error?.issues ?? [];
  const fields = [
    ...wrong.map(({ path, message }) => ({
      field: ['credentials', ...path.map(String)].join('.'),
      message,
    })),
    ...lacking,
  ];
  const all = fields.map(({ field, message }) => `${field}: ${message}`).join(' ');
  throw invalid(`The credentials cannot be used. ${all}`, fields);
}

/** What is required because of the value of another field, and is not there. */
function lackingIn(fields: CredentialFields, given: Readonly<Record<string, unknown>>) {
  const form = formOf(fields);
  return form.flatMap((one): FieldError[] => {
    const { name, label, isRequired, when } = one;
    if (!isRequired || when.length === 0 || givenOf(name, form, given).trim() !== '') return [];
    if (!isAskedFor(one, form, given)) return [];
    const because = when
      .map(({ field }) => `${field} is ${givenOf(field, form, given)}`)
      .join(' and ');
    return [{ field: `credentials.${name}`, message: `Required where ${because}: ${label}.` }];
  });
}

/** Whether a field is asked for, with the values of the others. */
export function isAskedFor(
  { when }: CredentialField,
  form: readonly CredentialField[],
  given: Credentials,
): boolean {
  return when.every(({ field, values }) => values.includes(givenOf(field, form, given)));
}

/** A choice that was not made is its first. */
function givenOf(name: string, form: readonly CredentialField[], given: Credentials): string {
  return String(given[name] ?? form.find((one) => one.name === name)?.choices[0]?.value ?? '');
}

/** Credentials as a connector needs them, and the names of those that were given; null where one is missing or wrong. */
export function readableFields<Fields>(schema: z.ZodType<Fields>, credentials: Credentials) {
  const given = namedAsRead(credentials);
  const { success, data } = schema.safeParse(given);
  return success ? { fields: data, names: new Set(Object.keys(given)) } : null;
}

/** Credentials by the names that connectors know them by. */
export function namedAsRead(credentials: Credentials): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => {
      const key = name.toLowerCase();
      return [Object.hasOwn(aliases, key) ? (aliases[key] ?? key) : key, value];
    }),
  );
}

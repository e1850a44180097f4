// How files name owners: by an address, the name of a user or group, or a handle.

import { z } from 'zod';
import { foldedAddress, isAddress } from '../../people/mail-address.ts';
import { textLimits } from './json-fields.ts';

/** A name in the form in which owners are looked up: `Ana <ana@example.com>` is the address. */
export function ownerName(text: string): string {
  const [, within] = /<([^<>\s]+@[^<>\s]+)>\s*$/.exec(text) ?? [];
  const name = (within ?? text).trim();
  return isAddress(name) ? foldedAddress(name) : name;
}

const person = z.object({ email: z.unknown(), name: z.unknown() }).partial();

/**
 * The owners among some values, each once: texts, lists of them, and objects with an address or else a name. A text of
 * several addresses has commas or semicolons between them.
 */
export function ownersOf(values: readonly unknown[]): string[] {
  const names = values.flatMap(namesIn).map(ownerName);
  return [...new Set(names)].filter((name) => name !== '' && name.length <= textLimits.name);
}

function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('@') ? value.split(/[,;]/) : [value];
  if (Array.isArray(value)) return value.flatMap((one) => (Array.isArray(one) ? [] : namesIn(one)));
  const { email, name } = person.safeParse(value).data ?? {};
  const addresses = flat(email).flatMap(namesIn);
  return addresses.length > 0 ? addresses : flat(name);
}

/** The texts of a value that is one, or a list. */
function flat(value: unknown): string[] {
  return [value]
    .flat()
    .filter((one): one is string => typeof one === 'string' && one.trim() !== '');
}

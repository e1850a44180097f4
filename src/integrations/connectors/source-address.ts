// Where a source lies: an address that is the same for all who connect to it, without login or parameters.

import type { z } from 'zod';
import type { Credentials } from '../credentials.ts';
import { readableFields } from './read-fields.ts';

/** The address of a source by its credentials; null where they lack what it is made of. */
export type AddressOf = (credentials: Credentials) => string | null;

/** How the address of a source is made of its credentials, once these were checked. */
export function addressFrom<Fields>(
  fields: z.ZodType<Fields>,
  make: (given: Fields, isGiven: (name: string) => boolean) => string,
): AddressOf {
  return (credentials) => {
    const read = readableFields(fields, credentials);
    return read && make(read.fields, (name) => read.names.has(name));
  };
}

/** The address of a server; its port is written out, and its name is in small letters. */
export function serverAddress(scheme: string, { host, port }: { host: string; port: number }) {
  const name = host.toLowerCase().replace(/\.$/, '');
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

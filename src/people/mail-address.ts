// Email addresses: what one is, and when two are the same.

import { Prisma } from '../generated/prisma/client.ts';

/**
 * An address in the form that it is compared in: A to Z in lower case, everything else as it is. Other letters that
 * some function maps together, such as k and the Kelvin sign, are of other people.
 */
export function foldedAddress(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The same in SQL, as the unique index has it. */
export function folded(email: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`lower(${email} collate "C")`;
}

/** Whether a text can be an address: mail servers decide; this only keeps out what cannot be one, or looks like another. */
export function isAddress(text: string): boolean {
  return /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text) && text.normalize('NFKC') === text;
}

/** What follows on the last @ of an address. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

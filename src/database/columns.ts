// How a model's fields are read by hand-written SQL: each column under its field's name.

import { Prisma } from '../generated/prisma/client.ts';

/**
 * The select list of a model, from Prisma's own list of its fields, so that a row read by SQL has the
 * shape of Prisma's type: `columnsOf(Prisma.TagScalarFieldEnum, 't')` is `t.created_at as "createdAt", ...`.
 */
export function columnsOf(fields: Readonly<Record<string, string>>, alias: string): Prisma.Sql {
  const list = Object.values(fields).map((field) => `${alias}.${columnOf(field)} as "${field}"`);
  return Prisma.raw(list.join(', '));
}

/** The column of a field: the schema maps every camelCase field to its snake_case column. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

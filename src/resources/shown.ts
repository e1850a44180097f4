// Columns of resources that are read: those that an answer shows, where that is known.

import { columnsOf } from '../database/columns.ts';
import { Prisma, type Resource } from '../generated/prisma/client.ts';

type Column = keyof typeof Prisma.ResourceScalarFieldEnum;

/** Columns that an answer shows, by their fields; null where that is not known. */
export type Shown = ReadonlySet<string> | null;

/** All columns of a resource, read from the alias `r` with the field names of Prisma's type. */
export const resourceColumns = columnsOf(Prisma.ResourceScalarFieldEnum, 'r');

/** What is read in any case: what tells resources and their places apart. */
const always: readonly Column[] = ['id', 'workspaceId', 'kind', 'parentId'];

/**
 * Says in the definition of a field of resources which columns its resolver reads; none where it goes by the
 * id alone. Who asks for a field that says nothing, and shows no column as it is, has all of them read.
 */
export function reading(...columns: readonly Column[]): { readonly columns: readonly string[] } {
  return { columns };
}

/** Whether a record tells of which resource it is: where nothing else is shown it is taken for it, as a row would be. */
export function standsForItself(record: Partial<Resource>): record is Resource {
  return record.id !== undefined && record.workspaceId !== undefined && record.kind !== undefined;
}

/** Columns that may hold very much: they are read for no one who does not show them. */
const long: readonly Column[] = [
  ...(['definition', 'creationQuery', 'sql', 'answer'] as const),
  ...(['searchMetadata', 'displayMetadata', 'sourceMetadata'] as const),
];

/**
 * Selections that are told apart in one process. Each makes statements of its own, whose plans every
 * connection keeps; for the one who comes later all short columns are read besides those that are shown.
 */
const maxSelections = 64;
const selections = new Map<string, Prisma.Sql>();
/** The same by the set that was asked with, of which each operation has one. */
const ofSets = new WeakMap<ReadonlySet<string>, Prisma.Sql>();

/** The select list of what an answer shows, from the alias `r`. */
export function shownColumns(shown: Shown | undefined): Prisma.Sql {
  if (!shown) return resourceColumns;
  const before = ofSets.get(shown);
  if (before) return before;
  const found = selectionFor(shown);
  ofSets.set(shown, found);
  return found;
}

function selectionFor(shown: ReadonlySet<string>): Prisma.Sql {
  const columns = Object.values(Prisma.ResourceScalarFieldEnum);
  const fields = columns.filter((field) => shown.has(field) || always.includes(field));
  const known = selections.get(fields.join(' '));
  if (known) return known;
  if (selections.size < maxSelections) return selectionOf(fields);
  return selectionOf(columns.filter((field) => shown.has(field) || !long.includes(field)));
}

function selectionOf(fields: readonly Column[]): Prisma.Sql {
  const key = fields.join(' ');
  const known = selections.get(key);
  if (known) return known;
  const columns = columnsOf(Object.fromEntries(fields.map((field) => [field, field])), 'r');
  selections.set(key, columns);
  return columns;
}

const keys = new WeakMap<ReadonlySet<string>, string>();

/** The same text for equal sets. */
export function keyOf(shown: ReadonlySet<string>): string {
  const known = keys.get(shown);
  if (known !== undefined) return known;
  const key = [...shown].sort().join(' ');
  keys.set(shown, key);
  return key;
}

// Says where in an uploaded file something is wrong.

import { type CatalogError, invalid } from '../../errors.ts';

/** A spot in an uploaded file; lines and columns count from 1. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

/** The error for a field of a line; `message` says what is wrong and what would be allowed. */
export function badField(place: FilePlace, field: string, message: string): CatalogError {
  const full = `${spell(place)}: ${field} ${message}`;
  // A name of the client's own stands in quotes in the message; as the name of a field it is plain.
  return invalid(full, [{ field: field.replace(/^"(.*)"$/s, '$1'), message: full }]);
}

/** The error for a line as a whole, such as one that cannot be read. The field is the file's. */
export function badLine(place: FilePlace, message: string): CatalogError {
  const full = `${spell(place)}: ${message}`;
  return invalid(full, [{ field: place.file, message: full }]);
}

/** The error for a whole file. */
export function badFile(file: string, message: string): CatalogError {
  return invalid(`${file}: ${message}`, [{ field: file, message: `${file}: ${message}` }]);
}

/** A value as an error message shows it: as JSON, and never long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function spell({ file, line, column }: FilePlace): string {
  return column === undefined ? `${file}, line ${line}` : `${file}, line ${line}, column ${column}`;
}

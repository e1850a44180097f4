// Which databases and schemas of a source are read: patterns that include, and patterns that exclude.

import { type Extraction, titlesInKey } from '../readers/extraction.ts';

/** Decides by the names of databases and schemas. */
export interface SchemaChoice {
  /** Whether any schema of a database may be read. */
  database(name: string): boolean;
  schema(database: string, schema: string): boolean;
}

/**
 * A choice by patterns such as `SALES`, `SALES.PUBLIC` or `*.STAGING_*`, without regard to case: a star stands for any
 * letters, the first dot parts the database from the schema. All is read where nothing is included, and what is excluded
 * is not.
 */
export function chooseSchemas(
  include: readonly string[],
  exclude: readonly string[],
): SchemaChoice {
  const included = include.map(readPattern);
  const excluded = exclude.map(readPattern);
  const isIn = (database: string, schema: string | null) =>
    included.length === 0 || included.some((one) => one(database, schema));
  return {
    // A database is left out as a whole only where a pattern excludes all of its schemas.
    database: (name) => isIn(name, null) && !excluded.some((one) => one(name, '')),
    schema: (database, schema) =>
      isIn(database, schema) && !excluded.some((one) => one(database, schema)),
  };
}

/** The same for a source of one database, where a pattern without a dot is a schema. */
export function chooseSchemasOfOne(
  include: readonly string[],
  exclude: readonly string[],
): SchemaChoice {
  const whole = (pattern: string) => (pattern.includes('.') ? pattern : `*.${pattern}`);
  return chooseSchemas(include.map(whole), exclude.map(whole));
}

/** What a source says of the schemas that are chosen. */
export async function* onlyChosen(extraction: Extraction, choice: SchemaChoice): Extraction {
  for await (const piece of extraction) {
    const path = piece.is === 'resource' ? titlesInKey(piece.resource.key) : null;
    const [database = '', schema] = path ?? [];
    if (
      !path ||
      (schema === undefined ? choice.database(database) : choice.schema(database, schema))
    ) {
      yield piece;
    }
  }
}

/** Whether a pattern fits; a schema of null asks whether any schema may fit. */
function readPattern(pattern: string): (database: string, schema: string | null) => boolean {
  const dot = pattern.indexOf('.');
  const database = matcher(dot < 0 ? pattern : pattern.slice(0, dot));
  const own = dot < 0 ? '*' : pattern.slice(dot + 1);
  const fits = matcher(own);
  return (name, schema) => database(name) && (schema === null || fits(schema));
}

/** Whether a name fits a pattern in which a star stands for any letters, without regard to case. */
export function fitsGlob(glob: string, name: string): boolean {
  return matcher(glob)(name);
}

function matcher(glob: string): (name: string) => boolean {
  const parts = glob.toLowerCase().split('*');
  return (given) => {
    const name = given.toLowerCase();
    if (parts.length === 1) return name === parts[0];
    const [first = '', ...rest] = parts;
    const last = rest.pop() ?? '';
    if (name.length < first.length + last.length) return false;
    if (!name.startsWith(first) || !name.endsWith(last)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found < 0 || found + part.length > name.length - last.length) return false;
      at = found + part.length;
    }
    return at <= name.length - last.length;
  };
}

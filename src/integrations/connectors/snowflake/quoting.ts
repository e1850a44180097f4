// Names and texts as Snowflake writes them.

/** A name as an identifier, whatever is in it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** A text as a literal: a backslash escapes there. */
export const literal = (value: string): string =>
  `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

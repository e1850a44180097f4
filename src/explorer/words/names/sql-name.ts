// The name of a database, schema, table or column as SQL of its source has it.

interface Named {
  readonly kind: string;
  readonly title: string;
}

const placed = ['database', 'schema', 'table', 'column'];
/** What needs no quotes in any dialect. */
const plain = /^[a-z_][a-z0-9_]*$/i;
const ticked = ['mysql', 'mariadb', 'bigquery', 'databricks', 'spark', 'hive', 'clickhouse'];
const bracketed = ['sqlserver', 'mssql', 'fabric', 'synapse'];

function quoted(name: string, source: string): string {
  if (ticked.includes(source)) return `\`${name.replaceAll('`', '``')}\``;
  if (bracketed.includes(source)) return `[${name.replaceAll(']', ']]')}]`;
  return `"${name.replaceAll('"', '""')}"`;
}

/** Whether a source would read a name as another one where it has no quotes. PostgreSQL makes unquoted letters small. */
function isSpecial(name: string, source: string): boolean {
  return !plain.test(name) || (source === 'postgres' && /[A-Z]/.test(name));
}

/**
 * The name of a resource for SQL, after those of what it lies in, the innermost first: parts that have a dot, a blank or
 * another special letter in quotes, as the type of their source writes them. Null for what SQL has no name for.
 */
export function sqlName(
  { kind, title }: Named,
  above: readonly Named[],
  source: string | null,
): string | null {
  if (!placed.includes(kind)) return null;
  const parts = above.filter((one) => placed.includes(one.kind)).map((one) => one.title);
  return [...parts.reverse(), title]
    .map((name) => (isSpecial(name, source ?? '') ? quoted(name, source ?? '') : name))
    .join('.');
}

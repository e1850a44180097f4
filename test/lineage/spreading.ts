// A text whose columns flow through its own tables in more and more ways.

/** Statements that make so many tables of so many columns, each column of all those of the table before. */
export function spreading(tables: number, columns: number): string {
  const names = (table: number) => Array.from({ length: columns }, (_, n) => `t${table}_${n}`);
  return Array.from({ length: tables }, (_, table) => {
    const all = `coalesce(${names(table).join(', ')})`;
    const made = names(table + 1).map((name) => `${all} ${name}`);
    return `create table t${table + 1} as select ${made.join(', ')} from t${table}`;
  }).join('; ');
}

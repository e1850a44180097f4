// Follows columns through the tables that a script makes on its way, to the tables that were there.
import type {
  ColumnName,
  ColumnPair,
  OutputColumn,
  StatementLineage,
  TableName,
} from './answer.ts';

/** What a table made by the script was made of. */
interface Made {
  /** Its columns by lower-case name. */
  readonly columns: Map<string, OutputColumn>;
  readonly tables: Set<TableName>;
}

/**
 * The statements of a script with every source that the script made itself replaced by what that
 * was made of: `CREATE TEMP TABLE x AS SELECT a FROM t; INSERT INTO u SELECT a FROM x` then says
 * t.a -> u.a. Statements that only fill such tables stay, so that a caller may still keep them; it
 * tells them by `target.origin`. Statements are taken in order: only what came before counts.
 */
export function throughScriptTables(statements: readonly StatementLineage[]): StatementLineage[] {
  const made = new Map<string, Made>();
  return statements.map((statement) => {
    const outputs = statement.outputs.map((output) => followed(output, made));
    const result = {
      ...statement,
      outputs,
      sources: unique(statement.sources.flatMap((table) => tablesBehind(table, made))),
      pairs: pairsOf(outputs, statement.target),
      indirect: statement.indirect.flatMap(({ uses, ...column }) =>
        originsOf(column, made).map((origin) => ({ ...origin, uses })),
      ),
    };
    remember(result, made);
    return result;
  });
}

/** An output with the origins of its sources; without any left it is what those were. */
function followed(output: OutputColumn, made: ReadonlyMap<string, Made>): OutputColumn {
  const behind = output.sources.map((source) => madeOf(source, made));
  if (behind.every((columns) => columns === null)) return output;
  const sources = output.sources.flatMap((source) => originsOf(source, made));
  const steps = behind.flatMap((columns) => columns ?? []);
  const unresolved = [...output.unresolved, ...steps.flatMap((column) => column.unresolved)];
  const rows = steps.some(({ from }) => from === 'ROWS');
  const without = unresolved.length > 0 ? 'UNRESOLVED' : rows ? 'ROWS' : 'CONSTANT';
  return { ...output, sources, unresolved, from: sources.length > 0 ? 'COLUMNS' : without };
}

/** The columns that a source stands for in a table made by the script; null for other tables. */
function madeOf(source: ColumnName, made: ReadonlyMap<string, Made>): OutputColumn[] | null {
  const table = source.table.origin === 'SCRIPT' ? made.get(keyOf(source.table)) : undefined;
  if (!table) return null;
  const column = table.columns.get(source.column.toLowerCase()) ?? table.columns.get('*');
  if (column) return [column];
  return source.column === '*' ? [...table.columns.values()] : [];
}

function originsOf(source: ColumnName, made: ReadonlyMap<string, Made>): ColumnName[] {
  return madeOf(source, made)?.flatMap((column) => column.sources) ?? [source];
}

function tablesBehind(table: TableName, made: ReadonlyMap<string, Made>): TableName[] {
  const own = table.origin === 'SCRIPT' ? made.get(keyOf(table)) : undefined;
  return own ? [...own.tables] : [table];
}

/** A CREATE starts a table anew, everything else adds to it. */
function remember(statement: StatementLineage, made: Map<string, Made>): void {
  const { target, kind } = statement;
  if (target?.origin !== 'SCRIPT') return;
  const key = keyOf(target);
  const isNew = kind === 'CREATE_TABLE' || kind === 'CREATE_VIEW';
  const table: Made = (isNew ? undefined : made.get(key)) ?? {
    columns: new Map(),
    tables: new Set(),
  };
  for (const output of statement.outputs) {
    const name = output.column.toLowerCase();
    const before = table.columns.get(name);
    const sources = [...(before?.sources ?? []), ...output.sources];
    const unresolved = [...(before?.unresolved ?? []), ...output.unresolved];
    table.columns.set(name, { ...output, sources, unresolved });
  }
  for (const source of statement.sources) table.tables.add(source);
  made.set(key, table);
}

function pairsOf(outputs: readonly OutputColumn[], target: TableName | null): ColumnPair[] {
  const seen = new Set<string>();
  return outputs.flatMap((output) =>
    output.sources.flatMap((source) => {
      const key = [source.table.name, source.column, output.column].join('\u0000');
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ source, target: { table: target, column: output.column } }];
    }),
  );
}

function unique(tables: readonly TableName[]): TableName[] {
  return [...new Map(tables.map((table) => [keyOf(table), table])).values()];
}

function keyOf(table: TableName): string {
  return table.name.toLowerCase();
}

// Turns what was traced of a statement into the answer for it.
import type {
  ColumnName,
  ColumnPair,
  Diagnostic,
  IndirectColumn,
  OutputColumn,
  SourceColumn,
  StatementLineage,
  TableName,
  UnresolvedColumn,
} from './answer.ts';
import type { Dialect } from './dialect.ts';
import { writeExpression } from './parser.ts';
import { type Lines, placeOf, placeOfName } from './place.ts';
import {
  allSources,
  asTheyAre,
  type Column,
  type Missing,
  type Relation,
  type Sources,
} from './scope/relation.ts';
import { countsRows } from './scope/row-count.ts';
import { deepestType } from './scope/struct.ts';
import { columnOfTable, type Table, type TableColumn } from './scope/table.ts';
import { namesOfUses, type Use, type Uses } from './scope/use.ts';
import type { Piece } from './tokens/piece.ts';
import { asWritten } from './tokens/templated.ts';
import type { Effect, Trace } from './trace/trace.ts';

/** What a report needs besides the trace. */
export interface Reporting {
  readonly lines: Lines;
  readonly piece: Piece;
  readonly dialect: Dialect;
  readonly expressions: boolean;
  /** How many outputs and sources of outputs may still be given; below zero: some were left out. */
  readonly budget: { left: number };
}

/** The answer for each effect of a statement. */
export function report(trace: Trace, reporting: Reporting): StatementLineage[] {
  const unresolved = new Map<Missing, UnresolvedColumn>();
  for (const missing of trace.missing.values()) {
    const { reason } = missing;
    if (reason === 'EXTERNAL') continue;
    unresolved.set(missing, unresolvedColumn({ ...missing, reason }, reporting));
  }
  const indirect = indirectColumns(trace);
  return trace.effects.map((effect) => {
    const outputs = outputColumns(effect.relation, unresolved, reporting);
    const target = effect.target ? tableName(effect.target) : null;
    return {
      statement: reporting.piece.statement,
      ...placeOf(reporting.lines, reporting.piece.start),
      kind: effect.kind,
      target,
      sources: [...effect.sources].map(tableName),
      outputs,
      pairs: [...columnPairs(outputs, target), ...partPairs(effect.relation, target)],
      indirect: effect.kind === 'OTHER' ? [] : indirect,
      unresolved: [...unresolved.values()],
      diagnostics: diagnostics(trace, effect, reporting),
    };
  });
}

// One object for each table, so that an answer of thousands of pairs stays small on its way.
const names = new WeakMap<Table, TableName>();

function tableName(table: Table): TableName {
  const made = names.get(table);
  if (made && made.origin === table.origin) return made;
  const name = {
    path: [...table.path],
    name: table.name,
    origin: table.origin,
    id: table.known?.id ?? null,
    candidates: table.candidates.map((known) => known.id ?? known.path.join('.')),
  };
  names.set(table, name);
  return name;
}

function sourceColumns(sources: Sources): SourceColumn[] {
  const found: SourceColumn[] = [];
  for (const [source, uses] of sources) {
    if ('missing' in source) continue;
    found.push({ ...columnName(source), uses: namesOf(uses) });
  }
  return found;
}

function columnName({ table, name, fields }: TableColumn): ColumnName {
  return { table: tableName(table), column: name, ...(fields ? { fields } : {}) };
}

// One list for each combination of uses: an answer of thousands of pairs holds few of them.
const lists = new Map<Uses, readonly Use[]>();

function namesOf(uses: Uses): readonly Use[] {
  const made = lists.get(uses) ?? namesOfUses(uses);
  lists.set(uses, made);
  return made;
}

function outputColumns(
  relation: Relation,
  unresolved: ReadonlyMap<Missing, UnresolvedColumn>,
  reporting: Reporting,
): OutputColumn[] {
  const columns = [...relation.columns];
  for (const star of [...relation.open].reverse()) {
    const sources = asTheyAre(star.tables.map((table) => columnOfTable(table, '*')));
    columns.splice(star.at, 0, { name: { name: '*', quoted: false }, sources, expression: null });
  }
  const outputs: OutputColumn[] = [];
  let left = Math.min(MOST_OF_ONE, reporting.budget.left);
  for (const column of columns) {
    const size = 1 + column.sources.size;
    if (size > left) {
      reporting.budget.left = -1;
      return outputs;
    }
    left -= size;
    reporting.budget.left -= size;
    outputs.push(outputColumn(column, unresolved, reporting));
  }
  return outputs;
}

// What one statement may give, counted in outputs and their sources: more would hold up who
// receives it, and says nothing to anyone.
const MOST_OF_ONE = 10_000;

function outputColumn(
  column: Column,
  unresolved: ReadonlyMap<Missing, UnresolvedColumn>,
  reporting: Reporting,
): OutputColumn {
  const sources = sourceColumns(column.sources);
  const open: UnresolvedColumn[] = [];
  let isExternal = false;
  for (const source of column.sources.keys()) {
    const found = 'missing' in source ? unresolved.get(source) : undefined;
    if (found) open.push(found);
    if ('missing' in source && source.reason === 'EXTERNAL') isExternal = true;
  }
  const from =
    sources.length > 0
      ? 'COLUMNS'
      : open.length > 0
        ? 'UNRESOLVED'
        : isExternal
          ? 'EXTERNAL'
          : countsRows(column.expression)
            ? 'ROWS'
            : 'CONSTANT';
  const expression =
    reporting.expressions && column.expression
      ? writeExpression(column.expression, reporting.dialect)
      : null;
  return { column: asWritten(column.name.name), from, sources, unresolved: open, expression };
}

/** Source to target, each pair once. */
function columnPairs(outputs: readonly OutputColumn[], target: TableName | null): ColumnPair[] {
  const pairs: ColumnPair[] = [];
  const seen = new Map<string, Set<TableName>>();
  for (const output of outputs) {
    for (const { uses, ...source } of output.sources) {
      const { table, column, fields = [] } = source;
      const key = [column, ...fields, output.column].join('\u0000');
      const tables = seen.get(key) ?? new Set();
      if (tables.has(table)) continue;
      seen.set(key, tables.add(table));
      pairs.push({ source, uses, target: { table: target, column: output.column } });
    }
  }
  return pairs;
}

// More fields than real tables have say nothing to anyone.
const MOST_PARTS = 5_000;

/** Source to field of a column, as far as the fields of what comes out are known. */
function partPairs(relation: Relation, target: TableName | null): ColumnPair[] {
  const pairs: ColumnPair[] = [];
  const add = (parts: Relation | null | undefined, column: string, path: readonly string[]) => {
    for (const part of parts?.columns ?? []) {
      if (pairs.length >= MOST_PARTS || path.length >= deepestType) return;
      const fields = [...path, part.name.name];
      for (const { uses, ...source } of sourceColumns(part.sources)) {
        pairs.push({ source, uses, target: { table: target, column, fields } });
      }
      add(part.parts, column, fields);
    }
  };
  for (const column of relation.columns) add(column.parts, asWritten(column.name.name), []);
  return pairs;
}

function indirectColumns(trace: Trace): IndirectColumn[] {
  return [...trace.indirect].map(([column, uses]) => ({
    ...columnName(column),
    uses: namesOf(uses),
  }));
}

function unresolvedColumn(
  missing: Missing & { reason: UnresolvedColumn['reason'] },
  { lines, piece }: Reporting,
): UnresolvedColumn {
  const name = asWritten(missing.path.map((part) => part.name).join('.'));
  const candidates = missing.candidates.map((table) => table.name);
  const message =
    missing.reason === 'AMBIGUOUS'
      ? `Column '${name}' may belong to ${list(candidates)}.`
      : `No table of the query is known to have a column '${name}'.`;
  const place = placeOfName(lines, piece, missing.path);
  return { name, reason: missing.reason, message, candidates, ...place };
}

function list(candidates: readonly string[]): string {
  if (candidates.length === 0) return 'several tables';
  return candidates.length === 1 ? `${candidates[0]}` : `one of ${candidates.join(', ')}`;
}

/** The one-row table of Oracle and others, which no catalog holds. */
function isDummy(table: Table): boolean {
  return /^(?:dual|sysibm\.sysdummy1|system\.one)$/i.test(table.name);
}

function diagnostics(
  trace: Trace,
  effect: Effect,
  { lines, piece, budget }: Reporting,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  const add = (code: Diagnostic['code'], message: string, path: readonly string[] = []) => {
    const about = path.map((name) => ({ name, quoted: true }));
    found.push({ code, message, ...placeOfName(lines, piece, about) });
  };
  const tables = new Set([...effect.sources, ...(effect.target ? [effect.target] : [])]);
  for (const table of tables) {
    const last = table.path.slice(-1);
    if (table.candidates.length > 0) {
      const fits = table.candidates.map((known) => known.path.join('.'));
      add('AMBIGUOUS_TABLE', `'${table.name}' may be ${list(fits)}.`, last);
    } else if (table.origin === 'UNKNOWN' && effect.sources.has(table) && !isDummy(table)) {
      add('UNKNOWN_TABLE', `The columns of '${table.name}' are not known.`, last);
    } else if (table.caseDiffers) {
      const known = table.known?.path.join('.') ?? '';
      add('CASE_DIFFERS', `'${table.name}' was taken for '${known}'; the case differs.`, last);
    }
  }
  for (const source of allSources(effect.relation).keys()) {
    if ('missing' in source || source.name !== '*') continue;
    const message = `All columns of '${source.table.name}' flow, but they are not known.`;
    add('UNEXPANDED_STAR', message, source.table.path.slice(-1));
  }
  for (const note of trace.notes) {
    found.push({
      code: note.code,
      message: note.message,
      ...placeOfName(lines, piece, note.about),
    });
  }
  if (budget.left < 0) add('TOO_LARGE', 'There are more columns than an answer holds.');
  return found;
}

// Resolves what is written like a column and is none: variables, records, positions, hidden names.
import type { Identifier } from '../../node.ts';
import {
  asTheyAre,
  type ColumnSource,
  EMPTY_RELATION,
  joined,
  namedColumn,
  openColumn,
  type Sources,
} from '../../scope/relation.ts';
import { countsRows } from '../../scope/row-count.ts';
import { isNamed, newItem, type Scope, sameName } from '../../scope/scope.ts';
import type { Uses } from '../../scope/use.ts';
import { missing, type Trace } from '../trace.ts';
import { columnOfItem, type FoundColumn } from './column.ts';

/** What lies in no table, such as a variable that is filled elsewhere. */
export function external(trace: Trace, path: readonly Identifier[]): FoundColumn {
  return { sources: asTheyAre([missing(trace, path, 'EXTERNAL')]) };
}

/** A variable, or a field of a record: what it was filled with, as far as the text says. */
export function variable(trace: Trace, path: readonly Identifier[]): FoundColumn | null {
  const [head, field] = path;
  const key = head?.name.toLowerCase() ?? '';
  const held = trace.filled.get(key);
  if (!held) return trace.variables.has(key) ? external(trace, path) : null;
  const column = field ? namedColumn(trace.dialect, held, field) : held.columns[0];
  const sources = column?.sources ?? (field ? openColumn(held.open, field) : undefined);
  if (!sources || (sources.size === 0 && countsRows(column?.expression)))
    return external(trace, path);
  return { sources: readSources(trace, sources) };
}

/** What another statement found, read by this one: its tables, and what was missing. */
function readSources(trace: Trace, found: Sources): Sources {
  const sources = new Map<ColumnSource, Uses>();
  for (const [source, uses] of found) {
    const isMissing = 'missing' in source;
    for (const table of isMissing ? source.candidates : [source.table]) trace.sources.add(table);
    const own = isMissing ? missing(trace, source.path, source.reason, source.candidates) : source;
    sources.set(own, uses);
  }
  return sources;
}

/** DuckDB's `#1` is the first column of what FROM gives. */
export function atPosition(
  trace: Trace,
  path: readonly Identifier[],
  position: number,
  scope: Scope,
): FoundColumn {
  const all = joined(scope.items.map((item) => item.relation));
  const isSure = all.open.every((star) => star.at >= position);
  const column = isSure ? all.columns[position - 1] : undefined;
  if (column) return { sources: column.sources, column };
  return { sources: asTheyAre([missing(trace, path, 'UNKNOWN')]) };
}

/** A table's own name where it was given an alias: no engine likes it, but it says which is meant. */
export function behindAlias(
  trace: Trace,
  path: readonly Identifier[],
  from: Scope,
): FoundColumn | null {
  const qualifier = path.slice(0, -1);
  const name = path.at(-1);
  const [item, another] = from.items.filter(({ table, alias }) =>
    isNamed(newItem(EMPTY_RELATION, alias, { alias: null, path: table }), qualifier),
  );
  if (!item || another || !name || qualifier.length === 0) return null;
  return columnOfItem(trace, item, name) ?? null;
}

/** Whether a path begins with something that is surely there: an alias, a known column, a value. */
export function isKnownHead(trace: Trace, path: readonly Identifier[], from: Scope): boolean {
  const [head, second] = path;
  if (!head) return false;
  const has = (scope: Scope) =>
    scope.parameters.has(head.name.toLowerCase()) ||
    scope.aliases.has(head.name.toLowerCase()) ||
    scope.items.some(
      (item) =>
        (second && isNamed(item, [head])) ||
        (item.value && sameName(item.value, head)) ||
        namedColumn(trace.dialect, item.relation, head),
    );
  for (let scope: Scope | null = from; scope; scope = scope.outer) if (has(scope)) return true;
  return false;
}

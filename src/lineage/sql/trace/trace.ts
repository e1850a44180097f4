// Keeps what tracing one statement has found so far.
import type { Diagnostic, IndirectUse, StatementKind } from '../answer.ts';
import type { Dialect } from '../dialect.ts';
import { type Identifier, tablePath } from '../node.ts';
import {
  type ColumnSource,
  EMPTY_RELATION,
  type Missing,
  merged,
  type Relation,
  relationOf,
  type Sources,
} from '../scope/relation.ts';
import {
  columnOfTable,
  type Table,
  type TableColumn,
  type Tables,
  tableAt,
} from '../scope/table.ts';
import { type Uses, usesOf } from '../scope/use.ts';

/** One statement being traced. */
export interface Trace {
  readonly dialect: Dialect;
  readonly tables: Tables;
  /** Variables and parameters of the procedure around it, in lower case: they are no columns. */
  readonly variables: ReadonlySet<string>;
  /** What variables, records and cursors of the text were filled with so far, by lower-case name. */
  readonly filled: Map<string, Relation>;
  /** In a procedure, where SELECT INTO fills variables. */
  readonly procedural: boolean;
  /** In a branch or a loop, so that what variables held before may stay. */
  readonly isBranch: boolean;
  readonly sources: Set<Table>;
  readonly indirect: Map<TableColumn, Uses>;
  /** By reason and name, so that each is said once. */
  readonly missing: Map<string, Missing>;
  readonly notes: Note[];
  /** What statements inside the statement do: changes within a CTE, the branches of INSERT ALL. */
  readonly effects: Effect[];
  /** What the RETURNING of a change gives, where it is a statement of its own. */
  returned?: Relation;
}

/** A diagnostic that still needs its place. */
export interface Note {
  readonly code: Diagnostic['code'];
  readonly message: string;
  /** The name to look for in the text; empty for the statement as a whole. */
  readonly about: readonly Identifier[];
}

/** One target written by a statement. */
export interface Effect {
  readonly kind: StatementKind;
  readonly target: Table | null;
  /** What flows into the target, under the target's column names. */
  readonly relation: Relation;
  /** The target counts as read only when it was read. */
  readonly sources: ReadonlySet<Table>;
}

export function openTrace(
  tables: Tables,
  filled: Map<string, Relation>,
  variables: ReadonlySet<string> = new Set(),
  procedural = false,
  isBranch = false,
): Trace {
  return {
    dialect: tables.dialect,
    tables,
    variables,
    filled,
    procedural,
    isBranch,
    sources: new Set(),
    indirect: new Map(),
    missing: new Map(),
    notes: [],
    effects: [],
  };
}

/** A table that is read: it becomes a source of the statement. */
export function readTable(trace: Trace, path: readonly Identifier[]): Relation {
  if (path.length === 0) return EMPTY_RELATION;
  const table = tableAt(trace.tables, path);
  trace.sources.add(table);
  return relationOf(table);
}

/** A table that is written, without counting as read. */
export function targetTable(trace: Trace, table: unknown): Table | null {
  const path = tablePath(table);
  return path.length === 0 ? null : tableAt(trace.tables, path);
}

const DECIDES_WITHIN = usesOf('WINDOW', 'CONDITIONAL');

/** Add to what decides about rows; a window or condition on the way there is reported, too. */
export function addIndirect(trace: Trace, sources: Sources, use: IndirectUse): void {
  for (const [source, uses] of sources) {
    if ('missing' in source) continue;
    const known = trace.indirect.get(source) ?? 0;
    trace.indirect.set(source, known | usesOf(use) | (uses & DECIDES_WITHIN));
  }
}

/** A column that can't be determined; the same one is handed back for the same reason and name. */
export function missing(
  trace: Trace,
  path: readonly Identifier[],
  reason: Missing['reason'],
  candidates: readonly Table[] = [],
): Missing {
  const key = `${reason} ${path.map((part) => part.name).join('.')}`.toLowerCase();
  const seen = trace.missing.get(key);
  if (seen) return seen;
  const made: Missing = { missing: true, path, reason, candidates };
  trace.missing.set(key, made);
  return made;
}

/**
 * What a variable is filled with. A column that the catalog lacks is one of the only table that the statement reads; of
 * several it is missing, and whatever reads the variable reads them.
 */
export function heldSources({ sources: tables }: Trace, sources: Sources): Sources {
  const [only, another] = tables;
  const held = new Map<ColumnSource, Uses>();
  for (const [source, uses] of sources) {
    const name = 'missing' in source && source.reason === 'UNKNOWN' ? source.path.at(-1) : null;
    const known = name && only && !another ? columnOfTable(only, name.name) : source;
    const isOpen = 'missing' in known && known.candidates.length === 0;
    held.set(isOpen ? { ...known, candidates: [...tables] } : known, uses);
  }
  return held;
}

/** A variable is filled: what reads it later reads what it was made of. */
export function assign(
  trace: Trace,
  name: Identifier,
  sources: Sources,
  expression: unknown,
): void {
  const key = name.name.toLowerCase();
  const held = heldSources(trace, sources);
  const made: Relation = { columns: [{ name, sources: held, expression }], open: [] };
  const before = trace.isBranch ? trace.filled.get(key) : undefined;
  trace.filled.set(key, before ? merged(before, made, false) : made);
}

export function note(trace: Trace, made: Note): void {
  trace.notes.push(made);
}

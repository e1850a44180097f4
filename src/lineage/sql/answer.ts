// The shapes in which the engine is asked and answers: what callers store, show and compare.
import type { DialectName } from './dialect.ts';
import type { Use } from './scope/use.ts';

/** A text of SQL to trace. */
export interface SqlQuestion {
  sql: string;
  /** A dialect's name or alias (`postgresql`, `mssql`); see `dialect.ts`. */
  dialect: string;
  /** Put before names of one or two parts. */
  defaultDatabase?: string | null | undefined;
  /** Put before names of one part. */
  defaultSchema?: string | null | undefined;
  /** What `{{ this }}` stands for: the table that the text makes, outermost part first. */
  self?: readonly string[] | undefined;
  /** Also write out the expression that makes each output column. */
  expressions?: boolean | undefined;
}

/** A table that the caller knows, with its columns in order. */
export interface KnownTable {
  /** The caller's own id, handed back in the answer. */
  id?: string;
  /** Outermost part first: `['warehouse', 'public', 'orders']`. */
  path: readonly string[];
  columns: readonly string[];
  /** The columns' types, in the same order: they name the fields of nested columns. */
  types?: readonly (string | null)[];
  /** The fields of the columns, in the same order, where the caller knows better than their types. */
  fields?: readonly (readonly KnownField[] | null)[];
  /** Wins where several tables of the same name are known: the integration the query belongs to. */
  preferred?: boolean;
}

/** A field of a nested column: of its value, or of the elements of it. */
export interface KnownField {
  readonly name: string;
  readonly fields: readonly KnownField[] | null;
}

/**
 * Asked once for all names that a text mentions, with the defaults put before them, outermost
 * part first. Answers every table whose path ends in such a name or is its ending; the engine
 * decides which one is meant, so more is no harm.
 */
export type Lookup = (names: string[][]) => readonly KnownTable[] | Promise<readonly KnownTable[]>;

/** What a text of SQL reads and writes. */
export interface SqlLineage {
  dialect: DialectName;
  /** Equal for texts that differ in blanks, comments, case of keywords or literals only. */
  fingerprint: string;
  /** In the order of the text; a statement that writes several tables has an entry for each. */
  statements: StatementLineage[];
  /** What is no SQL. Callers that want all or nothing refuse the text when there is one. */
  errors: SqlError[];
}

/** What one statement does to one target. */
export interface StatementLineage extends TextPlace {
  /** Which statement of the text, from 1. */
  statement: number;
  kind: StatementKind;
  /** The table written; null for a query and for statements that write none. */
  target: TableName | null;
  /** Every table read, also those without a column pair (`count(*)`, EXISTS). */
  sources: TableName[];
  /** The columns that come out, in order. */
  outputs: OutputColumn[];
  /** Column to column, also field to field, each once. A column `*` stands for all columns of a table not known. */
  pairs: ColumnPair[];
  /** Columns that decide which rows come out, or how they are grouped, joined and sorted. */
  indirect: IndirectColumn[];
  unresolved: UnresolvedColumn[];
  diagnostics: Diagnostic[];
}

export type StatementKind =
  | 'SELECT'
  | 'INSERT'
  | 'CREATE_TABLE'
  | 'CREATE_VIEW'
  | 'UPDATE'
  | 'MERGE'
  | 'DELETE'
  | 'COPY'
  | 'ALTER_TABLE'
  | 'DROP'
  | 'OTHER';

/** A table as the statement names it, with defaults, and what is known of it. */
export interface TableName {
  /** Outermost part first, spelled as written. */
  path: string[];
  /** The path with dots. */
  name: string;
  /** CATALOG: one of the caller's; SCRIPT: made by an earlier statement; UNKNOWN: neither. */
  origin: 'CATALOG' | 'SCRIPT' | 'UNKNOWN';
  /** The caller's id, when it gave one. */
  id: string | null;
  /** The ids (or names) of several tables that fit equally well; none of them is picked. */
  candidates: string[];
}

export interface ColumnName {
  table: TableName;
  column: string;
  /** Which part of a nested column, outermost field first; absent for the column as a whole. */
  fields?: readonly string[];
}

/** A column that a value is made of. */
export interface SourceColumn extends ColumnName {
  /** How the value is made of it; windows, conditions and filters within the expression included. */
  uses: readonly Use[];
}

export interface ColumnPair {
  source: ColumnName;
  /** Of all statements' ways from the one to the other. */
  uses: readonly Use[];
  /** Table null: the column comes out of a query that writes nothing. */
  target: { table: TableName | null; column: string; fields?: readonly string[] };
}

/** One column that comes out, and where it comes from. */
export interface OutputColumn {
  column: string;
  /**
   * COLUMNS: has sources. CONSTANT: made from literals, parameters or functions without columns.
   * ROWS: made from rows alone, such as `count(*)`. EXTERNAL: made from what lies in no table, such
   * as a staged file or a variable. UNRESOLVED: see `unresolved`.
   */
  from: 'COLUMNS' | 'CONSTANT' | 'ROWS' | 'EXTERNAL' | 'UNRESOLVED';
  sources: SourceColumn[];
  unresolved: UnresolvedColumn[];
  /** The expression that makes it, when asked for; null for a column handed on as it is. */
  expression: string | null;
}

/** What a column may decide about rows. */
export type IndirectUse = Extract<Use, 'FILTER' | 'JOIN' | 'GROUP_BY' | 'SORT'>;

export interface IndirectColumn extends ColumnName {
  /** One IndirectUse at least, and WINDOW or CONDITIONAL where it decides within one. */
  uses: readonly Use[];
}

/** A column whose table can't be determined, with the reason. */
export interface UnresolvedColumn extends TextPlace {
  /** As written, with its qualifier. */
  name: string;
  /** AMBIGUOUS: several tables may have it. UNKNOWN: none has it, or none was there to look in. */
  reason: 'AMBIGUOUS' | 'UNKNOWN';
  message: string;
  /** The names of the tables that may have it. */
  candidates: string[];
}

/** Something to know about a statement that is no error. */
export interface Diagnostic extends TextPlace {
  code:
    | 'UNKNOWN_TABLE'
    | 'AMBIGUOUS_TABLE'
    | 'UNEXPANDED_STAR'
    | 'SKIPPED'
    | 'REWRITTEN'
    | 'INCOMPLETE'
    | 'CASE_DIFFERS'
    | 'TOO_LARGE';
  message: string;
}

/** Why a statement is refused. */
export interface SqlError extends TextPlace {
  /** Which statement of the text, from 1. */
  statement: number;
  message: string;
  /** What the parser would have taken, when it says so. */
  expected: string | null;
}

/** Line and column in the text, both from 1. */
export interface TextPlace {
  line: number;
  column: number;
}

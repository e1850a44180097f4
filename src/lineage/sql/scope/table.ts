// Decides which table a name means: one the caller knows, one the script made, or an unknown one.
import type { KnownField, KnownTable } from '../answer.ts';
import type { Dialect } from '../dialect.ts';
import type { Identifier } from '../node.ts';
import { asWritten, isAnywhere, isTemplate, isThis, mayBe } from '../tokens/templated.ts';
import type { Defaults } from './default-names.ts';
import { deepestType, fieldsOf } from './struct.ts';

/** A table that a statement mentions; one object for each table of a text. */
export interface Table {
  /** With defaults put before it, spelled as first written. */
  path: readonly string[];
  name: string;
  origin: 'CATALOG' | 'SCRIPT' | 'UNKNOWN';
  known: KnownTable | null;
  /** All columns in order, or null when they aren't known. */
  columns: readonly string[] | null;
  /** The fields of columns that a script made, in the order of the columns. */
  fields: readonly (readonly KnownField[] | null)[] | null;
  /** Several tables that fit equally well. */
  candidates: readonly KnownTable[];
  /** Whether the name fits but for the case of its letters. */
  caseDiffers: boolean;
  /** Its columns that were used, by lower-case name. */
  readonly used: Map<string, TableColumn>;
}

export interface TableColumn {
  readonly table: Table;
  readonly name: string;
  /** Which part of it, outermost field first; absent for the column as a whole. */
  readonly fields?: readonly string[];
}

/** The tables of one text. */
export interface Tables {
  readonly dialect: Dialect;
  /** Those of the statement under way: USE changes them. */
  defaults: Defaults;
  /** What `{{ this }}` stands for. */
  readonly self: readonly string[] | null;
  readonly known: ReadonlyMap<string, readonly KnownTable[]>;
  readonly mentioned: Map<string, Table>;
  /** The tables that statements so far have written. */
  readonly written: Set<Table>;
}

export function openTables(
  dialect: Dialect,
  defaults: Defaults,
  known: readonly KnownTable[],
  self: readonly string[] | null = null,
): Tables {
  const byLastName = new Map<string, KnownTable[]>();
  for (const table of known) {
    const key = table.path.at(-1)?.toLowerCase() ?? '';
    const list = byLastName.get(key);
    if (list) list.push(table);
    else byLastName.set(key, [table]);
  }
  return {
    dialect,
    defaults,
    self,
    known: byLastName,
    mentioned: new Map(),
    written: new Set(),
  };
}

/** The table a path means. The same path gives the same object. */
export function tableAt(tables: Tables, path: readonly Identifier[]): Table {
  const own = selfNamed(tables, path);
  const full = own ?? withDefaults(path, tables.defaults);
  const key = full.map((part) => folded(tables.dialect, part)).join('\u0000');
  const seen = tables.mentioned.get(key);
  if (seen) return seen;

  const match = own ? knownTable(tables, full) : foundAlongPath(tables, path, full);
  const names = (match.along ?? full).map((part) => asWritten(part.name));
  const table: Table = {
    path: names,
    name: names.join('.'),
    origin: match.known ? 'CATALOG' : 'UNKNOWN',
    known: match.known,
    columns: match.known && match.known.columns.length > 0 ? match.known.columns : null,
    fields: null,
    candidates: match.candidates,
    caseDiffers: match.caseDiffers,
    used: new Map(),
  };
  tables.mentioned.set(key, table);
  return table;
}

/** Of a name without schema, the first table that the schemas of the search path have. */
function foundAlongPath(
  tables: Tables,
  path: readonly Identifier[],
  full: readonly Identifier[],
): Match {
  const match = knownTable(tables, full);
  if (match.known || path.length > 1) return match;
  for (const schema of tables.defaults.further ?? []) {
    const along = withDefaults(path, { ...tables.defaults, schema });
    const found = knownTable(tables, along);
    if (found.known) return { ...found, along };
  }
  return match;
}

/** Remember what a script made; later statements see these columns (null: not known), with their fields. */
export function defineTable(
  table: Table,
  columns: readonly string[] | null,
  fields: Table['fields'] = null,
): void {
  table.origin = 'SCRIPT';
  table.columns = columns;
  table.fields = fields;
  table.caseDiffers = false;
  table.candidates = [];
}

/**
 * A table that the script wrote goes on under another name, also where it was named before: what
 * was written to `orders_new` ends in `orders`. Other tables stay what they are.
 */
export function renameTable(tables: Tables, table: Table, to: Table): void {
  if (!tables.written.has(table)) return;
  const origin = to.known ? to.origin : table.origin;
  Object.assign(table, { path: to.path, name: to.name, known: to.known, origin });
  for (const [key, other] of tables.mentioned) if (other === to) tables.mentioned.set(key, table);
}

/** A column of a table as it is called there; `*` for columns that aren't known one by one. */
export function columnOfTable(table: Table, name: string): TableColumn {
  const key = name.toLowerCase();
  const exact = table.columns?.includes(name) ? name : key;
  const seen = table.used.get(exact);
  if (seen) return seen;
  const column = { table, name };
  table.used.set(exact, column);
  return column;
}

/** A field of a table's column, or of a field of it. */
export function fieldOfColumn(column: TableColumn, name: string): TableColumn {
  const { table, fields = [] } = column;
  const path = [...fields, name];
  const key = [column.name, ...path].join('\u0000');
  const seen = table.used.get(key);
  if (seen) return seen;
  const field = { table, name: column.name, fields: path };
  table.used.set(key, field);
  return field;
}

/** The fields of the column at a place among those of a table: those that are known, or that its type names. */
export function fieldsOfColumn(table: Table, at: number): readonly KnownField[] | null {
  if (table.origin === 'SCRIPT') return table.fields?.[at] ?? null;
  const type = table.known?.types?.[at];
  return table.known?.fields?.[at] ?? (type ? fieldsOfType(type) : null);
}

function fieldsOfType(type: string, depth = 1): KnownField[] | null {
  const fields = depth > deepestType ? null : fieldsOf(type);
  return (
    fields?.map((field) => ({ name: field.name, fields: fieldsOfType(field.type, depth + 1) })) ??
    null
  );
}

/** A name with the default schema and database before it, as far as it has no own. */
export function withDefaults(
  path: readonly Identifier[],
  defaults: Defaults,
): readonly Identifier[] {
  // What a project refers to may lie in any schema of any database.
  const last = path.at(-1);
  if (last && path[0] && isAnywhere(path[0].name)) return [last];
  // `db..t` leaves the schema to the default.
  const filled = { name: defaults.schema ?? '', quoted: true };
  let full: readonly Identifier[] = path.map((part) => (part.name === '' ? filled : part));
  const before = (name: string) => [{ name, quoted: true }, ...full];
  if (full.length === 1 && defaults.schema) full = before(defaults.schema);
  if (full.length === 2 && defaults.database) full = before(defaults.database);
  return full;
}

/** A name as the dialect compares it. */
function folded(dialect: Dialect, name: Identifier): string {
  if (dialect.fold === 'keep') return name.name.toLowerCase();
  if (name.quoted) return name.name;
  return dialect.fold === 'lower' ? name.name.toLowerCase() : name.name.toUpperCase();
}

/** How the dialect spells a name when it looks for the exact one among several. */
export function spelled(dialect: Dialect, name: Identifier): string {
  return dialect.fold === 'keep' ? name.name : folded(dialect, name);
}

/** The table that the text itself makes, where the path is `{{ this }}`. */
function selfNamed(tables: Tables, path: readonly Identifier[]): readonly Identifier[] | null {
  const [only, another] = path;
  if (!only || another || !isTemplate(only.name) || !isThis(only.name)) return null;
  return tables.self?.map((name) => ({ name, quoted: true })) ?? null;
}

interface Match {
  known: KnownTable | null;
  candidates: readonly KnownTable[];
  caseDiffers: boolean;
  /** The path with the schema of the search path that has the table, where it isn't the first. */
  along?: readonly Identifier[];
}

/**
 * The known table that a full path means. Same length goes before a longer or shorter path, exact
 * case before any case, the preferred integration before others; several that are left over are
 * reported rather than picked.
 */
function knownTable(tables: Tables, full: readonly Identifier[]): Match {
  const last = full.at(-1);
  const list = (last && tables.known.get(last.name.toLowerCase())) ?? [];
  const fitting = list.filter((table) => endsAlike(table.path, full));
  if (fitting.length === 0) return { known: null, candidates: [], caseDiffers: false };

  const exact = (table: KnownTable) => endsExactly(tables.dialect, table.path, full);
  const steps: ((table: KnownTable) => boolean)[] = [
    (table) => table.preferred === true,
    (table) => table.path.length === full.length,
    exact,
  ];
  let left = fitting;
  for (const step of steps) {
    if (left.length === 1) break;
    const narrowed = left.filter(step);
    if (narrowed.length > 0) left = narrowed;
  }
  const [only, another] = left;
  if (!only || another) return { known: null, candidates: left, caseDiffers: false };
  return { known: only, candidates: [], caseDiffers: last?.quoted === true && !exact(only) };
}

function endsAlike(path: readonly string[], full: readonly Identifier[]): boolean {
  const shared = Math.min(path.length, full.length);
  for (let i = 1; i <= shared; i++) {
    const name = full.at(-i)?.name ?? '';
    const own = path.at(-i) ?? '';
    const fits = isTemplate(name) ? mayBe(name, own) : own.toLowerCase() === name.toLowerCase();
    if (name !== '' && !fits) return false;
  }
  return shared > 0;
}

function endsExactly(
  dialect: Dialect,
  path: readonly string[],
  full: readonly Identifier[],
): boolean {
  const shared = Math.min(path.length, full.length);
  for (let i = 1; i <= shared; i++) {
    const part = full.at(-i);
    if (!part?.name || isTemplate(part.name)) continue;
    if (path.at(-i) !== spelled(dialect, part)) return false;
  }
  return true;
}

// Flow of a whole SQL text: its statements together, past the tables it creates itself.

import { invalidField } from '../../errors.ts';
import type { TurnTaking } from '../memory/turns.ts';
import type {
  ColumnName,
  ColumnPair,
  SqlLineage,
  StatementLineage,
  TableName,
} from '../sql/answer.ts';
import { USES, type Use } from '../sql/scope/use.ts';

/** What flows where in a text of SQL, from tables that were there before. */
export interface Flow {
  /** Tables that are read, each once. */
  readonly sources: readonly TableName[];
  /** The table that the text is about: the one it writes last, known ones first; null for a query. */
  readonly target: TableName | null;
  /** Column to column, each once. */
  readonly pairs: readonly ColumnPair[];
  /** Columns that decide about the rows of a table, each once; target null for a query. */
  readonly indirect: readonly Deciding[];
  /** Table to table, each once; target null for a query. */
  readonly tables: readonly { readonly source: TableName; readonly target: TableName | null }[];
}

/** A column, and the table about whose rows it decides. */
export interface Deciding {
  readonly source: ColumnName;
  readonly uses: readonly Use[];
  readonly target: TableName | null;
}

/** A column and what it is used for. */
type Used = Pick<ColumnPair, 'source' | 'uses'>;

/** What a table that the text makes is made of: by column, as a whole, and by which rows. */
interface Made {
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, Used>>;
  readonly sources: readonly TableName[];
  readonly indirect: ReadonlyMap<string, Used>;
}

/** Ways from a column through the tables that a text makes: each further table may multiply them. */
const mostWays = 200_000;
/** So many are followed before others may have their turn. */
const waysPerTurn = 1_000;

/**
 * Join the statements of a text. A table that the text fills, the catalog does not know, and a later
 * statement reads is passed through: what reads it reads what it was made of. Throws BAD_REQUEST where there
 * are more ways through such tables than anybody could look at.
 */
export async function flowOf(
  { statements }: Pick<SqlLineage, 'statements'>,
  turns: TurnTaking = () => null,
): Promise<Flow> {
  const made = new Map<string, Made>();
  const pairs = new Map<string, ColumnPair>();
  const sources = new Map<string, TableName>();
  const tables = new Map<string, Flow['tables'][number]>();
  const indirect = new Map<string, Deciding>();
  const targets: TableName[] = [];
  const passed = passedThrough(statements);
  let ways = 0;
  /** Count what is followed, so that others have their turn, and that it ends. */
  const follow = (count: number) => {
    const isDue = Math.floor((ways + count) / waysPerTurn) > Math.floor(ways / waysPerTurn);
    ways += count;
    if (ways > mostWays) throw tooManyWays();
    return isDue ? turns() : null;
  };
  for (const statement of statements) {
    const { target, pairs: own, indirect: deciding, sources: read } = statement;
    const traced = new Map<string, ColumnPair>();
    for (const pair of own) {
      const origins = originsOf(made, pair);
      const turn = follow(origins.length);
      if (turn) await turn;
      for (const { source, uses } of origins) {
        const through = { source, uses, target: pair.target };
        traced.set(`${pairKey(through)} ${uses.join()}`, through);
      }
    }
    const readThrough = unique(read.flatMap((table) => tablesBehind(made, table)));
    const decides = new Map<string, Used>();
    for (const { uses, ...source } of deciding) {
      const origins = originsOf(made, { source, uses });
      const turn = follow(origins.length);
      if (turn) await turn;
      for (const origin of origins) put(decides, { ...origin, uses });
    }
    for (const table of read) {
      const behind = [...(madeOf(made, table)?.indirect.values() ?? [])];
      const turn = follow(behind.length);
      if (turn) await turn;
      for (const one of behind) put(decides, one);
    }
    if (target && fills(statement)) remember(made, target, traced.values(), readThrough, decides);
    if (target && passed.has(keyOf(target))) continue;
    if (target) targets.push(target);
    for (const pair of traced.values()) merge(pairs, pairKey(pair), pair);
    for (const one of decides.values()) {
      const key = `${columnKey(one.source)}>${target ? keyOf(target) : ''}`;
      merge(indirect, key, { ...one, target });
    }
    for (const source of readThrough) {
      sources.set(keyOf(source), source);
      tables.set(`${keyOf(source)}>${target ? keyOf(target) : ''}`, { source, target });
    }
  }
  return {
    sources: [...sources.values()],
    target: targets.findLast(({ id }) => id !== null) ?? targets.at(-1) ?? null,
    pairs: [...pairs.values()],
    indirect: [...indirect.values()],
    tables: [...tables.values()],
  };
}

/** A table that exists within the text alone, as far as the catalog knows. */
function isMadeHere({ origin, id }: TableName): boolean {
  return origin === 'SCRIPT' && id === null;
}

/** Whether rows come into the target: a table that is only declared is filled from elsewhere. */
function fills({ kind, outputs, sources }: StatementLineage): boolean {
  const isDeclared = kind === 'CREATE_TABLE' && outputs.length === 0 && sources.length === 0;
  return !isDeclared && kind !== 'DELETE' && kind !== 'DROP';
}

/** The tables filled here that a later statement reads, by key: they are no end of the flow. */
function passedThrough(statements: readonly StatementLineage[]): ReadonlySet<string> {
  const filled = new Set<string>();
  const passed = new Set<string>();
  for (const statement of statements) {
    const { sources, target } = statement;
    for (const source of sources) {
      if (filled.has(keyOf(source)) && source !== target) passed.add(keyOf(source));
    }
    if (target && isMadeHere(target) && fills(statement)) filled.add(keyOf(target));
  }
  return passed;
}

function madeOf(made: ReadonlyMap<string, Made>, table: TableName): Made | undefined {
  return isMadeHere(table) ? made.get(keyOf(table)) : undefined;
}

/** The columns behind one of a table made here; with the uses of both steps. */
function originsOf(made: ReadonlyMap<string, Made>, used: Used): readonly Used[] {
  const { source, uses } = used;
  const table = madeOf(made, source.table);
  if (!table) return [used];
  const columns =
    source.column === '*'
      ? [...table.columns].filter(([name]) => !name.includes(within)).map(([, one]) => one)
      : columnOf(table, source);
  const behind = columns.flatMap((known) => [...known.values()]);
  return behind.map((origin) => ({ ...origin, uses: usesOfBoth(uses, origin.uses) }));
}

/** A column of a table made here, or the field of it that is meant, as far as it is known. */
function columnOf({ columns }: Made, { column, fields = [] }: ColumnName) {
  for (let length = fields.length; length >= 0; length--) {
    const one = columns.get(nameOf(column, fields.slice(0, length)));
    if (one) return [one];
  }
  const star = columns.get('*');
  return star ? [star] : [];
}

const within = '\u0000';

/** A column by its name, and a field by its path. */
function nameOf(column: string, fields: readonly string[] = []): string {
  return [column, ...fields].join(within).toLowerCase();
}

/** Add a column that is used, each once for what it is used for. */
function put(into: Map<string, Used>, one: Used): void {
  into.set(`${columnKey(one.source)} ${one.uses.join()}`, one);
}

function tooManyWays(): Error {
  return invalidField(
    'sql',
    `Its columns flow through the tables that it makes in more than ${mostWays.toLocaleString('en')} ways, the most ` +
      'that one text may have; send fewer statements at once.',
  );
}

/** The uses along two steps: a column stays identical only where it is so in both. */
function usesOfBoth(one: readonly Use[], other: readonly Use[]): readonly Use[] {
  const all = USES.filter((use) => one.includes(use) || other.includes(use));
  const changed = all.filter((use) => use !== 'IDENTITY');
  return changed.length > 0 ? changed : all;
}

/** Add to what flows from one place to another, whose uses are those of all ways there. */
function merge<T extends { readonly uses: readonly Use[] }>(
  into: Map<string, T>,
  key: string,
  one: T,
): void {
  const known = into.get(key)?.uses ?? [];
  const uses = USES.filter((use) => known.includes(use) || one.uses.includes(use));
  into.set(key, { ...one, uses });
}

function tablesBehind(made: ReadonlyMap<string, Made>, table: TableName): readonly TableName[] {
  return madeOf(made, table)?.sources ?? [table];
}

/** What is written adds to what was written before: a table may be filled in several steps. */
function remember(
  made: Map<string, Made>,
  target: TableName,
  pairs: Iterable<ColumnPair>,
  sources: readonly TableName[],
  indirect: ReadonlyMap<string, Used>,
): void {
  const key = keyOf(target);
  const before = made.get(key);
  const columns = new Map(
    [...(before?.columns ?? [])].map(([name, used]) => [name, new Map(used)]),
  );
  for (const { source, uses, target: to } of pairs) {
    const name = nameOf(to.column, to.fields);
    const used = columns.get(name) ?? new Map<string, Used>();
    columns.set(name, used);
    put(used, { source, uses });
  }
  made.set(key, {
    columns,
    sources: unique([...(before?.sources ?? []), ...sources]),
    indirect: new Map([...(before?.indirect ?? []), ...indirect]),
  });
}

function unique(tables: readonly TableName[]): TableName[] {
  return [...new Map(tables.map((table) => [keyOf(table), table])).values()];
}

function pairKey({ source, target }: ColumnPair): string {
  const { table, column, fields = [] } = target;
  const to = [`${table ? keyOf(table) : ''}.${column}`, ...fields].join(within);
  return `${columnKey(source)}>${to}`;
}

function columnKey({ table, column, fields = [] }: ColumnName): string {
  return [`${keyOf(table)}.${column}`, ...fields].join(within);
}

function keyOf(table: TableName): string {
  return table.id ?? JSON.stringify(table.path).toLowerCase();
}

// The lineage of a query in terms of the catalog: its tables and columns, and the edges between them.

import type { Pair } from '../connect.ts';
import { mapInTurns, type TurnTaking } from '../memory/turns.ts';
import type {
  ColumnName,
  ColumnPair,
  SqlLineage,
  StatementLineage,
  TableName,
} from '../sql/answer.ts';
import { USES, type Use } from '../sql/scope/use.ts';
import type { Deciding, Flow } from './flow.ts';
import type { LineageResource, Warehouse } from './warehouse.ts';
import { edgesOfFields } from './within-columns.ts';

/** A table that a query names: with its summary where the catalog knows it. */
export interface QueryTable {
  readonly name: string;
  readonly path: readonly string[];
  readonly known: LineageResource | null;
}

/** A column that a query names. */
export interface QueryColumn {
  readonly name: string;
  /** Null for a column that comes out of a query that fills no table. */
  readonly table: QueryTable | null;
  readonly known: LineageResource | null;
}

/** What one statement does to one table, which it may write. */
export interface QueryStatement extends StatementLineage {
  readonly targetTable: QueryTable | null;
}

/** What a query reads and writes, in terms of the catalog. */
export interface QueryLineage {
  readonly sql: string;
  readonly traced: SqlLineage;
  readonly sources: readonly QueryTable[];
  readonly target: QueryTable | null;
  readonly statements: readonly QueryStatement[];
  readonly columns: readonly {
    readonly from: QueryColumn;
    readonly to: QueryColumn;
    readonly uses: readonly Use[];
  }[];
  /** The edges that the catalog can hold: both ends are known. */
  readonly edges: readonly Pair[];
}

/** A query that was read, and what its names may stand for. */
interface Read {
  readonly traced: SqlLineage;
  readonly flow: Flow;
  readonly warehouse: Warehouse;
  /** The table that was named besides the query. */
  readonly given: LineageResource | null;
}

/** What was read, with what the catalog has of it. */
export async function inCatalogTerms(
  { traced, flow, warehouse, given }: Read,
  turns: TurnTaking,
): Promise<Omit<QueryLineage, 'sql' | 'traced'>> {
  const table = (name: TableName): QueryTable => ({
    name: name.name,
    path: name.path,
    known: warehouse.table(name.id),
  });
  const own = given ? givenTable(given) : null;
  const targetTable = (name: TableName | null) => own ?? (name ? table(name) : null);
  const inPart = new Set<QueryColumn>();
  // A field that the catalog does not have stands for the column that has it, which is not meant as a whole then.
  const column = (at: QueryTable | null, name: Omit<ColumnName, 'table'>): QueryColumn => {
    const along = warehouse.along(at?.known?.id ?? null, name.column, name.fields);
    const fields = name.fields?.slice(0, Math.max(along.length - 1, 0)) ?? [];
    const found = {
      name: [name.column, ...fields].join('.'),
      table: at,
      known: along.at(-1) ?? null,
    };
    if (fields.length < (name.fields?.length ?? 0)) inPart.add(found);
    return found;
  };
  const found = await mapInTurns(flow.pairs, turns, ({ source, uses, target }) => ({
    uses,
    from: column(table(source.table), source),
    to: column(targetTable(target.table), target),
  }));
  const columns = flow.pairs.some(isOfFields) ? eachOnce(found) : found;
  const statements = await mapInTurns(traced.statements, turns, (one) => ({
    ...one,
    targetTable: one.target && table(one.target),
  }));
  const expressions = expressionsOf(traced);
  const between = await mapInTurns(columns, turns, (pair) => columnEdge(pair, expressions));
  const deciding = await mapInTurns(flow.indirect, turns, (one) =>
    indirectEdge(one, warehouse, given),
  );
  const direct = between.filter((edge) => edge !== null);
  const isWhole = between.map((edge, i) => {
    const { from, to } = columns[i] ?? {};
    return edge !== null && !(from && inPart.has(from)) && !(to && inPart.has(to)) ? [edge] : [];
  });
  const parts = edgesOfFields(direct, isWhole.flat(), (id) => warehouse.within(id));
  const edges = [...direct, ...parts, ...deciding, ...tableEdges(flow, warehouse, given)];
  return {
    sources: flow.sources.map(table),
    target: targetTable(flow.target),
    statements,
    columns,
    edges: edges.filter((edge) => edge !== null),
  };
}

function isOfFields({ source, target }: ColumnPair): boolean {
  return source.fields !== undefined || target.fields !== undefined;
}

/** Pairs of columns, each once: several of their fields may stand for one column. */
function eachOnce(columns: QueryLineage['columns']): QueryLineage['columns'] {
  const pairs = new Map<string, QueryLineage['columns'][number]>();
  for (const one of columns) {
    const ends = [one.from, one.to].map(({ name, table }) => [name, table?.path ?? null]);
    const key = JSON.stringify(ends);
    const known = pairs.get(key)?.uses ?? [];
    const uses = USES.filter((use) => known.includes(use) || one.uses.includes(use));
    pairs.set(key, { ...one, uses });
  }
  return [...pairs.values()];
}

/** A table that was named besides the query. */
export function givenTable(known: LineageResource): QueryTable {
  const path = [known.databaseName, known.schemaName, known.title].filter((part) => part !== null);
  return { name: path.join('.'), path, known };
}

/** How each column that comes out is made, by its name in lower case. */
function expressionsOf({ statements }: SqlLineage): ReadonlyMap<string, string | null> {
  const made = statements.flatMap(({ outputs }) => outputs);
  return new Map(made.map((one) => [one.column.toLowerCase(), one.expression]));
}

function columnEdge(
  { from, to, uses }: QueryLineage['columns'][number],
  expressions: ReadonlyMap<string, string | null>,
): Pair | null {
  if (!from.known || !to.known) return null;
  const expression = expressions.get(to.name.toLowerCase()) ?? null;
  return { sourceId: from.known.id, targetId: to.known.id, expression, uses };
}

/** From a column to the table about whose rows it decides; a table's own columns don't count. */
function indirectEdge(
  { source, uses, target }: Deciding,
  warehouse: Warehouse,
  given: LineageResource | null,
): Pair | null {
  const from = warehouse.along(source.table.id, source.column, source.fields).at(-1);
  const to = given ?? warehouse.table(target?.id ?? null);
  if (!from || !to || source.table.id === to.id) return null;
  return { sourceId: from.id, targetId: to.id, strength: 'INDIRECT', uses };
}

function tableEdges(flow: Flow, warehouse: Warehouse, given: LineageResource | null): Pair[] {
  return flow.tables.flatMap(({ source, target }) => {
    const from = warehouse.table(source.id);
    const to = given ?? warehouse.table(target?.id ?? null);
    return from && to ? [{ sourceId: from.id, targetId: to.id }] : [];
  });
}

// Scores answers against a case set: exact edge sets, precision and recall, sources and targets.
import type { SqlLineage } from '../../src/lineage/sql/answer.ts';

/** `[from table, from column, to table, to column]`. */
export type Edge = [string, string, string | null, string];

/** One case of a set, as its JSON file has it. */
export interface Case {
  id: string;
  dialect: string;
  sql: string;
  schema?: Record<string, Record<string, string>>;
  default_database?: string | null;
  default_schema?: string | null;
  edges: Edge[] | null;
  /** The same with sub-fields of structs spelled out; either form is right. */
  edges_nested?: Edge[];
  sources: string[];
  targets: string[];
  /** The sources listed are only those with edges. */
  sources_partial?: boolean;
  tags?: string[];
  /** Why the case is not scored. */
  excluded?: string;
}

export interface Score {
  /** True positives, false positives, false negatives. */
  right: number;
  wrong: number;
  missed: number;
  /** Null when the case has no edges to compare. */
  exact: boolean | null;
  sources: boolean;
  targets: boolean;
  error: string | null;
}

interface Answer {
  edges: Edge[];
  sources: string[];
  targets: string[];
  error: string | null;
}

/** The score of an answer to a case. Names are compared without case and quotes. */
export function scoreOf(wanted: Case, lineage: SqlLineage): Score {
  const answer = answerOf(lineage);
  if (wanted.edges_nested) {
    const nested = compare({ ...wanted, edges: wanted.edges_nested }, answer);
    if (nested.exact) return nested;
  }
  return compare(wanted, answer);
}

/** All edges, sources and targets of a text. */
function answerOf(lineage: SqlLineage): Answer {
  const edges: Edge[] = [];
  const sources = new Set<string>();
  const targets = new Set<string>();
  for (const statement of lineage.statements) {
    for (const { source, target } of statement.pairs) {
      edges.push([source.table.name, source.column, target.table?.name ?? null, target.column]);
    }
    for (const source of statement.sources) sources.add(source.name);
    if (statement.target) targets.add(statement.target.name);
  }
  const error = lineage.errors[0]?.message ?? null;
  return { edges, sources: [...sources], targets: [...targets], error };
}

const plain = (name: string | null) => (name ?? '').toLowerCase().replace(/[`"[\]]/g, '');
const SEPARATOR = '\u0001';
const keyOf = (edge: Edge) => edge.map(plain).join(SEPARATOR);

function compare(wanted: Case, given: Answer): Score {
  const collapses = wanted.tags?.includes('multi_collapse') && given.edges.length > 0;
  const answer = collapses ? collapse(given) : given;
  const edges = countEdges(wanted.edges, answer.edges);
  const targets = new Set(wanted.targets.map(plain));
  const gotTargets = new Set(answer.targets.map(plain));
  const sources = new Set(wanted.sources.map(plain));
  const gotSources = new Set(answer.sources.map(plain));
  // The target of an UPDATE or a MERGE may or may not be listed among the sources.
  for (const target of targets) {
    if (!sources.has(target)) gotSources.delete(target);
    else if (!gotSources.has(target)) sources.delete(target);
  }
  const allFound = [...sources].every((name) => gotSources.has(name));
  const noneMore = wanted.sources_partial || [...gotSources].every((name) => sources.has(name));
  return {
    ...edges,
    exact: wanted.edges ? edges.wrong + edges.missed === 0 && !answer.error : null,
    sources: allFound && noneMore && !answer.error,
    targets: [...targets].every((name) => gotTargets.has(name)) && gotTargets.size <= targets.size,
    error: answer.error,
  };
}

function countEdges(wanted: Edge[] | null, given: Edge[]) {
  if (!wanted) return { right: 0, wrong: 0, missed: 0 };
  const left = new Set(given.map(keyOf));
  const expected = new Map(
    wanted.filter((edge) => !unnamed(edge)).map((edge) => [keyOf(edge), edge]),
  );
  let right = 0;
  // A column handed through a star that can't be expanded: any column of the table is right.
  for (const [key, edge] of expected) {
    if (edge[1] !== '*' || edge[3] === '*' || left.has(key)) continue;
    const match = [...left].find((other) => {
      const parts = other.split(SEPARATOR);
      return (
        parts[0] === plain(edge[0]) && parts[2] === plain(edge[2]) && parts[3] === plain(edge[3])
      );
    });
    if (match === undefined) continue;
    left.delete(match);
    expected.delete(key);
    right++;
  }
  let missed = 0;
  for (const key of expected.keys()) left.delete(key) ? right++ : missed++;
  for (const edge of wanted.filter(unnamed)) {
    const start = edge.slice(0, 3).map(plain).join(SEPARATOR) + SEPARATOR;
    const match = [...left].find((key) => key.startsWith(start));
    if (match === undefined) missed++;
    else {
      left.delete(match);
      right++;
    }
  }
  return { right, wrong: left.size, missed };
}

/** An output without a name, which sqlglot calls `_col_0`: any name is right. */
function unnamed(edge: Edge): boolean {
  return /^(?:\?|_col_\d+$)/.test(edge[3]);
}

/** Edges through tables that the script itself writes, from the first table to the last. */
function collapse(answer: Answer): Answer {
  const written = new Set(answer.edges.map((edge) => plain(edge[2])));
  const into = new Map<string, Edge[]>();
  for (const edge of answer.edges) {
    const key = plain(edge[2]) + SEPARATOR + plain(edge[3]);
    into.set(key, [...(into.get(key) ?? []), edge]);
  }
  const origins = (table: string, column: string, depth: number): [string, string][] => {
    const before = into.get(plain(table) + SEPARATOR + plain(column));
    if (!before || depth > 10) return [[table, column]];
    return before.flatMap((edge) => origins(edge[0], edge[1], depth + 1));
  };
  const read = new Set(
    answer.edges.filter((edge) => written.has(plain(edge[0]))).map((edge) => plain(edge[0])),
  );
  const edges = answer.edges
    .filter((edge) => !read.has(plain(edge[2])))
    .flatMap((edge): Edge[] =>
      origins(edge[0], edge[1], 0).map(([table, column]) => [table, column, edge[2], edge[3]]),
    );
  return {
    ...answer,
    edges,
    sources: answer.sources.filter((name) => !written.has(plain(name))),
    targets: answer.targets.filter((name) => !read.has(plain(name))),
  };
}

// The flows that the SQL of a run says, between the datasets that the run names.

import { LruCache } from '../../limits/lru-cache.ts';
import { type Flow, flowOf } from '../../lineage/queries/flow.ts';
import { traceSql } from '../../lineage/queries/trace-sql.ts';
import type { TableName } from '../../lineage/sql/answer.ts';
import { findDialect } from '../../lineage/sql/dialect.ts';
import { foldName } from '../../resources/identities/named-place.ts';
import { type DatasetName, readName, textLimits } from '../events/dataset-name.ts';
import { membersOf, textOf } from '../events/loose.ts';
import { isNameless, placeOf, schemeOf } from './dataset-place.ts';
import { datasetId, idOf } from './fold-events.ts';
import { latestOf, type Said } from './register.ts';
import { datasetsOf, type SqlFlows, showsLineage } from './run-flows.ts';

/** What the SQL of a run says. */
export interface RunSql {
  readonly flows: SqlFlows;
  /** Datasets that it reads and the run does not name, by their ids. */
  readonly implied: ReadonlyMap<string, DatasetName>;
}

const none: RunSql = { flows: new Map(), implied: new Map() };

/** A dataset of a run, and the parts of its name, the innermost first. */
interface Named {
  readonly id: string;
  readonly parts: readonly string[];
}

/**
 * What the SQL of a run says of those of its outputs of which no facet does; empty where there is none or it can't be read.
 * Names in it stand for the datasets that the run reads and writes. What depends on the columns of a table, such as a star, is
 * left to the flow of its datasets as wholes, so that the answer is the same whenever it is asked. Where the run names nothing
 * that it reads, they stand for datasets that lie where its output lies.
 */
export async function sqlFlowsOf(said: Said): Promise<RunSql> {
  const text = textOf(membersOf(latestOf(said, 'sql')).sql, textLimits.sql);
  if (text === undefined || !showsLineage(said)) return none;
  const outputs = datasetsOf(said, 'out');
  const open = outputs.filter(
    (id) => !latestOf(said, `lineage:${id}`) && !latestOf(said, `columnLineage:${id}`),
  );
  if (open.length === 0) return none;
  const named = (side: 'in' | 'out', ids: readonly string[]): Named[] =>
    ids.flatMap((id) => {
      const name = readName(latestOf(said, `${side}:${id}`));
      return name ? [{ id, parts: partsOf(name) }] : [];
    });
  const targets = named('out', open);
  const inputs = datasetsOf(said, 'in');
  const sources = [...named('in', inputs), ...named('out', outputs)];
  const flow = await traced(text, dialectOf(said, open));
  if (!flow) return none;
  const implied = new Map<string, DatasetName>();
  const imply = (source: TableName, to: string | undefined) => {
    const name =
      inputs.length === 0 ? besides(source, readName(latestOf(said, `out:${to}`))) : null;
    if (name === null) return undefined;
    const id = datasetId(name);
    implied.set(id, name);
    return id;
  };
  return { flows: between(flow, targets, sources, imply), implied };
}

/** The dataset that a name in SQL means next to an output, whose own name says what is left out; null where it can't be said. */
function besides({ path }: TableName, output: DatasetName | undefined): DatasetName | null {
  if (output === undefined || isNameless(output)) return null;
  const own = output.name.split('.');
  if (path.length > own.length) return null;
  const name = [...own.slice(0, own.length - path.length), ...path].join('.');
  return { namespace: output.namespace, name };
}

function partsOf(name: DatasetName): string[] {
  const { database, schema, table } = placeOf(name);
  return [table, schema, ...(database === undefined ? [] : [database])].map(foldName);
}

function between(
  flow: Flow,
  targets: readonly Named[],
  sources: readonly Named[],
  imply: (source: TableName, to: string | undefined) => string | undefined,
): SqlFlows {
  const found = new Map<string, NonNullable<ReturnType<SqlFlows['get']>>[number][]>();
  const only = targets.length === 1 ? targets[0] : undefined;
  const into = (target: TableName | null) => (target ? match(target, targets)?.id : only?.id);
  const outOf = (source: TableName, to: string | undefined) => {
    const known = match(source, sources);
    return known ? known.id : imply(source, to);
  };
  const add = (
    to: string | undefined,
    source: TableName,
    flow: Omit<NonNullable<ReturnType<SqlFlows['get']>>[number], 'from'>,
  ) => {
    const from = outOf(source, to);
    if (to === undefined || from === undefined) return;
    const list = found.get(to) ?? [];
    found.set(to, list);
    list.push({ from, ...flow });
  };
  for (const { source, target, uses } of flow.pairs) {
    if (source.column === '*' || target.column === '*') continue;
    add(into(target.table), source.table, {
      ...{ fromColumn: foldName(source.column), toColumn: foldName(target.column) },
      ...{ isIndirect: false, uses },
    });
  }
  for (const { source, target, uses } of flow.indirect) {
    if (source.column === '*') continue;
    add(into(target), source.table, {
      ...{ fromColumn: foldName(source.column), toColumn: null, isIndirect: true, uses },
    });
  }
  for (const { source, target } of flow.tables) {
    const to = into(target);
    const from = outOf(source, to);
    if (found.get(to ?? '')?.some((one) => one.from === from && !one.isIndirect)) continue;
    add(to, source, { fromColumn: null, toColumn: null, isIndirect: false, uses: [] });
  }
  return found;
}

/**
 * The dataset that a name in SQL means: the one whose name ends with it. Null where there is none; without an id where there
 * are several.
 */
function match(
  { path }: TableName,
  datasets: readonly Named[],
): { readonly id: string | undefined } | null {
  const parts = path.toReversed().map(foldName);
  const fitting = datasets.filter((one) =>
    parts.every((part, at) => one.parts[at] === undefined || one.parts[at] === part),
  );
  const ids = new Set(fitting.map(({ id }) => id));
  if (ids.size === 0) return null;
  return { id: ids.size === 1 ? fitting[0]?.id : undefined };
}

/** The dialect of the SQL: as the facet says, else that of the server that the first output lies on. */
function dialectOf(said: Said, outputs: readonly string[]): string {
  const given = textOf(membersOf(latestOf(said, 'sql')).dialect, textLimits.word);
  const output = readName(latestOf(said, `out:${outputs[0]}`));
  const names = [given, output && schemeOf(output.namespace)];
  return names.find((name) => name !== undefined && findDialect(name)) ?? 'postgres';
}

/** What was traced lately: a job runs the same text each time. By characters. */
const cache = new LruCache<{ readonly flow: Promise<Flow | null> }>(4_000_000);

function traced(sql: string, dialect: string): Promise<Flow | null> {
  const key = idOf([dialect, sql]);
  const known = cache.get(key);
  if (known) return known.flow;
  const flow = trace(sql, dialect);
  cache.set(key, { flow }, sql.length + 1_000);
  return flow;
}

async function trace(sql: string, dialect: string): Promise<Flow | null> {
  const { statements, errors } = await traceSql({ sql, dialect });
  if (statements.length === 0 || errors.length > 0) return null;
  try {
    return await flowOf({ statements });
  } catch {
    // There are more ways through it than anybody could look at.
    return null;
  }
}

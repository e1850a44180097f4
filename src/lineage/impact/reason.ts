// Why a change reaches a resource, in words: each way in which it does, and how sure that is.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { LineageStrength } from '../connect.ts';
import { USES, type Use } from '../sql/scope/use.ts';
import { type ImpactStep, pathTo, type ReachedNode } from './step.ts';

/** One way in which a resource is reached. */
export interface Reason {
  /** Null where it may be reached and no edge says so. */
  readonly strength: LineageStrength | null;
  readonly uses: readonly Use[];
  /** The same in words. */
  readonly reason: string;
}

/** A resource that a change reaches, and the strongest of the ways in which it does. */
export interface ImpactNode extends Reason {
  readonly id: string;
  readonly kind: string;
  /** Steps from what changes. */
  readonly depth: number;
  /** From what changes to the resource, both included: a shortest way. */
  readonly path: readonly string[];
  /** Each way in which it is reached, the strongest first. */
  readonly ways: readonly Reason[];
}

/** Where an impact began, and what it came to, by their ids. */
type Steps = ReadonlyMap<string, ImpactStep>;

/** An edge that leads to what was reached, from a place that was reached before. */
interface Arrival {
  readonly targetId: string;
  readonly from: ImpactStep;
  readonly strength: LineageStrength;
  readonly uses: readonly Use[];
}

/** Ways of one resource that are said at most. */
const maxWays = 20;

/** Nodes with the ways in which they are reached. */
export async function withReasons(
  ctx: Context,
  found: readonly ReachedNode[],
  steps: Steps,
): Promise<ImpactNode[]> {
  const sure = found.filter(({ how }) => how === 'EDGE' || how === 'COLUMN_OF');
  const arrivals = await arrivalsAt(ctx, sure, steps);
  const named = [...found.flatMap(viaOf), ...[...arrivals.values()].flat().map(({ from }) => from)];
  const names = new Map((await namesOf(ctx, named)).map((one) => [one.id, one]));
  return found.map((node) => {
    const { id, kind, step } = node;
    const ways = waysOf(node, arrivals.get(id) ?? [], names);
    const [strongest = because('DIRECT', [], inWords('DIRECT', [], undefined))] = ways;
    return { id, kind, depth: step.depth, path: pathTo(step), ...strongest, ways };
  });
}

interface Named {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  /** Title of the table, for a column. */
  readonly table: string | null;
}

/** What a node was reached from: for the table of a column that column. */
function viaOf({ step, how }: ReachedNode): ImpactStep[] {
  const via = how === 'COLUMN_OF' ? step : step.via;
  return via ? [via] : [];
}

function waysOf(
  node: ReachedNode,
  arrivals: readonly Arrival[],
  names: ReadonlyMap<string, Named>,
): Reason[] {
  const [via] = viaOf(node);
  const before = via && names.get(via.id);
  switch (node.how) {
    case 'UNKNOWN_USE':
      return [possible(`Reads ${tableNamed(before)} (no column lineage).`)];
    case 'OPEN_TRACE':
      return [possible(`Reads ${tableNamed(before)}; its SQL was only partly analyzed.`)];
    case 'NO_USE_FOUND':
      return [
        possible(
          `Reads ${tableNamed(before)}; no use of ${before?.title ?? 'the column'} was found.`,
        ),
      ];
    case 'MADE_FROM':
      return [possible(`Made from ${named(before)}, which may be affected.`)];
    case 'COLUMN_OF':
      return [
        because('DIRECT', [], `Affects ${before?.title ?? 'a column'}.`),
        ...arrivals.map((arrival) => arrived(arrival, names)),
      ].slice(0, maxWays);
    case 'EDGE':
      return arrivals.map((arrival) => arrived(arrival, names)).slice(0, maxWays);
  }
}

function arrived({ from, strength, uses }: Arrival, names: ReadonlyMap<string, Named>): Reason {
  return because(strength, uses, inWords(strength, uses, names.get(from.id)));
}

function possible(reason: string): Reason {
  return because(null, [], reason);
}

function because(strength: LineageStrength | null, uses: readonly Use[], reason: string): Reason {
  return { strength, uses, reason };
}

function tableNamed(named: Named | undefined): string {
  return named?.table ?? 'the table';
}

function inWords(
  strength: LineageStrength,
  uses: readonly Use[],
  before: Named | undefined,
): string {
  const name = named(before);
  if (strength === 'INDIRECT') return sentence(`${decided(uses)} by ${name}`);
  if (before?.kind !== 'column') return `Made from ${name}.`;
  const hows = uses.flatMap((use) => HOW[use] ?? []);
  return sentence(`${hows.length > 0 ? listed(hows) : 'made from'} ${name}`);
}

const HOW: Partial<Record<Use, string>> = {
  IDENTITY: 'copies',
  TRANSFORMATION: 'transforms',
  AGGREGATION: 'aggregates',
  WINDOW: 'uses a window over',
  CONDITIONAL: 'depends on the value of',
  FILTER: 'filters by',
  SORT: 'sorts by',
};

const DECIDES: Partial<Record<Use, string>> = {
  JOIN: 'joins',
  FILTER: 'filters',
  GROUP_BY: 'groups',
  SORT: 'sorts',
};

function decided(uses: readonly Use[]): string {
  const verbs = uses.flatMap((use) => DECIDES[use] ?? []);
  return `${verbs.length > 0 ? listed(verbs) : 'selects'} its rows`;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${last}` : last;
}

function named(before: Named | undefined): string {
  if (!before) return 'a resource that is not shown';
  const { title, table } = before;
  return table === null ? title : `${table}.${title}`;
}

/**
 * The edges to these nodes from where the impact began and what it came to, the strongest first and then the nearest.
 * A table counts for the tables that are made from it, a column for all that it flows to or decides about.
 */
async function arrivalsAt(
  ctx: Context,
  found: readonly ReachedNode[],
  steps: Steps,
): Promise<ReadonlyMap<string, readonly Arrival[]>> {
  if (found.length === 0) return new Map();
  const edges = await rows<Omit<Arrival, 'from'> & { sourceId: string; level: string }>(
    ctx,
    Prisma.sql`select e.source_id as "sourceId", e.target_id as "targetId", e.level, e.strength, e.uses
      from unnest(${found.map(({ id }) => id)}::uuid[]) n(id)
      join lineage_edge e on e.workspace_id = ${ctx.workspaceId}::uuid and e.target_id = n.id
        and e.valid_to is null and (e.level = 'COLUMN' or e.strength = 'DIRECT')
      order by e.strength, e.source_id, e.id`,
  );
  const arrivals = new Map<string, Arrival>();
  for (const { sourceId, targetId, level, strength, uses } of edges) {
    const from = steps.get(sourceId);
    if (!from || (level === 'TABLE' && from.kind === 'column')) continue;
    const key = `${sourceId}>${targetId} ${strength}`;
    const known = arrivals.get(key)?.uses ?? [];
    const all = USES.filter((use) => known.includes(use) || uses.includes(use));
    arrivals.set(key, { targetId, from, strength, uses: all });
  }
  const weight = ({ strength, from }: Arrival) => (strength === 'DIRECT' ? 0 : 1_000) + from.depth;
  const byTarget = new Map<string, Arrival[]>(found.map(({ id }) => [id, []]));
  for (const arrival of [...arrivals.values()].sort((one, other) => weight(one) - weight(other))) {
    byTarget.get(arrival.targetId)?.push(arrival);
  }
  return byTarget;
}

/** What is named in reasons, as far as the viewer may see it. */
async function namesOf(ctx: Context, steps: readonly ImpactStep[]): Promise<Named[]> {
  return rows<Named>(
    ctx,
    Prisma.sql`select r.id, r.title, r.kind, p.title as "table"
      from unnest(${[...new Set(steps.map(({ id }) => id))]}::uuid[]) n(id)
      join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = n.id
      left join resource p on p.workspace_id = r.workspace_id and p.id = r.parent_id
        and r.kind = 'column'
      where ${visibleResources(ctx)}`,
  );
}

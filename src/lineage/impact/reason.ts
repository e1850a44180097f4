// Why a change reaches a resource, in words: what the edge to it says, and how sure that is.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { LineageStrength } from '../connect.ts';
import type { Use } from '../sql/scope/use.ts';

/** Why a resource is reached. */
export interface Reason {
  /** Null where it may be reached and no edge says so. */
  readonly strength: LineageStrength | null;
  readonly uses: readonly Use[];
  /** The same in words. */
  readonly reason: string;
}

/** A resource that a change reaches. */
export interface ImpactNode extends Reason {
  readonly id: string;
  readonly kind: string;
  /** Steps from what changes. */
  readonly depth: number;
  /** From what changes to the resource, both included: a shortest way. */
  readonly path: readonly string[];
}

/** A node whose reason is still to be found: it follows from the step before. */
export interface ReachedNode extends Omit<ImpactNode, keyof Reason> {
  /** What it was reached from; for the table of a reached column that column. */
  readonly via: string;
  readonly how:
    | 'EDGE'
    | 'COLUMN_OF'
    | 'UNKNOWN_USE'
    | 'OPEN_TRACE'
    | 'NO_USE_FOUND'
    | 'MADE_FROM_POSSIBLE';
}

interface Edge {
  readonly sourceId: string;
  readonly targetId: string;
  readonly strength: LineageStrength;
  readonly uses: readonly Use[];
}

interface Named {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  /** Title of the table, for a column. */
  readonly table: string | null;
}

/** The reasons of what was found, for one after the other. */
export async function reasonsFor(
  ctx: Context,
  found: readonly ReachedNode[],
): Promise<(one: ReachedNode) => Reason> {
  const edges = new Map(
    (await edgesTo(ctx, found)).map((edge) => [`${edge.sourceId}>${edge.targetId}`, edge]),
  );
  const names = new Map((await namesOf(ctx, found)).map((one) => [one.id, one]));
  return ({ id, via, how }) => {
    const before = names.get(via);
    switch (how) {
      case 'COLUMN_OF':
        return because('DIRECT', [], `Its column ${before?.title ?? 'in question'} is reached.`);
      case 'UNKNOWN_USE':
        return because(null, [], `It reads ${tableOf(before)}; by which columns is not known.`);
      case 'OPEN_TRACE':
        return because(
          null,
          [],
          `It reads ${tableOf(before)}, and not all of its SQL could be followed.`,
        );
      case 'NO_USE_FOUND':
        return because(
          null,
          [],
          `It reads ${tableOf(before)}, and no use of ${before?.title ?? 'the column'} was found.`,
        );
      case 'MADE_FROM_POSSIBLE':
        return because(null, [], `It is made from ${named(before)}, which may be reached.`);
      case 'EDGE': {
        const { strength = 'DIRECT', uses = [] } = edges.get(`${via}>${id}`) ?? {};
        return because(strength, uses, inWords(strength, uses, before));
      }
    }
  };
}

function because(strength: LineageStrength | null, uses: readonly Use[], reason: string): Reason {
  return { strength, uses, reason };
}

function tableOf(named: Named | undefined): string {
  return named?.table ?? 'the table';
}

function inWords(
  strength: LineageStrength,
  uses: readonly Use[],
  before: Named | undefined,
): string {
  const name = named(before);
  if (strength === 'INDIRECT') return `It ${decided(uses)} by ${name}.`;
  if (before?.kind !== 'column') return `It is made from ${name}.`;
  const hows = uses.flatMap((use) => HOW[use] ?? []);
  return `It ${hows.length > 0 ? listed(hows) : 'is made from'} ${name}.`;
}

const HOW: Partial<Record<Use, string>> = {
  IDENTITY: 'copies',
  TRANSFORMATION: 'is computed from',
  AGGREGATION: 'aggregates',
  WINDOW: 'has a window over',
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

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${last}` : last;
}

function named(before: Named | undefined): string {
  if (!before) return 'a resource that is not shown';
  const { title, table } = before;
  return table === null ? title : `${table}.${title}`;
}

async function edgesTo(ctx: Context, found: readonly ReachedNode[]): Promise<Edge[]> {
  const steps = found.filter(({ how }) => how === 'EDGE');
  return rows<Edge>(
    ctx,
    Prisma.sql`select distinct on (e.source_id, e.target_id) e.source_id as "sourceId",
        e.target_id as "targetId", e.strength, e.uses
      from unnest(${steps.map(({ via }) => via)}::uuid[], ${steps.map(({ id }) => id)}::uuid[])
        n(source_id, target_id)
      join lineage_edge e on e.workspace_id = ${ctx.workspaceId}::uuid
        and e.source_id = n.source_id and e.target_id = n.target_id and e.valid_to is null
      order by e.source_id, e.target_id, cardinality(e.uses) = 0, e.strength, e.id`,
  );
}

/** What is named in reasons, as far as the viewer may see it. */
async function namesOf(ctx: Context, found: readonly ReachedNode[]): Promise<Named[]> {
  return rows<Named>(
    ctx,
    Prisma.sql`select r.id, r.title, r.kind, p.title as "table"
      from unnest(${[...new Set(found.map(({ via }) => via))]}::uuid[]) n(id)
      join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = n.id
      left join resource p on p.workspace_id = r.workspace_id and p.id = r.parent_id
        and r.kind = 'column'
      where ${visibleResources(ctx)}`,
  );
}

// Possible impact: what reads a table where its columns are unknown, and what is
// made from that.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { aliveAt, holdsAt, neighbours, type WalkPlace, type WalkScope } from '../neighbours.ts';
import type { ReachedNode } from './reason.ts';
import { type ImpactStep, stepTo } from './step.ts';

const tableScope: WalkScope = { level: 'TABLE', asOf: null };
const maxPossible = 10_000;

/** What an impact has come to. */
interface Reached {
  /** Where it began. */
  readonly begun: ReadonlySet<string>;
  /** Where it began, and what it came to, by their ids. */
  readonly steps: ReadonlyMap<string, ImpactStep>;
  /** What it came to, as far as it is shown. */
  readonly reached: readonly ImpactStep[];
  /** What is asked about or reached for sure: it is not said again. */
  readonly known: ReadonlySet<string>;
  /** What is asked about: anyone who reads it was looked at. */
  readonly asked: ReadonlySet<string>;
  /** Steps at most. */
  readonly depth: number;
}

/** What may be reached, and how. */
interface PossibleStep {
  readonly step: ImpactStep;
  readonly how: ReachedNode['how'];
}

/** All of it, nearest first, and which limit cut it. */
interface Possible {
  readonly steps: readonly PossibleStep[];
  readonly cut: string | null;
}

interface Reader extends WalkPlace {
  /** A column in question of the table that is read. */
  readonly via: string;
  /** Whether an edge says which columns of that table it uses. */
  readonly isNamed: boolean;
  /** Whether its SQL left something open. */
  readonly isOpen: boolean;
}

/**
 * What reads a table of the columns involved, and may use these columns: no edge says which it uses, or
 * its SQL left something open. What is made from that may be reached as well, step by step. Where nothing
 * at all is reached, whatever reads the tables in question: that nothing depends on a column of a table
 * that is read is never said.
 */
export async function possibleOf(ctx: Context, found: Reached): Promise<Possible> {
  const { begun, steps, reached, known } = found;
  const involved = [...begun, ...reached.map(({ id }) => id)];
  const readers = (await readersOf(ctx, involved)).filter(({ id }) => !known.has(id));
  const open = readers.filter(({ isNamed, isOpen }) => !isNamed || isOpen);
  const shown = open.length === 0 && reached.length === 0 ? readers : open;
  const first = shown.flatMap((reader) => {
    const via = steps.get(reader.via);
    return via ? [{ step: stepTo(reader, via), how: howOf(reader) }] : [];
  });
  return goOn(ctx, first, found);
}

function howOf({ isNamed, isOpen }: Reader): ReachedNode['how'] {
  if (!isNamed) return 'UNKNOWN_USE';
  return isOpen ? 'OPEN_TRACE' : 'NO_USE_FOUND';
}

/**
 * Follow the edges of tables from what may be reached. What is reached for sure is passed through: more of it may be
 * than its known columns.
 */
async function goOn(
  ctx: Context,
  first: readonly PossibleStep[],
  { known, asked, depth }: Reached,
): Promise<Possible> {
  const steps = [...first];
  const seen = new Set([...asked, ...first.map(({ step }) => step.id)]);
  let frontier = first.flatMap(({ step, how }) => (how === 'NO_USE_FOUND' ? [] : [step]));
  while (frontier.length > 0) {
    ctx.signal.throwIfAborted();
    const byId = new Map(frontier.map((step) => [step.id, step]));
    const next: ImpactStep[] = [];
    for (const place of await neighbours(ctx, { up: [], down: [...byId.keys()] }, tableScope)) {
      const via = byId.get(place.via);
      if (!via || seen.has(place.id)) continue;
      if (via.depth >= depth) return { steps, cut: `depth: it goes on beyond ${depth} steps.` };
      if (steps.length >= maxPossible) {
        return { steps, cut: `maxNodes: more than ${maxPossible} may be reached.` };
      }
      seen.add(place.id);
      const step = stepTo(place, via);
      next.push(step);
      if (!known.has(place.id)) steps.push({ step, how: 'MADE_FROM_POSSIBLE' });
    }
    frontier = next;
  }
  return { steps, cut: null };
}

async function readersOf(ctx: Context, involved: readonly string[]): Promise<Reader[]> {
  return rows<Reader>(
    ctx,
    Prisma.sql`with tables as (
        select distinct coalesce(p.id, c.id) as id, (array_agg(c.id))[1] as via
        from unnest(${[...involved]}::uuid[]) n(id)
        join resource c on c.workspace_id = ${ctx.workspaceId}::uuid and c.id = n.id
          and c.kind = 'column'
        left join resource p on p.workspace_id = c.workspace_id and p.id = c.parent_id
        group by 1)
      select distinct on (r.id) r.id, r.kind, t.via, ${visibleResources(ctx)} as visible,
        exists (select from lineage_edge k join resource s on s.workspace_id = k.workspace_id
            and s.id = k.source_id and s.parent_id = t.id
          left join resource d on d.workspace_id = k.workspace_id and d.id = k.target_id
          where k.workspace_id = e.workspace_id and k.valid_to is null and k.level = 'COLUMN'
            and (d.id = r.id or d.parent_id = r.id)) as "isNamed",
        exists (select from table_trace q where q.workspace_id = r.workspace_id
          and q.table_id = r.id and cardinality(q.reasons) > 0) as "isOpen"
      from tables t
      join lineage_edge e on e.workspace_id = ${ctx.workspaceId}::uuid and e.source_id = t.id
        and ${holdsAt(tableScope)}
      join resource r on r.workspace_id = e.workspace_id and r.id = e.target_id
      where ${aliveAt(tableScope)}
      order by r.id, "isNamed" limit ${maxPossible}`,
  );
}

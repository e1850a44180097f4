// Possible impact: what reads a table where its columns are unknown, and what is
// made from that.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { ColumnParent } from '../../resources/lists/nesting.ts';
import type { WalkPlace, WalkScope } from '../neighbours.ts';
import { below, readersOf } from './below.ts';
import { foundBy, type ImpactStep, type ReachedNode, stepTo } from './step.ts';

const tableScope: WalkScope = { level: 'TABLE', asOf: null };
const maxPossible = 10_000;

/** What an impact has come to. */
interface Reached {
  /** The columns where it began and that it came to, nearest first, with the tables in which they lie. */
  readonly columns: readonly ColumnParent[];
  /** Where it began, and what it came to, by their ids. */
  readonly steps: ReadonlyMap<string, ImpactStep>;
  /** Whether it came to anything. */
  readonly isAnyReached: boolean;
  /** What is asked about or reached for sure: it is not said again. */
  isKnown(id: string): boolean;
  /** What is asked about: anyone who reads it was looked at. */
  readonly asked: ReadonlySet<string>;
  /** Steps at most. */
  readonly depth: number;
}

/** All of it, nearest first, and which limit cut it. */
interface Possible {
  readonly nodes: readonly ReachedNode[];
  readonly cut: string | null;
}

interface Reader extends WalkPlace {
  /** A column in question of the table that is read. */
  readonly via: ImpactStep;
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
  const readers = await readersIn(ctx, found);
  const open = readers.filter(({ isNamed, isOpen }) => !isNamed || isOpen);
  const shown = open.length === 0 && !found.isAnyReached ? readers : open;
  const first = shown.map((reader) => foundBy(stepTo(reader, reader.via), howOf(reader)));
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
  first: readonly ReachedNode[],
  { isKnown, asked, depth }: Reached,
): Promise<Possible> {
  const nodes = [...first];
  const seen = new Set([...asked, ...first.map(({ id }) => id)]);
  let frontier = first.flatMap(({ step, how }) => (how === 'NO_USE_FOUND' ? [] : [step]));
  while (frontier.length > 0) {
    ctx.signal.throwIfAborted();
    const byId = new Map(frontier.map((step) => [step.id, step]));
    const next: ImpactStep[] = [];
    for (const place of await below(ctx, [...byId.keys()], tableScope)) {
      const via = byId.get(place.via);
      if (!via || seen.has(place.id)) continue;
      if (via.depth >= depth) return { nodes, cut: `depth: it goes on beyond ${depth} steps.` };
      if (nodes.length >= maxPossible) {
        return { nodes, cut: `maxNodes: more than ${maxPossible} may be affected.` };
      }
      seen.add(place.id);
      const step = stepTo(place, via);
      next.push(step);
      if (!isKnown(place.id)) nodes.push(foundBy(step, 'MADE_FROM'));
    }
    frontier = next;
  }
  return { nodes, cut: null };
}

/** What reads the tables of the columns involved and is not known yet, each by the way that leaves most open. */
async function readersIn(ctx: Context, { columns, steps, isKnown }: Reached): Promise<Reader[]> {
  const firstIn = new Map<string, ImpactStep>();
  for (const { id, tableId } of columns) {
    const step = steps.get(id);
    if (step && !firstIn.has(tableId ?? id)) firstIn.set(tableId ?? id, step);
  }
  const pairs = await readersOf(ctx, [...firstIn.keys()], isKnown, maxPossible);
  if (pairs.length === 0) return [];
  const found = await rows<Omit<Reader, 'via'> & { tableId: string }>(
    ctx,
    Prisma.sql`select distinct on (r.id) r.id, r.kind, t.id as "tableId",
        ${visibleResources(ctx)} as visible,
        exists (select from lineage_edge k join resource s on s.workspace_id = k.workspace_id
            and s.id = k.source_id and s.parent_id = t.id
          left join resource d on d.workspace_id = k.workspace_id and d.id = k.target_id
          where k.workspace_id = r.workspace_id and k.valid_to is null and k.level = 'COLUMN'
            and (d.id = r.id or d.parent_id = r.id)) as "isNamed",
        exists (select from table_trace q where q.workspace_id = r.workspace_id
          and q.table_id = r.id and cardinality(q.reasons) > 0) as "isOpen"
      from unnest(${pairs.map(({ via }) => via)}::uuid[], ${pairs.map(({ id }) => id)}::uuid[])
        t(id, reader_id)
      join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = t.reader_id
      order by r.id, "isNamed", t.id`,
  );
  return found.flatMap(({ tableId, ...reader }) => {
    const via = firstIn.get(tableId);
    return via ? [{ ...reader, via }] : [];
  });
}

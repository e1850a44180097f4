// In charge of what a change may reach: what reads a table, with nothing known of whether by these columns.

import { visibleResources } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { ReachedNode } from './impact-reason.ts';
import { aliveAt, holdsAt, type WalkScope } from './neighbours.ts';

const tableScope: WalkScope = { level: 'TABLE', asOf: null };
const maxPossible = 10_000;

/** What an impact has come to. */
interface Reached {
  /** Where it began. */
  readonly begun: ReadonlySet<string>;
  /** Where it began, and what it came to. */
  readonly involved: readonly string[];
  /** What is not looked for: it is asked about, or reached for sure. */
  readonly known: ReadonlySet<string>;
}

interface Reader {
  readonly id: string;
  readonly kind: string;
  /** A column in question of the table that is read. */
  readonly via: string;
  /** Whether an edge says which columns of that table it uses. */
  readonly isNamed: boolean;
  /** Whether its SQL left something open. */
  readonly isOpen: boolean;
  readonly visible: boolean;
}

/**
 * What reads a table of the columns involved, and may use these columns: no edge says which it uses, or
 * its SQL left something open. Where nothing at all is reached, whatever reads the tables in question:
 * that nothing depends on a column of a table that is read is never said.
 */
export async function possibleOf(
  ctx: Context,
  { begun, involved, known }: Reached,
): Promise<{ possible: Omit<ReachedNode, 'depth' | 'path'>[]; hidden: number }> {
  const readers = (await readersOf(ctx, involved)).filter(({ id }) => !known.has(id));
  const isNothingReached = involved.length === begun.size;
  const open = readers.filter(({ isNamed, isOpen }) => !isNamed || isOpen);
  const shown = open.length === 0 && isNothingReached ? readers : open;
  const seen = shown.filter(({ visible }) => visible);
  return {
    possible: seen.map(({ id, kind, via, isNamed, isOpen }) => ({
      id,
      kind,
      via,
      how: !isNamed ? 'UNKNOWN_USE' : isOpen ? 'OPEN_TRACE' : 'NO_USE_FOUND',
    })),
    hidden: shown.length - seen.length,
  };
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

// Writes rows without looking up, for each, what its foreign keys name, where that was proved for all of them at once.
//
// PostgreSQL runs a statement of its own for each key of each row, which is two thirds of what an edge takes to
// write. An import has found by joins what its rows name. So it locks what was there before by one statement, which
// counts it, as each of those would have locked it; and the rest it wrote itself in the same transaction. The keys stay
// declared: whatever else writes is checked by them, and so is an import that could not prove them.

import pg from 'pg';
import type { Context } from '../../context.ts';
import { scratch, unwatched } from '../../database/scratch.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { lockOrder } from '../../resources/editing/lock.ts';
import type { Stage } from './staging/stage.ts';

/** Rows below which the proof takes longer than what it saves. */
const manyRows = 1_000;

/**
 * Do `write`, within a transaction, without looking up keys row by row; `prove` answers whether all of them name something,
 * and holds that until the transaction ends. Triggers fire all the same: those of `resource` and `lineage_edge` always do.
 * Where keys are not proved, or the account may not do so, `write` is done as ever.
 */
export async function writeProved<T>(
  tx: Context,
  rows: number,
  prove: () => Promise<boolean>,
  write: () => Promise<T>,
): Promise<T> {
  if (rows < manyRows || !(await mayLeaveChecks(tx)) || !(await prove())) return write();
  await scratch(tx, 'set local session_replication_role = replica');
  // Should it fail, the transaction is undone, and with it the setting.
  const written = await write();
  await scratch(tx, 'set local session_replication_role = origin');
  return written;
}

/** Whether the account may write without checks, which the packaged server's is granted. */
async function mayLeaveChecks(tx: Context): Promise<boolean> {
  await scratch(tx, 'savepoint checks');
  try {
    await scratch(tx, 'set local session_replication_role = origin');
    await scratch(tx, 'release savepoint checks');
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '42501') throw error;
    await scratch(tx, 'rollback to savepoint checks');
    return false;
  }
}

/** Hold the workspace and what new resources lie in; whether all of it is there. The integration is held already. */
export async function holdParents(tx: Context, { plan }: Stage): Promise<boolean> {
  const [workspace] = await scratch(
    tx,
    'select from workspace w where w.id = $1::uuid for key share',
    [tx.workspaceId],
  );
  const parents = `select p.parent_id from ${plan} p where p.is_new and p.parent_id is not null`;
  return workspace !== undefined && (await holdAll(tx, notNew(plan, parents)));
}

/** List the ends of new edges that were there before: while something else is written, as a rule. */
export async function listOldEnds(ctx: Context, stage: Stage): Promise<void> {
  const { plan, edgePlan, oldEnds } = stage;
  const ends = `select p.source_id from ${edgePlan} p where p.was_implied is null
    union all select p.target_id from ${edgePlan} p where p.was_implied is null`;
  await scratch(ctx, `drop table if exists ${oldEnds}`);
  await scratch(ctx, `create unlogged table ${oldEnds} ${unwatched} as ${notNew(plan, ends)}`);
}

/** Hold the ends of new edges that were there before; whether all of them are there. */
export function holdEnds(tx: Context, { oldEnds }: Stage): Promise<boolean> {
  return holdAll(tx, `select o.id from ${oldEnds} o`);
}

/** Those of these resources that the import does not write itself, each once. */
function notNew(plan: string, ids: string): string {
  return `select distinct n.id from (${ids}) n(id)
    where not exists (select from ${plan} o where o.id = n.id and o.is_new and o.n is not null)`;
}

/** Hold these resources in the order of all locks; whether all of them are there. */
async function holdAll(tx: Context, ids: string): Promise<boolean> {
  const [found] = await scratch<{ isWhole: boolean }>(
    tx,
    Prisma.sql`with old as materialized (${Prisma.raw(ids)}),
      held as materialized (select r.id from resource r
        where r.workspace_id = ${tx.workspaceId}::uuid and r.id in (select o.id from old o)
        order by ${lockOrder} for key share)
      select (select count(*) from old) = (select count(*) from held) as "isWhole"`,
  );
  return found?.isWhole ?? false;
}

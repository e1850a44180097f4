// Writes rows without looking up, for each, what its foreign keys name, where that was proved for all of them at once.
//
// PostgreSQL runs a statement of its own for each key of each row, which is two thirds of what an edge takes to
// write. An import has found by joins what its rows name. So it locks what was there before by one statement, which
// counts it, as each of those would have locked it; and the rest it wrote itself in the same transaction. The keys stay
// declared: whatever else writes is checked by them, and so is an import that could not prove them.

import pg from 'pg';
import type { Context } from '../../context.ts';
import { scratch } from '../../database/scratch.ts';
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
  return (
    workspace !== undefined &&
    (await holdOld(tx, plan, `select p.parent_id as id from ${plan} p where p.is_new`))
  );
}

/** Hold the ends of new edges that were there before; whether all of them are there. */
export function holdEnds(tx: Context, { plan, edgePlan }: Stage): Promise<boolean> {
  const ends = `select p.source_id as id from ${edgePlan} p where p.was_implied is null
    union select p.target_id from ${edgePlan} p where p.was_implied is null`;
  return holdOld(tx, plan, ends);
}

/** Hold those of these resources that the import did not write itself, in the order of all locks. */
async function holdOld(tx: Context, plan: string, ids: string): Promise<boolean> {
  const old = Prisma.raw(`select distinct n.id from (${ids}) n where n.id is not null
    and not exists (select from ${plan} o where o.id = n.id and o.is_new and o.n is not null)`);
  const [found] = await scratch<{ isWhole: boolean }>(
    tx,
    Prisma.sql`with old as materialized (${old}),
      held as materialized (select r.id from resource r
        where r.workspace_id = ${tx.workspaceId}::uuid and r.id in (select o.id from old o)
        order by ${lockOrder} for key share)
      select (select count(*) from old) = (select count(*) from held) as "isWhole"`,
  );
  return found?.isWhole ?? false;
}

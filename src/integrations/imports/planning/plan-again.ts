// Plans an import again, where somebody gave one of its keys to something since it was planned.

import pg from 'pg';
import type { Context } from '../../../context.ts';
import { prepare, scratch } from '../../../database/scratch.ts';
import type { Stage } from '../staging/stage.ts';
import { makePlan, type PlanOptions } from './plan.ts';

/** Whether something could not be written because something else has its key by now. */
export function isKeyGiven(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '23505' &&
    error.constraint === 'resource_workspace_id_integration_id_databuilder_id_key'
  );
}

/**
 * Make the plan of what was staged again, outside of a transaction. What has one of its keys by now is what the source
 * means by it, or gives the key up, as in every plan; edges that were staged lead to it then.
 */
export async function planAgain(ctx: Context, stage: Stage, options: PlanOptions): Promise<void> {
  const { plan, matches, edges } = stage;
  await prepare(ctx, async (tx) => {
    const given = await scratch<{ id: string; key: string }>(
      tx,
      `select p.id, p.key from ${plan} p join resource r on r.workspace_id = $1::uuid
          and r.integration_id = $2::uuid and r.databuilder_id = p.key
        where p.is_new and p.taken_from is null`,
      [tx.workspaceId, options.integrationId],
    );
    await scratch(tx, `delete from ${matches}`);
    await makePlan(tx, stage, options);
    const other = (end: string) =>
      `coalesce((select g.id from given g where g.was = ${end}), ${end})`;
    await scratch(
      tx,
      `with given as (
          select g.was, p.id from unnest($1::uuid[], $2::text[]) g(was, key)
          join ${plan} p on p.key = g.key and p.id <> g.was)
        update ${edges} e set source_id = ${other('e.source_id')}, target_id = ${other('e.target_id')}
        where e.source_id in (select g.was from given g) or e.target_id in (select g.was from given g)`,
      [given.map(({ id }) => id), given.map(({ key }) => key)],
    );
  });
}

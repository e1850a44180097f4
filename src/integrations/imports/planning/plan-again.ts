// Plans an import again, where somebody gave one of its keys to something since it was planned.

import pg from 'pg';
import type { Context } from '../../../context.ts';
import { prepare, scratch, unwatched } from '../../../database/scratch.ts';
import type { Stage } from '../staging/stage.ts';
import { makePlan, type PlanOptions } from './plan.ts';
import type { Recognized } from './recognize.ts';

/**
 * Whether something could not be written because something else has its key or its name by now, or because what it lies
 * in was merged into something else.
 */
export function isKeyGiven(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    ['23503', '23505'].includes(error.code ?? '') &&
    given.has(error.constraint)
  );
}

const given: ReadonlySet<string | undefined> = new Set([
  'resource_workspace_id_integration_id_databuilder_id_key',
  'resource_identity_key',
  'resource_workspace_id_parent_id_fkey',
]);

/**
 * Make the plan of what was staged again, outside of a transaction. What has one of its keys or names by now is what the
 * source means by it, or gives the key up, as in every plan; edges that were staged lead to it then.
 */
export async function planAgain(
  ctx: Context,
  stage: Stage,
  options: PlanOptions,
): Promise<Recognized> {
  const { plan, matches, edges } = stage;
  const before = `${plan}_before`;
  return prepare(ctx, async (tx) => {
    await scratch(tx, `drop table if exists ${before}`);
    await scratch(
      tx,
      `create unlogged table ${before} ${unwatched} as select p.id, p.key from ${plan} p`,
    );
    await scratch(tx, `delete from ${matches}`);
    const recognized = await makePlan(tx, stage, options);
    const other = (end: string) =>
      `coalesce((select g.id from given g where g.was = ${end} limit 1), ${end})`;
    await scratch(
      tx,
      `with given as materialized (
          select b.id as was, p.id from ${before} b join ${plan} p on p.key = b.key and p.id <> b.id)
        update ${edges} e set source_id = ${other('e.source_id')}, target_id = ${other('e.target_id')}
        where e.source_id in (select g.was from given g) or e.target_id in (select g.was from given g)`,
    );
    await scratch(tx, `drop table ${before}`);
    return recognized;
  });
}

// Joins with the catalog where the database expects next to nothing of what an import meets there.

import type { Context } from '../../../context.ts';
import { atLength, scratch } from '../../../database/scratch.ts';

/** Rows up to which it takes no time to compare each with all others. */
const fewRows = 300;
/** Expected rows from which on joins are hashed in any case. */
const fewExpected = 10;

/**
 * Make figures of the resources where there are none yet. Where somebody else makes them, they are left to them, and so
 * they are where the tables belong to another role than that of the program.
 */
export async function makeFigures(ctx: Context, staged: number): Promise<void> {
  if (staged <= fewRows) return;
  const [missing] = await scratch(
    ctx,
    `select from pg_catalog.pg_class c where c.oid = 'resource'::regclass and c.reltuples < 0
      and pg_catalog.pg_has_role(c.relowner, 'usage')
      and exists (select from resource r where r.workspace_id = $1::uuid)`,
    [ctx.workspaceId],
  );
  if (missing) await atLength(ctx, (tx) => scratch(tx, 'analyze (skip_locked) resource'));
}

/**
 * Do `work`, which joins so many rows with resources, with joins that are hashed where the database expects hardly any
 * resource of the workspace or the integration, and there are many: its figures are of a time before them, and it would
 * compare all with all.
 */
export async function joining<T>(
  tx: Context,
  { integrationId, rows }: { readonly integrationId: string; readonly rows: number },
  work: () => Promise<T>,
): Promise<T> {
  const ofWorkspace = 'r.workspace_id = $1::uuid';
  const isMisjudged =
    rows > fewRows &&
    ((await isUnexpected(tx, ofWorkspace, [tx.workspaceId])) ||
      (await isUnexpected(tx, `${ofWorkspace} and r.integration_id = $2::uuid`, [
        ...[tx.workspaceId, integrationId],
      ])));
  return isMisjudged ? hashed(tx, work) : work();
}

/**
 * Do `work` with joins that are hashed, where there are many rows: of a workspace that was filled just now the database
 * expects one row.
 */
export function hashedIfMany<T>(tx: Context, rows: number, work: () => Promise<T>): Promise<T> {
  return rows > fewRows ? hashed(tx, work) : work();
}

/** Do `work` with joins that are hashed, within a transaction. Not to be nested. */
async function hashed<T>(tx: Context, work: () => Promise<T>): Promise<T> {
  await scratch(tx, "select set_config('enable_nestloop', 'off', true)");
  const value = await work();
  await scratch(tx, 'set local enable_nestloop to default');
  return value;
}

/** Whether there are many resources `r` of which something is true, and the database expects hardly any. */
async function isUnexpected(
  ctx: Context,
  which: string,
  values: readonly string[],
): Promise<boolean> {
  const found = `select from resource r where ${which}`;
  const [plan] = await scratch<{ readonly 'QUERY PLAN': string }>(ctx, `explain ${found}`, values);
  const [, expected] = / rows=(\d+) /.exec(plan?.['QUERY PLAN'] ?? '') ?? [];
  if (Number(expected) >= fewExpected) return false;
  const [row] = await scratch(ctx, `${found} offset ${fewRows} limit 1`, values);
  return row !== undefined;
}

// Reads the data tests of many tables and columns at once.

import { isAllowed, visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { columnsOf } from '../../database/columns.ts';
import { loaderOf } from '../../database/loader.ts';
import { rows } from '../../database/rows.ts';
import { type DataTest, Prisma, type RunResult } from '../../generated/prisma/client.ts';

const columns = columnsOf(Prisma.DataTestScalarFieldEnum, 'd');
const runColumns = columnsOf(Prisma.RunResultScalarFieldEnum, 'x');

/**
 * The tests of a table, those of its columns included that the viewer may see, or of a column: failing ones
 * first. What a project still declares, that is; for a viewer who may see the resource.
 */
export async function loadDataTests(ctx: Context, resourceId: string): Promise<DataTest[]> {
  return (await loaderOf(ctx, testsByResource).load(resourceId)) ?? [];
}

/** The last run of the model that makes a table; null where none is known. Skipped ones never ran. */
export async function loadLastRun(ctx: Context, resourceId: string): Promise<RunResult | null> {
  return (await loaderOf(ctx, lastRunByResource).load(resourceId)) ?? null;
}

async function lastRunByResource(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, RunResult>> {
  const found = await rows<RunResult>(
    ctx,
    Prisma.sql`select x.* from unnest(${[...ids]}::uuid[]) t(id)
      cross join lateral (
        select ${runColumns} from run_result x where x.workspace_id = ${ctx.workspaceId}::uuid
          and x.resource_id = t.id and x.data_test_id is null and x.status <> 'skipped'
        order by x.completed_at desc limit 1) x`,
  );
  const mayRead = isAllowed(ctx, 'read integrations');
  return new Map(
    found.map((run) => [run.resourceId ?? '', mayRead ? run : { ...run, message: null }]),
  );
}

/** How many of them one resource shows. */
const most = 100;

async function testsByResource(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, DataTest[]>> {
  const found = await rows<DataTest & { of: string }>(
    ctx,
    Prisma.sql`select t.id as "of", d.* from unnest(${[...ids]}::uuid[]) t(id)
      cross join lateral (
        select ${columns} from data_test d where d.workspace_id = ${ctx.workspaceId}::uuid
          and not d.stale and (d.resource_id = t.id or d.column_id = t.id)
          and (d.column_id is null or exists (select from resource r
            where r.workspace_id = d.workspace_id and r.id = d.column_id and ${visibleResources(ctx)}))
        order by array_position(array['fail', 'error', 'warn'], d.status), d.name, d.id
        limit ${most}) d`,
  );
  const tests = new Map<string, DataTest[]>(ids.map((id) => [id, []]));
  for (const { of, ...test } of found) tests.get(of)?.push(withoutRows(ctx, test));
  return tests;
}

/** What a run said may quote the data: only who may read integrations reads it. */
function withoutRows(ctx: Context, test: DataTest): DataTest {
  return isAllowed(ctx, 'read integrations') ? test : { ...test, message: null };
}

// Reads the last runs of many jobs, who wrote many tables last, and when many edges were seen.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { loaderOf } from '../../database/loader.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { type PipelineRun, runColumns } from './runs.ts';

/** The last run of a job; null where none is known. */
export async function loadLastRunOfJob(ctx: Context, jobId: string): Promise<PipelineRun | null> {
  return (await loaderOf(ctx, lastRuns).load(jobId)) ?? null;
}

async function lastRuns(ctx: Context, ids: readonly string[]): Promise<Map<string, PipelineRun>> {
  const found = await rows<PipelineRun & { of: string }>(
    ctx,
    Prisma.sql`select r.id as "of", u.* from unnest(${[...ids]}::uuid[]) n(id)
      join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = n.id
      join openlineage_job j on j.workspace_id = r.workspace_id and j.integration_id = r.integration_id
        and j.key = r.databuilder_id
      cross join lateral (select ${runColumns(ctx)} from openlineage_run u
        where u.workspace_id = j.workspace_id and u.job_id = j.id and u.state <> 'stated'
        order by u.started_at desc, u.id limit 1) u`,
  );
  return new Map(found.map(({ of, ...run }) => [of, run]));
}

/** Which job wrote a table last, and in which run. */
export interface LastWrite {
  /** The job, a resource. */
  readonly jobId: string;
  readonly run: PipelineRun;
}

/** Who wrote a table last, as runs say; null where none does, or the viewer may not see the job. */
export async function loadLastWrite(ctx: Context, tableId: string): Promise<LastWrite | null> {
  return (await loaderOf(ctx, lastWrites).load(tableId)) ?? null;
}

async function lastWrites(ctx: Context, ids: readonly string[]): Promise<Map<string, LastWrite>> {
  const ws = Prisma.sql`${ctx.workspaceId}::uuid`;
  const found = await rows<PipelineRun & { of: string; job: string }>(
    ctx,
    Prisma.sql`select n.id as "of", w.job, w.id, w."runId", w.state, w."startedAt", w."endedAt",
        w."nominalStart", w.error
      from unnest(${[...ids]}::uuid[]) n(id)
      cross join lateral (
        select o.id from resource t join openlineage_dataset o on o.workspace_id = ${ws}
            and o.integration_id = t.integration_id and o.key = t.databuilder_id
          where t.workspace_id = ${ws} and t.id = n.id
        union all
        select o.id from resource_claim c join openlineage_dataset o on o.workspace_id = ${ws}
            and o.integration_id = c.integration_id and o.key = c.key
          where c.workspace_id = ${ws} and c.resource_id = n.id
        limit 1) d
      cross join lateral (
        select r.id as job, ${runColumns(ctx)}
        from openlineage_dataset o
        cross join lateral (select o.said -> 'writtenBy' -> 1 ->> 'run' as run, o.said -> 'writtenBy' ->> 0 as at) s
        join openlineage_run u on u.workspace_id = ${ws} and u.id = s.run::uuid
        join openlineage_job j on j.workspace_id = ${ws} and j.id = u.job_id
        join resource r on r.workspace_id = ${ws} and r.integration_id = j.integration_id
          and r.databuilder_id = j.key and not r.archived and ${visibleResources(ctx)}
        where o.workspace_id = ${ws} and (o.id = d.id or o.stands_for = d.id)
        order by s.at desc limit 1) w`,
  );
  return new Map(found.map(({ of, job, ...run }) => [of, { jobId: job, run }]));
}

/** How often and when last runs showed an edge. */
export interface EdgeSightings {
  readonly runs: number;
  readonly lastSeenAt: Date;
}

/** How often runs showed an edge; null for one that none showed. */
export async function loadSightings(ctx: Context, edgeId: string): Promise<EdgeSightings | null> {
  return (await loaderOf(ctx, sightings).load(edgeId)) ?? null;
}

async function sightings(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, EdgeSightings>> {
  const found = await rows<EdgeSightings & { id: string }>(
    ctx,
    Prisma.sql`select f.edge_id as id, max(f.runs)::integer as runs, max(f.last_seen_at) as "lastSeenAt"
      from openlineage_flow f where f.workspace_id = ${ctx.workspaceId}::uuid
        and f.edge_id = any(${[...ids]}::uuid[]) group by f.edge_id`,
  );
  return new Map(found.map(({ id, ...seen }) => [id, seen]));
}

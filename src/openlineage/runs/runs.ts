// The runs of jobs, as people read them.

import { isAllowed, mustBeAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Page, PageArgs } from '../../lists/page.ts';
import { loadPage, type OwnedListing } from '../../lists/page-of-each.ts';

/** What a run can be at. */
export const runStates = ['running', 'completed', 'failed', 'aborted', 'other'] as const;
export type PipelineRunState = (typeof runStates)[number];

/** A run of a job of the catalog. */
export interface PipelineRun {
  readonly id: string;
  /** The id that its producer gave it. */
  readonly runId: string;
  readonly state: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly nominalStart: Date | null;
  /** Why it failed, which may quote data: for those who may read integrations. */
  readonly error: string | null;
}

/** The columns of a run, alias `u`, for the viewer. */
export function runColumns(ctx: Context): Prisma.Sql {
  const error = isAllowed(ctx, 'read integrations') ? Prisma.sql`u.error` : Prisma.sql`null::text`;
  return Prisma.sql`u.id, u.run_id as "runId", u.state, u.started_at as "startedAt",
    u.ended_at as "endedAt", u.nominal_start as "nominalStart", ${error} as error`;
}

/** The jobs of events that are a resource of the catalog, as a condition on the alias `j` of them. */
function isJob(ctx: Context, resource: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`exists (select from resource r where r.workspace_id = ${ctx.workspaceId}::uuid
    and r.id = ${resource} and r.integration_id = j.integration_id and r.databuilder_id = j.key)`;
}

/** The runs of a job that the viewer may see, the latest first; those of many are read together. */
export function loadRuns(ctx: Context, jobId: string, args: PageArgs): Promise<Page<PipelineRun>> {
  return loadPage(ctx, runsOf, { ownerId: jobId, query: null, args });
}

function runsOf(ctx: Context): OwnedListing {
  return {
    from: Prisma.sql`openlineage_run u join openlineage_job j
      on j.workspace_id = u.workspace_id and j.id = u.job_id`,
    columns: runColumns(ctx),
    where: Prisma.sql`u.workspace_id = ${ctx.workspaceId}::uuid and u.state <> 'stated'`,
    belongs: isJob(ctx, Prisma.sql`owner.id`),
    order: [
      { by: Prisma.sql`u.started_at`, type: 'timestamptz', descending: true },
      { by: Prisma.sql`u.id`, type: 'uuid', descending: false },
    ],
  };
}

/** What came of a namespace. */
export interface ReportedNamespace {
  readonly namespace: string;
  /** The integration that describes its datasets; null for one that names jobs alone. */
  readonly integrationId: string | null;
  /** Events since midnight in UTC, and in the last seven days. */
  readonly eventsToday: number;
  readonly eventsOfWeek: number;
  readonly lastEventAt: Date | null;
  /** Whether the server is known by whose name its datasets go. */
  readonly isPlaced: boolean;
}

/** An event that was refused. */
export interface RefusedEvent {
  readonly receivedAt: Date;
  readonly message: string;
}

/** What is known of the events of a workspace. */
export interface EventReport {
  /** Events that wait to be read. */
  readonly waiting: number;
  readonly namespaces: readonly ReportedNamespace[];
  /** Of the last seven days, the latest first. */
  readonly refused: readonly RefusedEvent[];
}

/** What came of events of OpenLineage. Editors and admins may read it. */
export async function readReporting(ctx: Context): Promise<EventReport> {
  mustBeAllowed(ctx, 'read integrations');
  const ws = Prisma.sql`${ctx.workspaceId}::uuid`;
  const today = Prisma.sql`(${ctx.now()}::timestamptz at time zone 'UTC')::date`;
  const [counted] = await rows<{ waiting: number }>(
    ctx,
    Prisma.sql`select count(*)::integer as waiting from openlineage_event e where e.workspace_id = ${ws}`,
  );
  const namespaces = await rows<ReportedNamespace>(
    ctx,
    Prisma.sql`select n.namespace, i.integration_id as "integrationId",
        coalesce(d.today, 0)::integer as "eventsToday", coalesce(d.week, 0)::integer as "eventsOfWeek",
        d.last as "lastEventAt", coalesce(a.address, '') not like 'integration:%' and a.address is not null
          as "isPlaced"
      from (select d.namespace from openlineage_day d where d.workspace_id = ${ws}
        union select o.namespace from openlineage_namespace o where o.workspace_id = ${ws}) n
      left join openlineage_namespace i on i.workspace_id = ${ws} and i.namespace = n.namespace
      left join integration_address a on a.workspace_id = ${ws}
        and a.integration_id = i.integration_id and a.database = '*'
      left join lateral (select sum(d.events) filter (where d.day = ${today}) as today,
          sum(d.events) filter (where d.day > ${today} - 7) as week, max(d.last_event_at) as last
        from openlineage_day d where d.workspace_id = ${ws} and d.namespace = n.namespace) d on true
      where n.namespace <> '' order by d.last desc nulls last, n.namespace limit 1000`,
  );
  const refused = await rows<RefusedEvent>(
    ctx,
    Prisma.sql`select f.received_at as "receivedAt", f.message from openlineage_refusal f
      where f.workspace_id = ${ws} order by f.received_at desc limit 100`,
  );
  return { waiting: counted?.waiting ?? 0, namespaces, refused };
}

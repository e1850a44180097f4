// Reading the monitors and open incidents of many resources at once.

import { visibleResources } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { loaderOf } from '../database/loader.ts';
import { rows } from '../database/rows.ts';
import {
  type Incident,
  type Measurement,
  type Monitor,
  Prisma,
} from '../generated/prisma/client.ts';
import { newestFirst, type Page, type PageArgs } from '../lists/page.ts';
import { loadPage, type OwnedListing } from '../lists/page-of-each.ts';
import { incidentsById } from './incidents/incident.ts';
import { incidentColumns } from './incidents/record.ts';
import { measurementsById } from './measurement.ts';
import { monitorsById } from './monitor.ts';
import { monitorColumns, monitorsSeen } from './seen.ts';
import { explanationInWords } from './words.ts';

/** How many of them one resource shows; the lists show all. */
const most = 100;

/** The monitor of an id, or null where there is none that the viewer may see. */
export async function loadMonitor(ctx: Context, id: string): Promise<Monitor | null> {
  return (await loaderOf(ctx, monitorsById).load(id)) ?? null;
}

/** The incident of an id, or null where there is none that the viewer may see. */
export async function loadIncident(ctx: Context, id: string | null): Promise<Incident | null> {
  return id === null ? null : ((await loaderOf(ctx, incidentsById).load(id)) ?? null);
}

/** The measurement of an id, or null where there is none that the viewer may see. */
export async function loadMeasurement(
  ctx: Context,
  id: string | null,
): Promise<Measurement | null> {
  return id === null ? null : ((await loaderOf(ctx, measurementsById).load(id)) ?? null);
}

/** The monitors that watch a resource, oldest first. */
export async function loadTargetMonitors(ctx: Context, targetId: string): Promise<Monitor[]> {
  return (await loaderOf(ctx, monitorsByTarget).load(targetId)) ?? [];
}

async function monitorsByTarget(
  ctx: Context,
  targetIds: readonly string[],
): Promise<Map<string, Monitor[]>> {
  const found = await rows<Monitor>(
    ctx,
    Prisma.sql`select m.* from unnest(${[...targetIds]}::uuid[]) t(id) cross join lateral (
        select ${monitorColumns} from monitor m
          where m.workspace_id = ${ctx.workspaceId}::uuid and m.target_id = t.id
          order by m.created_at, m.id limit ${most}) m`,
  );
  return grouped(targetIds, found);
}

/** The incidents on a resource that are not resolved, newest first. */
export async function loadOpenIncidents(ctx: Context, targetId: string): Promise<Incident[]> {
  return (await loaderOf(ctx, incidentsByTarget).load(targetId)) ?? [];
}

async function incidentsByTarget(
  ctx: Context,
  targetIds: readonly string[],
): Promise<Map<string, Incident[]>> {
  const found = await rows<Incident>(
    ctx,
    Prisma.sql`select i.* from unnest(${[...targetIds]}::uuid[]) t(id) cross join lateral (
        select ${incidentColumns} from incident i
          where i.workspace_id = ${ctx.workspaceId}::uuid and i.target_id = t.id
            and i.status <> 'resolved'
          order by i.created_at desc, i.id limit ${most}) i`,
  );
  return grouped(targetIds, found);
}

/** What a list of monitors or incidents shows of the table or column they are about. */
export interface TargetDisplay {
  readonly id: string;
  readonly icon: string | null;
  readonly label: string;
  readonly kind: string;
  readonly integrationId: string | null;
  readonly integrationType: string | null;
}

/** How to show a target, those of many monitors read together; null where it is gone. */
export async function loadTargetDisplay(ctx: Context, id: string): Promise<TargetDisplay | null> {
  return (await loaderOf(ctx, targetDisplays).load(id)) ?? null;
}

async function targetDisplays(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, TargetDisplay>> {
  const found = await rows<TargetDisplay>(
    ctx,
    Prisma.sql`select r.id, r.icon, r.title as label, r.kind, r.integration_id as "integrationId",
        i.type as "integrationType"
      from resource r left join integration i
        on i.workspace_id = r.workspace_id and i.id = r.integration_id
      where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = any(${[...ids]}::uuid[])
        and ${visibleResources(ctx)}`,
  );
  return new Map(found.map((display) => [display.id, display]));
}

/** Why an incident was opened, in sentences; those of many incidents are read together. */
export async function loadReasons(ctx: Context, { id, summary }: Incident): Promise<string[]> {
  return [summary, ...((await loaderOf(ctx, reasonsByIncident).load(id)) ?? [])];
}

async function reasonsByIncident(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const found = await rows<{ id: string; metricType: string; explanation: unknown }>(
    ctx,
    Prisma.sql`select distinct on (x.incident_id) x.incident_id as id, x.explanation,
        m.metric_type as "metricType"
      from measurement x
      join monitor m on m.workspace_id = x.workspace_id and m.id = x.monitor_id
      where x.workspace_id = ${ctx.workspaceId}::uuid and x.incident_id = any(${[...ids]}::uuid[])
      order by x.incident_id, x.created_at`,
  );
  return new Map(
    found.map(({ id, metricType, explanation }) => [
      id,
      explanationInWords(metricType, explanation),
    ]),
  );
}

function grouped<Row extends { targetId: string }>(
  targetIds: readonly string[],
  found: readonly Row[],
): Map<string, Row[]> {
  const groups = new Map<string, Row[]>(targetIds.map((id) => [id, []]));
  for (const row of found) groups.get(row.targetId)?.push(row);
  return groups;
}

/** A page of the monitors on the source of an integration, newest first; those of many are read together. */
export function loadMonitorsOn(
  ctx: Context,
  integrationId: string,
  args: PageArgs,
): Promise<Page<Monitor>> {
  return loadPage(ctx, monitorsOn, { ownerId: integrationId, query: {}, args });
}

function monitorsOn(ctx: Context): OwnedListing {
  return {
    from: monitorsSeen(ctx),
    columns: monitorColumns,
    where: Prisma.sql`m.workspace_id = ${ctx.workspaceId}::uuid`,
    order: newestFirst(Prisma.sql`m`),
    belongs: Prisma.sql`m.integration_id = owner.id`,
  };
}

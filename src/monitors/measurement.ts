// Reading measurements, and of a person's word that one of them was normal.

import { record } from '../audit/audit.ts';
import { changesOf } from '../audit/changes.ts';
import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { invalid, invalidField, notFound } from '../errors.ts';
import { type Measurement, Prisma } from '../generated/prisma/client.ts';
import type { Listing } from '../lists/listing.ts';
import { listPage, newestFirst, type Page, type PageArgs } from '../lists/page.ts';
import { loadPage, type OwnedListing } from '../lists/page-of-each.ts';
import { isUuid, notAnId } from '../text/uuid.ts';
import type { Changed } from './incidents/incident.ts';
import { noteOnIncident } from './incidents/record.ts';
import { forgetLearned } from './learning/range.ts';
import { lockMonitor, monitorsSeen } from './seen.ts';

export const measurementColumns = columnsOf(Prisma.MeasurementScalarFieldEnum, 'x');

/** Which measurements to list: those of a monitor, of an incident, or of both. */
export interface MeasurementQuery {
  readonly monitorId?: string | null | undefined;
  readonly incidentId?: string | null | undefined;
}

/** Measurements, newest first. Throws BAD_REQUEST where neither a monitor nor an incident is given, or what is not an id. */
export async function listMeasurements(
  ctx: Context,
  { monitorId, incidentId }: MeasurementQuery,
  args: PageArgs,
): Promise<Page<Measurement>> {
  if (!monitorId && !incidentId) {
    throw invalid('Give a monitor or an incident.', [
      { field: 'monitor', message: 'Give this or incident_id.' },
      { field: 'incident_id', message: 'Give this or monitor.' },
    ]);
  }
  for (const [field, id] of Object.entries({ monitor: monitorId, incident_id: incidentId })) {
    if (id && !isUuid(id)) throw invalidField(field, notAnId);
  }
  const of = (column: string, id: string | null | undefined) =>
    id ? Prisma.sql`x.${Prisma.raw(column)} = ${id}::uuid` : Prisma.sql`true`;
  const listing = measurementsSeen(ctx);
  const where = Prisma.sql`${listing.where}
    and ${of('monitor_id', monitorId)} and ${of('incident_id', incidentId)}`;
  return listPage<Measurement>(ctx, { ...listing, where }, args);
}

/** The measurements of one monitor or incident, newest first; those of many are read together. */
export async function loadMeasurements(
  ctx: Context,
  query: 'of monitor' | 'of incident',
  ownerId: string,
  args: PageArgs,
): Promise<Page<Measurement>> {
  return loadPage(ctx, measurementsOf, { ownerId, query, args });
}

function measurementsOf(ctx: Context, query: 'of monitor' | 'of incident'): OwnedListing {
  const belongs =
    query === 'of monitor'
      ? Prisma.sql`x.monitor_id = owner.id`
      : Prisma.sql`x.incident_id = owner.id`;
  return { ...measurementsSeen(ctx), belongs };
}

/** All measurements that the viewer may see, newest first. */
function measurementsSeen(ctx: Context): Listing {
  return {
    from: Prisma.sql`measurement x join ${monitorsSeen(ctx)}
      on m.workspace_id = x.workspace_id and m.id = x.monitor_id`,
    columns: measurementColumns,
    where: Prisma.sql`x.workspace_id = ${ctx.workspaceId}::uuid`,
    order: newestFirst(Prisma.sql`x`),
  };
}

/** Measurements are many; a subscriber that is behind by more gets the first of them. */
const maxChanged = 1_000;

/** Measurements that were added, of monitors that the viewer may see, in the order of their time. */
export async function changedMeasurements(
  ctx: Context,
  { ids, since, monitorId = null }: Changed,
): Promise<Measurement[]> {
  const added = ids
    ? Prisma.sql`x.id = any(${[...ids]}::uuid[])`
    : Prisma.sql`x.created_at >= ${since}`;
  return rows<Measurement>(
    ctx,
    Prisma.sql`select ${measurementColumns} from measurement x join ${monitorsSeen(ctx)}
        on m.workspace_id = x.workspace_id and m.id = x.monitor_id
      where x.workspace_id = ${ctx.workspaceId}::uuid and ${added}
        and (${monitorId}::uuid is null or x.monitor_id = ${monitorId}::uuid)
      order by x.created_at, x.id limit ${maxChanged}`,
  );
}

/**
 * Say that a value out of range was normal after all, or take that back: the learner replays the
 * measurements with it at the next run. Editors may.
 */
export async function markNormal(ctx: Context, id: string, on: boolean): Promise<Measurement> {
  mustBeAllowed(ctx, 'edit monitors');
  return transaction(ctx, async (tx) => {
    const { monitorId } = await getMeasurement(tx, id);
    const monitor = await lockMonitor(tx, monitorId);
    const before = await getMeasurement(tx, id);
    const measurement = await tx.db.measurement.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: { markedNormal: on, updatedAt: ctx.now() },
    });
    if (on !== before.markedNormal) await forgetLearned(tx, monitor.id);
    if (on && !before.markedNormal && before.incidentId) {
      await noteOnIncident(tx, before.incidentId, 'marked_normal');
    }
    const activity = on ? 'measurement_marked_normal' : 'measurement_unmarked';
    await record(tx, {
      activity,
      subject: { id: monitor.id, kind: 'monitor', title: monitor.name },
      related: { ids: [measurement.id], type: 'measurement' },
      changes: changesOf(before, measurement),
    });
    return measurement;
  });
}

/** Measurements by their ids, of monitors that the viewer may see, for a loader. */
export async function measurementsById(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Measurement>> {
  const { from, where } = measurementsSeen(ctx);
  const found = await rows<Measurement>(
    ctx,
    Prisma.sql`select ${measurementColumns} from ${from} where ${where} and x.id = any(${[...ids]}::uuid[])`,
  );
  return new Map(found.map((measurement) => [measurement.id, measurement]));
}

async function getMeasurement(ctx: Context, id: string): Promise<Measurement> {
  const [measurement] = isUuid(id)
    ? await rows<Measurement>(
        ctx,
        Prisma.sql`select ${measurementColumns} from measurement x
          where x.workspace_id = ${ctx.workspaceId}::uuid and x.id = ${id}::uuid`,
      )
    : [];
  if (!measurement) throw notFound('Measurement');
  return measurement;
}

// Monitors: making, changing and reading them; running them is another file's work.

import { record } from '../audit/audit.ts';
import { changesOf, changesOfGone, changesOfNew } from '../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../audit/version.ts';
import { mustBeAllowed } from '../auth/permission.ts';
import type { Context, ServerContext } from '../context.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { conflict, invalidField, notFound } from '../errors.ts';
import { checkFields } from '../fields.ts';
import { type Monitor, Prisma, type Resource } from '../generated/prisma/client.ts';
import { mustFit } from '../limits/workspace-limits.ts';
import { listPage, newestFirst, type Page, type PageArgs } from '../lists/page.ts';
import { compileWhere, inOrder, type OrderTerm } from '../lists/where.ts';
import { orSettings } from '../people/workspace-settings.ts';
import { findResource } from '../resources/resource.ts';
import { checkWord } from '../text/text.ts';
import { isUuid, notAnId, unknownIds } from '../text/uuid.ts';
import { changedCondition, newCondition } from './condition.ts';
import { type MonitorFields, monitorNoun } from './fields.ts';
import { closeIncidents } from './incidents/incident-change.ts';
import { forgetLearned } from './learning/range.ts';
import { metricOf } from './metric.ts';
import {
  type CheckedMetric,
  countsFaults,
  isSameMetric,
  type MetricInput,
  readMetric,
} from './metric-config.ts';
import { instantAfter, scheduleColumns, scheduleOf } from './monitor-schedule.ts';
import { runSoon } from './runs/due.ts';
import { checkSql } from './scans/stored-sql.ts';
import { nextRunAt, readSchedule, type ScheduleInput } from './schedule.ts';
import { lockMonitor, monitorColumns, monitorsSeen } from './seen.ts';
import { monitorMembers, monitorOrder, orderedByIndex, targetsOf } from './where.ts';

/** What a monitor is made with. Absent takes the default, or leaves alone; null clears. */
export interface MonitorInput extends MetricInput, MonitorFields {
  targetId?: string | null | undefined;
  schedule?: ScheduleInput | null | undefined;
}

/**
 * Make a monitor. Editors may. The target is what can have the metric, such as a table; the
 * schedule is daily at midnight UTC and the range learned unless told otherwise. A note of what was
 * found when it was tried stands as its last error until it runs.
 */
export async function createMonitor(
  ctx: Context,
  input: MonitorInput,
  lastErrorMessage = '',
): Promise<Monitor> {
  mustBeAllowed(ctx, monitorNoun.by);
  return transaction(ctx, async (tx) => {
    const target = await targetOf(tx, input.targetId);
    const given = checkFields(monitorNoun, input);
    const { name, isEnabled = true, notifyChatChannel = null, adaptation = 'normal' } = given;
    const metric = readMetric(target, input);
    await checkSql(tx, target, metric.metricConfig);
    const schedule = readSchedule(input.schedule);
    await mustFit(tx, 'monitors', 1);
    const monitor = await tx.db.monitor.create({
      data: {
        ...metric,
        ...newCondition(tx, { isFault: countsFaults(metric) }, input),
        ...scheduleColumns(schedule),
        workspaceId: ctx.workspaceId,
        targetId: target.id,
        integrationId: target.integrationId,
        name: name ?? `${metricOf(metric.metricType).label} of ${target.title}`,
        isEnabled,
        status: isEnabled ? 'pending' : 'disabled',
        notifyChatChannel,
        ...(await orSettings(tx, given)),
        adaptation,
        nextRunAt: isEnabled ? nextRunAt(schedule, ctx.now()) : null,
        createdById: ctx.viewer.id,
        lastErrorMessage,
      },
    });
    const changes = changesOfNew(monitor);
    await record(tx, { activity: 'monitor_created', subject: subjectOf(monitor), changes });
    // Its past, or the columns that it expects, are known from the beginning.
    const isSoon = metric.metricConfig.time_column ?? metric.metricType === 'schema_changes';
    if (isSoon && isEnabled) await runSoon(tx, [monitor.id]);
    return monitor;
  });
}

/**
 * Change a monitor. Its target stays; editing thresholds rewrites no history. Throws CONFLICT for one
 * that a project declares.
 */
export async function updateMonitor(
  ctx: ServerContext,
  id: string,
  input: MonitorInput,
  expectedVersion?: ExpectedVersion,
): Promise<Monitor> {
  mustBeAllowed(ctx, monitorNoun.by);
  return transaction(ctx, async (tx) => {
    const before = await lockMonitor(tx, id);
    await mustBeAtVersion(tx, before, expectedVersion);
    mustBeByHand(before);
    if (input.targetId != null && input.targetId.toLowerCase() !== before.targetId) {
      throw invalidField('target', 'A monitor keeps its target; make another monitor.');
    }
    const target = await targetOf(tx, before.targetId);
    const data = checkFields(monitorNoun, input);
    const { isEnabled = before.isEnabled } = data;
    const metric = readMetric(target, { ...asMetricInput(before), ...given(input) });
    if (!isSameMetric(before, metric)) {
      await checkSql(tx, target, metric.metricConfig);
    }
    const schedule = readSchedule({ ...scheduleOf(before), ...given(input.schedule) });
    const monitor = await tx.db.monitor.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: {
        ...data,
        ...(await learningAnew(tx, before, metric)),
        ...changedCondition(tx, before, input),
        ...scheduleColumns(schedule),
        isEnabled,
        ...statusAfter(before, isEnabled),
        nextRunAt: isEnabled ? instantAfter(before, schedule, ctx.now()) : null,
        updatedAt: ctx.now(),
        // One that its project dropped belongs to the one who changes it.
        ...byHand,
      },
    });
    if (before.isEnabled && !isEnabled) await closeIncidents(tx, monitor, 'monitor_disabled');
    const changes = changesOf(before, monitor);
    await record(tx, { activity: 'monitor_updated', subject: subjectOf(monitor), changes });
    return monitor;
  });
}

/**
 * Delete a monitor with its measurements and incidents; returns what it was. Throws CONFLICT for one
 * that a project declares.
 */
export async function deleteMonitor(
  ctx: ServerContext,
  id: string,
  expectedVersion?: ExpectedVersion,
): Promise<Monitor> {
  mustBeAllowed(ctx, monitorNoun.by);
  return transaction(ctx, async (tx) => {
    const monitor = await lockMonitor(tx, id);
    await mustBeAtVersion(tx, monitor, expectedVersion);
    mustBeByHand(monitor);
    await closeIncidents(tx, monitor, 'monitor_deleted');
    await tx.db.measurement.deleteMany({
      where: { workspaceId: ctx.workspaceId, monitorId: monitor.id },
    });
    await tx.db.monitor.delete({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: monitor.id } },
    });
    const changes = changesOfGone(monitor);
    await record(tx, { activity: 'monitor_deleted', subject: subjectOf(monitor), changes });
    return monitor;
  });
}

/** One monitor of a target that the viewer may see. */
export async function getMonitor(ctx: Context, id: string): Promise<Monitor> {
  const monitor = isUuid(id) ? (await monitorsById(ctx, [id])).get(id.toLowerCase()) : undefined;
  if (!monitor) throw notFound('Monitor');
  return monitor;
}

/** Monitors by their ids, those whose targets the viewer may see, for a loader. */
export async function monitorsById(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Monitor>> {
  const found = await rows<Monitor>(
    ctx,
    Prisma.sql`select ${monitorColumns} from ${monitorsSeen(ctx)}
      where m.workspace_id = ${ctx.workspaceId}::uuid and m.id = any(${[...ids]}::uuid[])`,
  );
  return new Map(found.map((monitor) => [monitor.id, monitor]));
}

/** How a monitor stands. */
const monitorStatuses = ['pending', 'learning', 'normal', 'incident', 'error', 'disabled'] as const;

/** Which monitors to list. */
export interface MonitorQuery {
  readonly targetId?: string | null | undefined;
  readonly integrationId?: string | null | undefined;
  readonly status?: string | null | undefined;
  /** A typed filter. */
  readonly where?: unknown;
  /** A typed order; newest first where absent. */
  readonly orderBy?: readonly OrderTerm[] | null | undefined;
}

/** The monitors of targets that the viewer may see. */
export async function listMonitors(
  ctx: Context,
  query: MonitorQuery,
  args: PageArgs,
): Promise<Page<Monitor>> {
  const { targetId, integrationId, status, where, orderBy } = query;
  for (const [field, id] of Object.entries({ targetId, integrationId })) {
    if (id != null && !isUuid(id)) throw invalidField(field, notAnId);
  }
  checkWord('status', status, monitorStatuses);
  const listing = {
    from: monitorsSeen(ctx),
    columns: monitorColumns,
    where: Prisma.sql`m.workspace_id = ${ctx.workspaceId}::uuid
      and (${targetId ?? null}::uuid is null or m.target_id = any(${targetsOf(ctx, targetId)}))
      and (${integrationId ?? null}::uuid is null
        or m.integration_id = ${integrationId ?? null}::uuid)
      and (${status ?? null}::text is null or m.status = ${status ?? null})
      and ${compileWhere(where, monitorMembers(ctx)).where}`,
    order: newestFirst(Prisma.sql`m`),
  };
  return listPage<Monitor>(
    ctx,
    inOrder(listing, orderBy, monitorOrder, orderedByIndex.monitors),
    args,
  );
}

const byHand = { declaredById: null, declaredIn: null, undeclaredAt: null };

/** The next import would undo what is changed here. */
function mustBeByHand({ declaredIn, undeclaredAt }: Monitor): void {
  if (declaredIn === null || undeclaredAt !== null) return;
  throw conflict(
    `This monitor is declared in ${declaredIn}: change it there and import the project again.`,
  );
}

/** The metric that a monitor has after a change; null where the change leaves its SQL as it is. */
export function metricAfter(
  before: Monitor,
  target: Resource,
  input: MonitorInput,
): CheckedMetric | null {
  if (input.metricConfig === undefined && input.metricType === undefined) return null;
  const metric = readMetric(target, { ...asMetricInput(before), ...given(input) });
  return isSameMetric(before, metric) ? null : metric;
}

/** The target of a monitor. Throws BAD_REQUEST where there is none that the viewer may see. */
export async function targetOf(ctx: Context, id: string | null | undefined): Promise<Resource> {
  if (id == null || id === '') throw invalidField('target', 'Use the id of a table or column.');
  const target = await findResource(ctx, id);
  if (!target) throw invalidField('target', unknownIds('resource', [id]));
  return target;
}

/** A monitor that measures something else from now on learns from nothing that it measured before. */
async function learningAnew<Metric extends Pick<Monitor, 'metricType' | 'metricConfig'>>(
  tx: Context,
  before: Monitor,
  metric: Metric,
): Promise<Metric & { learnsFrom?: Date }> {
  if (isSameMetric(before, metric)) return metric;
  await forgetLearned(tx, before.id);
  return { ...metric, learnsFrom: tx.now() };
}

function asMetricInput({ metricType, metricConfig }: Monitor): MetricInput {
  return { metricType, metricConfig };
}

/** What was given, so that an absent field doesn't overwrite what is there. */
function given<T extends object>(input: T | null | undefined): Partial<T> {
  const entries = Object.entries(input ?? {}).filter(([, value]) => value !== undefined);
  const kept: Partial<T> = {};
  return Object.assign(kept, Object.fromEntries(entries));
}

function statusAfter(before: Monitor, isEnabled: boolean): { status?: string } {
  if (!isEnabled) return { status: 'disabled' };
  return before.isEnabled ? {} : { status: 'pending' };
}

function subjectOf({ id, name, integrationId, version }: Monitor) {
  return { id, kind: 'monitor', title: name, integrationId, version };
}

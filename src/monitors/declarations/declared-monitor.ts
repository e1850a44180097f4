// Writes the monitors that a project declares: many with few statements.

import { randomUUID } from 'node:crypto';
import { type Deed, recordAll } from '../../audit/audit.ts';
import { changeOf, changesOf, changesOfNew, type FieldChange } from '../../audit/changes.ts';
import type { Context, ServerContext } from '../../context.ts';
import { insertMany, updateMany } from '../../database/bulk.ts';
import { execute, rows } from '../../database/rows.ts';
import { type Integration, type Monitor, Prisma } from '../../generated/prisma/client.ts';
import { closeIncidents } from '../incidents/incident-change.ts';
import { forgetLearned } from '../learning/range.ts';
import { isSameMetric } from '../metric-config.ts';
import { instantAfter, scheduleColumns } from '../monitor-schedule.ts';
import { nextRunAt } from '../schedule.ts';
import type { Declared } from './declaration.ts';

type Project = Pick<Integration, 'id' | 'name'>;

/** Make monitors that are declared for the first time. */
export async function insertDeclared(
  tx: Context,
  project: Project,
  declared: readonly Declared[],
): Promise<void> {
  const numbered = declared.map((one) => ({ one, id: randomUUID() }));
  const made = numbered.map(({ one, id }) => ({
    ...columnsOf(one),
    workspace_id: tx.workspaceId,
    id,
    created_at: tx.now(),
    updated_at: tx.now(),
    created_by_id: tx.viewer.id,
    declared_by_id: project.id,
    declared_in: one.declaredIn,
    name: one.name,
    status: one.isEnabled ? 'pending' : 'disabled',
    next_run_at: one.isEnabled ? nextRunAt(one.schedule, tx.now()) : null,
  }));
  await insertMany(tx, { table: 'monitor', columns: insertedColumns }, made);
  await recordAll(
    tx,
    numbered.map(({ one, id }) =>
      deedOf('created', project, { id, name: one.name }, one, changesOfNew(fieldsOf(one))),
    ),
  );
}

/** Bring monitors in line with what is declared now. What they learned of the same metric stays. */
export async function rewriteDeclared(
  tx: ServerContext,
  project: Project,
  changes: readonly { readonly before: Monitor; readonly to: Declared }[],
): Promise<void> {
  for (const { before, to } of changes) {
    if (!isSameMetric(before, to)) await forgetLearned(tx, before.id);
  }
  const paused = changes.filter(({ before, to }) => before.isEnabled && !to.isEnabled);
  const written = changes.map(({ before, to }) => ({
    ...columnsOf(to),
    workspace_id: tx.workspaceId,
    id: before.id,
    updated_at: tx.now(),
    status: statusAfter(before, to.isEnabled),
    undeclared_at: null,
    learns_from: isSameMetric(before, to) ? before.learnsFrom : tx.now(),
    next_run_at: to.isEnabled ? instantAfter(before, to.schedule, tx.now()) : null,
  }));
  await updateMany(tx, { table: 'monitor', columns: updatedColumns }, key, written);
  await followTargets(tx, changes);
  await closeOf(
    tx,
    paused.map(({ before, to }) => ({ ...before, isEnabled: to.isEnabled })),
  );
  await recordAll(
    tx,
    changes.map(({ before, to }) =>
      deedOf('updated', project, before, to, changesOf(before, fieldsOf(to))),
    ),
  );
}

/** Disable monitors that are no longer declared. What they measured and learned stays. */
export async function disableAll(
  tx: ServerContext,
  project: Project,
  monitors: readonly Monitor[],
): Promise<void> {
  const gone = {
    is_enabled: false,
    status: 'disabled',
    next_run_at: null,
    undeclared_at: tx.now(),
    updated_at: tx.now(),
  };
  const written = monitors.map(({ id }) => ({ workspace_id: tx.workspaceId, id, ...gone }));
  await updateMany(tx, { table: 'monitor', columns: goneColumns }, key, written);
  await closeOf(
    tx,
    monitors.map((monitor) => ({ ...monitor, isEnabled: false })),
  );
  await recordAll(
    tx,
    monitors.map((monitor) => ({
      activity: 'monitor_updated',
      subject: subjectOf(monitor),
      changes: [changeOf('isEnabled', monitor.isEnabled, false)],
      says: `The monitor ${monitor.name} was disabled: ${project.name} no longer declares it`,
    })),
  );
}

const key = ['workspace_id', 'id'];

const declaredColumns = {
  workspace_id: 'uuid',
  id: 'uuid',
  updated_at: 'timestamptz',
  integration_id: 'uuid',
  target_id: 'uuid',
  metric_type: 'text',
  metric_config: 'jsonb',
  is_enabled: 'boolean',
  schedule_cadence: 'text',
  schedule_frequency: 'integer',
  schedule_hour: 'integer',
  schedule_day: 'integer',
  frequency: 'integer',
  condition_auto_sensitivity: 'integer',
  condition_manual_min: 'float8',
  condition_manual_max: 'float8',
  time_zone: 'text',
  holiday_country: 'text',
  adaptation: 'text',
  notify_chat_channel: 'text',
  status: 'text',
  next_run_at: 'timestamptz',
} as const;

const insertedColumns = {
  ...declaredColumns,
  created_at: 'timestamptz',
  created_by_id: 'uuid',
  declared_by_id: 'uuid',
  declared_in: 'text',
  name: 'text',
} as const;

const updatedColumns = {
  ...declaredColumns,
  undeclared_at: 'timestamptz',
  learns_from: 'timestamptz',
} as const;

const goneColumns = {
  workspace_id: 'uuid',
  id: 'uuid',
  updated_at: 'timestamptz',
  is_enabled: 'boolean',
  status: 'text',
  next_run_at: 'timestamptz',
  undeclared_at: 'timestamptz',
} as const;

/** What a declaration says of a monitor, as the fields of one. */
function fieldsOf(declared: Declared) {
  return {
    targetId: declared.target.id,
    metricType: declared.metricType,
    metricConfig: declared.metricConfig,
    isEnabled: declared.isEnabled,
    ...scheduleColumns(declared.schedule),
    conditionAutoSensitivity: declared.conditionAutoSensitivity,
    conditionManualMin: declared.conditionManualMin,
    conditionManualMax: declared.conditionManualMax,
    timeZone: declared.timeZone,
    holidayCountry: declared.holidayCountry,
    adaptation: declared.adaptation,
    notifyChatChannel: declared.notifyChatChannel,
  };
}

function columnsOf(declared: Declared) {
  const schedule = scheduleColumns(declared.schedule);
  return {
    integration_id: declared.target.integrationId,
    target_id: declared.target.id,
    metric_type: declared.metricType,
    metric_config: declared.metricConfig,
    is_enabled: declared.isEnabled,
    schedule_cadence: schedule.scheduleCadence,
    schedule_frequency: schedule.scheduleFrequency,
    schedule_hour: schedule.scheduleHour,
    schedule_day: schedule.scheduleDay,
    frequency: schedule.frequency,
    condition_auto_sensitivity: declared.conditionAutoSensitivity,
    condition_manual_min: declared.conditionManualMin,
    condition_manual_max: declared.conditionManualMax,
    time_zone: declared.timeZone,
    holiday_country: declared.holidayCountry,
    adaptation: declared.adaptation,
    notify_chat_channel: declared.notifyChatChannel,
  };
}

function statusAfter(before: Monitor, isEnabled: boolean): string {
  if (!isEnabled) return 'disabled';
  return before.isEnabled ? before.status : 'pending';
}

/** A monitor that moved to another table takes its open incident along. */
async function followTargets(
  tx: Context,
  changes: readonly { readonly before: Monitor; readonly to: Declared }[],
): Promise<void> {
  const moved = changes.filter(({ before, to }) => before.targetId !== to.target.id);
  if (moved.length === 0) return;
  await execute(
    tx,
    Prisma.sql`update incident i
      set target_id = m.target_id, updated_at = ${tx.now()}::timestamptz from monitor m
      where i.workspace_id = ${tx.workspaceId}::uuid and i.status <> 'resolved'
        and m.workspace_id = i.workspace_id and m.id = i.monitor_id
        and m.id = any(${moved.map(({ before }) => before.id)}::uuid[])`,
  );
}

/** Resolve the open incidents of monitors that were disabled; most have none. */
async function closeOf(tx: ServerContext, monitors: readonly Monitor[]): Promise<void> {
  if (monitors.length === 0) return;
  const open = await rows<{ id: string }>(
    tx,
    Prisma.sql`select distinct monitor_id as id from incident
      where workspace_id = ${tx.workspaceId}::uuid and status <> 'resolved'
        and monitor_id = any(${monitors.map(({ id }) => id)}::uuid[])`,
  );
  const ids = new Set(open.map(({ id }) => id));
  for (const monitor of monitors) {
    if (ids.has(monitor.id)) await closeIncidents(tx, monitor, 'monitor_disabled');
  }
}

function deedOf(
  deed: 'created' | 'updated',
  project: Project,
  { id, name }: Pick<Monitor, 'id' | 'name'>,
  { declaredIn, target }: Declared,
  changes: readonly FieldChange[],
): Deed {
  return {
    activity: `monitor_${deed}`,
    subject: subjectOf({ id, name, integrationId: target.integrationId }),
    changes,
    says: `The monitor ${name} was ${deed}, as ${declaredIn} of ${project.name} declares`,
  };
}

function subjectOf({ id, name, integrationId }: Pick<Monitor, 'id' | 'name' | 'integrationId'>) {
  return { id, kind: 'monitor', title: name, integrationId };
}

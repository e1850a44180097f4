// Typed filters and orders of monitors and incidents.

import { isAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { FilterField, FilterFields } from '../lists/field.ts';
import { column, fieldsOf, type Members, required } from '../lists/where.ts';
import { idsOfNowIn } from '../resources/alias.ts';
import { resourceMembers } from '../resources/lists/where.ts';

const ofMonitor = {
  name: required('m.name'),
  status: required('m.status'),
  metricType: required('m.metric_type'),
  createdAt: required('m.created_at', 'time'),
  updatedAt: required('m.updated_at', 'time'),
  lastSuccessAt: column('m.last_success_at', 'time'),
  nextRunAt: column('m.next_run_at', 'time'),
};

/** What monitors are ordered by. */
export const monitorOrder: FilterFields = fieldsOf(ofMonitor);

/** What a typed filter of monitors speaks of: monitors `m` with their targets `r`. */
export function monitorMembers(ctx: Context): Members {
  return {
    ...ofMonitor,
    id: required('m.id', 'id'),
    isEnabled: required('m.is_enabled', 'boolean'),
    targetId: target(ctx, 'm.target_id'),
    integrationId: column('m.integration_id', 'id'),
    createdById: { field: person(ctx, 'm.created_by_id') },
    declaredById: column('m.declared_by_id', 'id'),
    target: { joined: resourceMembers(ctx) },
  };
}

const ofIncident = {
  name: required('i.name'),
  status: required('i.status'),
  createdAt: required('i.created_at', 'time'),
  updatedAt: required('i.updated_at', 'time'),
  firstSeenAt: required('i.first_seen_at', 'time'),
  lastSeenAt: required('i.last_seen_at', 'time'),
  resolvedAt: column('i.resolved_at', 'time'),
};

/** What incidents are ordered by; severities by how bad they are, not by their letters. */
export const incidentOrder: FilterFields = {
  ...fieldsOf(ofIncident),
  severity: {
    sql: Prisma.sql`coalesce(array_position(array['low', 'medium', 'high', 'critical'], i.severity), 0)`,
    type: 'number',
    always: true,
  },
};

/** What a typed filter of incidents speaks of: incidents `i` with their monitors `m` and targets `r`. */
export function incidentMembers(ctx: Context): Members {
  const monitor = monitorMembers(ctx);
  return {
    ...ofIncident,
    id: required('i.id', 'id'),
    severity: required('i.severity'),
    resolveReason: column('i.resolve_reason'),
    monitorId: required('i.monitor_id', 'id'),
    targetId: target(ctx, 'i.target_id'),
    integrationId: column('m.integration_id', 'id'),
    assigneeId: { field: person(ctx, 'i.assignee_id') },
    monitor: { joined: monitor },
    target: { joined: resourceMembers(ctx) },
  };
}

/** The id of a target, which what was merged into it leads to. */
function target(ctx: Context, sql: string) {
  const { field } = required(sql, 'id');
  return { field: { ...field, current: (ids: Prisma.Sql) => idsOfNowIn(ctx, ids) } };
}

/** The target that an id leads to, as an array in SQL; empty where none is named. */
export function targetsOf(ctx: Context, id: string | null | undefined): Prisma.Sql {
  return idsOfNowIn(ctx, Prisma.sql`${id ? [id] : []}::uuid[]`);
}

/** The id of a user, as far as the viewer may know of them. */
function person(ctx: Context, sql: string): FilterField {
  const field: FilterField = { sql: Prisma.raw(sql), type: 'id' };
  if (isAllowed(ctx, 'read people')) return field;
  const among = (ids: Prisma.Sql) =>
    Prisma.sql`array(select u from unnest(${ids}) u where u = ${ctx.viewer.id}::uuid)`;
  return { ...field, among };
}

/** Fields by which an index has all monitors, and all incidents, in order. */
export const orderedByIndex = {
  monitors: ['createdAt', 'name'],
  incidents: ['createdAt', 'firstSeenAt', 'resolvedAt'],
} as const;

// How a monitor stands after a run, as its row keeps it.

import type { Context } from '../../context.ts';
import { updateMany } from '../../database/bulk.ts';
import type { Monitor } from '../../generated/prisma/client.ts';
import type { FailedReading } from '../scans/reading.ts';

const table = {
  table: 'monitor',
  columns: {
    workspace_id: 'uuid',
    id: 'uuid',
    status: 'text',
    last_attempted_at: 'timestamptz',
    last_success_at: 'timestamptz',
    last_error_at: 'timestamptz',
    last_error_message: 'text',
    last_warning: 'text',
    last_measurement_id: 'uuid',
    last_measurement_value: 'float8',
    last_incident_id: 'uuid',
    failed_runs: 'int4',
    failed_since: 'timestamptz',
    failed_away: 'bool',
    failure_notified_at: 'timestamptz',
  },
} as const;

/** What a run leaves on a monitor. */
export type Standing = Record<keyof typeof table.columns, unknown>;

/** The source's words may be long, and of any characters. */
const maxMessage = 2_000;

/** Write how monitors stand, in one statement. */
export async function writeStandings(tx: Context, standings: readonly Standing[]): Promise<void> {
  await updateMany(tx, table, ['workspace_id', 'id'], standings);
}

/** How a monitor stands that could not measure. */
export function failedStanding(
  monitor: Monitor,
  { error, why }: FailedReading,
  at: Date,
): Standing {
  return {
    ...baseOf(monitor, at),
    status: monitor.isEnabled ? 'error' : 'disabled',
    last_error_at: at,
    last_error_message: error.replaceAll('\0', '').toWellFormed().slice(0, maxMessage),
    failed_runs: monitor.failedRuns + 1,
    failed_since: monitor.failedSince ?? at,
    failed_away: why === 'away',
  };
}

/** How a monitor stands that could not measure in a maintenance window: as before, with what was said. */
export function heldStanding(monitor: Monitor, failed: FailedReading, at: Date): Standing {
  const { last_error_at, last_error_message } = failedStanding(monitor, failed, at);
  return { ...baseOf(monitor, at), last_error_at, last_error_message };
}

/** How a monitor stands that has measured. */
export function measuredStanding(
  monitor: Monitor,
  at: Date,
  {
    id,
    value,
    warning,
    incidentId,
    status,
  }: {
    readonly id: string;
    readonly value: number;
    readonly warning: string;
    readonly incidentId: string | null;
    readonly status: string;
  },
): Standing {
  return {
    ...baseOf(monitor, at),
    status: monitor.isEnabled ? status : 'disabled',
    last_success_at: at,
    last_error_message: '',
    last_warning: warning,
    last_measurement_id: id,
    last_measurement_value: value,
    last_incident_id: incidentId ?? monitor.lastIncidentId,
    failed_runs: 0,
    failed_since: null,
    failed_away: false,
    failure_notified_at: null,
  };
}

function baseOf(monitor: Monitor, at: Date): Standing {
  return {
    workspace_id: monitor.workspaceId,
    id: monitor.id,
    status: monitor.status,
    last_attempted_at: at,
    last_success_at: monitor.lastSuccessAt,
    last_error_at: monitor.lastErrorAt,
    last_error_message: monitor.lastErrorMessage,
    last_warning: monitor.lastWarning,
    last_measurement_id: monitor.lastMeasurementId,
    last_measurement_value: monitor.lastMeasurementValue,
    last_incident_id: monitor.lastIncidentId,
    failed_runs: monitor.failedRuns,
    failed_since: monitor.failedSince,
    failed_away: monitor.failedAway,
    failure_notified_at: monitor.failureNotifiedAt,
  };
}

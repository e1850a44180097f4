// The row of a measurement.

import { randomUUID } from 'node:crypto';
import type { Monitor } from '../../generated/prisma/client.ts';
import type { Judged } from '../learning/range.ts';
import { keptSegments } from './overall.ts';

/** The table, for rows to be written. */
export const measurementTable = {
  table: 'measurement',
  columns: {
    workspace_id: 'uuid',
    id: 'uuid',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    monitor_id: 'uuid',
    incident_id: 'uuid',
    incident_metadata: 'text',
    value: 'float8',
    upper_threshold: 'float8',
    lower_threshold: 'float8',
    explanation: 'jsonb',
    segments: 'jsonb',
    maintenance: 'text',
    job_id: 'uuid',
  },
} as const;

/** A row that is to be written. */
export type Made = Record<keyof typeof measurementTable.columns, unknown> & {
  readonly id: string;
  readonly incident_id: string | null;
};

/** A value with the time that it is of. */
export interface Measured {
  readonly at: Date;
  readonly value: number;
}

/** A measurement that belongs to no incident and no job. */
export function measurementOf(
  monitor: Monitor,
  { at, value }: Measured,
  judged: Judged,
  breach: string | null,
): Made {
  const { lower, upper, explanation } = judged.whole;
  return {
    workspace_id: monitor.workspaceId,
    id: randomUUID(),
    created_at: at,
    updated_at: at,
    monitor_id: monitor.id,
    incident_id: null,
    incident_metadata: breach,
    value,
    upper_threshold: upper,
    lower_threshold: lower,
    explanation,
    segments: keptSegments(judged),
    maintenance: judged.maintenance,
    job_id: null,
  };
}

// How long each kind of what only grows is kept: the operator's settings, and what deletes the rest once a day.

import { join } from 'node:path';
import { keptAudit } from './audit/forget.ts';
import type { Config } from './config.ts';
import { type Connection, execute } from './database/rows.ts';
import { Prisma } from './generated/prisma/client.ts';
import { keptJobs } from './jobs/forget.ts';
import { hourly } from './jobs/hourly.ts';
import type { Kept } from './jobs/kept-rows.ts';
import type { JobSchedule } from './jobs/worker.ts';
import { keptLineage } from './lineage/history/forget.ts';
import { keptIncidents, keptMeasurements } from './monitors/runs/forget.ts';
import { keptNotifications } from './notifications/outbox/forget.ts';
import { keptTexts, keptUsage } from './resources/editing/forget.ts';
import { keptImages } from './resources/images/forget.ts';
import { keptSessions } from './sign-in/forget.ts';

/** What is kept by which setting, in days; 0 keeps it for ever. Incidents go before what was measured in them. */
const kinds = [
  ['RETENTION_INCIDENTS_DAYS', keptIncidents],
  ['RETENTION_MEASUREMENTS_DAYS', keptMeasurements],
  ['RETENTION_ENDED_LINEAGE_DAYS', keptLineage],
  ['RETENTION_VERSIONS_DAYS', keptTexts],
  ['RETENTION_USAGE_DAYS', keptUsage],
  ['RETENTION_NOTIFICATIONS_DAYS', keptNotifications],
  ['RETENTION_JOBS_DAYS', keptJobs],
  ['RETENTION_SESSIONS_DAYS', keptSessions],
  ['RETENTION_IMAGES_DAYS', keptImages],
] as const satisfies readonly (readonly [keyof Config, Kept])[];

/** The settings of retention: days, 0 for ever, and where the audit log goes. */
export type RetentionSettings = Pick<
  Config,
  | (typeof kinds)[number][0]
  | 'RETENTION_AUDIT_DAYS'
  | 'AUDIT_ARCHIVE_DIR'
  | 'AUDIT_STREAM_URL'
  | 'DATA_DIR'
>;

/** The audit log comes last: where its archive can't be written, all else was done. */
function kindsOf({ AUDIT_ARCHIVE_DIR, AUDIT_STREAM_URL, DATA_DIR }: RetentionSettings) {
  const folder = AUDIT_ARCHIVE_DIR ?? join(DATA_DIR, 'audit');
  const streams = AUDIT_STREAM_URL !== undefined;
  return [...kinds, ['RETENTION_AUDIT_DAYS', keptAudit({ folder, streams })]] as const;
}

/** What became of the rows of one kind. */
export interface Forgotten {
  readonly setting: string;
  readonly what: string;
  /** Days that they are kept; 0 for ever. */
  readonly days: number;
  /** Rows that were deleted, or, where nothing was to be, that would be. */
  readonly count: number;
}

/**
 * Delete what is older than the settings say, kind by kind; with `dryRun` only count it. A kind that is kept for ever
 * is answered with 0.
 */
export async function* retain(
  db: Connection,
  settings: RetentionSettings,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): AsyncGenerator<Forgotten> {
  for (const [setting, { what, count, forget }] of kindsOf(settings)) {
    const days = settings[setting];
    const work = dryRun ? count : forget;
    yield { setting, what, days, count: days === 0 ? 0 : await work(db, days) };
  }
}

/** Once in so many hours, of all processes together. */
const everyHours = 20;

/** Looks every hour; the first process that finds it due does it. */
export function retentionSchedule(settings: RetentionSettings): JobSchedule {
  return hourly(async (db) => {
    if (!(await takeTurn(db))) return;
    for await (const _ of retain(db, settings));
  });
}

/** Whether it is due, and this process's to do. */
async function takeTurn(db: Connection): Promise<boolean> {
  const taken = await execute(
    db,
    Prisma.sql`insert into setting as s (name, value) values ('retention', now()::text)
      on conflict (name) do update set value = excluded.value
        where s.value::timestamptz < now() - make_interval(hours => ${everyHours})`,
  );
  return taken > 0;
}

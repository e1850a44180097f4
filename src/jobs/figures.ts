// Figures of jobs: how many wait and run, for how long, and how those of this process ended.

import { type Database, ofDatabase } from '../database/database.ts';
import { type Connection, rows } from '../database/rows.ts';

/** Jobs of a kind that have not ended, in all workspaces. */
export interface JobFigure {
  readonly kind: string;
  /** `queued` for those that are due, `waiting` for those that are to start later, or `running`. */
  readonly state: string;
  readonly count: number;
  /** Seconds since the first of them was due, was made, or was started. */
  readonly oldestSeconds: number;
}

/** Count the jobs that have not ended. */
export async function countJobs(db: Connection): Promise<JobFigure[]> {
  // Each half is read through an index of its own, which holds no ended job.
  return rows<JobFigure>(
    db,
    `select kind, 'running' as state, count(*)::int,
        extract(epoch from now() - min(started_at))::float8 as "oldestSeconds"
      from job where state = 'running' group by kind
    union all
    select kind, case when run_at <= now() then 'queued' else 'waiting' end, count(*)::int,
        extract(epoch from now() - min(case when run_at <= now() then run_at else created_at end))
          ::float8
      from job where state = 'queued' group by 1, 2`,
  );
}

/** How a run of a job ended: as the job did, tried again later, given back, or taken for lost. */
export type RunEnd = 'succeeded' | 'failed' | 'cancelled' | 'queued' | 'released' | 'lost';

/** Runs of a kind that ended in the same way. */
export interface RunFigure {
  readonly kind: string;
  readonly end: RunEnd;
  count: number;
  /** How long they took together. */
  seconds: number;
}

const ended = ofDatabase(() => new Map<string, RunFigure>());

/** Note that this process has run a job, and how long that took in milliseconds. */
export function noteRunEnd(database: Database, kind: string, end: RunEnd, ms: number): void {
  const figures = ended(database);
  const name = `${kind} ${end}`;
  const figure = figures.get(name) ?? { kind, end, count: 0, seconds: 0 };
  figure.count += 1;
  figure.seconds += ms / 1_000;
  figures.set(name, figure);
}

/** Runs that this process has ended since it started. */
export function endedRuns(database: Database): readonly Readonly<RunFigure>[] {
  return [...ended(database).values()];
}

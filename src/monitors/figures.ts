// Figures of monitors: how many there are, and how many should have run by now.

import { type Connection, rows } from '../database/rows.ts';

/** Monitors of all workspaces. */
export interface MonitorFigures {
  readonly byStatus: readonly { readonly status: string; readonly count: number }[];
  /** Those whose instant has come and that no job has taken yet. */
  readonly due: number;
  /** Those for which that is so for longer than a minute: no worker runs, or too few. */
  readonly late: number;
  /** Seconds since the instant of the latest; 0 where none is due. */
  readonly latestSeconds: number;
  readonly openIncidents: number;
}

/** Count the monitors. */
export async function countMonitors(db: Connection): Promise<MonitorFigures> {
  const byStatus = await rows<{ status: string; count: number }>(
    db,
    `select status, count(*)::int from monitor group by status`,
  );
  const [figures] = await rows<Omit<MonitorFigures, 'byStatus'>>(
    db,
    `select count(*)::int as due,
        count(*) filter (where next_run_at < now() - interval '1 minute')::int as late,
        coalesce(extract(epoch from now() - min(next_run_at)), 0)::float8 as "latestSeconds",
        (select count(*)::int from incident where status <> 'resolved') as "openIncidents"
      from monitor where is_enabled and next_run_at <= now()`,
  );
  if (!figures) throw new Error('The monitors could not be counted.');
  return { ...figures, byStatus };
}

// The metrics of pipelines: read from the run results that were uploaded.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Reading } from '../scans/reading.ts';
import type { Measurable } from './subject.ts';

interface Runs {
  readonly runs: number;
  readonly failed: number;
  readonly seconds: number | null;
}

/**
 * A metric of the runs that ended within the monitor's interval: their mean duration in seconds, or
 * the share of them in percent that failed or did not. Skipped runs never ran and count as neither.
 */
export async function readRunMetric(ctx: Context, { monitor }: Measurable): Promise<Reading> {
  if (monitor.metricType === 'failing_tests') return failingTests(ctx, monitor.targetId);
  const since = new Date(ctx.now().getTime() - monitor.frequency * 3_600_000);
  const [found] = await rows<Runs>(
    ctx,
    Prisma.sql`select count(*)::int as runs, avg(execution_seconds)::float8 as seconds,
        count(*) filter (where status in ('error', 'fail'))::int as failed
      from run_result where workspace_id = ${ctx.workspaceId}::uuid
        and resource_id = ${monitor.targetId}::uuid and status <> 'skipped'
        and completed_at > ${since} and completed_at <= ${ctx.now()}`,
  );
  const { runs, failed, seconds } = found ?? { runs: 0, failed: 0, seconds: null };
  if (runs === 0) return { error: `No run ended in the last ${monitor.frequency} hours.` };
  if (monitor.metricType === 'job_error_rate') return { value: (100 * failed) / runs };
  if (monitor.metricType === 'job_success_rate') return { value: (100 * (runs - failed)) / runs };
  return seconds === null ? { error: 'The metric returned no value.' } : { value: seconds };
}

/** How many tests of a table, and of its columns, failed when they ran last. */
async function failingTests(ctx: Context, tableId: string): Promise<Reading> {
  const [found] = await rows<{ tests: number; failing: number }>(
    ctx,
    Prisma.sql`select count(*)::int as tests,
        count(*) filter (where status in ('error', 'fail'))::int as failing
      from data_test where workspace_id = ${ctx.workspaceId}::uuid
        and resource_id = ${tableId}::uuid and not stale and last_run_at is not null`,
  );
  if (!found || found.tests === 0) return { error: 'No test of it has run.' };
  return { value: found.failing };
}

// Runs monitors: the jobs of the schedule, and those that people ask for.

import { record } from '../../audit/audit.ts';
import { mustBeAllowed } from '../../auth/permission.ts';
import type { Context, ServerContext } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { invalid, invalidField, notFound } from '../../errors.ts';
import { type Job, Prisma } from '../../generated/prisma/client.ts';
import { payloadOf } from '../../jobs/job.ts';
import type { JobHandler, Run } from '../../jobs/run.ts';
import { groupBy } from '../../lists/group-by.ts';
import { isUuid } from '../../text/uuid.ts';
import { inForceAt, windowsOf } from '../maintenance/in-force.ts';
import { monitorsSeen } from '../seen.ts';
import type { OpenSource } from './asking.ts';
import { runSoon } from './due.ts';
import { inGroups } from './in-groups.ts';
import { measure, type TableReadings } from './measure.ts';
import { keepReadings, type RunCounts, type RunOrigin } from './outcome.ts';
import { readSubjects, type Subject } from './subject.ts';

/** Monitors that one request may run. */
const maxMonitors = 1_000;

/**
 * Run monitors now, whatever their schedule: answers the job that does, at once. Their next instants
 * stay. Editors may. Throws BAD_REQUEST for no list or an empty one, NOT_FOUND for an unknown id.
 */
export async function runMonitors(
  ctx: Context,
  ids: readonly string[] | null | undefined,
): Promise<Job> {
  mustBeAllowed(ctx, 'edit monitors');
  const wanted = [...new Set((ids ?? []).map((id) => id.toLowerCase()))];
  if (wanted.length === 0 || wanted.length > maxMonitors) {
    throw invalidField('ids', `Give 1 to ${maxMonitors.toLocaleString('en')} monitors.`);
  }
  const broken = wanted.find((id) => !isUuid(id));
  if (broken !== undefined) throw notFound('Monitor', broken.slice(0, 60));
  const found = await rows<{ id: string; name: string }>(
    ctx,
    Prisma.sql`select m.id, m.name from ${monitorsSeen(ctx)}
      where m.workspace_id = ${ctx.workspaceId}::uuid and m.id = any(${wanted}::uuid[])`,
  );
  const known = new Set(found.map(({ id }) => id));
  const missing = wanted.find((id) => !known.has(id));
  if (missing) throw notFound('Monitor', missing);
  const [one] = found;
  const subject = { id: one?.id ?? '', kind: 'monitor', title: one?.name ?? '' };
  const isOne = wanted.length === 1;
  return transaction(ctx, async (tx) => {
    const job = await runSoon(tx, wanted);
    const related = { ids: isOne ? [job.id] : wanted, type: isOne ? 'job' : 'monitor' };
    await record(tx, { activity: 'monitors_run', ...(isOne ? { subject } : {}), related });
    return job;
  });
}

/**
 * The handler of jobs that run monitors. One that a person asked for has failed where a monitor could not be measured:
 * who waits for it goes by that. The schedule goes on to the next instant, and notifies of failures by itself.
 */
export function runHandler(open: OpenSource): JobHandler {
  return async (run) => {
    const { monitors, scheduled } = wantedBy(run.job);
    const origin = { jobId: run.job.id, scheduled, fence: run.fence };
    const { measured, outOfRange, failed } = await runAndKeep(run.ctx, monitors, open, origin, run);
    if (failed > 0 && !scheduled) {
      const all = measured + failed;
      throw invalid(
        `${failed} of ${all} monitor${all === 1 ? '' : 's'} could not be measured: see the log of the job.`,
      );
    }
    return { measured, out_of_range: outOfRange, failed };
  };
}

/** Measure monitors, source by source and table by table, and write what comes of each. */
export async function runAndKeep(
  ctx: ServerContext,
  ids: readonly string[],
  open: OpenSource,
  origin: RunOrigin,
  { log, progress }: Pick<Run, 'log' | 'progress'>,
): Promise<RunCounts> {
  const subjects = await toBeRun(ctx, await readSubjects(ctx, ids), origin, log);
  const total: RunCounts = { measured: 0, outOfRange: 0, failed: 0 };
  let done = 0;
  const write = async (tables: readonly TableReadings[]) => {
    const kept = await keepReadings(ctx, tables, origin);
    total.measured += kept.measured;
    total.outOfRange += kept.outOfRange;
    total.failed += kept.failed;
    const written = tables.flatMap((table) => table.subjects);
    done += written.length;
    progress('measuring', done, subjects.length);
    const readings = new Map(tables.flatMap((table) => [...table.readings]));
    for (const { monitor } of written) {
      const reading = readings.get(monitor.id);
      if (reading && 'error' in reading) log(`${monitor.name}: ${reading.error}`);
    }
  };
  for (const ofSource of groupBy(subjects, ({ integration }) => integration?.id).values()) {
    await inGroups(measure(ctx, ofSource, open), write);
  }
  log(`${total.measured} measured, ${total.outOfRange} out of range, ${total.failed} failed.`);
  return total;
}

/** Those that a run measures: by the schedule none that is in a maintenance window in which monitors do not run. */
async function toBeRun(
  ctx: ServerContext,
  subjects: readonly Subject[],
  { scheduled }: RunOrigin,
  log: Run['log'],
): Promise<readonly Subject[]> {
  if (!scheduled) return subjects;
  const windows = await windowsOf(
    ctx,
    subjects.map(({ monitor }) => monitor.id),
  );
  return subjects.filter(({ monitor }) => {
    const window = inForceAt(windows.get(monitor.id), ctx.now());
    if (!window || window.measures) return true;
    log(`${monitor.name}: not run in the maintenance window ${window.name}.`);
    return false;
  });
}

function wantedBy(job: Job): { monitors: string[]; scheduled: boolean } {
  const { monitors, scheduled } = payloadOf(job);
  const ids = Array.isArray(monitors) ? monitors.filter((id) => typeof id === 'string') : [];
  return { monitors: ids, scheduled: scheduled === true };
}

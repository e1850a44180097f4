// What a run leaves behind: measurements, incidents, and how the monitors stand.

import { serverViewer } from '../../auth/viewer.ts';
import type { Context, ServerContext } from '../../context.ts';
import { announce } from '../../database/announce.ts';
import { insertMany } from '../../database/bulk.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { type Incident, type Monitor, Prisma } from '../../generated/prisma/client.ts';
import { keepFailingRows } from '../incidents/failing-rows.ts';
import { notifyOfFailures } from '../incidents/failure-notice.ts';
import { incidentColumns, ruleView } from '../incidents/record.ts';
import { decide } from '../incidents/rules.ts';
import { type Judged, judgeValues, readHistory } from '../learning/range.ts';
import { inForceAt, windowsOf } from '../maintenance/in-force.ts';
import { isSameMetric } from '../metric-config.ts';
import { monitorColumns } from '../seen.ts';
import { levelInWords } from '../words.ts';
import { follow } from './follow.ts';
import type { TableReadings } from './measure.ts';
import { type Made, type Measured, measurementOf, measurementTable } from './measurement-row.ts';
import { type Overall, overallOf } from './overall.ts';
import {
  failedStanding,
  heldStanding,
  measuredStanding,
  type Standing,
  writeStandings,
} from './standing.ts';
import type { Subject } from './subject.ts';
import { takeChanges } from './take-changes.ts';

/** The run that readings come from. */
export interface RunOrigin {
  /** The job; a job's monitor is written once, however often the job is tried. */
  readonly jobId: string | null;
  /** True when the schedule started it, and no one wants paused monitors run. */
  readonly scheduled: boolean;
  /** Throws in a transaction that must not commit, because another worker has the job by now. */
  fence(tx: Context): Promise<void>;
}

/** How many monitors of a table were measured, were out of range, could not be measured. */
export interface RunCounts {
  measured: number;
  outOfRange: number;
  failed: number;
}

/**
 * Write what was read of tables' monitors, in one transaction: the values with the ranges known
 * before them, the incidents they open, go on with or end, what is to be sent, and the statuses.
 * Monitors that were deleted, paused or changed in the meantime are left alone.
 */
export async function keepReadings(
  ctx: ServerContext,
  tables: readonly TableReadings[],
  origin: RunOrigin,
): Promise<RunCounts> {
  const subjects = tables.flatMap((table) => table.subjects);
  const readingOf = new Map(
    tables.flatMap(({ readings, at }) =>
      [...readings].map(([id, reading]) => [id, { reading, at }]),
    ),
  );
  const knownLast = new Map(subjects.map(({ monitor }) => [monitor.id, monitor.lastMeasurementId]));
  // What a run does, the server does, no matter who asked for the run.
  const server = { ...ctx, viewer: serverViewer(ctx.workspaceId) };
  return transaction(server, async (tx) => {
    await origin.fence(tx);
    const monitors = await lockToWrite(tx, subjects, origin);
    const incidents = await latestIncidents(tx, monitors);
    const history = await readHistory(tx, monitors);
    const windows = await windowsOf(
      tx,
      monitors.map(({ id }) => id),
    );
    const kept: RunCounts = { measured: 0, outOfRange: 0, failed: 0 };
    const measurements: Made[] = [];
    const standings: Standing[] = [];
    const held: Standing[] = [];
    for (const monitor of monitors) {
      const read = readingOf.get(monitor.id);
      if (!read) continue;
      const { reading, at } = read;
      const inForce = (when: Date) => inForceAt(windows.get(monitor.id), when)?.name ?? null;
      if ('error' in reading) {
        // A source that can't be asked says nothing about the data: no incident changes.
        if (inForce(at) === null) standings.push(failedStanding(monitor, reading, at));
        else held.push(heldStanding(monitor, reading, at));
        kept.failed += 1;
        continue;
      }
      const { warning = '', segments, earlier = [] } = reading;
      const latest = { at: reading.at ?? at, value: reading.value, ...(segments && { segments }) };
      // Another run may have written earlier periods in the meantime.
      const isAlone = knownLast.get(monitor.id) === monitor.lastMeasurementId;
      const samples = [...(isAlone ? earlier : []), latest];
      const points = samples.map((sample) => {
        const maintenance = inForce(sample.at) ?? (sample === latest ? inForce(at) : null);
        return { ...sample, at: sample.at.getTime(), maintenance };
      });
      const judged = await judgeValues(tx, monitor, points, history);
      const known = judged.pop();
      if (known === undefined) continue;
      // What is measured in retrospect is learned, and alarms no one.
      for (const [place, past] of judged.entries()) {
        const sample = samples[place];
        if (sample) measurements.push(measurementOf(monitor, sample, past, null));
      }
      const before = incidents.get(monitor.id) ?? null;
      const taken = { monitor, before, judged: known, warning, jobId: origin.jobId };
      const made = reading.changes
        ? await takeChanges(tx, { ...taken, changes: reading.changes }, at)
        : await take(tx, taken, latest, at);
      measurements.push(made.measurement);
      const { incident_id: incidentId } = made.measurement;
      if (reading.failing && incidentId) await keepFailingRows(tx, incidentId, reading.failing);
      standings.push(made.standing);
      kept.measured += 1;
      if (made.measurement.incident_metadata !== null) kept.outOfRange += 1;
    }
    await insertMany(tx, measurementTable, measurements);
    await writeStandings(tx, [...standings, ...held]);
    await notifyOfFailures(tx, monitors, standings);
    await announce(
      tx,
      'measurement',
      measurements.map(({ id }) => id),
    );
    return kept;
  });
}

/**
 * The monitors that are still as they were measured, and not yet written by this job: of their
 * measurements, those are looked at that may be younger than the job, by whatever clock.
 */
async function lockToWrite(
  tx: Context,
  subjects: readonly Subject[],
  { jobId, scheduled }: RunOrigin,
): Promise<Monitor[]> {
  const locked = await rows<Monitor>(
    tx,
    Prisma.sql`select ${monitorColumns} from monitor m
      where m.workspace_id = ${tx.workspaceId}::uuid
        and m.id = any(${subjects.map(({ monitor }) => monitor.id)}::uuid[])
        and not exists (select from measurement x where x.workspace_id = m.workspace_id
          and x.monitor_id = m.id and x.job_id = ${jobId}::uuid and x.created_at > coalesce(
            (select j.created_at - interval '1 day' from job j
              where j.workspace_id = ${tx.workspaceId}::uuid and j.id = ${jobId}::uuid),
            '-infinity'))
      order by m.id for update of m`,
  );
  const before = new Map(subjects.map(({ monitor }) => [monitor.id, monitor]));
  return locked.filter((monitor) => {
    const measured = before.get(monitor.id);
    return measured && isSameMetric(measured, monitor) && (monitor.isEnabled || !scheduled);
  });
}

/** The incident of each monitor that is open, or else its latest. */
async function latestIncidents(
  tx: Context,
  monitors: readonly Monitor[],
): Promise<Map<string, Incident>> {
  const incidents = await rows<Incident>(
    tx,
    Prisma.sql`select distinct on (i.monitor_id) ${incidentColumns} from incident i
      where i.workspace_id = ${tx.workspaceId}::uuid
        and i.monitor_id = any(${monitors.map(({ id }) => id)}::uuid[])
      order by i.monitor_id, (i.status = 'resolved'), i.created_at desc, i.id`,
  );
  return new Map(incidents.map((incident) => [incident.monitorId, incident]));
}

/** A monitor with its latest incident, and what is made of its new value. */
interface Taken {
  readonly monitor: Monitor;
  readonly before: Incident | null;
  readonly judged: Judged;
  readonly warning: string;
  readonly jobId: string | null;
}

/** Do to a monitor's incident what the rules say of a value. */
async function take(
  tx: Context,
  { monitor, before, judged, warning, jobId }: Taken,
  { at, value }: Measured,
  attemptedAt: Date,
): Promise<{ measurement: Made; standing: Standing }> {
  const overall = overallOf(monitor, value, judged);
  const { verdict, level } = overall.known;
  const decision = decide(
    {
      isEnabled: monitor.isEnabled,
      incident: before && ruleView(before),
      isExpected: isExpected(monitor, at),
    },
    { type: 'measured', at: at.getTime(), value: overall.value, verdict, level },
  );
  // Of what is not judged nothing new is known.
  const isJudged = judged.maintenance === null;
  const standing = isJudged ? standingAt(monitor, before, overall) : (before?.standing ?? null);
  const says = { summary: overall.breach ?? '', standing };
  const incident = await follow(tx, monitor, before, decision, says);
  const measurement = {
    ...measurementOf(monitor, { at, value }, judged, overall.breach),
    incident_id: decision.attached ? (incident?.id ?? null) : null,
    job_id: jobId,
  };
  const isOpen = decision.watch.incident !== null && decision.watch.incident.status !== 'resolved';
  const rest = verdict === 'learning' && (isJudged || !isLearned(monitor)) ? 'learning' : 'normal';
  const status = isOpen ? 'incident' : rest;
  const left = { id: measurement.id, value, warning, incidentId: incident?.id ?? null, status };
  return { measurement, standing: measuredStanding(monitor, attemptedAt, left) };
}

/** Whether a monitor knew a range when it was judged last. */
const isLearned = ({ status }: Monitor): boolean => status !== 'pending' && status !== 'learning';

/** Whether a value out of a given range is expected, as a person said when it was last. */
const isExpected = ({ expectedUntil, conditionAutoSensitivity }: Monitor, at: Date): boolean =>
  conditionAutoSensitivity === null && expectedUntil !== null && expectedUntil > at;

/** What is so at a new level, in a sentence; null where a value is at none. */
function standingAt(
  { metricType, timeZone }: Monitor,
  before: Incident | null,
  { known: { level }, value, place }: Overall,
): string | null {
  if (level === null || before === null) return null;
  const said = { value, before: level.before };
  const words = levelInWords(metricType, said, before.firstSeenAt, timeZone ?? 'UTC');
  return place === null ? words : `${place}: ${words}`;
}

// In charge of a monitor's range: learned from its stored measurements, or given by a person.

import type { Context } from '../context.ts';
import { execute, rows } from '../database/rows.ts';
import { type Monitor, Prisma } from '../generated/prisma/client.ts';
import { isMetricType } from './metric-config.ts';
import { scheduleOf } from './monitor-schedule.ts';
import {
  type Bounds,
  createLearner,
  judge,
  type Learner,
  type LearnerSetup,
  learn,
  openLearner,
  type Point,
  saveLearner,
  type Verdict,
} from './threshold.ts';

/** What the range known before a value makes of it. */
export interface Judgement extends Bounds {
  readonly verdict: Verdict;
  /** How the range came about, for the measurement to keep. */
  readonly explanation: Explanation;
}

/** How a range came about; JSON. */
export type Explanation = Readonly<Record<string, string | number | null>>;

/**
 * Judge a new value of a monitor. With a learned range all of the monitor's stored measurements are
 * learned first, from the latest snapshot on: what a person has marked since is in it.
 */
export async function judgeValue(tx: Context, monitor: Monitor, point: Point): Promise<Judgement> {
  const setup = setupOf(monitor);
  if (!setup) return judgeByHand(monitor, point.value);
  const learner = await learnerOf(tx, monitor, setup);
  const { range, verdict } = learn(learner, point);
  const { lower, upper, ...rest } = range;
  return { lower, upper, verdict, explanation: { by: 'learning', verdict, ...rest } };
}

function judgeByHand(monitor: Monitor, value: number): Judgement {
  const bounds = { lower: monitor.conditionManualMin, upper: monitor.conditionManualMax };
  const verdict = judge(value, bounds);
  return { ...bounds, verdict, explanation: { by: 'hand', verdict, ...bounds } };
}

/** What a monitor's learner is made for; null where a person gave the range. */
export function setupOf(monitor: Monitor, sensitivity?: number): LearnerSetup | null {
  const { metricType, conditionAutoSensitivity } = monitor;
  const chosen = sensitivity ?? conditionAutoSensitivity;
  if (chosen === null || !isMetricType(metricType)) return null;
  return { metricType, schedule: scheduleOf(monitor), sensitivity: chosen };
}

/** Points that are learned at once; older ones are left out, for the learner forgets them anyway. */
const maxPoints = 10_000;
/** So many points are replayed rather than what was learned of them stored. */
const pointsPerSnapshot = 64;

async function learnerOf(tx: Context, monitor: Monitor, setup: LearnerSetup): Promise<Learner> {
  const key = JSON.stringify(setup);
  const snapshot = await tx.db.learnerSnapshot.findFirst({
    where: { workspaceId: tx.workspaceId, monitorId: monitor.id, setup: key },
  });
  const known = snapshot && openLearner(setup, snapshot.state);
  const learner = known ?? createLearner(setup);
  const points = await pointsOf(tx, monitor, known ? snapshot.until : monitor.learnsFrom);
  for (const point of points) learn(learner, point);
  const last = points.at(-1);
  if (last && points.length >= pointsPerSnapshot) {
    await saveSnapshot(tx, monitor, { setup: key, state: saveLearner(learner), at: last.at });
  }
  return learner;
}

/** What a monitor measured after a time, oldest first; all of it where none is given. */
export async function pointsOf(
  ctx: Context,
  { id }: Pick<Monitor, 'id'>,
  after: Date | null,
): Promise<Point[]> {
  const found = await rows<{ at: Date; value: number; normal: boolean }>(
    ctx,
    Prisma.sql`select created_at as at, value, marked_normal as normal from measurement
      where workspace_id = ${ctx.workspaceId}::uuid and monitor_id = ${id}::uuid
        and (${after}::timestamptz is null or created_at > ${after}::timestamptz)
      order by created_at desc, id limit ${maxPoints}`,
  );
  return found.reverse().map(({ at, ...point }) => ({ at: at.getTime(), ...point }));
}

async function saveSnapshot(
  tx: Context,
  { id }: Monitor,
  { setup, state, at }: { setup: string; state: string; at: number },
): Promise<void> {
  await execute(
    tx,
    Prisma.sql`insert into learner_snapshot (workspace_id, monitor_id, setup, state, until)
      values (${tx.workspaceId}::uuid, ${id}::uuid, ${setup}, ${state}, ${new Date(at)})
      on conflict (workspace_id, monitor_id)
        do update set setup = excluded.setup, state = excluded.state, until = excluded.until`,
  );
}

/** Forget what was learned of measurements from a time on: the next run learns them anew. */
export async function forgetLearned(tx: Context, monitorId: string, from: Date): Promise<void> {
  await execute(
    tx,
    Prisma.sql`delete from learner_snapshot where workspace_id = ${tx.workspaceId}::uuid
      and monitor_id = ${monitorId}::uuid and until >= ${from}`,
  );
}

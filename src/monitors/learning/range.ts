// A monitor's range: learned from its stored measurements, or given by a person.

import type { Context } from '../../context.ts';
import { execute, rows } from '../../database/rows.ts';
import { type Monitor, Prisma } from '../../generated/prisma/client.ts';
import { isMetricType } from '../metric-config.ts';
import { scheduleOf } from '../monitor-schedule.ts';
import {
  createLearner,
  type Learner,
  type LearnerSetup,
  openLearner,
  type Point,
  saveLearner,
} from './learner.ts';
import { type Bounds, judge, learn, learnAll, type NewLevel, type Verdict } from './threshold.ts';

/** What the range known before a value makes of it. */
export interface Judgement extends Bounds {
  readonly verdict: Verdict;
  /** Where the value is at a new level; null where it isn't. */
  readonly level: NewLevel | null;
  /** How the range came about, for the measurement to keep. */
  readonly explanation: Explanation;
}

/** How a range came about; JSON. */
export type Explanation = Readonly<Record<string, string | number | null>>;

/** What monitors have learned from so far, by their ids. */
export type History = ReadonlyMap<string, Learned>;

interface Learned {
  /** What a learner remembered, for the setup that it has now; null where nothing is kept. */
  readonly snapshot: string | null;
  /** What was measured after that, oldest first. */
  readonly points: readonly Point[];
}

/**
 * Read what monitors have learned from: for each its snapshot and the measurements since, or all of
 * them. What a person has marked since is in it. Monitors with a given range have none.
 */
export async function readHistory(tx: Context, monitors: readonly Monitor[]): Promise<History> {
  const learning = monitors.flatMap((monitor) => {
    const setup = setupOf(monitor);
    return setup ? [{ monitor, setup: JSON.stringify(setup) }] : [];
  });
  if (learning.length === 0) return new Map();
  const found = await rows<{
    id: string;
    state: string | null;
    at: string[] | null;
    value: string[] | null;
    normal: string[] | null;
    newLevel: string[] | null;
  }>(
    tx,
    Prisma.sql`select w.id, s.state, p.* from unnest(
          ${learning.map(({ monitor }) => monitor.id)}::uuid[],
          ${learning.map(({ setup }) => setup)}::text[],
          ${learning.map(({ monitor }) => monitor.learnsFrom?.toISOString() ?? null)}::timestamptz[])
        w(id, setup, learns_from)
      left join learner_snapshot s on s.workspace_id = ${tx.workspaceId}::uuid
        and s.monitor_id = w.id and s.setup = w.setup
      cross join lateral (
        select array_agg((extract(epoch from x.created_at) * 1000)::text order by x.created_at) as at,
          array_agg(x.value::text order by x.created_at) as value,
          array_agg(x.marked_normal::text order by x.created_at) as normal,
          array_agg(x.new_level::text order by x.created_at) as "newLevel"
        from (select created_at, value, marked_normal, new_level from measurement
          where workspace_id = ${tx.workspaceId}::uuid and monitor_id = w.id
            and created_at > coalesce(s.until, w.learns_from, '-infinity')
          order by created_at desc limit ${maxPoints}) x) p`,
  );
  return new Map(
    found.map(({ id, state, at, value, normal, newLevel }) => [
      id,
      {
        snapshot: state,
        points: (at ?? []).map((time, i) => ({
          at: Math.round(Number(time)),
          value: Number(value?.[i]),
          normal: normal?.[i] === 'true',
          newLevel: newLevel?.[i] === 'true',
        })),
      },
    ]),
  );
}

/** Judge a new value of a monitor by what was learned before it. */
export async function judgeValue(
  tx: Context,
  monitor: Monitor,
  point: Point,
  history: History,
): Promise<Judgement> {
  const setup = setupOf(monitor);
  if (!setup) return judgeByHand(monitor, point.value);
  const learner = await learnerOf(tx, monitor, setup, history.get(monitor.id));
  const { range, verdict, level } = learn(learner, point);
  const { lower, upper, day, ...rest } = range;
  const { mean = null, expected = null, lowest = null, highest = null } = day ?? {};
  const drifted = { dayMean: mean, dayExpected: expected, dayLowest: lowest, dayHighest: highest };
  const explanation = { by: 'learning', verdict, ...rest, ...(day === null ? {} : drifted) };
  return { lower, upper, verdict, level, explanation };
}

function judgeByHand(monitor: Monitor, value: number): Judgement {
  const bounds = { lower: monitor.conditionManualMin, upper: monitor.conditionManualMax };
  const verdict = judge(value, bounds);
  return { ...bounds, verdict, level: null, explanation: { by: 'hand', verdict, ...bounds } };
}

/** What a monitor's learner is made for; null where a person gave the range. */
function setupOf(monitor: Monitor, sensitivity?: number): LearnerSetup | null {
  const { metricType, conditionAutoSensitivity } = monitor;
  const chosen = sensitivity ?? conditionAutoSensitivity;
  if (chosen === null || !isMetricType(metricType)) return null;
  return {
    metricType,
    schedule: scheduleOf(monitor),
    sensitivity: chosen,
    ...calendarOf(monitor),
    ...adaptationOf(monitor),
  };
}

/** How a monitor's learned range follows; only what is not as normal. */
export function adaptationOf({
  adaptation,
}: Pick<Monitor, 'adaptation'>): Pick<LearnerSetup, 'adaptation'> {
  return adaptation === 'robust' || adaptation === 'agile' ? { adaptation } : {};
}

/** The calendar that a monitor's learned range follows; only what was set. */
export function calendarOf({ timeZone, holidayCountry }: Monitor) {
  return {
    ...(timeZone === null ? {} : { timeZone }),
    ...(holidayCountry === null ? {} : { country: holidayCountry }),
  };
}

/** Points that are learned at once; older ones are left out, for the learner forgets them anyway. */
export const maxPoints = 10_000;
/** So many points are replayed rather than what was learned of them stored. */
const pointsPerSnapshot = 64;

async function learnerOf(
  tx: Context,
  monitor: Monitor,
  setup: LearnerSetup,
  learned: Learned = { snapshot: null, points: [] },
): Promise<Learner> {
  const { snapshot } = learned;
  const known = snapshot === null ? null : openLearner(setup, snapshot);
  const learner = known ?? createLearner(setup);
  // A snapshot of another version can't be opened: everything is learned again.
  const isUnread = snapshot !== null && known === null;
  const points = isUnread ? await pointsOf(tx, monitor, monitor.learnsFrom) : learned.points;
  learnAll(learner, points);
  const last = points.at(-1);
  if (last && points.length >= pointsPerSnapshot) {
    const text = JSON.stringify(setup);
    await saveSnapshot(tx, monitor, { setup: text, state: saveLearner(learner), at: last.at });
  }
  return learner;
}

/** What a monitor measured after a time, oldest first; all of it where none is given. */
export async function pointsOf(
  ctx: Context,
  { id }: Pick<Monitor, 'id'>,
  after: Date | null,
): Promise<Point[]> {
  const found = await rows<Omit<Point, 'at'> & { at: Date }>(
    ctx,
    Prisma.sql`select created_at as at, value, marked_normal as normal,
        new_level as "newLevel" from measurement
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

/** Forget what a monitor has learned: the next run learns all its measurements again. */
export async function forgetLearned(tx: Context, monitorId: string): Promise<void> {
  await execute(
    tx,
    Prisma.sql`delete from learner_snapshot where workspace_id = ${tx.workspaceId}::uuid
      and monitor_id = ${monitorId}::uuid`,
  );
}

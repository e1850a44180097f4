// A monitor's range: learned from its stored measurements, or given by a person.

import type { Context } from '../../context.ts';
import { execute, rows } from '../../database/rows.ts';
import { type Monitor, Prisma } from '../../generated/prisma/client.ts';
import { isMetricType, readStoredConfig } from '../metric-config.ts';
import { scheduleOf } from '../monitor-schedule.ts';
import { type Judgement, judgementByHand, judgementOf, notJudged } from './judgement.ts';
import {
  createLearner,
  type Learner,
  type LearnerSetup,
  openLearner,
  saveLearner,
} from './learner.ts';
import {
  type DividedPoint,
  type JudgedSegment,
  readSegments,
  SegmentLearners,
} from './segments.ts';
import { learn, learnAll } from './threshold.ts';

/** What monitors have learned from so far, by their ids. */
export type History = ReadonlyMap<string, Learned>;

interface Learned {
  /** What a learner remembered, for the setup that it has now; null where nothing is kept. */
  readonly snapshot: string | null;
  /** The same of the values of its dimension. */
  readonly segments: string | null;
  /** What was measured after that, oldest first. */
  readonly points: readonly DividedPoint[];
}

/**
 * Read what monitors have learned from: for each its snapshot and the measurements since, or all of
 * them. What a person has marked since is in it. Monitors with a given range have none.
 */
export async function readHistory(tx: Context, monitors: readonly Monitor[]): Promise<History> {
  return readLearned(
    tx,
    monitors.flatMap((monitor) => {
      const setup = setupOf(monitor);
      const { id, learnsFrom } = monitor;
      return setup ? [{ id, setup: JSON.stringify(setup), after: learnsFrom }] : [];
    }),
  );
}

/** What a monitor measured after a time, oldest first; all of it where none is given. */
export async function pointsOf(
  ctx: Context,
  { id }: Pick<Monitor, 'id'>,
  after: Date | null,
): Promise<readonly DividedPoint[]> {
  return (await readLearned(ctx, [{ id, setup: null, after }])).get(id)?.points ?? [];
}

/** Whose past is read: what is remembered for a setup, if any, and what was measured after that, or after a time. */
interface Asked {
  readonly id: string;
  /** Null where nothing that is remembered counts. */
  readonly setup: string | null;
  readonly after: Date | null;
}

async function readLearned(ctx: Context, asked: readonly Asked[]): Promise<History> {
  if (asked.length === 0) return new Map();
  const found = await rows<{
    id: string;
    state: string | null;
    at: string[] | null;
    value: string[] | null;
    normal: string[] | null;
    newLevel: string[] | null;
    saved: string | null;
    segments: (string | null)[] | null;
  }>(
    ctx,
    Prisma.sql`select w.id, s.state, s.segments as saved, p.* from unnest(
          ${asked.map(({ id }) => id)}::uuid[],
          ${asked.map(({ setup }) => setup)}::text[],
          ${asked.map(({ after }) => after?.toISOString() ?? null)}::timestamptz[])
        w(id, setup, after)
      left join learner_snapshot s on s.workspace_id = ${ctx.workspaceId}::uuid
        and s.monitor_id = w.id and s.setup = w.setup
      cross join lateral (
        select array_agg((extract(epoch from x.created_at) * 1000)::text order by x.created_at) as at,
          array_agg(x.value::text order by x.created_at) as value,
          array_agg(x.marked_normal::text order by x.created_at) as normal,
          array_agg(x.new_level::text order by x.created_at) as "newLevel",
          array_agg(x.segments::text order by x.created_at) as segments
        from (select created_at, value, marked_normal, new_level, segments from measurement
          where workspace_id = ${ctx.workspaceId}::uuid and monitor_id = w.id
            and created_at > coalesce(s.until, w.after, '-infinity')
            and (maintenance is null or marked_normal or new_level)
          order by created_at desc limit ${maxPoints}) x) p`,
  );
  return new Map(
    found.map(({ id, state, saved, at, value, normal, newLevel, segments }) => [
      id,
      {
        snapshot: state,
        segments: saved,
        points: (at ?? []).map((time, i) => ({
          at: Math.round(Number(time)),
          value: Number(value?.[i]),
          normal: normal?.[i] === 'true',
          newLevel: newLevel?.[i] === 'true',
          segments: readSegments(JSON.parse(segments?.[i] ?? '[]')),
        })),
      },
    ]),
  );
}

/** What is made of a measurement: of its value, and of each value of the dimension. */
export interface Judged {
  readonly whole: Judgement;
  readonly segments: readonly JudgedSegment[];
  /** The maintenance window for which it is not judged; null where it is. */
  readonly maintenance: string | null;
}

/** A new value, with the maintenance window that it fell in. */
interface NewPoint extends DividedPoint {
  readonly maintenance: string | null;
}

/** Judge new values of a monitor, oldest first, each by what was learned before it; none of a maintenance window. */
export async function judgeValues(
  tx: Context,
  monitor: Monitor,
  points: readonly NewPoint[],
  history: History,
): Promise<Judged[]> {
  const setup = setupOf(monitor);
  if (!setup) return points.map((point) => unjudged(point) ?? judgedByHand(monitor, point));
  const { whole, segments } = await learnersOf(tx, monitor, setup, history.get(monitor.id));
  return points.map(
    (point) =>
      unjudged(point) ?? {
        whole: isOfTables(monitor, point)
          ? judgementByHand(noBounds, point.value)
          : judgementOf(learn(whole, point)),
        segments: segments.judge(point),
        maintenance: null,
      },
  );
}

/** What is kept of a value in a maintenance window; null for any other. */
function unjudged({ maintenance, segments = [] }: NewPoint): Judged | null {
  if (maintenance === null) return null;
  const known = notJudged;
  return { whole: known, segments: segments.map((one) => ({ ...one, known })), maintenance };
}

const noBounds = { lower: null, upper: null };

/** Tables of a schema have ranges, and all of them together none: one that is new is nothing wrong. */
const isOfTables = ({ metricConfig }: Monitor, { segments }: DividedPoint): boolean =>
  segments !== undefined && readStoredConfig(metricConfig).dimension === undefined;

/** A range that a person gave is that of each value of the dimension, where there is one. */
function judgedByHand(monitor: Monitor, { value, segments }: DividedPoint): Judged {
  const bounds = { lower: monitor.conditionManualMin, upper: monitor.conditionManualMax };
  return {
    whole: judgementByHand(segments === undefined ? bounds : noBounds, value),
    segments: (segments ?? []).map((one) => ({
      ...one,
      known: judgementByHand(bounds, one.value),
    })),
    maintenance: null,
  };
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
/** So many points are replayed rather than what was learned of them stored, and so many values of many series. */
const pointsPerSnapshot = 64;
const valuesPerSnapshot = 4_000;

const isMuch = (points: readonly DividedPoint[]): boolean =>
  points.length >= pointsPerSnapshot ||
  points.reduce((sum, { segments = [] }) => sum + segments.length, 0) >= valuesPerSnapshot;

async function learnersOf(
  tx: Context,
  monitor: Monitor,
  setup: LearnerSetup,
  learned: Learned = { snapshot: null, segments: null, points: [] },
): Promise<{ whole: Learner; segments: SegmentLearners }> {
  const { snapshot } = learned;
  const known = snapshot === null ? null : openLearner(setup, snapshot);
  let whole = known ?? createLearner(setup);
  let segments = new SegmentLearners(setup);
  const isOpen = learned.segments === null || segments.open(learned.segments);
  // A snapshot of another version can't be opened: everything is learned again.
  const isUnread = snapshot !== null && (known === null || !isOpen);
  if (isUnread) [whole, segments] = [createLearner(setup), new SegmentLearners(setup)];
  const points = isUnread ? await pointsOf(tx, monitor, monitor.learnsFrom) : learned.points;
  learnAll(whole, points);
  segments.learnAll(points);
  const last = points.at(-1);
  if (last && isMuch(points)) {
    const states = { state: saveLearner(whole), segments: segments.save(points) };
    await saveSnapshot(tx, monitor, { setup: JSON.stringify(setup), ...states, at: last.at });
  }
  return { whole, segments };
}

/** What is remembered up to a time, in milliseconds since 1970. */
interface Snapshot {
  readonly setup: string;
  readonly state: string;
  readonly segments: string | null;
  readonly at: number;
}

async function saveSnapshot(
  tx: Context,
  { id }: Monitor,
  { setup, state, segments, at }: Snapshot,
): Promise<void> {
  await execute(
    tx,
    Prisma.sql`insert into learner_snapshot (workspace_id, monitor_id, setup, state, segments, until)
      values (${tx.workspaceId}::uuid, ${id}::uuid, ${setup}, ${state}, ${segments}, ${new Date(at)})
      on conflict (workspace_id, monitor_id)
        do update set setup = excluded.setup, state = excluded.state,
          segments = excluded.segments, until = excluded.until`,
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

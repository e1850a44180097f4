// Learning, point by point, the range in which a metric's next value lies.
//
// The learner is a function of its points alone: replaying the stored measurements of a monitor
// gives the same ranges that were given when they were measured, bit for bit. The decision record
// docs/decisions/learned-thresholds.md tells the idea and what was measured.

import { z } from 'zod';
import { clampToUnit, floorAround, type Metric, type MetricType, metricOf } from '../metric.ts';
import { intervalHours, type Schedule, slotOf } from '../schedule.ts';
import {
  lookAhead,
  moveLevels,
  newPool,
  type Outlook,
  type PoolRules,
  PoolState,
  plansFor,
  teach,
} from './experts.ts';
import { largestError, type Scale, sigmaOf } from './scale.ts';

/** What a learner learns, and how soon it shall be alarmed. */
export interface LearnerSetup {
  readonly metricType: MetricType;
  readonly schedule: Schedule;
  /** 1 to 10; higher alerts sooner, 5 is the default. */
  readonly sensitivity: number;
  /** Milliseconds by which the points lie behind the schedule's instants; 0 unless given. */
  readonly lag?: number;
}

/** A measured value. */
export interface Point {
  /** When it was measured, in milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
  /** A person has said that this value is in order. */
  readonly normal?: boolean;
}

/** Where a value may lie; null is no bound on that side, both null is no range yet. */
export interface Bounds {
  readonly lower: number | null;
  readonly upper: number | null;
}

/** A learned range with what led to it. */
export interface Range extends Bounds {
  /** The value that is expected; null while learning. */
  readonly forecast: number | null;
  /** The expert that was chosen, in words; null while learning. */
  readonly model: string | null;
  /** How its errors grow with the forecast; null while learning. */
  readonly scale: Scale | null;
  /** Standard deviation of the errors around this forecast; null while learning. */
  readonly sigma: number | null;
  /** How many sigma the sensitivity allows. */
  readonly k: number;
  /** Half of the range, before it is cut to the metric's domain; null while learning. */
  readonly halfWidth: number | null;
  /** What set the half-width: the errors' sigma, the largest error of late, or the unit's floor. */
  readonly widthFrom: 'sigma' | 'largest_error' | 'floor' | null;
  /** Points accepted so far, of those needed before there is a range. */
  readonly learned: number;
  readonly needed: number;
}

/** How a value stands to a range. */
export type Verdict = 'learning' | 'within' | 'above' | 'below';

/** What a learner made of a point. */
export interface Lesson {
  /** The range that was known before the point. */
  readonly range: Range;
  readonly verdict: Verdict;
  /** False when its slot already had a value, as after a run by hand. */
  readonly learned: boolean;
}

const LearnerState = z.object({
  version: z.literal(1),
  accepted: z.number(),
  learned: z.number(),
  level: z.number(),
  lastSlot: z.number().nullable(),
  /** Points learned since the level last shifted for good. */
  settled: z.number(),
  /** The latest values, as long as they were out of range on one side. */
  breaches: z.array(z.object({ slot: z.number(), value: z.number(), above: z.boolean() })),
  pool: PoolState,
});
type LearnerState = z.infer<typeof LearnerState>;

/** A learner: what it was made for, and what it remembers. */
export interface Learner {
  readonly setup: LearnerSetup;
  readonly metric: Metric;
  readonly rules: PoolRules;
  readonly needed: number;
  readonly state: LearnerState;
}

/** This many values in a row out of range on one side are the new normal. */
const SHIFT_RUNS = 3;
/** Beyond this, products of two values would leave what a double can hold. */
const LARGEST_VALUE = 1e100;

/** A learner that has seen nothing. */
export function createLearner(setup: LearnerSetup): Learner {
  if (!(setup.sensitivity >= 1 && setup.sensitivity <= 10)) {
    throw new RangeError(`Sensitivity ${setup.sensitivity} is not between 1 and 10.`);
  }
  const metric = metricOf(setup.metricType);
  const hours = intervalHours(setup.schedule);
  const rules = {
    unit: metric.unit,
    plans: plansFor(setup.schedule.cadence === 'monthly' ? null : hours),
    trial: Math.min(24, Math.max(6, Math.round(24 / hours))),
    discount: hours >= 24 ? 0.97 : 0.99,
  };
  const state: LearnerState = {
    version: 1,
    accepted: 0,
    learned: 0,
    level: 0,
    lastSlot: null,
    settled: 0,
    breaches: [],
    pool: newPool(rules),
  };
  return { setup, metric, rules, needed: pointsNeeded(hours), state };
}

/** The range that the learner knows for a value measured at an instant. Changes nothing. */
export function range(learner: Learner, at: number): Range {
  return rangeFrom(learner, lookAhead(learner.rules, learner.state.pool, slotAt(learner, at)));
}

/** How a value stands to a range, learned or given by a person. */
export function judge(value: number, { lower, upper }: Bounds): Verdict {
  if (upper !== null && value > upper) return 'above';
  if (lower !== null && value < lower) return 'below';
  return lower === null && upper === null ? 'learning' : 'within';
}

/**
 * Judge a point by the range known before it, then learn from it. A point whose slot already has
 * a value, or lies before the newest, is judged only.
 */
export function learn(learner: Learner, point: Point): Lesson {
  const { state, rules, metric } = learner;
  const slot = slotAt(learner, point.at);
  const outlook = lookAhead(rules, state.pool, slot);
  const known = rangeFrom(learner, outlook);
  const verdict = judge(point.value, known);
  if (state.lastSlot !== null && slot <= state.lastSlot) {
    return { range: known, verdict, learned: false };
  }
  const value = Math.max(-LARGEST_VALUE, Math.min(LARGEST_VALUE, point.value));
  const side = point.normal ? null : strayed(value, known);
  const against = { unit: metric.unit, level: followLevel(learner, value) };
  const accepted = side === null;
  teach(rules, state.pool, outlook, { value, accepted, upperOnly: metric.upperOnly }, against);
  state.lastSlot = slot;
  state.learned++;
  state.settled++;
  if (accepted) {
    state.accepted++;
    state.breaches = [];
  } else {
    noteBreach(learner, { slot, value, above: side === 'above' });
  }
  return { range: known, verdict, learned: true };
}

/** Show a new learner all points, oldest first, as when they were measured. */
export function replay(setup: LearnerSetup, points: Iterable<Point>): Learner {
  const learner = createLearner(setup);
  for (const point of points) learn(learner, point);
  return learner;
}

/** What a learner remembers, as JSON. */
export function saveLearner(learner: Learner): string {
  return JSON.stringify(learner.state);
}

/**
 * The learner that was saved; null when the text is not what this version writes for this setup,
 * and the points must be replayed.
 */
export function openLearner(setup: LearnerSetup, saved: string): Learner | null {
  const learner = createLearner(setup);
  let json: unknown;
  try {
    json = JSON.parse(saved);
  } catch {
    return null;
  }
  const state = LearnerState.safeParse(json);
  if (!state.success) return null;
  if (state.data.pool.experts.length !== learner.rules.plans.length) return null;
  return { ...learner, state: state.data };
}

/** Six days of points below a day, four for hourly ones, eight points for all that is slower. */
function pointsNeeded(hours: number): number {
  return hours >= 24 ? 8 : Math.min(96, Math.round(144 / hours));
}

/** How many sigma are allowed: each step of sensitivity takes a seventh. */
function sigmasAllowed(setup: LearnerSetup): number {
  const atFive = intervalHours(setup.schedule) >= 24 ? 3.3 : 4;
  return atFive * easing(setup);
}

const easing = (setup: LearnerSetup): number => 2 ** ((5 - setup.sensitivity) / 5);

function rangeFrom(learner: Learner, outlook: Outlook): Range {
  const { setup, metric, state, needed } = learner;
  const k = sigmasAllowed(setup);
  const choice = outlook.choice;
  const progress = { k, learned: Math.min(state.accepted, needed), needed };
  if (choice === null || state.accepted < needed) return { ...NO_RANGE, ...progress };
  const { model, scale, forecast, record } = choice;
  const against = { unit: metric.unit, level: state.level };
  const sigma = sigmaOf(record, scale, forecast, against);
  // An expert with few forecasts knows its own errors badly.
  const fromSigma = k * sigma * (1 + 3 / Math.max(3, Math.min(record.scored, state.settled)));
  const fromLargest = 1.1 * easing(setup) * largestError(record, scale, forecast, against);
  const halfWidth = Math.max(fromSigma, fromLargest, floorAround(forecast, metric.unit));
  const widthFrom =
    halfWidth === fromSigma ? 'sigma' : halfWidth === fromLargest ? 'largest_error' : 'floor';
  const lower = metric.upperOnly ? null : clampToUnit(forecast - halfWidth, metric.unit);
  const upper = clampToUnit(forecast + halfWidth, metric.unit);
  return { lower, upper, forecast, model, scale, sigma, halfWidth, widthFrom, ...progress };
}

const NO_RANGE = {
  lower: null,
  upper: null,
  forecast: null,
  model: null,
  scale: null,
  sigma: null,
  halfWidth: null,
  widthFrom: null,
} as const;

/**
 * On which side a value strayed. Unlike the verdict this looks at both sides always: a table that
 * is fresher than ever is no breach, but must not be learned as the rule at once either.
 */
function strayed(value: number, known: Range): 'above' | 'below' | null {
  if (known.forecast === null || known.halfWidth === null) return null;
  if (value > known.forecast + known.halfWidth) return 'above';
  return value < known.forecast - known.halfWidth ? 'below' : null;
}

function noteBreach(
  learner: Learner,
  breach: { slot: number; value: number; above: boolean },
): void {
  const { state, rules } = learner;
  const sameSide = state.breaches.filter((earlier) => earlier.above === breach.above);
  state.breaches = [...sameSide, breach];
  if (state.breaches.length < SHIFT_RUNS) return;
  moveLevels(rules, state.pool, state.breaches);
  state.breaches = [];
  state.settled = 0;
}

/** The running size of the values; one wild value moves it little. */
function followLevel(learner: Learner, value: number): number {
  const { state, metric } = learner;
  const most = state.learned > 5 ? 4 * state.level + metric.unit.grain : Number.POSITIVE_INFINITY;
  const rate = Math.max(0.05, 1 / (state.learned + 1));
  state.level += rate * (Math.min(Math.abs(value), most) - state.level);
  return state.level;
}

const slotAt = (learner: Learner, at: number): number =>
  slotOf(learner.setup.schedule, at - (learner.setup.lag ?? 0));

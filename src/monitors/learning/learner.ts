// What a learner is: what it was made for, and what it remembers.

import { z } from 'zod';
import { offsetAt } from '../../calendar/time-zone.ts';
import { type Metric, type MetricType, metricOf } from '../metric.ts';
import { instantOf, intervalHours, type Schedule, slotOf } from '../schedule.ts';
import { ArrivalState, newArrivals } from './arrivals.ts';
import { CalendarState, newCalendar } from './calendar/calendar.ts';
import { DriftState, newDrift, type Rhythm } from './drift.ts';
import { newPool, type PoolRules, PoolState } from './experts.ts';
import { OldLevel } from './old-level.ts';
import { periodsFor, plansFor } from './plans.ts';
import { newPositive, PositiveState } from './positive.ts';
import { ErrorRecord, type ErrorRules, newRecord } from './scale.ts';
import { newSporadic, SporadicState } from './sporadic.ts';
import { newUsual, UsualState } from './usual.ts';

/** How a range follows a level that shifts: not until a person says so, with the old one in mind, or at once. */
export const ADAPTATIONS = ['robust', 'normal', 'agile'] as const;
export type Adaptation = (typeof ADAPTATIONS)[number];

/** What a learner learns, and how soon it shall be alarmed. */
export interface LearnerSetup {
  readonly metricType: MetricType;
  readonly schedule: Schedule;
  /** 1 to 10; higher alerts sooner, 5 is the default. */
  readonly sensitivity: number;
  /**
   * Milliseconds by which the points of a series lie behind the schedule's instants, more or less.
   * Absent for a monitor, whose runs belong to the instant before them, however late they are.
   */
  readonly lag?: number | undefined;
  /** The time zone that days and hours follow, as the IANA database names it; UTC unless given. */
  readonly timeZone?: string | undefined;
  /** The country whose holidays are kept, by its two letters; none unless given. */
  readonly country?: string | undefined;
  /** Series of one monitor that share the rate of its sensitivity; one unless given. */
  readonly among?: number | undefined;
  /** Normal unless given. */
  readonly adaptation?: Exclude<Adaptation, 'normal'> | undefined;
}

/** A measured value. */
export interface Point {
  /** When it was measured, in milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
  /** A person has said that this value is in order. */
  readonly normal?: boolean;
  /** A person has said that the level here is the new normal. */
  readonly newLevel?: boolean;
}

const LearnerState = z.object({
  /** What earlier versions remembered is learned again from the stored measurements. */
  version: z.literal(7),
  accepted: z.number(),
  learned: z.number(),
  level: z.number(),
  lastSlot: z.number().nullable(),
  /** Points learned since the level last shifted for good. */
  settled: z.number(),
  /** The latest values, as long as they were out of range on one side. */
  breaches: z.array(z.object({ slot: z.number(), value: z.number(), above: z.boolean() })),
  pool: PoolState,
  errors: ErrorRecord,
  usual: UsualState,
  sporadic: SporadicState,
  arrivals: ArrivalState,
  calendar: CalendarState,
  drift: DriftState,
  positive: PositiveState,
  /** Of data that is too old: when it came, in milliseconds since 1970. Its age grows until more comes. */
  late: z.number().nullable(),
  /** How often the level has shifted. */
  shifts: z.number(),
  /** What was known before the first of the breaches. */
  before: OldLevel.nullable(),
  /** The level before the last shift, as long as the series may return to it. */
  old: OldLevel.nullable(),
  /** Of a metric that may only grow: what is known of its growth. */
  get growth() {
    return GrowthState.nullable();
  },
});
export type LearnerState = z.infer<typeof LearnerState>;

/** A value at the slot that it filled. */
const Stand = z.object({ slot: z.number(), value: z.number() });
export type Stand = z.infer<typeof Stand>;

/** What is remembered of a series that may be one that only grows. */
const GrowthState = z.object({
  newest: Stand.nullable(),
  /** The last value that was in order. */
  base: Stand.nullable(),
  /** Values in a row that did not fall, up to some; a fall leaves a quarter of them. */
  rising: z.number(),
  /** The share of them that grew. */
  grew: z.number(),
  /** What a learner of the growth alone remembers; null while the series falls. */
  get learner(): z.ZodNullable<typeof LearnerState> {
    return LearnerState.nullable();
  },
});
export type GrowthState = z.infer<typeof GrowthState>;

/** A learner: what it was made for, and what it remembers. */
export interface Learner {
  readonly setup: LearnerSetup;
  readonly metric: Metric;
  readonly rules: PoolRules & ErrorRules;
  /** Slots in the season that ranges are told apart by, 0 without one, and in the longest. */
  readonly phases: number;
  readonly season: number;
  /** For the slow look; null where a day has few slots, or none of its own. */
  readonly rhythm: Rhythm | null;
  readonly hours: number;
  readonly needed: number;
  readonly state: LearnerState;
}

/** At sensitivity 5 one ordinary point in 200 is out of range, at 1 one in 1,000. */
const RATE_AT_FIVE = 0.005;
const RATE_AT_ONE = 0.001;
const HOUR = 3_600_000;

/** A learner that has seen nothing. Throws RangeError for a sensitivity that isn't 1 to 10. */
export function createLearner(setup: LearnerSetup): Learner {
  if (!(setup.sensitivity >= 1 && setup.sensitivity <= 10)) {
    throw new RangeError(`Sensitivity ${setup.sensitivity} is not between 1 and 10.`);
  }
  const metric = metricOf(setup.metricType);
  const hours = intervalHours(setup.schedule);
  const cadence = setup.schedule.cadence === 'monthly' ? null : hours;
  const periods = periodsFor(cadence);
  const rules = {
    unit: metric.unit,
    plans: plansFor(cadence),
    trial: Math.min(24, Math.max(6, Math.round(24 / hours))),
    rate: rateOf(setup.sensitivity) / (setup.among ?? 1),
    amounts: hours >= 24 && hours < 168 && metric.unit.scales,
    ...(hours < 24 ? HABITS.hours : hours < 168 ? HABITS.days : HABITS.weeks),
  };
  const phases = periods[0] ?? 0;
  const state: LearnerState = {
    version: 7,
    accepted: 0,
    learned: 0,
    level: 0,
    lastSlot: null,
    settled: 0,
    breaches: [],
    pool: newPool(rules),
    errors: newRecord(phases),
    usual: newUsual(),
    sporadic: newSporadic(),
    arrivals: newArrivals(),
    calendar: newCalendar(),
    drift: newDrift(),
    positive: newPositive(),
    late: null,
    shifts: 0,
    before: null,
    old: null,
    growth: mayOnlyGrow(metric)
      ? { newest: null, base: null, rising: 0, grew: 0, learner: null }
      : null,
  };
  const season = Math.min(LONGEST_SEASON, periods.at(-1) ?? 1);
  const rhythm = rhythmOf(metric, hours, phases);
  return {
    setup,
    metric,
    rules,
    phases,
    season,
    rhythm,
    hours,
    needed: pointsNeeded(hours),
    state,
  };
}

/**
 * How a pool and its errors learn, by cadence: of hours there are many and weeks are calm, so that all
 * may be slower and tails may be fitted to more of them.
 */
const HABITS = {
  hours: { discount: 0.999, sharpness: 2, steadiness: 0.8, tail: { share: 0.15, points: 20 } },
  days: { discount: 0.985, sharpness: 4, steadiness: 0, tail: { share: 0.1, points: 10 } },
  weeks: { discount: 0.993, sharpness: 2, steadiness: 0.8, tail: { share: 0.15, points: 20 } },
} as const;

/** What has no end: neither a percentage nor the age of data. */
const mayOnlyGrow = ({ unit, upperOnly }: Metric): boolean => unit.max === null && !upperOnly;

/** Of fewer slots a day has no mean to speak of. */
const LEAST_OF_DAY = 4;

function rhythmOf(metric: Metric, hours: number, day: number): Rhythm | null {
  const isDay = day >= LEAST_OF_DAY && day * hours === 24;
  return isDay && !metric.upperOnly ? { day, week: 7 * day } : null;
}

/** A week of hours; odd cadences have longer seasons, that no one looks back for. */
const LONGEST_SEASON = 168;

/** The share of ordinary points that a sensitivity lets be out of range. */
function rateOf(sensitivity: number): number {
  return RATE_AT_FIVE * (RATE_AT_FIVE / RATE_AT_ONE) ** ((sensitivity - 5) / 4);
}

/** The number of the slot that a point belongs to; those of a day follow the clocks there. */
export function slotAt({ setup, hours }: Learner, at: number): number {
  const due = dueAt(setup, at);
  const slot = slotOf(setup.schedule, due - (setup.lag ?? 0));
  if (setup.timeZone === undefined || hours >= 24) return slot;
  return slot + Math.round(offsetAt(setup.timeZone, due) / (hours * HOUR));
}

/** An instant whose date in UTC is the date of a point in the learner's time zone. */
export function localDate({ setup }: Learner, at: number): number {
  const due = dueAt(setup, at);
  return setup.timeZone === undefined ? due : due + offsetAt(setup.timeZone, due);
}

/** When a monitor's run was due; a point of any other series is when it is. */
function dueAt({ schedule, lag }: LearnerSetup, at: number): number {
  return lag === undefined ? instantOf(schedule, at) : at;
}

/** The phase of the shorter season; null without one. */
export function phaseAt({ phases }: Learner, slot: number): number | null {
  return phases === 0 ? null : ((slot % phases) + phases) % phases;
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

// Judgement of a rule on real series: false alarms, incidents, and faults that it finds.

import { decide, UNTROUBLED } from '../../src/monitors/incidents/rules.ts';
import { median } from '../../src/monitors/learning/expert.ts';
import type { Verdict } from '../../src/monitors/learning/threshold.ts';
import type { Cadence } from '../../src/monitors/schedule.ts';
import { type RuleMaker, shareBeyond } from '../../test/monitors/learning/evaluation.ts';
import { HOUR } from '../../test/monitors/learning/series.ts';
import { randomFrom } from '../../test/trials/random.ts';
import { type RealSeries, seasonOf, stepOf } from './series.ts';

/** What takes the place of a value: so many times as much. */
export const FAULTS = [0, 0.5, 2, 0.8, 1.2] as const;

/** What was seen of one rule on series of one kind. */
export interface Seen {
  /** Distance of every value that was judged; over 1 is an alarm. */
  readonly all: number[];
  /** Of those that are ordinary: what an alarm on them is, is false. */
  readonly ordinary: number[];
  /** Distance of every fault, in the order of `FAULTS`. */
  readonly faults: readonly number[][];
  incidents: number;
  /** Hours that monitors ran. */
  hours: number;
}

/** The first point that is judged. */
const JUDGED_FROM: Record<Cadence, number> = {
  hourly: 336,
  daily: 42,
  weekly: 30,
  monthly: 24,
};
/** Faults for each series, one at a time, at ordinary points. */
const FAULTS_EACH = 25;
/** Seasons to either side whose median says what is ordinary. */
const SEASONS = [-4, -3, -2, -1, 1, 2, 3, 4] as const;
const HOURS_A_MONTH = 730;

export function newSeen(): Seen {
  return { all: [], ordinary: [], faults: FAULTS.map(() => []), incidents: 0, hours: 0 };
}

/** Let a rule watch one series; a fault is judged but never learned. */
export function watchReal(ruleFor: RuleMaker, series: RealSeries, into: readonly Seen[]): void {
  const { points, schedule } = series;
  const start = JUDGED_FROM[schedule.cadence];
  if (points.length < start + 20) return;
  const rule = ruleFor(series);
  const ordinary = ordinaryPoints(series);
  const faulty = faultyPoints(series, ordinary, start);
  const everSince = points.at(-1)?.at ?? 0;
  let watch = UNTROUBLED;
  let isStill = false;
  for (const [index, { at, value }] of points.entries()) {
    if (index >= start) {
      const distance = rule.distance(at, value) ?? 0;
      const away = Math.abs(distance);
      for (const seen of into) {
        // A table that stays empty is one fault, however long it lasts.
        if (!isStill) seen.all.push(away);
        if (ordinary[index]) seen.ordinary.push(away);
        if (!faulty.has(index)) continue;
        for (const [place, times] of FAULTS.entries()) {
          seen.faults[place]?.push(Math.abs(rule.distance(at, times * value) ?? 0));
        }
      }
      const verdict: Verdict = distance > 1 ? 'above' : distance < -1 ? 'below' : 'within';
      const decision = decide(watch, { type: 'measured', at, value, verdict });
      for (const seen of into) if (decision.opened) seen.incidents++;
      watch = decision.watch;
      isStill = value === 0 && away > 1;
    }
    rule.learn(at, value);
  }
  const first = points[start]?.at ?? everSince;
  for (const seen of into) seen.hours += (everSince - first) / HOUR;
}

/** Incidents that a hundred monitors open in a month. */
export function incidentsOf({ incidents, hours }: Seen): number {
  return (100 * incidents * HOURS_A_MONTH) / Math.max(1, hours);
}

/** Shares of the faults that are found, in the order of `FAULTS`. */
export function foundBy(seen: Seen, factor = 1): number[] {
  return seen.faults.map((list) => shareBeyond(list, factor));
}

/** Which points lie between half and twice the median of their phase in the seasons around. */
function ordinaryPoints({ points, schedule }: RealSeries): boolean[] {
  const season = seasonOf(schedule) * stepOf(schedule);
  const values = new Map(points.map(({ at, value }) => [at, value]));
  return points.map(({ at, value }) => {
    const around = SEASONS.flatMap((seasons) => values.get(at + seasons * season) ?? []);
    const usual = around.length > 0 ? median(around) : value;
    return usual > 0 && value >= usual / 2 && value <= 2 * usual;
  });
}

function faultyPoints(
  { id, points }: RealSeries,
  ordinary: readonly boolean[],
  start: number,
): Set<number> {
  const seed = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 5);
  const random = randomFrom(seed);
  const candidates = points
    .flatMap(({ value }, index) => (index >= start && ordinary[index] && value > 0 ? [index] : []))
    .map((index) => ({ index, order: random.even() }))
    .sort((a, b) => a.order - b.order);
  return new Set(candidates.slice(0, FAULTS_EACH).map(({ index }) => index));
}

// How well a rule tells faults from ordinary values, on generated series.

import { decide, UNTROUBLED } from '../../../src/monitors/incidents/rules.ts';
import { createLearner, type LearnerSetup } from '../../../src/monitors/learning/learner.ts';
import { distanceAt, learn } from '../../../src/monitors/learning/threshold.ts';
import { metricOf } from '../../../src/monitors/metric.ts';
import { intervalHours } from '../../../src/monitors/schedule.ts';
import { randomFrom } from '../../trials/random.ts';
import { faultsIn, judgedFrom, type Size } from './faults.ts';
import type { Rule } from './rules.ts';
import { FAMILIES, type Family, instantOf, type Series, seriesOf } from './series.ts';

/** What a rule knows of what it is to watch. */
export type Watched = Pick<LearnerSetup, 'metricType' | 'schedule' | 'country' | 'timeZone'>;

/** Makes the rule that is to watch a series. */
export type RuleMaker = (watched: Watched) => Rule;

/** What was seen of one rule on one family. */
export interface Tally {
  /** Distance of every value that was in order; over 1 is a false alarm. */
  readonly clean: number[];
  /** The same for the early points, 8 to 20 of the daily series. */
  readonly early: number[];
  /** Distance of every fault. */
  readonly faults: Record<Size, number[]>;
  /** Of each level shift: runs until the last alarm, and the incidents that were opened. */
  readonly shifts: { runs: number; incidents: number }[];
}

/** What was seen of one rule, by family. */
export type Tallies = ReadonlyMap<Family, Tally>;

/** Recall by size of fault, at a share of false alarms; each family counts the same. */
export interface Accuracy {
  readonly falseAlarms: number;
  readonly recall: Record<Size, number>;
}

/** Our own learner as a rule: the distance is that to the nearest of its ranges. */
export function ours(sensitivity: number): RuleMaker {
  return ({ metricType, schedule, country, timeZone }) => {
    const learner = createLearner({ metricType, schedule, sensitivity, country, timeZone });
    return {
      distance(at, value) {
        return distanceAt(learner, at, value);
      },
      learn(at, value) {
        learn(learner, { at, value });
      },
    };
  };
}

/** Let a rule watch every family under each seed. A fault is judged but never learned. */
export function watch(
  maker: RuleMaker,
  seeds: readonly number[],
  among: readonly Family[] = FAMILIES,
): Tallies {
  const tallies = among.map((family) => {
    const tally: Tally = { clean: [], early: [], faults: { S: [], M: [], L: [] }, shifts: [] };
    for (const seed of seeds) watchSeries(maker, seriesOf(family, seed), seed, tally);
    return [family, tally] as const;
  });
  return new Map(tallies);
}

/** How a rule does when its ranges are all widened by a factor. */
export function accuracy(tallies: Tallies, factor = 1): Accuracy {
  const all = [...tallies.values()];
  const recall = (size: Size) =>
    meanOf(
      all.map((tally) => tally.faults[size]).filter((list) => list.length > 0),
      factor,
    );
  return {
    falseAlarms: meanOf(
      all.map((tally) => tally.clean),
      factor,
    ),
    recall: { S: recall('S'), M: recall('M'), L: recall('L') },
  };
}

/** The factor on the ranges that gives a share of false alarms, each family counting the same. */
export function factorFor(lists: readonly (readonly number[])[], falseAlarms: number): number {
  const weighted = lists
    .flatMap((list) => list.map((distance) => ({ distance, weight: 1 / list.length })))
    .sort((a, b) => b.distance - a.distance);
  let share = 0;
  for (const { distance, weight } of weighted) {
    share += weight / lists.length;
    if (share > falseAlarms) return distance;
  }
  return 0;
}

/** Share of the distances beyond a factor. */
export function shareBeyond(distances: readonly number[], factor = 1): number {
  if (distances.length === 0) return 0;
  return distances.filter((distance) => distance > factor).length / distances.length;
}

function meanOf(lists: readonly (readonly number[])[], factor: number): number {
  return lists.reduce((sum, list) => sum + shareBeyond(list, factor), 0) / lists.length;
}

function watchSeries(maker: RuleMaker, series: Series, seed: number, tally: Tally): void {
  const rule = maker(series);
  const { upperOnly } = metricOf(series.metricType);
  const start = judgedFrom(series);
  const daily = intervalHours(series.schedule) >= 24;
  const { shiftAt } = series;
  const faults = new Map(
    faultsIn(series, randomFrom(seed * 7919 + 13)).map((fault) => [fault.index, fault]),
  );
  const alarms: boolean[] = [];
  for (const [index, value] of series.values.entries()) {
    const at = instantOf(series, index);
    const away = (candidate: number): number | null => {
      const distance = rule.distance(at, candidate);
      if (distance === null) return null;
      return upperOnly ? Math.max(0, distance) : Math.abs(distance);
    };
    const distance = away(value);
    alarms.push(distance !== null && distance > 1);
    const shifting = shiftAt !== null && index >= shiftAt;
    const settled = !(shifting && index < shiftAt + 3) && !series.ambiguous.has(index);
    if (distance !== null && settled) {
      if (index >= start) tally.clean.push(distance);
      else if (daily && index >= 8) tally.early.push(distance);
    }
    const fault = faults.get(index);
    const faulty = fault && distance !== null ? away(fault.value) : null;
    if (fault && faulty !== null && !(shifting && index < shiftAt + 7)) {
      tally.faults[fault.size].push(faulty);
    }
    rule.learn(at, value);
  }
  if (shiftAt !== null) tally.shifts.push(settling(alarms.slice(shiftAt)));
}

/** A shift is over when seven values in a row raised no alarm. */
function settling(alarms: readonly boolean[]): { runs: number; incidents: number } {
  let state = UNTROUBLED;
  let runs = 0;
  let incidents = 0;
  for (const [index, alarm] of alarms.entries()) {
    if (alarm) runs = index + 1;
    if (index - runs >= 7) break;
    const verdict = alarm ? 'above' : 'within';
    const decision = decide(state, { type: 'measured', at: index, value: 0, verdict });
    if (decision.opened) incidents++;
    state = decision.watch;
  }
  return { runs, incidents };
}

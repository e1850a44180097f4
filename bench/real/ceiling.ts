// Prints what could be found on real series by who knows them to their end, beside what ours finds.

import { createLearner } from '../../src/monitors/learning/learner.ts';
import { learn, range } from '../../src/monitors/learning/threshold.ts';
import type { Rule } from '../baselines.ts';
import { ours, shareBeyond } from '../evaluation.ts';
import { AT, basesOf, PACES, type Paced } from './bases.ts';
import { type Forecasts, inHindsight } from './hindsight.ts';
import { factorAt, foundBy, newSeen, type Seen, watchReal } from './judge.ts';
import { APART, EQUAL, percent, row, spread } from './report.ts';
import type { RealSeries } from './series.ts';
import { fromBothSides } from './two-sided.ts';

/**
 * Ours; the best width around our own forecasts, which were made before the points; and the ceiling,
 * the best width around forecasts that were made of the points before and after.
 */
const RULES: readonly [string, (series: RealSeries) => Rule][] = [
  ['ours', ours(5)],
  ['ours, best width', (series) => inHindsight(series, [ourForecasts(series)])],
  ['ceiling', (series) => inHindsight(series, fromBothSides(series))],
];

/** What was seen of a rule on the series of a family. */
interface Family {
  readonly seen: Seen;
  /** Distance of the first value of a level that doubled. */
  readonly shifts: number[];
}

/** Compare ours with the ceiling, each family at its own 0.5% of ordinary points outside. */
export function compareWithCeiling(series: readonly RealSeries[]): void {
  const names = RULES.map(([name]) => name);
  const bases = basesOf(series);
  const spikes = RULES.map(([, ruleOf]) => {
    // Weeks are nowhere but in the bases of the scenarios.
    const weekly = series.some(({ schedule }) => schedule.cadence === 'weekly') ? [] : bases.weekly;
    return watchSpikes(ruleOf, [...series, ...weekly]);
  });
  console.log('\nrecall of a value times 0 / 0.5 / 2, at 0.5% of ordinary points outside');
  console.log(row('', ...names));
  for (const key of keysOf(spikes)) {
    const cells = spikes.map((families) => {
      const { seen } = families.get(key) ?? newFamily();
      return spread(foundBy(seen, factorAt(seen, EQUAL)).slice(0, 3));
    });
    console.log(row(key, ...cells));
  }
  console.log('\na level that doubles, found at once: at 0.5% outside, and ours as it is');
  console.log(row('', ...names, 'ours as it is'));
  const shifts = RULES.map(([, ruleOf]) => watchShifts(ruleOf, bases));
  for (const key of keysOf(shifts)) {
    const families = shifts.map((one) => one.get(key) ?? newFamily());
    const cells = families.map((one) => shareBeyond(one.shifts, factorAt(one.seen, EQUAL)));
    const asIs = shareBeyond(families[0]?.shifts ?? []);
    console.log(row(key, ...[...cells, asIs].map(percent)));
  }
  console.log('');
}

function watchSpikes(ruleOf: (series: RealSeries) => Rule, among: readonly RealSeries[]) {
  const families = new Map<string, Family>();
  for (const one of among) {
    const { cadence } = one.schedule;
    const own = familyOf(families, `${cadence} ${one.family}`);
    // What is apart counts for nothing in the total, as in the table of the rules.
    const isApart = one.family === APART && cadence === 'daily';
    const both = isApart ? [own] : [own, familyOf(families, `${cadence} all`)];
    const into = both.map(({ seen }) => seen);
    watchReal(() => ruleOf(one), one, into);
  }
  return families;
}

/** The scenario of a level that doubles; all bases count the same, as there. */
function watchShifts(
  ruleOf: (series: RealSeries) => Rule,
  bases: Readonly<Record<Paced, readonly RealSeries[]>>,
) {
  const families = new Map<string, Family>();
  for (const pace of PACES) {
    for (const base of bases[pace]) {
      const names = [`${pace} ${base.family}`, `${pace} all`];
      const both = names.map((name) => familyOf(families, name));
      const into = both.map(({ seen }) => seen);
      watchReal(() => ruleOf(base), base, into);
      const first = base.points[AT[pace]];
      if (first === undefined) continue;
      const rule = ruleOf(base);
      for (const { at, value } of base.points.slice(0, AT[pace])) rule.learn(at, value);
      const distance = Math.abs(rule.distance(first.at, 2 * first.value) ?? 0);
      for (const { shifts } of both) shifts.push(distance);
    }
  }
  return families;
}

const newFamily = (): Family => ({ seen: newSeen(), shifts: [] });

function familyOf(families: Map<string, Family>, name: string): Family {
  const family = families.get(name) ?? newFamily();
  families.set(name, family);
  return family;
}

const keysOf = (tables: readonly ReadonlyMap<string, Family>[]): string[] =>
  [...(tables[0]?.keys() ?? [])].sort();

/** What ours expected of each point before it was measured. */
function ourForecasts(series: RealSeries): Forecasts {
  const { metricType, schedule, country, timeZone } = series;
  const learner = createLearner({ metricType, schedule, sensitivity: 5, country, timeZone });
  return series.points.map(({ at, value }) => {
    const { forecast } = range(learner, at);
    learn(learner, { at, value });
    return forecast;
  });
}

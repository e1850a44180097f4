// Printing how well learned thresholds do, beside two known rules.
//
//   npm run bench:thresholds -- [--seeds 20] [--nn5 path/to/nn5-daily.csv] [--families]
//     [--series path/to/real.csv] [--only generated,real,scenarios,ceiling] [--thin 1]
//
// The seeds were never used for tuning. Real series are read from files: `--series` takes one with
// the columns series, family, cadence, metric, at and value; `--thin 5` takes each fifth of them.
// `--only ceiling` says how much could be found on them at all. It ends with status 1 when a bar does
// not hold.

import { parseArgs } from 'node:util';
import { createLearner, saveLearner } from '../src/monitors/learning/learner.ts';
import { learn, replay } from '../src/monitors/learning/threshold.ts';
import { bar, printBars } from './bars.ts';
import { elementary, holtWinters } from './baselines.ts';
import {
  type Accuracy,
  accuracy,
  factorFor,
  ours,
  type RuleMaker,
  recalls,
  shareBeyond,
  type Tallies,
  watch,
} from './evaluation.ts';
import { readNn5, watchNn5 } from './nn5.ts';
import { compareWithCeiling } from './real/ceiling.ts';
import { compareOnReal, compareScenarios } from './real/report.ts';
import { readNn5Series, readSeries } from './real/series.ts';
import { DAILY, HOUR, HOURLY, instantOf, seriesOf } from './series.ts';

/** Tuning used the seeds below 1000. */
const FIRST_SEED = 1000;

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    nn5: { type: 'string' },
    families: { type: 'boolean', default: false },
    series: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', default: 'generated,real,scenarios' },
    thin: { type: 'string', default: '1' },
  },
});
const seeds = Array.from({ length: Number(options.seeds) }, (_, i) => FIRST_SEED + i);

const RULES: readonly [string, RuleMaker][] = [
  ['ours', ours(5)],
  ['elementary', ({ schedule }) => elementary(hoursOf(schedule.cadence))],
  ['holt-winters', ({ schedule }) => holtWinters(hoursOf(schedule.cadence))],
];

const parts = options.only.split(',');
if (parts.includes('generated')) {
  compareOnSeries();
  compareSensitivities();
  checkConstants();
  if (options.nn5) compareOnNn5(options.nn5);
  else console.log('NN5: not run; give its file with --nn5 path\n');
}
const real = [
  ...options.series.flatMap(readSeries),
  ...(options.nn5 ? readNn5Series(options.nn5) : []),
].filter((_, i) => i % Number(options.thin) === 0);
if (real.length === 0) console.log('Real series: not run; give files with --series path\n');
if (real.length > 0 && parts.includes('real')) compareOnReal(real);
if (real.length > 0 && parts.includes('scenarios')) compareScenarios(real);
if (real.length > 0 && parts.includes('ceiling')) compareWithCeiling(real);
measureCost();
printBars();

function compareOnSeries(): void {
  console.log(`25 families, ${seeds.length} seeds from ${FIRST_SEED}; faults of 5, 8, 15 sigma\n`);
  console.log(row('', 'false alarms', 'recall S/M/L', 'recall S/M/L at 0.5%', 'points 8-21'));
  let families: Tallies | null = null;
  for (const [name, maker] of RULES) {
    const tallies = watch(maker, seeds);
    const own = accuracy(tallies);
    const matched = accuracy(tallies, matchedFactor(tallies));
    const early = earlyFalseAlarms(tallies);
    const cells = [percent(own.falseAlarms), spread(own), spread(matched), percent(early)];
    console.log(row(name, ...cells));
    if (name !== 'ours') continue;
    checkSeries(tallies, own, matched, early);
    if (options.families) families = tallies;
  }
  console.log('');
  if (families) printFamilies(families);
}

function checkSeries(tallies: Tallies, own: Accuracy, matched: Accuracy, early: number): void {
  const families = [...tallies].map(([family, { clean }]) => [family, shareBeyond(clean)] as const);
  const [worst, share] = families.reduce((a, b) => (b[1] > a[1] ? b : a));
  const shifts = [...tallies.values()].flatMap((tally) => tally.shifts);
  const runs = shifts.map((shift) => shift.runs).sort((a, b) => a - b);
  const median = runs[runs.length >> 1] ?? 0;
  const longest = runs.at(-1) ?? 0;
  const repeated = shifts.filter((shift) => shift.incidents > 1).length;
  bar('false alarms <= 0.6%', own.falseAlarms <= 0.006, percent(own.falseAlarms));
  bar('recall S/M/L >= 50/84/98', atLeast(own, [0.5, 0.84, 0.98]), spread(own));
  bar('recall at 0.5% >= 55/86/98', atLeast(matched, [0.55, 0.86, 0.98]), spread(matched));
  bar('worst family <= 2.5%', share <= 0.025, `${percent(share)} (${worst})`);
  bar('points 8 to 21 <= 1%', early <= 0.01, percent(early));
  bar('shifts: median of red runs <= 3', median <= 3, `${median} of ${shifts.length} shifts`);
  bar('shifts: at most 7 red runs', longest <= 7, `${longest}`);
  bar('shifts: one incident each', repeated === 0, `${repeated} had more`);
}

function compareSensitivities(): void {
  const table = Array.from({ length: 10 }, (_, step) => accuracy(watch(ours(step + 1), seeds)));
  console.log(row('sensitivity', 'false alarms', 'recall S/M/L'));
  for (const [step, seen] of table.entries()) {
    console.log(row(String(step + 1), percent(seen.falseAlarms), spread(seen)));
  }
  console.log('');
  const rises = (of: (seen: Accuracy) => number) =>
    table.every((seen, i) => i === 0 || of(seen) >= of(table[i - 1] ?? seen));
  const monotone = rises((seen) => seen.falseAlarms) && rises((seen) => seen.recall.S);
  const [low, high] = [table[0]?.falseAlarms ?? 1, table[9]?.recall.S ?? 0];
  bar('sensitivity is monotone', monotone, monotone ? 'yes' : 'no');
  bar('sensitivity 1: <= 0.2% false alarms', low <= 0.002, percent(low));
  bar('sensitivity 10: recall S >= 80', high >= 0.8, percent(high));
}

/** A constant never alarms, and its first change by one always does, at any size and age. */
function checkConstants(): void {
  let falseAlarms = 0;
  let missed = 0;
  let changes = 0;
  for (const value of [0, 1, 7, 60, 999, 5000, 123_456, 9_876_543]) {
    for (const age of [8, 9, 14, 30, 100]) {
      for (const change of value === 0 ? [1] : [1, -1]) {
        const setup = { metricType: 'cardinality', schedule: DAILY, sensitivity: 5 } as const;
        const learner = createLearner(setup);
        for (let day = 0; day < age; day++) {
          const { verdict } = learn(learner, { at: day * 24 * HOUR, value });
          if (verdict === 'above' || verdict === 'below') falseAlarms++;
        }
        const { verdict } = learn(learner, { at: age * 24 * HOUR, value: value + change });
        changes++;
        if (verdict !== (change > 0 ? 'above' : 'below')) missed++;
      }
    }
  }
  bar('constants: no false alarm', falseAlarms === 0, `${falseAlarms}`);
  bar('constants: a change of one is found', missed === 0, `${changes - missed} of ${changes}`);
}

function compareOnNn5(path: string): void {
  const data = readNn5(path);
  console.log(`\nNN5, ${data.length} machines: one day at zero and doubled, at 1% false alarms`);
  console.log(row('', 'x0', 'x2', 'x0, every day', 'x2, every day'));
  for (const [name, maker] of RULES) {
    const { ordinary, every } = watchNn5(maker, data, 0.01);
    const cells = [ordinary.zero, ordinary.doubled, every.zero, every.doubled].map(percent);
    console.log(row(name, ...cells));
    if (name !== 'ours') continue;
    const held = ordinary.zero >= 0.7 && ordinary.doubled >= 0.68;
    bar('NN5: x0 >= 70, x2 >= 68', held, cells.slice(0, 2).join(' '));
  }
  console.log('');
}

function measureCost(): void {
  const hourly = seriesOf('hourly_rows', FIRST_SEED, 1344);
  const points = hourly.values
    .slice(0, 1344)
    .map((value, i) => ({ at: instantOf(hourly, i), value }));
  const setup = { metricType: 'row_count', schedule: HOURLY, sensitivity: 5 } as const;
  replay(setup, points);
  // Time of the processor: other work on the machine is not counted.
  const rounds = Array.from({ length: 9 }, () => {
    const before = process.cpuUsage();
    replay(setup, points);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  const whole = Math.min(...rounds);
  const each = (1000 * whole) / points.length;
  const streaming = createLearner(setup);
  for (const point of points) learn(streaming, point);
  const same = saveLearner(streaming) === saveLearner(replay(setup, points));
  bar('an update <= 60 us', each <= 60, `${each.toFixed(1)} us`);
  bar(`${points.length} hourly points <= 100 ms`, whole <= 100, `${whole.toFixed(1)} ms`);
  bar('replay equals streaming', same, same ? 'yes' : 'no');
}

function printFamilies(tallies: Tallies): void {
  console.log(row('family', 'false alarms', 'S', 'M', 'L'));
  for (const [family, { clean, faults }] of tallies) {
    const found = [faults.S, faults.M, faults.L].map((list) => percent(shareBeyond(list)));
    console.log(row(family, percent(shareBeyond(clean)), ...found));
  }
  console.log('');
}

function matchedFactor(tallies: Tallies): number {
  return factorFor(
    [...tallies.values()].map((tally) => tally.clean),
    0.005,
  );
}

function earlyFalseAlarms(tallies: Tallies): number {
  const daily = [...tallies.values()].filter((tally) => tally.early.length > 0);
  return daily.reduce((sum, tally) => sum + shareBeyond(tally.early), 0) / daily.length;
}

function atLeast(seen: Accuracy, bars: readonly number[]): boolean {
  return recalls(seen).every((share, i) => share >= (bars[i] ?? 1));
}

function hoursOf(cadence: string): number {
  return cadence === 'hourly' ? 1 : 24;
}

function percent(share: number): string {
  return (100 * share).toFixed(2);
}

function spread(seen: Accuracy): string {
  return recalls(seen)
    .map((share) => (100 * share).toFixed(1))
    .join('/');
}

function row(first: string, ...cells: readonly string[]): string {
  return [first.padEnd(24), ...cells.map((cell) => cell.padEnd(22))].join('').trimEnd();
}

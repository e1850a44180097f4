// Bench of learned thresholds on real series, compared with Elementary's rule and with a seasonal-naive band.
//
//   npm run bench -- thresholds FOLDER [--thin 5] [--country births=US]
//
// Every CSV file of the folder holds series, one point a line: series,family,cadence,metric,at,value.
// `--thin 5` takes each fifth series; `--country births=US` names the country whose holidays a family
// keeps. It prints shares of points out of range and of faults found, by cadence and family, and what an
// update costs; it ends with 1 where a bar is missed.

import { parseArgs } from 'node:util';
import { createLearner, saveLearner } from '../src/monitors/learning/learner.ts';
import { learn, replay } from '../src/monitors/learning/threshold.ts';
import type { Cadence } from '../src/monitors/schedule.ts';
import {
  factorFor,
  ours,
  type RuleMaker,
  shareBeyond,
} from '../test/monitors/learning/evaluation.ts';
import { elementary, seasonalNaive } from '../test/monitors/learning/rules.ts';
import { HOURLY, instantOf, seriesOf } from '../test/monitors/learning/series.ts';
import { bar, printBars } from './bars.ts';
import { FAULTS, foundBy, incidentsOf, newSeen, type Seen, watchReal } from './thresholds/judge.ts';
import { readFolder, seasonOf } from './thresholds/series.ts';

/** The share of ordinary points outside at which rules are compared. */
const EQUAL = 0.005;
const RULES: readonly [string, RuleMaker][] = [
  ['ours', ours(5)],
  ['elementary', ({ schedule }) => elementary(schedule.cadence === 'hourly' ? 1 : 24)],
  ['seasonal naive', ({ schedule }) => seasonalNaive(seasonOf(schedule))],
];
/** Shares of ordinary points and of all that may be out of range. */
const BARS: Partial<Record<Cadence, readonly [number, number]>> = {
  daily: [0.006, 0.012],
  hourly: [0.006, 0.008],
};

/** Zeros that are found at least, in the place of an ordinary value. */
const ZEROS: Partial<Record<Cadence, number>> = { hourly: 0.93, daily: 0.93, weekly: 0.97 };

/** Recall of a value times 0 / 0.5 / 2 at equal false alarms, of families that are like no others. */
const FAMILY_BARS: Readonly<Record<string, readonly number[]>> = {
  'hourly bike hourly': [0.6, 0.25, 0.5],
};

/** What a rule saw, by cadence and family. */
type Table = Map<string, Seen>;

const { values: options, positionals } = parseArgs({
  options: {
    thin: { type: 'string', default: '1' },
    country: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (!folder) throw new Error('Name the folder of the series.');
const series = readFolder(folder)
  .filter((_, i) => i % Number(options.thin) === 0)
  .map((one) => ({ ...one, country: countryOf(one.family) }));
compareRules();
compareSensitivities();
measureCost();
printBars();

function countryOf(family: string): string | undefined {
  return options.country.find((pair) => pair.startsWith(`${family}=`))?.slice(family.length + 1);
}

function compareRules(): void {
  const points = series.reduce((sum, one) => sum + one.points.length, 0);
  console.log(
    `${series.length} series, ${points} points; recall of a value times ${FAULTS.join(' / ')}\n`,
  );
  console.log(row('', 'all/ordinary', 'incidents', 'recall', 'at equal 0.5%'));
  const tables = RULES.map(([, maker]) => watchAll(maker));
  for (const [place, table] of tables.entries()) {
    for (const [key, seen] of [...table].sort()) {
      const alarms = `${percent(shareBeyond(seen.all))} / ${percent(shareBeyond(seen.ordinary))}`;
      const found = [1, factorAt(seen)].map((factor) => spread(foundBy(seen, factor)));
      console.log(
        row(`${RULES[place]?.[0]}: ${key}`, alarms, incidentsOf(seen).toFixed(1), ...found),
      );
    }
    console.log('');
  }
  const [mine, theirs] = tables;
  if (mine && theirs) holdBars(mine, theirs);
}

function watchAll(maker: RuleMaker): Table {
  const table: Table = new Map();
  for (const one of series) {
    const into = [one.family, 'all'].map((name) => {
      const key = `${one.schedule.cadence} ${name}`;
      const seen = table.get(key) ?? newSeen();
      table.set(key, seen);
      return seen;
    });
    watchReal(maker, one, into);
  }
  return table;
}

function holdBars(mine: Table, theirs: Table): void {
  for (const [cadence, [mostOrdinary, mostAll]] of Object.entries(BARS)) {
    const seen = mine.get(`${cadence} all`);
    if (!seen) continue;
    const [ordinary, all] = [shareBeyond(seen.ordinary), shareBeyond(seen.all)];
    bar(
      `${cadence}: ordinary <= ${percent(mostOrdinary)}%`,
      ordinary <= mostOrdinary,
      percent(ordinary),
    );
    bar(`${cadence}: all <= ${percent(mostAll)}%`, all <= mostAll, percent(all));
  }
  for (const [cadence, least] of Object.entries(ZEROS)) {
    const seen = mine.get(`${cadence} all`);
    const [found = 0] = seen ? foundBy(seen) : [];
    if (seen) bar(`${cadence}: zeros found >= ${percent(least)}%`, found >= least, percent(found));
  }
  for (const [key, least] of Object.entries(FAMILY_BARS)) {
    const seen = mine.get(key);
    if (!seen) continue;
    const found = foundBy(seen, factorAt(seen)).slice(0, 3);
    const held = least.every((share, i) => (found[i] ?? 0) >= share);
    bar(`${key}: >= ${spread(least)} at 0.5%`, held, spread(found));
  }
  for (const [key, seen] of mine) {
    const other = theirs.get(key);
    // A family of a few series says little.
    if (!other || !key.endsWith(' all')) continue;
    const [found, others] = [seen, other].map((one) => foundBy(one, factorAt(one)).slice(0, 3));
    const held = found?.every(
      (share, i) => Math.round(100 * share) >= Math.round(100 * (others?.[i] ?? 0)),
    );
    bar(
      `${key}: >= Elementary at 0.5%`,
      held === true,
      `${spread(found ?? [])} (${spread(others ?? [])})`,
    );
  }
}

/** Each sensitivity promises its share of ordinary points: 1 in 200 at 5, 1 in 1,000 at 1. */
function compareSensitivities(): void {
  const shares = Array.from({ length: 10 }, (_, step) => {
    const seen = newSeen();
    for (const one of series) watchReal(ours(step + 1), one, [seen]);
    return shareBeyond(seen.ordinary);
  });
  const rises = shares.every((share, i) => share >= (shares[i - 1] ?? 0));
  bar('a higher sensitivity lets no fewer out', rises, shares.map(percent).join(' '));
  bar(
    'sensitivity 1: <= 0.2% of ordinary points',
    (shares[0] ?? 1) <= 0.002,
    percent(shares[0] ?? 1),
  );
}

/** CPU time: other work on the machine isn't counted. */
function measureCost(): void {
  const hourly = seriesOf('hourly_rows', 1_000, 1_344);
  const points = hourly.values.map((value, i) => ({ at: instantOf(hourly, i), value }));
  const setup = { metricType: 'row_count', schedule: HOURLY, sensitivity: 5 } as const;
  const rounds = Array.from({ length: 9 }, () => {
    const before = process.cpuUsage();
    replay(setup, points);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  const whole = Math.min(...rounds);
  const each = (1_000 * whole) / points.length;
  const streaming = createLearner(setup);
  for (const point of points) learn(streaming, point);
  const same = saveLearner(streaming) === saveLearner(replay(setup, points));
  bar('an update <= 60 us', each <= 60, `${each.toFixed(1)} us`);
  bar('replay equals streaming', same, same ? 'yes' : 'no');
}

function factorAt(seen: Seen): number {
  return factorFor([seen.ordinary], EQUAL);
}

function percent(share: number): string {
  return (100 * share).toFixed(2);
}

function spread(shares: readonly number[]): string {
  return shares.map((share) => (100 * share).toFixed(0)).join('/');
}

function row(first: string, ...cells: readonly string[]): string {
  return [first.padEnd(32), ...cells.map((cell) => cell.padEnd(16))].join(' ').trimEnd();
}

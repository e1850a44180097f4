// Prints how rules do on real series, by cadence and family, and holds ours to the bars.

import type { Cadence } from '../../src/monitors/schedule.ts';
import { bar } from '../bars.ts';
import { elementary, seasonalNaive } from '../baselines.ts';
import { ours, shareBeyond } from '../evaluation.ts';
import {
  FAULTS,
  factorAt,
  foundBy,
  incidentsOf,
  newSeen,
  type RuleFor,
  type Seen,
  watchReal,
} from './judge.ts';
import type { Figure } from './play.ts';
import { playAll } from './scenarios.ts';
import { type RealSeries, seasonOf } from './series.ts';

/** NN5 is told apart: of it the first version's settings were chosen. */
export const APART = 'NN5';
/** The share of ordinary points outside at which rules are compared. */
export const EQUAL = 0.005;

const RULES: readonly [string, RuleFor][] = [
  ['ours', ours(5)],
  ['elementary', ({ schedule }) => elementary(schedule.cadence === 'hourly' ? 1 : 24)],
  ['seasonal naive', ({ schedule }) => seasonalNaive(seasonOf(schedule))],
];

/** Play the scenarios under each rule, and hold ours to their bars. */
export function compareScenarios(series: readonly RealSeries[]): void {
  const played = RULES.map(([, ruleFor]) => playAll(ruleFor, series));
  console.log(row('scenario', ...RULES.map(([name]) => name)));
  for (const [place, figure] of (played[0] ?? []).entries()) {
    const { scenario, value, atMost, atLeast } = figure;
    const cells = played.map((figures) => said(figures[place] ?? figure));
    console.log(row(scenario, ...cells));
    const held = value <= (atMost ?? value) && value >= (atLeast ?? value);
    if (atMost === undefined && atLeast === undefined) continue;
    const asked = said({ ...figure, value: atMost ?? atLeast ?? 0 });
    bar(`${scenario} ${atMost === undefined ? '>=' : '<='} ${asked}`, held, said(figure));
  }
  console.log('');
}

const said = ({ value, is }: Figure): string =>
  is === 'share' ? `${percent(value)}%` : value.toFixed(2);

/** What a rule saw, by cadence and family; `all` is every family but the one apart. */
type Table = Map<string, Seen>;

/** Compare the rules on real series, and hold ours to the bars. */
export function compareOnReal(series: readonly RealSeries[]): void {
  const points = series.reduce((sum, one) => sum + one.points.length, 0);
  console.log(`\n${series.length} real series, ${points} points; faults at 25 points of each`);
  console.log(`recall of a value times ${FAULTS.join(' / ')}\n`);
  console.log(row('', 'all/ordinary', 'incidents', 'recall', 'at equal 0.5%', 'own 0.5%'));
  const tables = new Map(RULES.map(([name, ruleFor]) => [name, watchAll(ruleFor, series)]));
  for (const [name, table] of tables) {
    for (const [key, seen] of [...table].sort()) {
      const { all, ordinary } = seen;
      const factor = factorAt(table.get(`${key.split(' ')[0]} all`) ?? seen, EQUAL);
      const own = factorAt(seen, EQUAL);
      const alarms = `${percent(shareBeyond(all))} / ${percent(shareBeyond(ordinary))}`;
      const found = [1, factor, own].map((by) => spread(foundBy(seen, by)));
      console.log(row(`${name}: ${key}`, alarms, incidentsOf(seen).toFixed(1), ...found));
    }
    console.log('');
  }
  const [mine, theirs] = [tables.get('ours'), tables.get('elementary')];
  if (mine && theirs) holdBars(mine, theirs);
  compareSensitivities(series);
}

function watchAll(ruleFor: RuleFor, series: readonly RealSeries[]): Table {
  const table: Table = new Map();
  const seenOf = (key: string): Seen => {
    const seen = table.get(key) ?? newSeen();
    table.set(key, seen);
    return seen;
  };
  for (const one of series) {
    const { cadence } = one.schedule;
    const own = seenOf(`${cadence} ${one.family}`);
    watchReal(ruleFor, one, one.family === APART ? [own] : [own, seenOf(`${cadence} all`)]);
  }
  return table;
}

/** Ordinary and all false alarms allowed, and recall of x0, x0.5 and x2 asked for at equal ones. */
const BARS: Partial<Record<Cadence, readonly [number, number, readonly number[]]>> = {
  daily: [0.006, 0.012, [0.75, 0.4, 0.73]],
  hourly: [0.006, 0.008, [0.85, 0.65, 0.8]],
};

function holdBars(mine: Table, theirs: Table): void {
  for (const [cadence, [mostOrdinary, mostAll, least]] of Object.entries(BARS)) {
    const seen = mine.get(`${cadence} all`);
    if (!seen) continue;
    const [ordinary, all] = [shareBeyond(seen.ordinary), shareBeyond(seen.all)];
    bar(`${cadence}: ordinary <= 0.6%`, ordinary <= mostOrdinary, percent(ordinary));
    bar(`${cadence}: all <= ${percent(mostAll)}%`, all <= mostAll, percent(all));
    const found = foundBy(seen, factorAt(seen, EQUAL));
    const held = least.every((share, i) => (found[i] ?? 0) >= share);
    const asked = least.map((share) => 100 * share).join('/');
    bar(`${cadence}: recall at equal 0.5% >= ${asked}`, held, spread(found));
  }
  for (const [key, seen] of mine) {
    const other = theirs.get(key);
    if (!other) continue;
    const found = foundBy(seen, factorAt(seen, EQUAL));
    const beside = foundBy(other, factorAt(other, EQUAL));
    const held = [0, 1, 2].every(
      (i) => Math.round(100 * (found[i] ?? 0)) >= Math.round(100 * (beside[i] ?? 0)),
    );
    bar(`${key}: >= Elementary at own 0.5%`, held, `${spread(found)} (${spread(beside)})`);
  }
}

/** Each sensitivity promises its share of ordinary points: 1 in 200 at 5, 1 in 1,000 at 1. */
function compareSensitivities(series: readonly RealSeries[]): void {
  const thinned = series.filter((_, i) => i % 3 === 0);
  console.log(row('sensitivity', 'ordinary', 'all'));
  const shares: number[] = [];
  for (let sensitivity = 1; sensitivity <= 10; sensitivity++) {
    const seen = newSeen();
    for (const one of thinned) watchReal(ours(sensitivity), one, [seen]);
    shares.push(shareBeyond(seen.ordinary));
    const cells = [shareBeyond(seen.ordinary), shareBeyond(seen.all)].map(percent);
    console.log(row(String(sensitivity), ...cells));
  }
  console.log('');
  const rises = shares.every((share, i) => share >= (shares[i - 1] ?? 0));
  bar('real: sensitivity is monotone', rises, shares.map(percent).join(' '));
  const lowest = shares[0] ?? 1;
  bar('real: sensitivity 1 <= 0.2% ordinary', lowest <= 0.002, percent(lowest));
}

export const percent = (share: number): string => (100 * share).toFixed(2);

export const spread = (shares: readonly number[]): string =>
  shares.map((share) => (100 * share).toFixed(0)).join('/');

export function row(first: string, ...cells: readonly string[]): string {
  return [first.padEnd(44), ...cells.map((cell) => cell.padEnd(16))].join(' ').trimEnd();
}

// Scenarios of tables of a kind: sporadic, of batches, growing, small, with holidays.

import { randomFrom } from '../random.ts';
import { HOUR } from '../series.ts';
import { AT, changed, made, START } from './bases.ts';
import type { RuleFor } from './judge.ts';
import { alarmsOf, at, type Figure, mean, share } from './play.ts';
import type { RealSeries } from './series.ts';

const DAY = 24 * HOUR;

/** Tables that are empty on most days, or get one batch a month. */
export function sporadic(ruleFor: RuleFor): Figure[] {
  const seeds = Array.from({ length: 20 }, (_, seed) => 5000 + seed);
  const of = { metricType: 'row_count', pace: 'daily', length: 400 } as const;
  const calm = [0.9, 0.5].map((zeros) => {
    const alarms = seeds.flatMap((seed) => {
      const random = randomFrom(seed);
      const size = 10 ** (1 + 2 * random.even());
      const series = made(`zeros/${zeros}/${seed}`, of, () =>
        random.even() < zeros ? 0 : Math.max(1, Math.round(size * Math.exp(0.4 * random.normal()))),
      );
      return alarmsOf(ruleFor, series).slice(42);
    });
    return at(`${100 * zeros}% zeros`, share(alarms), { atMost: 0.01 });
  });
  const batches = seeds.map((seed) => {
    const random = randomFrom(seed);
    const isFirst = (i: number) => new Date(START + i * DAY).getUTCDate() === 1;
    const missing = made(`batch/${seed}`, of, (i) => {
      const rows = Math.round(5000 * (1 + 0.1 * random.normal()));
      return isFirst(i) && i !== MISSING_BATCH ? rows : 0;
    });
    const alarms = alarmsOf(ruleFor, missing);
    return {
      calm: alarms.slice(42, MISSING_BATCH),
      found: alarms.slice(MISSING_BATCH, MISSING_BATCH + 8),
    };
  });
  return [
    ...calm,
    at('batch of each month', share(batches.flatMap((one) => one.calm)), { atMost: 0.01 }),
    at(
      'its missing batch found in a week',
      mean(batches.map((one) => (one.found.includes(true) ? 1 : 0))),
      {
        atLeast: 0.95,
      },
    ),
  ];
}

/** The first of November 2024. */
const MISSING_BATCH = Math.round((Date.UTC(2024, 10, 1) - START) / DAY);

/** Four times as much on the first of each month. */
export function monthStart(ruleFor: RuleFor, bases: readonly RealSeries[]): Figure[] {
  const isFirst = (point: number | undefined) => new Date(point ?? 0).getUTCDate() === 1;
  const [with_, without] = [4, 1].map((times) =>
    mean(
      bases.map((base) => {
        const firsts = base.points.flatMap(({ at }, i) => (isFirst(at) ? [i] : []));
        const third = firsts[2] ?? 60;
        const series = changed(base, (v, i) => (isFirst(base.points[i]?.at) ? v * times : v));
        return alarmsOf(ruleFor, series)
          .slice(third, third + 40)
          .includes(true)
          ? 1
          : 0;
      }),
    ),
  );
  const more = (with_ ?? 0) - (without ?? 0);
  return [at('first of month x4: monitors alarming more', more, { atMost: 0.1 })];
}

/** Tables that only grow: a day's batch is missing, or a tenth of the table is lost. */
export function cumulative(ruleFor: RuleFor, bases: readonly RealSeries[]): Figure[] {
  const start = AT.daily;
  const rows = bases.filter(({ metricType }) => metricType === 'row_count');
  const [missing, lost] = [0, 1].map((kind) =>
    mean(
      rows.map((base) => {
        let total = 1000 * mean(base.points.map(({ value }) => value));
        const series = changed(base, (value, i) => {
          if (i !== start) total += value;
          else if (kind === 1) total *= 0.9;
          return total;
        });
        return alarmsOf(ruleFor, series)[start] ? 1 : 0;
      }),
    ),
  );
  return [
    at('cumulative: a missing batch found', missing ?? 0, { atLeast: 0.74 }),
    at('cumulative: a tenth lost found', lost ?? 0, { atLeast: 0.95 }),
  ];
}

/** Small counts, a rare null, constants. */
export function counts(ruleFor: RuleFor): Figure[] {
  const seeds = Array.from({ length: 20 }, (_, seed) => 6000 + seed);
  const of = { metricType: 'row_count', pace: 'daily', length: 300 } as const;
  const random = randomFrom(6);
  const kinds: [string, Parameters<typeof made>[1], () => number][] = [
    ['three events a day', of, () => random.events(3)],
    ['thirty events a day', of, () => random.events(30)],
    ['5 of 5,000 null', { ...of, metricType: 'null_percentage' }, () => random.events(5) / 50],
    ['a constant', of, () => 4711],
  ];
  return kinds.map(([name, what, next]) => {
    const alarms = seeds.flatMap((seed) =>
      alarmsOf(ruleFor, made(`${name}/${seed}`, what, next)).slice(42),
    );
    return at(name, share(alarms), { atMost: 0.01 });
  });
}

/** Public holidays of the United States, from the third year on. */
export function holidays(ruleFor: RuleFor, births: RealSeries): Figure[] {
  const third = (births.points[0]?.at ?? 0) + 2 * 365 * DAY;
  const alarms = alarmsOf(ruleFor, births);
  const judged = births.points.flatMap(({ at }, i) =>
    at >= third && isFederalHoliday(new Date(at)) ? [alarms[i] === true] : [],
  );
  return [at('holidays of the births that alarm', share(judged), { atMost: 1 / 3 })];
}

/** The holidays on which federal offices close, by the law and not by a library. */
function isFederalHoliday(date: Date): boolean {
  const [month, day, weekday] = [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay()];
  const turn = Math.ceil(day / 7);
  const fixed = [
    [1, 1],
    [7, 4],
    [11, 11],
    [12, 25],
  ];
  if (fixed.some(([m, d]) => m === month && d === day)) return true;
  if (weekday === 4) return month === 11 && turn === 4;
  if (weekday !== 1) return false;
  if (month === 5) return day > 24;
  return [
    [1, 3],
    [2, 3],
    [9, 1],
    [10, 2],
  ].some(([m, nth]) => m === month && nth === turn);
}

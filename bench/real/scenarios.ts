// In charge of what happens to tables that is no fault in one point: how rules take it.

import { decide, UNTROUBLED } from '../../src/monitors/incidents/rules.ts';
import { randomFrom } from '../random.ts';
import { HOUR } from '../series.ts';
import { AT, basesOf, changed, made, PACES, type Paced, START } from './bases.ts';
import type { RuleFor } from './judge.ts';
import { joined, type RealSeries } from './series.ts';

/** A figure of a scenario at a pace, and the bar it is held to. */
export interface Figure {
  readonly scenario: string;
  readonly value: number;
  /** Shares are printed in percent, other figures as they are. */
  readonly is: 'share' | 'count';
  readonly atMost?: number | undefined;
  readonly atLeast?: number | undefined;
}

const DAY = 24 * HOUR;
/** The points after which nothing of a fault may be left. */
const AFTER = 14;

/** Play every scenario under a rule. */
export function playAll(ruleFor: RuleFor, series: readonly RealSeries[]): Figure[] {
  const bases = basesOf(series);
  const births = joined(series, 'births');
  return [
    ...arrivals(ruleFor),
    ...PACES.flatMap((pace) => outage(ruleFor, pace, bases[pace])),
    ...PACES.flatMap((pace) => gap(ruleFor, pace, bases[pace])),
    ...PACES.flatMap((pace) => shifts(ruleFor, pace, bases[pace])),
    ...clocks(ruleFor, bases.hourly),
    ...sporadic(ruleFor),
    ...monthStart(ruleFor, bases.daily),
    ...cumulative(ruleFor, bases.daily),
    ...PACES.flatMap((pace) => drift(ruleFor, pace, bases[pace])),
    ...counts(ruleFor),
    ...(births ? holidays(ruleFor, births) : []),
  ];
}

/** A table that is loaded each day at six, give or take, whose age is measured each hour. */
function arrivals(ruleFor: RuleFor): Figure[] {
  let alarms = 0;
  let points = 0;
  let found = 0;
  const seeds = Array.from({ length: 30 }, (_, seed) => seed);
  for (const seed of seeds) {
    const [usual, late] = [0, 2 * HOUR].map((by) => ages(seed, by));
    if (!usual || !late) continue;
    const calm = alarmsOf(ruleFor, usual).slice(336);
    alarms += share(calm) * calm.length;
    points += calm.length;
    if (
      alarmsOf(ruleFor, late)
        .slice(LATE_ON * 24 + 6, LATE_ON * 24 + 24)
        .includes(true)
    )
      found++;
  }
  return [
    at('freshness hourly of a daily load', alarms / points, { atMost: 0.003 }),
    at('load 2 h late found the same day', found / seeds.length, { atLeast: 0.8 }),
  ];
}

const LATE_ON = 40;

function ages(seed: number, late: number): RealSeries {
  const random = randomFrom(4000 + seed);
  const loads = Array.from({ length: 60 }, (_, day) => {
    const off = (HOUR / 3) * random.normal() * 0.6;
    return START + day * DAY + 6 * HOUR + off + (day === LATE_ON ? late : 0);
  });
  const of = { metricType: 'freshness', pace: 'hourly', length: 58 * 24 } as const;
  return made(`freshness/${seed}`, of, (index) => {
    const now = START + index * HOUR;
    const last = loads.filter((load) => load <= now).at(-1) ?? START - 18 * HOUR;
    return (now - last) / 1000;
  });
}

/** Zeros for days, then the good data again. */
function outage(ruleFor: RuleFor, pace: Paced, bases: readonly RealSeries[]): Figure[] {
  const length = { hourly: 12, daily: 5, weekly: 4 }[pace];
  const start = AT[pace];
  const further = bases.map((base) => {
    const zeros = changed(base, (v, i) => (i >= start && i < start + length ? 0 : v));
    const [with_, without] = [zeros, base].map((one) => {
      const alarms = alarmsOf(ruleFor, one).slice(start + length, start + length + AFTER);
      return alarms.filter(Boolean).length;
    });
    return Math.max(0, (with_ ?? 0) - (without ?? 0));
  });
  return [atPace(pace, 'further alarms after an outage', mean(further), { atMost: 0.3 }, 'count')];
}

/** Nothing is measured for a while. */
function gap(ruleFor: RuleFor, pace: Paced, bases: readonly RealSeries[]): Figure[] {
  const length = { hourly: 48, daily: 7, weekly: 4 }[pace];
  const start = AT[pace];
  const found = bases.map((base) => {
    const cut = changed(base, (v, i) => (i >= start && i < start + length ? null : v));
    return alarmsOf(ruleFor, cut)[start] ? 1 : 0;
  });
  return [atPace(pace, 'alarm at the first run after a gap', mean(found), { atMost: 0.05 })];
}

/** The level shifts for good. */
function shifts(ruleFor: RuleFor, pace: Paced, bases: readonly RealSeries[]): Figure[] {
  const start = AT[pace];
  const least = { hourly: 0.93, daily: 0.8, weekly: 0.95 }[pace];
  return [2, 1.3, 0.5].flatMap((times) => {
    const runs = bases.map((base) =>
      alarmsOf(
        ruleFor,
        changed(base, (v, i) => (i < start ? v : v * times)),
      ),
    );
    const found = mean(runs.map((alarms) => (alarms[start] ? 1 : 0)));
    const name = `shift x${times}`;
    const bar = times === 2 ? { atLeast: least } : {};
    if (times !== 2) return [atPace(pace, `${name} found at once`, found)];
    const opened = mean(runs.map((alarms) => incidents(alarms.slice(start, start + 2 * AFTER))));
    return [
      atPace(pace, `${name} found at once`, found, bar),
      atPace(pace, `${name}: incidents`, opened, { atMost: 1.1 }, 'count'),
    ];
  });
}

/** Clocks go forward: the day's pattern comes an hour earlier in UTC. */
function clocks(ruleFor: RuleFor, bases: readonly RealSeries[]): Figure[] {
  const start = AT.hourly;
  const change = Date.UTC(2024, 2, 31, 1);
  const opened = bases.map((base) => {
    const place = (one: RealSeries, skipped: number): RealSeries => ({
      ...one,
      timeZone: skipped > 0 ? 'Europe/Berlin' : undefined,
      points: one.points.slice(0, -1).map((_, i) => ({
        at: change + (i - start) * HOUR,
        value: one.points[i >= start ? i + skipped : i]?.value ?? 0,
      })),
    });
    const [moved, same] = [place(base, 1), place(base, 0)].map((one) =>
      incidents(alarmsOf(ruleFor, one).slice(start, start + 48)),
    );
    return (moved ?? 0) - (same ?? 0);
  });
  return [at('incidents more when clocks change', mean(opened), { atMost: 0.05 }, 'count')];
}

/** Tables that are empty on most days, or get one batch a month. */
function sporadic(ruleFor: RuleFor): Figure[] {
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
function monthStart(ruleFor: RuleFor, bases: readonly RealSeries[]): Figure[] {
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
function cumulative(ruleFor: RuleFor, bases: readonly RealSeries[]): Figure[] {
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

/** One percent more with each step, for forty. */
function drift(ruleFor: RuleFor, pace: Paced, bases: readonly RealSeries[]): Figure[] {
  const start = AT[pace];
  const span = pace === 'weekly' ? 30 : 40;
  const [drifting, still] = [0.01, 0].map((step) =>
    mean(
      bases.map((base) => {
        const series = changed(base, (v, i) => v * (1 + step) ** Math.max(0, i - start));
        return alarmsOf(ruleFor, series)
          .slice(start, start + span)
          .includes(true)
          ? 1
          : 0;
      }),
    ),
  );
  const least = pace === 'hourly' ? { atLeast: 0.7 } : {};
  return [
    atPace(pace, 'drift of 1% a step found', drifting ?? 0, least),
    atPace(pace, 'alarm in as many steps without it', still ?? 0),
  ];
}

/** Small counts, a rare null, constants. */
function counts(ruleFor: RuleFor): Figure[] {
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
function holidays(ruleFor: RuleFor, births: RealSeries): Figure[] {
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

/** At which points a rule alarms. */
function alarmsOf(ruleFor: RuleFor, series: RealSeries): boolean[] {
  const rule = ruleFor(series);
  return series.points.map(({ at, value }) => {
    const alarm = Math.abs(rule.distance(at, value) ?? 0) > 1;
    rule.learn(at, value);
    return alarm;
  });
}

function incidents(alarms: readonly boolean[]): number {
  let watch = UNTROUBLED;
  let count = 0;
  for (const [index, alarm] of alarms.entries()) {
    const verdict = alarm ? 'above' : 'within';
    const decision = decide(watch, { type: 'measured', at: index, value: 0, verdict });
    if (decision.opened) count++;
    watch = decision.watch;
  }
  return count;
}

type Bar = Pick<Figure, 'atMost' | 'atLeast'>;

const at = (
  scenario: string,
  value: number,
  bar: Bar = {},
  is: Figure['is'] = 'share',
): Figure => ({
  scenario,
  value,
  is,
  ...bar,
});

const atPace = (
  pace: Paced,
  name: string,
  value: number,
  bar: Bar = {},
  is: Figure['is'] = 'share',
) => at(`${pace}: ${name}`, value, bar, is);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

const share = (alarms: readonly boolean[]): number => mean(alarms.map(Number));

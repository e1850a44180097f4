// What happens to tables that is no fault in one point: how rules take it.

import { randomFrom } from '../random.ts';
import { HOUR } from '../series.ts';
import { AT, basesOf, changed, made, PACES, type Paced, START } from './bases.ts';
import type { RuleFor } from './judge.ts';
import { alarmsOf, at, atPace, type Figure, incidents, mean, share } from './play.ts';
import { joined, type RealSeries } from './series.ts';
import { counts, cumulative, holidays, monthStart, sporadic } from './tables.ts';

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

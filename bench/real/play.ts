// Plays a rule on one series; and the figures that come of it.

import { decide, UNTROUBLED } from '../../src/monitors/incidents/rules.ts';
import type { Paced } from './bases.ts';
import type { RuleFor } from './judge.ts';
import type { RealSeries } from './series.ts';

/** A figure of a scenario at a pace, and the bar it is held to. */
export interface Figure {
  readonly scenario: string;
  readonly value: number;
  /** Shares are printed in percent, other figures as they are. */
  readonly is: 'share' | 'count';
  readonly atMost?: number | undefined;
  readonly atLeast?: number | undefined;
}

/** At which points a rule alarms. */
export function alarmsOf(ruleFor: RuleFor, series: RealSeries): boolean[] {
  const rule = ruleFor(series);
  return series.points.map(({ at, value }) => {
    const alarm = Math.abs(rule.distance(at, value) ?? 0) > 1;
    rule.learn(at, value);
    return alarm;
  });
}

export function incidents(alarms: readonly boolean[]): number {
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

export type Bar = Pick<Figure, 'atMost' | 'atLeast'>;

export const at = (
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

export const atPace = (
  pace: Paced,
  name: string,
  value: number,
  bar: Bar = {},
  is: Figure['is'] = 'share',
) => at(`${pace}: ${name}`, value, bar, is);

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

export const share = (alarms: readonly boolean[]): number => mean(alarms.map(Number));

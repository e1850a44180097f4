// Which experts compete for a series: those that its cadence has seasons for.

import type { ExpertPlan } from './expert.ts';

const PLAIN: ExpertPlan = {
  name: '',
  season: 'none',
  period: 0,
  alpha: 0,
  beta: 0,
  gamma: 0,
  damping: 1,
  differenced: false,
};

/** The plans that fit a cadence, in hours; null stands for calendar months. */
export function plansFor(cadenceHours: number | null): ExpertPlan[] {
  return [
    { ...PLAIN, name: 'last value', alpha: 1 },
    { ...PLAIN, name: 'fast level', alpha: 0.3 },
    { ...PLAIN, name: 'level', alpha: 0.1 },
    { ...PLAIN, name: 'slow level', alpha: 0.03 },
    { ...PLAIN, name: 'trend', alpha: 0.3, beta: 0.1, damping: 0.95 },
    { ...PLAIN, name: 'growth', alpha: 0.1, differenced: true },
    ...periodsFor(cadenceHours).flatMap((period) => seasonalPlans(period, cadenceHours ?? 0)),
  ];
}

/** A day and a week, counted in slots: the fewest slots after which either comes round again. */
export function periodsFor(cadenceHours: number | null): number[] {
  if (cadenceHours === null) return [];
  const periods = [24, 168].map((hours) => hours / commonDivisor(hours, cadenceHours));
  return [...new Set(periods)].filter((period) => period >= 2);
}

function seasonalPlans(period: number, cadenceHours: number): ExpertPlan[] {
  const days = Math.round((period * cadenceHours) / 24);
  const named = days === 1 ? 'daily' : days === 7 ? 'weekly' : `${days}-day`;
  const seasonal = { ...PLAIN, period };
  const quick = { ...seasonal, alpha: 0.2, gamma: 0.2 };
  const steady = { ...seasonal, alpha: 0.05, gamma: 0.15 };
  const trending = { ...seasonal, alpha: 0.15, gamma: 0.15, beta: 0.1, damping: 0.98 };
  const plans: ExpertPlan[] = [
    { ...quick, season: 'additive', name: `quick ${named} season` },
    { ...steady, season: 'additive', name: `${named} season` },
    { ...quick, season: 'multiplicative', name: `quick ${named} factors` },
    { ...steady, season: 'multiplicative', name: `${named} factors` },
    { ...steady, season: 'additive', differenced: true, name: `${named} growth` },
  ];
  if (cadenceHours < 24) return plans;
  return [...plans, { ...trending, season: 'multiplicative', name: `${named} factors with trend` }];
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

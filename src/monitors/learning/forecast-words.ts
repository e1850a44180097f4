// A forecast in words, without the names of its models.

import { mixture } from './experts.ts';

/** What a model looks at: values, or how much they grow. */
type Looked = 'value' | 'growth';

/** A sentence about a forecast, by the name that its model has in an explanation. */
export function forecastInWords(model: string): string {
  if (!model.startsWith(mixture)) return `Forecast: ${basisOf(model, 'value')}.`;
  const most = basisOf(model.slice(mixture.length), 'value');
  return `Forecast: ${most}, blended with other models.`;
}

/** What a forecast is made from. */
function basisOf(model: string, looked: Looked): string {
  const grown = /^growth by (.+)$/.exec(model)?.[1];
  if (grown !== undefined) return `the previous value and its growth: ${basisOf(grown, 'growth')}`;
  return plainBasis(model, looked) ?? seasonalBasis(model) ?? `model "${model}"`;
}

/** Averages with weights that fall by a share `a` with each step weigh as much as plain ones of 2 / a - 1 values. */
function plainBasis(model: string, looked: Looked): string | undefined {
  const all = looked === 'value' ? 'values' : 'growths';
  const known: Readonly<Record<string, string>> = {
    'last value': `the previous ${looked}`,
    'fast level': `average of the last 6 ${all}`,
    level: `average of the last 20 ${all}`,
    'slow level': `average of the last 65 ${all}`,
    trend: `trend of the last ${all}`,
    growth: `the previous ${looked} and its usual growth`,
    'what comes when something comes': 'usual size of a load',
    'rhythm of loads': 'the next load, by the rhythm of previous ones',
  };
  return Object.hasOwn(known, model) ? known[model] : undefined;
}

/** Names such as `quick weekly season`, `daily factors with trend` and `3-day growth`. */
const seasonal = /^(quick )?(daily|weekly|(\d+)-day) (season|factors|factors with trend|growth)$/;

function seasonalBasis(model: string): string | undefined {
  const [, quick, period = '', days, form = ''] = seasonal.exec(model) ?? [];
  if (form === '') return undefined;
  const moment =
    days === undefined
      ? `at this time of the ${period === 'daily' ? 'day' : 'week'}`
      : `at this point of ${days} days`;
  if (form === 'growth') return `the previous value and the usual growth ${moment}`;
  const usual = quick ? `recent values ${moment}` : `usual values ${moment}`;
  if (form === 'season') return usual;
  return `${usual}, in proportion to the level${form === 'factors' ? '' : ' and its trend'}`;
}

// A forecast in words, without the names of its models.

import { mixture } from './experts.ts';

/** What a model looks at: values, or how much they grow. */
type Looked = 'value' | 'growth';

/** A sentence about a forecast, by the name that its model has in an explanation. */
export function forecastInWords(model: string): string {
  if (!model.startsWith(mixture)) return `The forecast is ${basisOf(model, 'value')}.`;
  const most = basisOf(model.slice(mixture.length), 'value');
  return `The forecast is mostly ${most}, mixed with the forecasts of other models.`;
}

/** What a forecast is, as the subject of a sentence. */
function basisOf(model: string, looked: Looked): string {
  const grown = /^growth by (.+)$/.exec(model)?.[1];
  if (grown !== undefined) return `the value before and its growth: ${basisOf(grown, 'growth')}`;
  return plainBasis(model, looked) ?? seasonalBasis(model) ?? `that of the model "${model}"`;
}

/** Averages with weights that fall by a share `a` with each step weigh as much as plain ones of 2 / a - 1 values. */
function plainBasis(model: string, looked: Looked): string | undefined {
  const all = looked === 'value' ? 'values' : 'growths';
  const known: Readonly<Record<string, string>> = {
    'last value': `the ${looked} before`,
    'fast level': `an average of about the last 6 ${all}`,
    level: `an average of about the last 20 ${all}`,
    'slow level': `an average of about the last 65 ${all}`,
    trend: `where the last ${all} are heading`,
    growth: `the ${looked} before and its usual growth`,
    'what comes when something comes': 'what usually comes when something comes',
    'rhythm of loads': 'that of the next load, by the rhythm of those before',
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
  if (form === 'growth') return `the value before and the growth that is usual ${moment}`;
  const usual = quick ? `what has lately been usual ${moment}` : `what is usual ${moment}`;
  if (form === 'season') return usual;
  return `${usual}, in proportion to the level${form === 'factors' ? '' : ' and its trend'}`;
}

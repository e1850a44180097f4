// Which group a column's data type belongs to, whatever the warehouse calls it.

import type { TypeFamily } from '../metric.ts';

const families: readonly (readonly [Exclude<TypeFamily, 'any'>, RegExp])[] = [
  // An interval is no instant, and comes before the integers that its name begins like.
  ['time', /^(timestamp|datetime|smalldatetime|date|time)/],
  [
    'numeric',
    /^(u?(tiny|small|medium|big|huge)?int(eger)?\d*|int\d|byteint|number|numeric|decimal|dec|fixed|float\d*|double|real|money|smallmoney|(big|small)?serial\d?|bignumeric|bigdecimal)\b/,
  ],
  [
    'text',
    /^(n?var|n)?(char|text|string)|^(character|varying|clob|nclob|(tiny|medium|long)text|citext|enum|uuid|fixedstring|name)/,
  ],
];

// A wrapper says how a type is stored, not what it is.
const wrapper = /^(nullable|lowcardinality)\((.*)\)$/;

/**
 * The group of a data type as its source names it, such as `DECIMAL(38,2)` or `Nullable(Int32)`; null
 * for one that is in none of them, or that we do not know.
 */
export function familyOf(dataType: string): Exclude<TypeFamily, 'any'> | null {
  let name = dataType.trim().toLowerCase();
  for (let inner = wrapper.exec(name); inner; inner = wrapper.exec(name)) name = inner[2] ?? '';
  if (name.startsWith('interval') || name.endsWith('[]')) return null;
  return families.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
}

/** Whether a data type is a time without a day, such as `time(6) with time zone`. */
export function isTimeOfDay(dataType: string): boolean {
  return /^time(tz)?(\(\d+\))?( (with|without) time zone)?$/i.test(dataType.trim());
}

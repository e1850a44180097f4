// Which group a column's data type belongs to, whatever the warehouse calls it.

import type { TypeFamily } from '../metric.ts';

/** The group of a data type; `other` is what is none of them. */
type DataFamily = Exclude<TypeFamily, 'any'> | 'other';

const neither = [
  'interval|json|jsonb|xml|variant|super|array|struct|map|row|tuple|object|hstore',
  'bytea|bytes|blob|tinyblob|mediumblob|longblob|binary|varbinary|raw|image',
  'geometry|geography|point|linestring|polygon|line|lseg|box|path|circle',
  'inet|cidr|macaddr8?|tsvector|tsquery|(int4|int8|num|ts|tstz|date)(multi)?range',
];

const families: readonly (readonly [DataFamily, RegExp])[] = [
  // Comes before the integers and instants that some of these names begin like.
  ['other', new RegExp(`^(${neither.join('|')})\\b|\\]$`)],
  ['boolean', /^bool(ean)?\b/],
  ['time', /^(timestamp|datetime|smalldatetime|date|time)/],
  [
    'numeric',
    /^(u?(tiny|small|medium|big|huge)?int(eger)?\d*|int\d|byteint|number|numeric|decimal|dec|fixed|float\d*|double|real|money|smallmoney|(big|small)?serial\d?|bignumeric|bigdecimal|year)\b/,
  ],
  [
    'text',
    /^(n?var|n)?(char|text|string)|^(character|varying|clob|nclob|(tiny|medium|long)text|citext|enum|set\(|uuid|fixedstring|name)/,
  ],
];

// A wrapper says how a type is stored, not what it is.
const wrapper = /^(nullable|lowcardinality)\((.*)\)$/;

/**
 * The group of a data type as its source names it, such as `DECIMAL(38,2)` or `Nullable(Int32)`; null
 * for one that we do not know.
 */
export function familyOf(dataType: string): DataFamily | null {
  let name = dataType.trim().toLowerCase();
  for (let inner = wrapper.exec(name); inner; inner = wrapper.exec(name)) name = inner[2] ?? '';
  return families.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
}

/** Whether a data type of numbers is how MySQL writes a boolean. */
export function isTinyBoolean(dataType: string): boolean {
  return /^tinyint\(1\)$/i.test(dataType.trim());
}

/** Whether a data type is a time without a day, such as `time(6) with time zone`. */
export function isTimeOfDay(dataType: string): boolean {
  return /^time(tz)?(\(\d+\))?( (with|without) time zone)?$/i.test(dataType.trim());
}

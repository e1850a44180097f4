// Which days are public holidays, by country.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type Holidays from 'date-holidays';

const DAY = 86_400_000;
/** Of each country, the holidays by the day since 1970; null for none. */
const known = new Map<string, Map<number, string | null>>();
const calendars = new Map<string, Holidays>();
let library: typeof Holidays | null = null;
/** A country's days are forgotten beyond so many: they are soon found again. */
const MOST_DAYS = 10_000;

/** The library takes 20 MB and a tenth of a second: only who asks for holidays loads it. */
function loaded(): typeof Holidays {
  library ??= readLibrary();
  return library;
}

/**
 * The one file in which the package has all that it asks for, time zones and the moon among it, so that 34 MB
 * of other packages need not be installed. It is a CommonJS module for browsers; the package's kind would make
 * it an ES module.
 */
function readLibrary(): typeof Holidays {
  const described = createRequire(import.meta.url).resolve('date-holidays/package.json');
  const file = join(dirname(described), 'dist/umd.min.js');
  const module: { exports: { default?: typeof Holidays } } = { exports: {} };
  const names = ['module', 'exports', 'self'];
  const run = compileFunction(readFileSync(file, 'utf8'), names, { filename: file });
  run(module, module.exports, globalThis);
  const { default: found } = module.exports;
  if (found === undefined) throw new Error('The package date-holidays is empty.');
  return found;
}

/** True for the two letters of a country whose holidays are known, such as `US`. */
export function isCountry(code: string): boolean {
  return Object.hasOwn(countries(), code);
}

/** The name of the holiday on a date, or null; `local` is an instant whose UTC date it is. */
export function holidayOn(local: number, country: string): string | null {
  const days = known.get(country) ?? new Map<number, string | null>();
  if (days.size === 0 || days.size > MOST_DAYS) {
    days.clear();
    known.set(country, days);
  }
  const day = Math.floor(local / DAY);
  let name = days.get(day);
  if (name === undefined) {
    addYear(days, country, new Date(local).getUTCFullYear());
    name = days.get(day) ?? null;
    days.set(day, name);
  }
  return name;
}

function addYear(days: Map<number, string | null>, country: string, year: number): void {
  const calendar =
    calendars.get(country) ??
    new (loaded())(country, { types: ['public', 'bank', 'observance', 'optional'] });
  calendars.set(country, calendar);
  for (const { date, name } of calendar.getHolidays(year)) {
    const [y = 0, month = 1, day = 1] = date.slice(0, 10).split('-').map(Number);
    days.set(Date.UTC(y, month - 1, day) / DAY, name);
  }
}

let codes: Record<string, string> | null = null;

function countries(): Record<string, string> {
  codes ??= new (loaded())().getCountries();
  return codes;
}

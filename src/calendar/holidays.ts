// Which days are public holidays, by country.

import { createRequire } from 'node:module';
import type Holidays from 'date-holidays';

const DAY = 86_400_000;
/** Of each country, the holidays by the day since 1970; null for none. */
const known = new Map<string, Map<number, string | null>>();
const calendars = new Map<string, Holidays>();
let library: typeof Holidays | undefined;
/** A country's days are forgotten beyond so many: they are soon found again. */
const MOST_DAYS = 10_000;

/** The library takes 27 MB and a tenth of a second: it is loaded when holidays are first asked for. */
function loaded(): typeof Holidays {
  const found: typeof Holidays = library ?? createRequire(import.meta.url)('date-holidays');
  library = found;
  return found;
}

/** True for the two letters of a country whose holidays are known, such as `US`. */
export function isCountry(code: string): boolean {
  return Object.hasOwn(countries(), code);
}

/** The two letters of all countries whose holidays are known. */
export function countryCodes(): string[] {
  return Object.keys(countries());
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

// The country that a time zone lies in, as the runtime's own data has it.

import { countryCodes, isCountry } from './holidays.ts';

let known: Map<string, string> | null = null;

/** The two letters of the only country with holidays that a zone lies in, such as DE for Europe/Berlin; null where none or several do. */
export function countryOfZone(zone: string): string | null {
  known ??= zonesOfCountries();
  const country = known.get(canonical(zone)) ?? null;
  return country !== null && isCountry(country) ? country : null;
}

function zonesOfCountries(): Map<string, string> {
  const found = new Map<string, string>();
  const shared = new Set<string>();
  for (const code of countryCodes()) {
    for (const zone of zonesOf(code).map(canonical)) {
      if (found.has(zone)) shared.add(zone);
      found.set(zone, code);
    }
  }
  for (const zone of shared) found.delete(zone);
  return found;
}

/** Zones of a country: a field of older runtimes, a method of newer ones. */
function zonesOf(code: string): string[] {
  const locale = new Intl.Locale(`und-${code}`);
  const asked: unknown = Reflect.get(locale, 'getTimeZones');
  const zones: unknown =
    typeof asked === 'function' ? asked.call(locale) : Reflect.get(locale, 'timeZones');
  return Array.isArray(zones) ? zones.map(String) : [];
}

const canonical = (zone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;

// Moments as producers write them: with nanoseconds, without a zone, with the name of one.

const form =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d{1,12}))?\s?(Z|[+-]\d\d(?::?\d\d)?)?(?:\[[^\]]{1,60}\])?$/i;

/** Years that a moment may lie in: one that is far off would be the latest for ever. */
const [first, last] = [1970, 2200];

/** A moment to the millisecond, in UTC where the text names no zone; null for what is none. */
export function parseEventTime(given: unknown): Date | null {
  if (typeof given !== 'string') return null;
  const [, date, minutes, seconds = ':00', fraction = '', zone = 'Z'] =
    form.exec(given.trim()) ?? [];
  if (date === undefined) return null;
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : zoneOf(zone);
  const moment = new Date(
    `${date}T${minutes}${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}${offset}`,
  );
  const year = moment.getUTCFullYear();
  return year >= first && year <= last ? moment : null;
}

/** `+10`, `+1000` and `+10:00` are one. */
function zoneOf(zone: string): string {
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

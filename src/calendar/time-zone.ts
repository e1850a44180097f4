// How far a time zone lies ahead of UTC at an instant, daylight saving included.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Of each zone, for each day of UTC: its offset, or null on a day on which it changes. */
const knownDays = new Map<string, Map<number, number | null>>();
const clocks = new Map<string, Intl.DateTimeFormat>();
/** A zone's days are forgotten beyond so many: they are soon found again. */
const MOST_DAYS = 10_000;

/** True for a name that the IANA time zone database has, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds by which clocks of a zone are ahead of UTC at an instant. */
export function offsetAt(zone: string, at: number): number {
  const days = knownDays.get(zone) ?? new Map<number, number | null>();
  if (days.size === 0 || days.size > MOST_DAYS) {
    days.clear();
    knownDays.set(zone, days);
  }
  const day = Math.floor(at / DAY);
  let known = days.get(day);
  if (known === undefined) {
    const [start, end] = [offsetNow(zone, day * DAY), offsetNow(zone, (day + 1) * DAY)];
    known = start === end ? start : null;
    days.set(day, known);
  }
  return known ?? offsetNow(zone, at);
}

function offsetNow(zone: string, at: number): number {
  const seconds = Math.floor(at / 1000) * 1000;
  const fields = new Map<string, number>(
    clockOf(zone)
      .formatToParts(seconds)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: string) => fields.get(name) ?? 0;
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return local - seconds;
}

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(zone, clock);
  return clock;
}

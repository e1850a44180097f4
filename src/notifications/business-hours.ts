// Business hours of a rule: when it sends, and until when it holds what happens outside of them.

import { offsetAt } from '../calendar/time-zone.ts';

/** Hours of some days; null at both ends for any time. */
export interface BusinessHours {
  /** The hour at which they begin, 0 to 23. */
  readonly hoursFrom: number | null;
  /** The hour at which they end, 1 to 24. */
  readonly hoursUntil: number | null;
  /** Days from 0 for Monday to 6; with none, all. */
  readonly hoursDays: readonly number[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** 1 January 1970 was a Thursday. */
const firstDay = 3;

/** Until when something is held, and the time zone in which people say that. */
export interface Held {
  readonly until: Date;
  readonly zone: string;
}

/** When the hours begin next; null within them, and where there are none. */
export function heldBy(hours: BusinessHours, zone: string, now: Date): Held | null {
  const { hoursFrom: from, hoursUntil: until, hoursDays: days } = hours;
  if (from === null || until === null) return null;
  const local = now.getTime() + offsetAt(zone, now.getTime());
  const today = Math.floor(local / DAY);
  const isOn = (day: number) => days.length === 0 || days.includes((day + firstDay) % 7);
  const hour = (local - today * DAY) / HOUR;
  if (isOn(today) && hour >= from && hour < until) return null;
  for (let day = today; day <= today + 7; day++) {
    const begins = instantOf(day * DAY + from * HOUR, zone);
    if (isOn(day) && begins > now.getTime()) return { until: new Date(begins), zone };
  }
  return null;
}

/** The one that ends first, where null is at once; null for none. */
export function earliest(all: readonly (Held | null)[]): Held | null {
  const [first = null] = all.toSorted(
    (a, b) => (a?.until.getTime() ?? 0) - (b?.until.getTime() ?? 0),
  );
  return first;
}

/** What is said of it in a message: `Held from Nov 26, 22:10 until Nov 27, 09:00 (Europe/Berlin).` */
export function heldInWords({ until, zone }: Held, from: Date): string {
  const said = (at: Date) =>
    at.toLocaleString('en-US', {
      ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
      ...{ hourCycle: 'h23', timeZone: zone },
    });
  return `Held from ${said(from)} until ${said(until)} (${zone}): the hours of its rule.`;
}

/** The instant at which clocks of a zone show a time; the later one where they are set forward over it. */
function instantOf(local: number, zone: string): number {
  const near = local - offsetAt(zone, local);
  return local - offsetAt(zone, near);
}

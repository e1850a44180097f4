// When an integration is synced by itself next.

import { hasDriver } from '../connectors/open.ts';
import { uploadsOf } from '../integration-type.ts';

const hourMs = 3_600_000;

/** How an integration is scheduled. */
export interface ExtractionSchedule {
  readonly type: string;
  /** Whether it has credentials, which say of a project where its artifacts lie. */
  readonly hasCredentials: boolean;
  /** Hour of the day in UTC; midnight where it is null. */
  readonly hour: number | null;
  /** Hours between; null where nothing is scheduled. */
  readonly frequency: number | null;
}

/**
 * The next instant after `now`: every so many hours, counted from that hour of the first day of 1970.
 * Null where nothing is scheduled, or there is no source to connect to.
 */
export function nextExtraction(schedule: ExtractionSchedule, now: Date): Date | null {
  const { type, hasCredentials, hour, frequency } = schedule;
  const isPulled = hasCredentials && uploadsOf(type) === 'artifacts';
  if (frequency === null || !(isPulled || hasDriver(type))) return null;
  const offset = (hour ?? 0) * hourMs;
  const interval = frequency * hourMs;
  const past = Math.floor((now.getTime() - offset) / interval);
  return new Date(offset + (past + 1) * interval);
}

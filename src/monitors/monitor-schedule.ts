// The schedule of a monitor as its row holds it.

import type { Monitor } from '../generated/prisma/client.ts';
import { intervalHours, nextRunAt, readSchedule, type Schedule } from './schedule.ts';

/** The schedule that a monitor's row holds. */
export function scheduleOf(monitor: Monitor): Schedule {
  return readSchedule({
    cadence: monitor.scheduleCadence,
    frequency: monitor.scheduleFrequency,
    hour: monitor.scheduleHour,
    day: monitor.scheduleDay,
  });
}

/** When a monitor runs after a change. The instant stays where the schedule did: no change puts off what is due. */
export function instantAfter(before: Monitor, schedule: Schedule, now: Date): Date {
  const isSame = JSON.stringify(scheduleOf(before)) === JSON.stringify(schedule);
  return isSame && before.nextRunAt !== null ? before.nextRunAt : nextRunAt(schedule, now);
}

/** The columns of a monitor that hold its schedule. */
export function scheduleColumns(schedule: Schedule) {
  return {
    scheduleCadence: schedule.cadence,
    scheduleFrequency: schedule.frequency,
    scheduleHour: schedule.hour,
    scheduleDay: schedule.day,
    frequency: intervalHours(schedule),
  };
}

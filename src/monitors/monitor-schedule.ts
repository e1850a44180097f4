// The schedule of a monitor as its row holds it.

import type { Monitor } from '../generated/prisma/client.ts';
import { intervalHours, readSchedule, type Schedule } from './schedule.ts';

/** The schedule that a monitor's row holds. */
export function scheduleOf(monitor: Monitor): Schedule {
  return readSchedule({
    cadence: monitor.scheduleCadence,
    frequency: monitor.scheduleFrequency,
    hour: monitor.scheduleHour,
    day: monitor.scheduleDay,
  });
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

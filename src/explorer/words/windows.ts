// The English words of maintenance windows.

import { adminWords } from './admin.ts';

interface When {
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly days: readonly number[];
  readonly fromTime: string | null;
  readonly untilTime: string | null;
  readonly timeZone: string;
}

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const momentOf = (at: string | null) => (at === null ? '' : moment.format(new Date(at)));

export const windowWords = {
  title: 'Maintenance windows',
  hint: 'In a maintenance window values are neither judged nor learned, and no incident opens.',
  make: 'New maintenance window',
  when: 'When',
  whenOf: ({ startsAt, endsAt, days, fromTime, untilTime, timeZone }: When) =>
    fromTime === null
      ? `${momentOf(startsAt)} to ${momentOf(endsAt)}`
      : `${days.length === 0 ? 'Daily' : days.map((day) => adminWords.days[day]).join(', ')} ${fromTime} to ${untilTime} (${timeZone})`,
  of: 'Monitors',
  all: 'All monitors',
  source: 'One source',
  state: 'State',
  now: 'in force',
  on: 'on',
  off: 'off',
  repeats: 'Repeats',
  once: 'Once',
  weekly: 'Every week',
  startsAt: 'From',
  endsAt: 'Until',
  days: 'Days (none means every day)',
  fromTime: 'From',
  untilTime: 'Until',
  timeZone: 'Time zone',
  zoneOfWorkspace: 'Time zone of the workspace',
  onlySource: 'Source',
  measures: 'Keep measuring',
};

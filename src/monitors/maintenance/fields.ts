// The fields of a maintenance window: whose monitors are in it, and when.

import { invalidField } from '../../errors.ts';
import { choiceOf, type Field, flag, id, kept, type Noun, name } from '../../fields.ts';
import type { MaintenanceWindow } from '../../generated/prisma/client.ts';
import { calendarFields } from '../../people/workspace-settings.ts';

/** A window as a client gives it: absent takes the default or leaves alone, null clears. */
export interface WindowInput {
  name?: string | null | undefined;
  isEnabled?: boolean | null | undefined;
  integrationId?: string | null | undefined;
  monitorId?: string | null | undefined;
  startsAt?: Date | null | undefined;
  endsAt?: Date | null | undefined;
  days?: readonly number[] | null | undefined;
  fromTime?: string | null | undefined;
  untilTime?: string | null | undefined;
  timeZone?: string | null | undefined;
  measures?: boolean | null | undefined;
}

const timeForm = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const timeOfDay = <Rest extends string>(rest: Rest) =>
  choiceOf(rest, 'a time of the day, such as 22:00', (time) => timeForm.test(time));

const moment = <Rest extends string>(rest: Rest): Field<Date, Date | null, Rest> => ({
  rest,
  holds: 'a time with its zone, such as 2026-03-01T22:00:00Z',
  check: (given) => given,
});

const days: Field<readonly number[], number[]> = {
  rest: 'days',
  holds: 'days from 0 for Monday to 6 for Sunday',
  check: (given) => {
    const all = [...new Set(given ?? [])].sort((a, b) => a - b);
    if (all.every((day) => Number.isInteger(day) && day >= 0 && day <= 6)) return all;
    throw invalidField('days', 'Use days from 0 for Monday to 6 for Sunday.');
  },
};

export const windowNoun: Noun<
  WindowInput,
  Pick<MaintenanceWindow, Exclude<keyof WindowInput, 'timeZone'>> & { timeZone: string | null }
> = {
  by: 'edit monitors',
  fields: {
    name: kept(name('name')),
    isEnabled: flag('is_enabled'),
    integrationId: id('integration_id', 'an integration'),
    monitorId: id('monitor_id', 'a monitor'),
    startsAt: moment('starts_at'),
    endsAt: moment('ends_at'),
    days,
    fromTime: timeOfDay('from_time'),
    untilTime: timeOfDay('until_time'),
    timeZone: calendarFields.timeZone,
    measures: flag('measures'),
  },
};

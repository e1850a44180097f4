// The plain fields of a monitor: what they hold, apart from its target, metric and schedule.

import { isCountry } from '../calendar/holidays.ts';
import { isTimeZone } from '../calendar/time-zone.ts';
import {
  choice,
  choiceOf,
  flag,
  kept,
  type Noun,
  name,
  optionalName,
  unlessBlank,
} from '../fields.ts';
import type { Monitor } from '../generated/prisma/client.ts';
import { type ConditionInput, conditionFields } from './condition.ts';
import { ADAPTATIONS } from './learning/learner.ts';

/** The plain fields that people may set: absent leaves alone, null clears or takes the default. */
export interface MonitorFields extends ConditionInput {
  name?: string | null | undefined;
  isEnabled?: boolean | null | undefined;
  notifyChatChannel?: string | null | undefined;
  timeZone?: string | null | undefined;
  holidayCountry?: string | null | undefined;
  adaptation?: string | null | undefined;
}

export const monitorNoun: Noun<MonitorFields, Pick<Monitor, keyof MonitorFields>> = {
  by: 'edit monitors',
  fields: {
    // A blank name is none: the monitor keeps the one that it has, or is named after what it measures.
    name: unlessBlank(name('name'), undefined),
    isEnabled: flag('is_enabled'),
    notifyChatChannel: optionalName('notify_chat_channel'),
    timeZone: choiceOf(
      'time_zone',
      'a time zone of the IANA database, such as Europe/Berlin',
      isTimeZone,
    ),
    holidayCountry: choiceOf(
      'holiday_country',
      'the two letters of a country, such as US',
      isCountry,
    ),
    adaptation: kept(choice('adaptation', ADAPTATIONS)),
    ...conditionFields,
  },
};

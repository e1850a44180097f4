// The plain fields of a monitor: what they hold, apart from its target, metric and schedule.

import { flag, type Noun, name, optionalName, unlessBlank } from '../fields.ts';
import type { Monitor } from '../generated/prisma/client.ts';
import { type ConditionInput, conditionFields } from './condition.ts';

/** The plain fields that people may set: absent leaves alone, null clears or takes the default. */
export interface MonitorFields extends ConditionInput {
  name?: string | null | undefined;
  isEnabled?: boolean | null | undefined;
  notifyChatChannel?: string | null | undefined;
}

export const monitorNoun: Noun<MonitorFields, Pick<Monitor, keyof MonitorFields>> = {
  by: 'edit monitors',
  fields: {
    // A blank name is none: the monitor keeps the one that it has, or is named after what it measures.
    name: unlessBlank(name('name'), undefined),
    isEnabled: flag('is_enabled'),
    notifyChatChannel: optionalName('notify_chat_channel'),
    ...conditionFields,
  },
};

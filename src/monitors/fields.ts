// The plain fields of a monitor: what they hold, apart from its target, metric and schedule.

import { choice, flag, kept, type Noun, name, optionalName, unlessBlank } from '../fields.ts';
import type { Monitor } from '../generated/prisma/client.ts';
import { calendarFields, type WorkspaceInput } from '../people/workspace-settings.ts';
import { type ConditionInput, conditionFields } from './condition.ts';
import { ADAPTATIONS } from './learning/learner.ts';

/** The plain fields that people may set: absent leaves alone, null clears or takes the default. */
export interface MonitorFields extends ConditionInput, WorkspaceInput {
  name?: string | null | undefined;
  isEnabled?: boolean | null | undefined;
  notifyChatChannel?: string | null | undefined;
  adaptation?: string | null | undefined;
}

export const monitorNoun: Noun<MonitorFields, Pick<Monitor, keyof MonitorFields>> = {
  by: 'edit monitors',
  fields: {
    // A blank name is none: the monitor keeps the one that it has, or is named after what it measures.
    name: unlessBlank(name('name'), undefined),
    isEnabled: flag('is_enabled'),
    notifyChatChannel: optionalName('notify_chat_channel'),
    ...calendarFields,
    adaptation: kept(choice('adaptation', ADAPTATIONS)),
    ...conditionFields,
  },
};

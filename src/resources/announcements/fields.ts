// The fields of an announcement.

import { choice, type Field, kept, type Noun } from '../../fields.ts';
import type { Announcement } from '../../generated/prisma/client.ts';
import { moment } from '../moment-field.ts';
import { saidText } from '../said-field.ts';

/** How much an announcement matters, by its word. */
export const severities = {
  INFO: 'Good to know.',
  WARNING: 'Something is wrong, or will be.',
} as const;

/** An announcement as a client gives it: absent takes the default or leaves alone, null clears. */
export interface AnnouncementInput {
  text?: string | null | undefined;
  severity?: string | null | undefined;
  startsAt?: Date | null | undefined;
  endsAt?: Date | null | undefined;
}

const maxText = 2_000;

/** A beginning, which there always is: null leaves it alone. */
function start(): Field<Date, Date, 'starts_at'> {
  const field = moment('starts_at');
  return { ...field, check: (given) => field.check(given) ?? undefined };
}

/** Editors announce something on resources, admins for the whole workspace. */
export const announcementNoun: Noun<
  AnnouncementInput,
  Pick<Announcement, keyof AnnouncementInput>
> = {
  by: 'edit resources',
  fields: {
    text: saidText('An announcement', maxText),
    severity: kept(choice('severity', Object.keys(severities))),
    startsAt: start(),
    endsAt: moment('ends_at'),
  },
};

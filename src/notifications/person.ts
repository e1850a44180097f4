// Where a person is notified: in the inbox, and by email.

import type { Destination } from './outbox/outbox.ts';

/** Somebody who is notified of something. */
export interface Person {
  readonly userId: string;
  readonly email: string;
  /** False where the user said no to email. */
  readonly wantsEmail: boolean;
  /** False for a guest, who gets to know nobody else. */
  readonly knowsPeople: boolean;
}

/** The inbox always, and mail where it is wanted. */
export function destinationsOfPerson({ userId, email, wantsEmail }: Person): Destination[] {
  const inbox = { channel: 'inbox', address: userId } as const;
  return wantsEmail ? [inbox, { channel: 'email', address: email }] : [inbox];
}

// In charge of a person who is told of something: on which ways.

import type { Way } from './outbox/outbox.ts';

/** Somebody who is told of something. */
export interface Person {
  readonly userId: string;
  readonly email: string;
  /** False where the user said no to email. */
  readonly wantsEmail: boolean;
  /** False for a guest, who gets to know nobody else. */
  readonly knowsPeople: boolean;
}

/** The inbox always, and mail where it is wanted. */
export function waysOfPerson({ userId, email, wantsEmail }: Person): Way[] {
  const inbox = { channel: 'inbox', address: userId } as const;
  return wantsEmail ? [inbox, { channel: 'email', address: email }] : [inbox];
}

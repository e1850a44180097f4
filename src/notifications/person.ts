// Where a person is notified: in the inbox, and by email.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { folded, foldedAddress } from '../people/mail-address.ts';
import type { Destination } from './outbox/outbox.ts';

/** Somebody who is notified of something. */
export interface Person {
  readonly userId: string;
  readonly email: string;
  /** False where the user said no to email. */
  readonly wantsEmail: boolean;
  /** False for a guest, who gets to know no one else. */
  readonly knowsPeople: boolean;
}

/** The inbox always, and mail where it is wanted. */
export function destinationsOfPerson({ userId, email, wantsEmail }: Person): Destination[] {
  const inbox = { channel: 'inbox', address: userId } as const;
  return wantsEmail ? [inbox, { channel: 'email', address: email }] : [inbox];
}

/**
 * Whether mail that was written is still wanted: not by a person who was deactivated, nor at an address whose user
 * said no to email.
 */
export async function isMailWanted(
  ctx: Context,
  { address, userId }: { readonly address: string; readonly userId: string | null },
): Promise<boolean> {
  const against = await rows(
    ctx,
    Prisma.sql`select 1 as one from user_account u where u.workspace_id = ${ctx.workspaceId}::uuid
      and (u.id = ${userId}::uuid and (u.archived or not u.email_notifications)
        or ${folded(Prisma.sql`u.email`)} = ${foldedAddress(address)} and not u.email_notifications)`,
  );
  return against.length === 0;
}

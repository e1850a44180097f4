// Notifies a person that a provider signs in to their account from now on.

import type { ServerContext } from '../context.ts';
import type { LinkedSignIn } from '../sign-in/claimed-account.ts';
import { post } from './outbox/outbox.ts';

/** The event of such notifications: those who want no mail get it too, for it may be somebody else who signed in. */
export const linkedEvent = 'sign_in_linked';

/** Notify the person in their inbox, and by email where any is sent, in the transaction of the link. */
export async function notifyOfLink(
  tx: ServerContext,
  { userId, email, provider }: LinkedSignIn,
): Promise<void> {
  const content = {
    title: `${provider} can sign in to your account`,
    text:
      `Someone with the address ${email} signed in with ${provider}, which opens your account from now on. ` +
      'If that was not you, tell an admin of the workspace at once.',
    userId,
  };
  const subject = { event: linkedEvent, incidentId: null, content };
  const key = `${linkedEvent} ${userId} ${tx.requestId ?? tx.now().toISOString()}`;
  await post(tx, [
    { ...subject, channel: 'inbox', address: userId, dedupeKey: `${key} inbox` },
    { ...subject, channel: 'email', address: email, dedupeKey: `${key} email` },
  ]);
}

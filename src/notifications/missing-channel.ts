// Missing channels: what notifications can't be sent without.

import type { ServerContext } from '../context.ts';
import { isMailOn } from '../surroundings.ts';
import { isChatConnected } from './chat.ts';
import type { Channel } from './outbox/outbox.ts';

const noMail = 'No mail server is set up, so no email is sent: an operator sets SMTP_URL.';
const noChat =
  'No team chat is connected, so no message is sent: an admin adds an integration of the type chat.';

/** Why nothing is sent by each of these channels, in words; those that are set up are left out. */
export async function missingChannels(
  ctx: ServerContext,
  channels: ReadonlySet<Channel>,
): Promise<Map<Channel, string>> {
  const missing = new Map<Channel, string>();
  if (channels.has('email') && !isMailOn(ctx.surroundings)) missing.set('email', noMail);
  if (channels.has('chat') && !(await isChatConnected(ctx))) missing.set('chat', noChat);
  return missing;
}

// Missing channels: what notifications can't be sent without.

import type { ServerContext } from '../context.ts';
import type { NotificationRule } from '../generated/prisma/client.ts';
import { isMailOn } from '../surroundings.ts';
import { warn } from '../warning.ts';
import { isChatConnected } from './chat.ts';
import type { Channel } from './outbox/outbox.ts';
import { ruleNoun } from './rule-fields.ts';

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

/** Why some of those whom a rule names are not notified, in words. */
export async function missingOf(
  ctx: ServerContext,
  { emails, chatChannels }: Partial<NotificationRule>,
): Promise<Map<Channel, string>> {
  const channels = new Set<Channel>();
  if (emails && emails.length > 0) channels.add('email');
  if (chatChannels && chatChannels.length > 0) channels.add('chat');
  return missingChannels(ctx, channels);
}

/** Warn of those whom a rule is to notify now and can't. */
export async function warnOfMissing(
  ctx: ServerContext,
  data: Partial<NotificationRule>,
): Promise<void> {
  const { emails, chatChannels } = ruleNoun.fields;
  for (const [channel, reason] of await missingOf(ctx, data)) {
    warn(ctx, channel === 'email' ? emails.rest : chatChannels.rest, reason);
  }
}

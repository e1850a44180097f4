// Recipients of a monitor's incidents, before there are any.

import { isAllowed } from '../../auth/permission.ts';
import type { ServerContext } from '../../context.ts';
import type { Monitor } from '../../generated/prisma/client.ts';
import { missingChannels } from '../../notifications/missing-channel.ts';
import type { Channel } from '../../notifications/outbox/outbox.ts';
import { foldedAddress } from '../../people/mail-address.ts';
import { monitorNoun } from '../fields.ts';
import { addresseesOfMonitor } from './notify.ts';

/** A person, channel, address or webhook that is notified. */
export interface Recipient {
  readonly channel: Channel;
  /** Of email and chat; null for people and webhooks, which have ids. */
  readonly address: string | null;
  readonly userId: string | null;
  readonly webhookId: string | null;
  /** Why nothing would be sent now; null where it would. */
  readonly problem: string | null;
}

/**
 * Who is notified when an incident opens, as things are now, each destination once. Null for those who may
 * not edit monitors: rules hold addresses.
 */
export async function recipientsOf(
  ctx: ServerContext,
  monitor: Monitor,
): Promise<Recipient[] | null> {
  if (!isAllowed(ctx, monitorNoun.by)) return null;
  const recipients = new Map<string, Omit<Recipient, 'problem'>>();
  for (const { destination, person } of await addresseesOfMonitor(ctx, monitor)) {
    const { channel, address } = destination;
    const key = `${channel}:${foldedAddress(address)}`;
    if (recipients.has(key)) continue;
    recipients.set(key, {
      channel,
      address: channel === 'email' || channel === 'chat' ? address : null,
      userId: person?.userId ?? null,
      webhookId: channel === 'webhook' ? address : null,
    });
  }
  const all = [...recipients.values()];
  const missing = await missingChannels(ctx, new Set(all.map(({ channel }) => channel)));
  return all.map((one) => ({ ...one, problem: missing.get(one.channel) ?? null }));
}

// Recipients of a monitor's incidents, before there are any.

import { isAllowed } from '../../auth/permission.ts';
import type { ServerContext } from '../../context.ts';
import { loaderInFamily } from '../../database/loader.ts';
import type { Monitor } from '../../generated/prisma/client.ts';
import { missingChannels } from '../../notifications/missing-channel.ts';
import type { Channel } from '../../notifications/outbox/outbox.ts';
import { foldedAddress } from '../../people/mail-address.ts';
import { monitorNoun } from '../fields.ts';
import type { Addressee } from './audience.ts';
import { addresseesOfMonitors } from './crowd.ts';

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
 * Who is notified when an incident of a monitor opens, as things are now, each destination once; what many monitors
 * of one request ask is looked up together. Null for those who may not edit monitors: rules hold addresses.
 */
export async function loadRecipients(
  ctx: ServerContext,
  monitor: Monitor,
): Promise<Recipient[] | null> {
  if (!isAllowed(ctx, monitorNoun.by)) return null;
  const loader = loaderInFamily<Monitor, Recipient[]>(
    ctx,
    loadRecipients,
    '',
    () => (_within, monitors) => recipientsOf(ctx, monitors),
  );
  return (await loader.load(monitor)) ?? [];
}

async function recipientsOf(
  ctx: ServerContext,
  monitors: readonly Monitor[],
): Promise<Map<Monitor, Recipient[]>> {
  const addressees = await addresseesOfMonitors(ctx, monitors);
  const all = monitors.map((monitor) => distinct(addressees.get(monitor.id) ?? []));
  const channels = new Set(all.flat().map(({ channel }) => channel));
  const missing = await missingChannels(ctx, channels);
  return new Map(
    monitors.map((monitor, i) => [
      monitor,
      (all[i] ?? []).map((one) => ({ ...one, problem: missing.get(one.channel) ?? null })),
    ]),
  );
}

function distinct(addressees: readonly Addressee[]): Omit<Recipient, 'problem'>[] {
  const recipients = new Map<string, Omit<Recipient, 'problem'>>();
  for (const { destination, person } of addressees) {
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
  return [...recipients.values()];
}

// What rules and webhooks ask for: which resources they are about, and where they notify.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { type NotificationRule, Prisma } from '../generated/prisma/client.ts';
import { foldedAddress } from '../people/mail-address.ts';
import type { Event } from './event.ts';
import type { Destination } from './outbox/outbox.ts';
import { addressesOptedOut } from './watcher.ts';

/** What a rule needs to know of a resource. */
export interface Concerned {
  readonly id: string;
  readonly tagIds: readonly string[];
  readonly teamIds: readonly string[];
}

/** Whether a rule is about a resource; one that names nothing is about all. */
export function meets(
  { resourceIds, tagIds, teamIds }: NotificationRule,
  resource: Concerned,
): boolean {
  const isAny = resourceIds.length + tagIds.length + teamIds.length === 0;
  return (
    isAny ||
    resourceIds.includes(resource.id) ||
    resource.tagIds.some((id) => tagIds.includes(id)) ||
    resource.teamIds.some((id) => teamIds.includes(id))
  );
}

/** The destinations that a rule names, without addresses of those who said no, and webhooks that are off. */
export function destinationsOfRule(
  rule: NotificationRule,
  standing: DestinationStates,
): Destination[] {
  const { chatChannels, emails, webhookIds } = rule;
  return [
    ...chatChannels.map((address) => ({ channel: 'chat', address }) as const),
    ...emails
      .filter((address) => !standing.optedOut.has(foldedAddress(address)))
      .map((address) => ({ channel: 'email', address }) as const),
    ...webhookIds
      .filter((address) => standing.enabled.has(address))
      .map((address) => ({ channel: 'webhook', address }) as const),
  ];
}

/** What holds at this moment for the destinations that rules name. */
export interface DestinationStates {
  readonly optedOut: ReadonlySet<string>;
  /** Webhooks that something is sent to. */
  readonly enabled: ReadonlySet<string>;
  /** Those of them that ask for the event, whatever it is about. */
  readonly listening: readonly string[];
}

/** Look up what holds for the destinations of some rules, and which webhooks ask for an event by themselves. */
export async function standingOf(
  ctx: Context,
  rules: readonly NotificationRule[],
  event: Event,
): Promise<DestinationStates> {
  const optedOut = await addressesOptedOut(
    ctx,
    rules.flatMap(({ emails }) => emails),
  );
  const webhooks = await rows<{ id: string; listens: boolean }>(
    ctx,
    Prisma.sql`select w.id, ${event} = any(w.events) as listens from webhook w
      where w.workspace_id = ${ctx.workspaceId}::uuid and w.is_enabled order by w.id`,
  );
  return {
    optedOut,
    enabled: new Set(webhooks.map(({ id }) => id)),
    listening: webhooks.filter(({ listens }) => listens).map(({ id }) => id),
  };
}

// Names of notification events.

import { invalidField } from '../errors.ts';
import { namesOf } from '../fields.ts';
import { type Happening, happenings } from '../jobs/happening.ts';

/** What rules name, and webhooks as well. */
export const events = [
  'incident_opened',
  'incident_reopened',
  'incident_resolved',
  'monitor_failed',
  'monitor_recovered',
  'resource_changed',
] as const;

export type Event = (typeof events)[number];

/** The event of that name. Throws BAD_REQUEST that names the field and all events. */
export function checkEvent(field: string, name: string): Event {
  const event = events.find((one) => one === name);
  if (event) return event;
  throw invalidField(field, `Use some of ${events.join(', ')}.`);
}

/** What only webhooks name, besides. */
export const webhookEvents: readonly (Event | Happening)[] = [...events, ...namesOf(happenings)];

/** The event of that name that a webhook can be sent. Throws BAD_REQUEST that names the field and all of them. */
export function checkWebhookEvent(field: string, name: string): Event | Happening {
  const event = webhookEvents.find((one) => one === name);
  if (event) return event;
  throw invalidField(field, `Use some of ${webhookEvents.join(', ')}.`);
}

// Names of notification events.

import { invalidField } from '../errors.ts';

/** What rules and webhooks name. */
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

// Notification events in GraphQL.

import { closedSet } from '../graphql/views/closed-set.ts';
import type { Event } from './event.ts';

const events = {
  incident_opened: 'A monitor opened an incident.',
  incident_resolved: 'An incident is over.',
  resource_changed: 'Somebody changed a resource.',
} satisfies Record<Event, string>;

export const NotificationEventEnum = closedSet('NotificationEvent', {
  description: 'What rules and webhooks can be about.',
  values: events,
});

export const InboxEventEnum = closedSet('InboxEvent', {
  description: 'What a notification of an inbox is about.',
  values: { ...events, sign_in_linked: 'A provider signs in to your account from now on.' },
});

export const DeliveryEventEnum = closedSet('WebhookDeliveryEvent', {
  description: 'What a message to a webhook is about.',
  values: { ...events, ping: 'Nothing: somebody tests the webhook.' },
});

export const DeliveryStateEnum = closedSet('WebhookDeliveryState', {
  description: 'The result of a message to a webhook.',
  values: {
    pending: 'It is waiting to be sent, or sent again.',
    delivered: 'The webhook took it.',
    failed: 'The webhook did not take it, and it is not sent again.',
    skipped: 'It was not sent.',
  },
});

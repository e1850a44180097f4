// Notification events in GraphQL.

import { closedSet } from '../graphql/views/closed-set.ts';
import { happenings } from '../jobs/happening.ts';
import type { Event } from './event.ts';
import type { WebhookFormat } from './webhooks/format.ts';

const events = {
  incident_opened: 'A monitor opened an incident.',
  incident_reopened: 'An incident that somebody called fixed goes on.',
  incident_resolved: 'An incident is over.',
  monitor_failed: 'Monitors can no longer measure.',
  monitor_recovered: 'Monitors that could not measure can again.',
  resource_changed: 'Somebody changed a resource.',
} satisfies Record<Event, string>;

export const NotificationEventEnum = closedSet('NotificationEvent', {
  description: 'What rules can be about.',
  values: events,
});

export const WebhookEventEnum = closedSet('WebhookEvent', {
  description: 'What webhooks can be sent.',
  values: { ...events, ...happenings },
});

export const InboxEventEnum = closedSet('InboxEvent', {
  description: 'What a notification of an inbox is about.',
  values: {
    ...events,
    mentioned: 'Somebody mentioned you in what is written about a resource.',
    commented: 'Somebody commented on a resource that you own or follow.',
    sign_in_linked: 'A provider signs in to your account from now on.',
  },
});

export const DeliveryEventEnum = closedSet('WebhookDeliveryEvent', {
  description: 'What a message to a webhook is about.',
  values: { ...events, ...happenings, ping: 'Nothing: somebody tests the webhook.' },
});

export const WebhookFormatEnum = closedSet('WebhookFormat', {
  description: 'In which form a webhook is sent what happens.',
  values: {
    headwater: 'Our own, signed.',
    pagerduty: 'Events API v2 of PagerDuty, with the incident as dedup key.',
    opsgenie: 'Alerts of Opsgenie, with the incident as alias.',
    teams: 'An adaptive card for a workflow of Microsoft Teams.',
    slack: 'Blocks for an incoming webhook of Slack.',
  } satisfies Record<WebhookFormat, string>,
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

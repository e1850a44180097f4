// What rules and webhooks may be told of.

import type { MakeRuleVariables } from './rules/rules.graphql';
import type { MakeWebhookVariables } from './webhooks/webhooks.graphql';

type Event = NonNullable<MakeRuleVariables['input']['events']>[number];

/** All events: the compiler holds that none is missing. */
const named: Readonly<Record<Event, true>> = {
  incident_opened: true,
  incident_reopened: true,
  incident_resolved: true,
  monitor_failed: true,
  monitor_recovered: true,
  resource_changed: true,
};

/** Their names, in the order of a form. */
export const events = Object.keys(named).filter((name): name is Event => name in named);

type WebhookEvent = NonNullable<MakeWebhookVariables['input']['events']>[number];

const sent: Readonly<Record<WebhookEvent, true>> = {
  ...named,
  incident_acknowledged: true,
  job_succeeded: true,
  job_failed: true,
  question_asked: true,
  question_answered: true,
  lineage_changed: true,
};

const webhookEvents = Object.keys(sent).filter((name): name is WebhookEvent => name in sent);

type Format = NonNullable<MakeWebhookVariables['input']['format']>;

/** What has a form in other services: what begins or ends something. */
const formed = [
  'incident_opened',
  'incident_reopened',
  'incident_resolved',
  'monitor_failed',
  'monitor_recovered',
];

/** What a webhook of a format can be sent, in the order of a form. */
export function eventsIn(format: Format): readonly WebhookEvent[] {
  return format === 'headwater'
    ? webhookEvents
    : webhookEvents.filter((event) => formed.includes(event));
}

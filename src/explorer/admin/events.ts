// What rules and webhooks may be told of.

import type { MakeWebhookVariables } from './page.graphql';
import type { MakeRuleVariables } from './rules.graphql';

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

/** What webhooks can be sent, in the order of a form. */
export const webhookEvents = Object.keys(sent).filter((name): name is WebhookEvent => name in sent);

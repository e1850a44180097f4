// The fields of a notification rule: what it notifies of, and whom.

import { invalidField } from '../errors.ts';
import { checkId, type Field, flag, kept, listOf, type Noun, name, whole } from '../fields.ts';
import type { NotificationRule } from '../generated/prisma/client.ts';
import { checkName } from '../text/text.ts';
import { checkEvent, events } from './event.ts';

/** A rule as a client gives it: absent and null take the default or leave alone. */
export interface RuleInput {
  name?: string | null | undefined;
  isEnabled?: boolean | null | undefined;
  events?: readonly string[] | null | undefined;
  resourceIds?: readonly string[] | null | undefined;
  tagIds?: readonly string[] | null | undefined;
  teamIds?: readonly string[] | null | undefined;
  upstream?: boolean | null | undefined;
  severities?: readonly string[] | null | undefined;
  metricTypes?: readonly string[] | null | undefined;
  monitorIds?: readonly string[] | null | undefined;
  hoursFrom?: number | null | undefined;
  hoursUntil?: number | null | undefined;
  hoursDays?: readonly number[] | null | undefined;
  chatChannels?: readonly string[] | null | undefined;
  emails?: readonly string[] | null | undefined;
  webhookIds?: readonly string[] | null | undefined;
  userIds?: readonly string[] | null | undefined;
  groupIds?: readonly string[] | null | undefined;
}

/** Most entries of a list of a rule. */
const maxEntries = 100;

const ruleEvents: Field<readonly string[], string[]> = {
  rest: 'events',
  holds: `at least one of ${events.join(', ')}`,
  check: (given) => {
    const checked = [...new Set((given ?? []).map((event) => checkEvent('events', event)))];
    if (checked.length > 0) return checked;
    throw invalidField('events', `Use at least one of ${events.join(', ')}.`);
  },
};

const hoursDays: Field<readonly number[], number[]> = {
  rest: 'hours_days',
  holds: 'days from 0 for Monday to 6 for Sunday',
  check: (given) => {
    const days = [...new Set(given ?? [])].sort((a, b) => a - b);
    if (days.every((day) => Number.isInteger(day) && day >= 0 && day <= 6)) return days;
    throw invalidField('hours_days', 'Use days from 0 for Monday to 6 for Sunday.');
  },
};

/** Every field; null leaves each of them alone, and clears the hours. */
export const ruleNoun: Noun<RuleInput, Pick<NotificationRule, keyof RuleInput>> = {
  by: 'edit monitors',
  fields: {
    name: kept(name('name')),
    isEnabled: flag('is_enabled'),
    events: kept(ruleEvents),
    resourceIds: ids('resource_ids', 'resources'),
    tagIds: ids('tag_ids', 'tags'),
    teamIds: ids('team_ids', 'teams'),
    upstream: flag('upstream'),
    // GraphQL knows which severities and metrics there are.
    severities: entries('severities', 'severities of incidents', checkName),
    metricTypes: entries('metric_types', 'metrics', checkName),
    monitorIds: ids('monitor_ids', 'monitors'),
    hoursFrom: whole('hours_from', 0, 23),
    hoursUntil: whole('hours_until', 1, 24),
    hoursDays,
    chatChannels: entries('chat_channels', 'ids of chat channels', checkName),
    emails: entries('emails', 'email addresses', checkAddress),
    webhookIds: ids('webhook_ids', 'webhooks'),
    userIds: ids('user_ids', 'users'),
    groupIds: ids('group_ids', 'groups'),
  },
};

function ids(rest: string, what: string): Field<readonly string[], string[]> {
  return entries(rest, `ids of ${what}`, checkId);
}

function entries(
  rest: string,
  items: string,
  check: (field: string, item: string) => string,
): Field<readonly string[], string[]> {
  return kept(listOf(rest, { items, max: maxEntries, check: (item) => check(rest, item) }));
}

// One address alone: what mail programs read as another one, or as a name, has no place in it.
const addressForm = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/;

function checkAddress(field: string, address: string): string {
  const email = checkName(field, address);
  if (addressForm.test(email)) return email;
  throw invalidField(field, `Use email addresses, not "${email.slice(0, 60)}".`);
}

// The closed sets of words about monitors and incidents, as GraphQL types them.

import { builder } from '../graphql/builder.ts';
import { closedSet } from '../graphql/views/closed-set.ts';
import type { Adaptation } from './learning/learner.ts';
import { METRICS } from './metric.ts';

export const MetricTypeEnum = closedSet('MetricType', {
  description: 'What a monitor measures.',
  values: Object.fromEntries(
    Object.entries(METRICS).map(([name, { label, targets }]) => [
      name,
      `${label}, on a ${targets.join(' or a ')}.`,
    ]),
  ),
});

export const CadenceEnum = closedSet('Cadence', {
  description: 'How often a monitor runs.',
  textInRest: 'in answers',
  values: {
    hourly: 'Every few hours.',
    daily: 'Once a day.',
    weekly: 'Once a week.',
    monthly: 'Once a month.',
  },
});

export const MonitorStatusEnum = closedSet('MonitorStatus', {
  description: 'How a monitor stands.',
  values: {
    pending: 'It never ran.',
    learning: 'It measures, and knows no range yet.',
    normal: 'The latest value is in range.',
    incident: 'An incident of it is open.',
    error: 'The latest run failed.',
    disabled: 'It is paused.',
  },
});

export const IncidentStatusEnum = closedSet('IncidentStatus', {
  description: 'How an incident stands.',
  values: {
    active: 'It is open and not acknowledged.',
    acknowledged: 'It is open, and somebody is working on it.',
    resolved: 'It is over.',
  },
});

export const IncidentSeverityEnum = closedSet('IncidentSeverity', {
  description: 'How bad an incident is.',
  values: {
    low: 'It can wait.',
    medium: 'As bad as any: every incident begins here.',
    high: 'It is urgent.',
    critical: 'Everything else can wait.',
  },
});

const people = {
  false_positive: 'The values were in order: they are marked as normal.',
  fixed: 'The cause was removed. It opens again unless the next three values are in range.',
  expected: 'The value was intended: a learned range takes it for the new normal.',
  other: 'For another reason.',
};

export const ResolveReasonEnum = closedSet('ResolveReason', {
  description: 'Why a person resolves an incident.',
  values: people,
});

export const IncidentEndEnum = closedSet('IncidentEnd', {
  description: 'Why an incident is over: what a person said, or what happened.',
  values: {
    ...people,
    recovered: 'Three values in a row were in range again, or the columns are back.',
    new_level: 'The level has changed for good, and the range has followed.',
    monitor_disabled: 'Its monitor was disabled.',
    monitor_deleted: 'Its monitor was deleted.',
  },
});

export const IncidentActionEnum = closedSet('IncidentActionType', {
  description: 'What was done about an incident.',
  values: {
    notification_initial: 'Those concerned have been notified that it is open.',
    notification_failed: 'Somebody could not be notified.',
    acknowledged: 'Somebody is working on it.',
    comment: 'Somebody wrote a comment.',
    marked_normal: 'Somebody said that a value was normal.',
    resolved: 'It was resolved by a person, or with its monitor.',
    auto_resolved: 'It resolved by itself.',
    reopened: 'It was opened again: by somebody, or because what was called fixed is not.',
  },
});

export const AdaptationEnum = closedSet('Adaptation', {
  description: 'How a learned range follows a level that shifts.',
  values: {
    robust:
      'Not at all: values out of range stay out of range until somebody says that they are expected.',
    normal: 'After three values; an incident stays open until the old level is back or forgotten.',
    agile: 'After three values, and an incident ends with that.',
  } satisfies Record<Adaptation, string>,
});

export const VerdictEnum = builder.enumType('Verdict', {
  description: 'How a value compares with the range known before it.',
  values: {
    learning: { description: 'No range was known.' },
    within: { description: 'It is in range.' },
    above: { description: 'It is too high.' },
    below: { description: 'It is too low.' },
    new_level: {
      description: 'The range has followed it to a new level, and the old one is remembered.',
    },
  },
});

// What is said of an incident: to channels, to programs, and to each person as they may see.

import type { Incident, Monitor } from '../../generated/prisma/client.ts';
import type { NotificationContent } from '../../notifications/outbox/outbox.ts';
import type { ChartPoint } from '../../notifications/pictures/chart.ts';
import type { Tie } from '../../notifications/watcher.ts';
import { valueInWords } from '../words.ts';
import type { IncidentReach, Reached } from './concern.ts';

/** An incident that people are notified of. */
export interface Story {
  readonly incident: Incident;
  readonly monitor: Pick<Monitor, 'id' | 'name' | 'metricType' | 'lastMeasurementValue'>;
  readonly reach: IncidentReach;
  /** Who ended it; null where it ended by itself, or hasn't. */
  readonly endedBy: string | null;
  /** How often it was opened again. */
  readonly reopenings: number;
  /** The latest values, the newest last. */
  readonly values: readonly number[];
  /** Those that have joined it and are still open. */
  readonly joined: readonly Pick<Incident, 'name'>[];
  /** The latest values with their ranges, for a picture. */
  readonly chart: readonly ChartPoint[];
  /** Where browsers find the explorer, such as https://headwater.example.com; null where that isn't known. */
  readonly origin: string | null;
}

/** How a person is concerned by an incident. */
export interface Concern {
  readonly ties: readonly Tie[];
  readonly seesTarget: boolean;
  /** The dashboards downstream that they may see. */
  readonly dashboards: readonly Reached[];
  /** False for who may not see all that is downstream, and for a guest. */
  readonly knowsOwners: boolean;
}

/** Reasons why somebody is notified that are named at most. */
const maxReasons = 5;

/** How an incident ended, or that it goes on after all. */
function endOf(story: Story): string {
  const { incident, monitor, endedBy } = story;
  const { resolveReason: reason, standing } = incident;
  const who = endedBy ?? 'Someone';
  const value = monitor.lastMeasurementValue;
  const latest =
    value === null || isOfColumns(story)
      ? ''
      : ` The latest value is ${valueInWords(monitor.metricType, value)}.`;
  switch (reason) {
    case null:
      return `Reopened: not fixed after all.${latest}`;
    case 'recovered':
      if (isOfColumns(story)) return 'Resolved: the columns are back.';
      return `Resolved: three values in a row are in range.${latest}`;
    case 'new_level':
      return `Resolved: the level has changed, and the range follows. ${standing ?? ''}`.trim();
    case 'expected':
      return `Resolved: ${who} marked it as the new normal.${latest}`;
    case 'false_positive':
      return `Resolved: ${who} marked it as a false alarm.${latest}`;
    case 'fixed':
      return `Resolved: ${who} marked it as fixed.${latest} Reopens unless the next three values are in range.`;
    case 'monitor_disabled':
      return 'Resolved: its monitor was paused.';
    case 'monitor_deleted':
      return 'Resolved: its monitor was deleted.';
    default:
      return `Resolved by ${who}.${latest}`;
  }
}

/** Of columns the value of the monitor is how many tables have changed: of no use to those who hear of one. */
const isOfColumns = ({ monitor }: Pick<Story, 'monitor'>): boolean =>
  monitor.metricType === 'schema_changes';

const over = 'Resolved';

/** What of the same cause is not over, for those who have heard of nothing else. */
function stillOpen({ incident, joined }: Story): string {
  if (joined.length === 0 || incident.status !== 'resolved') return '';
  return ` Still open downstream: ${joined.map(({ name }) => name).join(', ')}.`;
}

/** What is known of an incident at a glance. */
function factsOf({ incident, monitor, values }: Story): string[] {
  const follows =
    incident.causeId === null ? [] : ['It follows an incident that is open upstream.'];
  const said = values.map((value) => valueInWords(monitor.metricType, value));
  return [
    ...follows,
    `Severity: ${incident.severity}.`,
    ...(said.length > 1 ? [`Latest values: ${said.join(', ')}.`] : []),
  ];
}

/** What a channel or an address is sent when an incident opens. */
export function openingFor(story: Story): NotificationContent {
  const { incident, monitor, reach } = story;
  const { target, below, count } = reach;
  const titles = below.slice(0, 3).map(({ title }) => title);
  const others = count > titles.length ? ' and others' : '';
  const lines = [placeOf(target), ...factsOf(story)];
  if (count > 0) {
    lines.push(`Downstream: ${numberOf(reach)}, such as ${titles.join(', ')}${others}.`);
  }
  lines.push(...weightOf(reach.dashboards, reach.owners));
  return { title: monitor.name, text: incident.summary, lines, ...aboutOf(story) };
}

/** What is sent at the end where nothing was sent at the beginning. */
export function endingFor(story: Story): NotificationContent {
  const text = `${endOf(story)}${stillOpen(story)}`;
  return { title: story.monitor.name, text, ...aboutOf(story) };
}

/** What is said in the end to those who were notified in the beginning. */
export function endingAfter(story: Story, opening: NotificationContent): NotificationContent {
  const { lines: _, ...said } = opening;
  // Who may not see what it was on is told nothing of it in the end either.
  const text = opening.target === undefined ? over : `${endOf(story)}${stillOpen(story)}`;
  return { ...said, text };
}

/**
 * What a person is sent who is tied to some of what the incident concerns. Who may not see the target
 * is told that something is wrong around what is theirs, and not what.
 */
export function openingForPerson(
  story: Story,
  { ties, seesTarget, dashboards, knowsOwners }: Concern,
): NotificationContent {
  const { incident, monitor, reach } = story;
  // What is nearest comes first: the target, what it feeds, what feeds it.
  const order = [reach.target, ...reach.below, ...reach.above].map(({ id }) => id);
  const reasons = ties
    .toSorted((a, b) => order.indexOf(a.resourceId) - order.indexOf(b.resourceId))
    .flatMap((tie) => reasonOf(reach, tie))
    .slice(0, maxReasons);
  if (!seesTarget) {
    const isAbove = ties.some(({ resourceId }) => has(reach.below, resourceId));
    const side = isAbove ? 'upstream' : 'downstream';
    const place = isAbove ? reach.below : reach.above;
    const own = place.find(({ id }) => ties.some(({ resourceId }) => resourceId === id));
    return {
      title: `Something ${side} of ${own?.title ?? 'what you watch'} is out of range`,
      text: "A monitor opened an incident there, on something you don't have access to.",
      lines: reasons,
      ...(own ? { resources: [own.id] } : {}),
    };
  }
  const lines = [placeOf(reach.target), ...factsOf(story), ...reasons];
  if (reach.count > 0) lines.push(`Downstream: ${numberOf(reach)}.`);
  lines.push(...weightOf(dashboards, knowsOwners ? reach.owners : []));
  return { title: monitor.name, text: incident.summary, lines, ...aboutOf(story) };
}

/** Why what is downstream matters: the dashboards that show it, and whom they belong to. */
function weightOf(dashboards: readonly Reached[], owners: readonly string[]): string[] {
  const titles = dashboards.map(({ title }) => title);
  return [
    ...(titles.length > 0 ? [`Dashboards: ${titles.join(', ')}.`] : []),
    ...(owners.length > 0 ? [`Owners downstream: ${owners.join(', ')}.`] : []),
  ];
}

/** What a webhook is sent, as data. */
export function dataOf({ incident, monitor, reach, values, origin, endedBy }: Story) {
  const { id, name, summary, status, severity, value, standing } = incident;
  const { firstSeenAt, lastSeenAt, resolvedAt, resolveReason, causeId, rootId } = incident;
  const shown = ({ id, kind, title }: Reached) => ({ id, kind, title });
  return {
    incident: {
      ...{ id, name, summary, status, severity, value },
      ...{ firstSeenAt, lastSeenAt, resolvedAt, resolveReason, resolvedBy: endedBy, standing },
      ...{ causeId, rootId },
      url: origin === null ? null : `${origin}/incidents/${id}`,
      latestValues: values,
    },
    monitor: { id: monitor.id, name: monitor.name, metricType: monitor.metricType },
    target: shown(reach.target),
    downstream: {
      count: reach.count,
      nearest: reach.below.map(shown),
      dashboards: reach.dashboards.map(shown),
      owners: reach.owners,
    },
  };
}

const clauses = {
  owns: 'you own',
  subscribes: 'you subscribe to',
  made: 'you made a monitor on',
  named: 'a rule notifies you of',
} as const;

function reasonOf(reach: IncidentReach, { resourceId, how }: Tie): string[] {
  const clause = clauses[how];
  if (resourceId === reach.target.id) {
    return [`${clause.slice(0, 1).toUpperCase()}${clause.slice(1)} it.`];
  }
  const below = reach.below.find(({ id }) => id === resourceId);
  if (below) return [`Upstream of ${below.title}, which ${clause}.`];
  const above = reach.above.find(({ id }) => id === resourceId);
  return above ? [`Downstream of ${above.title}, which ${clause}.`] : [];
}

function aboutOf({ incident: { id, monitorId, targetId, rootId }, origin }: Story) {
  const link = origin === null ? {} : { link: `${origin}/incidents/${id}` };
  const thread = rootId === null ? {} : { thread: rootId };
  return { incident: id, monitor: monitorId, target: targetId, ...link, ...thread };
}

const has = (resources: readonly Reached[], id: string) => resources.some((one) => one.id === id);
const placeOf = ({ kind, title }: Reached) => `On the ${kind} ${title}.`;
const numberOf = ({ count, isMore }: IncidentReach) => `${isMore ? 'at least ' : ''}${count}`;

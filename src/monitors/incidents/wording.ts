// What is said of an incident: to channels, to programs, and to each person as they may see.

import type { Incident, Monitor } from '../../generated/prisma/client.ts';
import type { NotificationContent } from '../../notifications/outbox/outbox.ts';
import type { Tie } from '../../notifications/watcher.ts';
import type { IncidentReach, Reached } from './concern.ts';

/** An incident that people are notified of. */
export interface Story {
  readonly incident: Incident;
  readonly monitor: Pick<Monitor, 'id' | 'name' | 'metricType'>;
  readonly reach: IncidentReach;
}

/** Reasons why somebody is notified that are named at most. */
const maxReasons = 5;
const over = 'This is over: the incident is resolved.';

/** What a channel or an address is sent when an incident opens. */
export function openingFor({ incident, monitor, reach }: Story): NotificationContent {
  const { target, below, count } = reach;
  const titles = below.slice(0, 3).map(({ title }) => title);
  const others = count > titles.length ? ' and others' : '';
  const lines = [placeOf(target)];
  if (count > 0) {
    lines.push(`Downstream: ${numberOf(reach)}, such as ${titles.join(', ')}${others}.`);
  }
  return { title: monitor.name, text: incident.summary, lines, ...aboutOf(incident) };
}

/** What is sent at the end where nothing was sent at the beginning. */
export function endingFor({ incident, monitor }: Story): NotificationContent {
  return { title: monitor.name, text: over, ...aboutOf(incident) };
}

/** What is said in the end to those who were notified in the beginning. */
export function endingAfter(opening: NotificationContent): NotificationContent {
  const { lines: _, ...said } = opening;
  return { ...said, text: over };
}

/**
 * What a person is sent who is tied to some of what the incident concerns. Who may not see the target
 * is told that something is wrong around what is theirs, and not what.
 */
export function openingForPerson(
  story: Story,
  ties: readonly Tie[],
  seesTarget: boolean,
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
      text: 'A monitor opened an incident there, on something that you may not see.',
      lines: reasons,
      ...(own ? { resources: [own.id] } : {}),
    };
  }
  const lines = [placeOf(reach.target), ...reasons];
  if (reach.count > 0) lines.push(`Downstream: ${numberOf(reach)}.`);
  return { title: monitor.name, text: incident.summary, lines, ...aboutOf(incident) };
}

/** What a webhook is sent, as data. */
export function dataOf({ incident, monitor, reach }: Story) {
  const { id, name, summary, status, severity, value } = incident;
  const { firstSeenAt, lastSeenAt, resolvedAt, resolveReason } = incident;
  const shown = ({ id, kind, title }: Reached) => ({ id, kind, title });
  return {
    incident: {
      ...{ id, name, summary, status, severity, value },
      ...{ firstSeenAt, lastSeenAt, resolvedAt, resolveReason },
    },
    monitor: { id: monitor.id, name: monitor.name, metricType: monitor.metricType },
    target: shown(reach.target),
    downstream: { count: reach.count, nearest: reach.below.map(shown) },
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
  if (below) return [`It is upstream of ${below.title}, which ${clause}.`];
  const above = reach.above.find(({ id }) => id === resourceId);
  return above ? [`It is downstream of ${above.title}, which ${clause}.`] : [];
}

function aboutOf({ id, monitorId, targetId }: Incident) {
  return { incident: id, monitor: monitorId, target: targetId };
}

const has = (resources: readonly Reached[], id: string) => resources.some((one) => one.id === id);
const placeOf = ({ kind, title }: Reached) => `On the ${kind} ${title}.`;
const numberOf = ({ count, isMore }: IncidentReach) => `${isMore ? 'at least ' : ''}${count}`;

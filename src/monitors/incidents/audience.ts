// In charge of whom an incident's beginning and end are told, each on one way once.

import { maySee } from '../../auth/permission.ts';
import type { NotificationRule } from '../../generated/prisma/client.ts';
import type { Event } from '../../notifications/event.ts';
import type { Named } from '../../notifications/named.ts';
import type {
  NewNotification,
  NotificationContent,
  Way,
} from '../../notifications/outbox/outbox.ts';
import { waysOfPerson } from '../../notifications/person.ts';
import { meets, type Standing, waysOfRule } from '../../notifications/rule-way.ts';
import type { Watcher } from '../../notifications/watcher.ts';
import type { Reach, Reached } from './concern.ts';
import {
  dataOf,
  endingAfter,
  endingFor,
  openingFor,
  openingForPerson,
  type Story,
} from './wording.ts';

/** The rules that are about an incident, whom they name, and what holds for their ways. */
export interface Orders {
  readonly rules: readonly NotificationRule[];
  readonly standing: Standing;
  /** People by the id of the rule that names them. */
  readonly named: ReadonlyMap<string, readonly Named[]>;
}

/** The people that an incident's beginning concerns. */
export interface Crowd {
  readonly watchers: readonly Watcher[];
  /** Those of them who may see the target. */
  readonly seeing: ReadonlySet<string>;
}

/** What is told of an incident's beginning: to people first, who are told as they may see. */
export function openings(
  story: Story,
  chatChannel: string | null,
  crowd: Crowd,
  orders: Orders,
  now: Date,
): NewNotification[] {
  const told = new Mail(story, 'incident_opened', now);
  for (const [userId, watched] of byUser(crowd.watchers)) {
    const content = openingForPerson(story, watched, crowd.seeing.has(userId));
    const [person] = watched;
    for (const way of person ? waysOfPerson(person) : []) {
      told.add(way, { ...content, withEnd: true });
    }
  }
  for (const { rule, person, content } of openingsForNamed(story, orders)) {
    const withEnd = tellsOfEnd(rule);
    for (const way of waysOfPerson(person)) told.add(way, { ...content, withEnd });
  }
  const content = openingFor(story);
  if (chatChannel)
    told.add({ channel: 'chat', address: chatChannel }, { ...content, withEnd: true });
  for (const rule of orders.rules) {
    const withEnd = tellsOfEnd(rule);
    for (const way of waysOfRule(rule, orders.standing)) told.add(way, { ...content, withEnd });
  }
  told.addListening(orders.standing, content);
  return told.all();
}

/** A way on which an incident's beginning was told, and what was said. */
export interface Heard extends Way {
  readonly content: NotificationContent;
}

/**
 * What is told of an incident's end: to who heard of its beginning, and where a rule says so. Whom a
 * rule names is not told of what they did.
 */
export function endings(
  story: Story,
  heard: readonly Heard[],
  orders: Orders,
  by: string,
  now: Date,
): NewNotification[] {
  const told = new Mail(story, 'incident_resolved', now);
  for (const { channel, address, content } of heard) {
    // What programs hear of they say for each event.
    if (channel === 'webhook' || content.withEnd === false) continue;
    told.add({ channel, address }, endingAfter(content));
  }
  for (const { person, content } of openingsForNamed(story, orders)) {
    if (person.userId === by) continue;
    for (const way of waysOfPerson(person)) told.add(way, endingAfter(content));
  }
  const content = endingFor(story);
  for (const rule of orders.rules) {
    for (const way of waysOfRule(rule, orders.standing)) told.add(way, content);
  }
  told.addListening(orders.standing, content);
  return told.all();
}

/** Whether a rule is about an incident that reaches so far. */
export function concerns(rule: NotificationRule, reach: Reach): boolean {
  return metBy(rule, reach).length > 0;
}

/** Those by which a rule is about an incident: its target, and what that feeds. */
function metBy(rule: NotificationRule, { target, near, around, below }: Reach): Reached[] {
  const isNear =
    near.some((resource) => meets(rule, resource)) ||
    around.some(({ id }) => rule.resourceIds.includes(id));
  return [
    ...(isNear ? [target] : []),
    ...(rule.upstream ? below.filter((resource) => meets(rule, resource)) : []),
  ];
}

const tellsOfEnd = ({ events }: NotificationRule) => events.includes('incident_resolved');

/** What those hear whom rules name. Who sees nothing of what a rule is about hears nothing by it. */
function openingsForNamed(story: Story, { rules, named }: Orders) {
  const { target, near } = story.reach;
  return rules.flatMap((rule) => {
    const met = metBy(rule, story.reach);
    return (named.get(rule.id) ?? []).flatMap((person) => {
      // A column is told of with its table.
      const seesTarget = near.every((resource) => maySee(person, resource));
      const ties = met
        .filter((resource) => (resource === target ? seesTarget : maySee(person, resource)))
        .map(({ id }) => ({ resourceId: id, how: 'named' }) as const);
      if (!seesTarget && ties.length === 0) return [];
      return [{ rule, person, content: openingForPerson(story, ties, seesTarget) }];
    });
  });
}

function byUser(watchers: readonly Watcher[]): Map<string, Watcher[]> {
  const users = new Map<string, Watcher[]>();
  for (const watcher of watchers) {
    users.set(watcher.userId, [...(users.get(watcher.userId) ?? []), watcher]);
  }
  return users;
}

/** What is told of an event, once on each way: the first to say something on a way is heard. */
class Mail {
  readonly #told = new Map<string, NewNotification>();

  constructor(
    private readonly story: Story,
    private readonly event: Event,
    private readonly now: Date,
  ) {}

  add(way: Way, content: NotificationContent): void {
    const { id } = this.story.incident;
    const dedupeKey = `${id}:${this.event}:${way.channel}:${way.address.toLowerCase()}`;
    const before = this.#told.get(dedupeKey);
    const withEnd = (before?.content.withEnd ?? false) || content.withEnd !== false;
    const said = { ...(before?.content ?? content), withEnd };
    const { event } = this;
    const body = way.channel === 'webhook' ? { body: this.#body() } : {};
    const about = { dedupeKey, event, incidentId: id, content: said };
    const { channel, address } = before ?? way;
    this.#told.set(dedupeKey, { channel, address, ...about, ...body });
  }

  addListening({ listening }: Standing, content: NotificationContent): void {
    for (const address of listening) this.add({ channel: 'webhook', address }, content);
  }

  all(): NewNotification[] {
    return [...this.#told.values()];
  }

  #body(): string {
    const data = dataOf(this.story);
    return JSON.stringify({ type: this.event, timestamp: this.now, data });
  }
}

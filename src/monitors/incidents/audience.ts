// Who is notified when an incident opens and ends, once at each destination.

import { maySee } from '../../auth/permission.ts';
import type { NotificationRule } from '../../generated/prisma/client.ts';
import type { Event } from '../../notifications/event.ts';
import type { NamedPerson } from '../../notifications/named.ts';
import type {
  Destination,
  NewNotification,
  NotificationContent,
} from '../../notifications/outbox/outbox.ts';
import { destinationsOfPerson } from '../../notifications/person.ts';
import {
  type DestinationStates,
  destinationsOfRule,
  meets,
} from '../../notifications/rule-destinations.ts';
import type { Tie, Watcher } from '../../notifications/watcher.ts';
import { foldedAddress } from '../../people/mail-address.ts';
import type { IncidentReach, Reached } from './concern.ts';
import {
  dataOf,
  endingAfter,
  endingFor,
  openingFor,
  openingForPerson,
  type Story,
} from './wording.ts';

/** The rules that are about an incident, whom they name, and what holds for their destinations. */
export interface Orders {
  readonly rules: readonly NotificationRule[];
  readonly standing: DestinationStates;
  /** People by the id of the rule that names them. */
  readonly named: ReadonlyMap<string, readonly NamedPerson[]>;
}

/** The people that an incident's beginning concerns. */
export interface Crowd {
  readonly watchers: readonly Watcher[];
  /** Those of them who may see the target. */
  readonly seeing: ReadonlySet<string>;
}

/** One who is notified of an incident's beginning. */
export interface Addressee {
  readonly destination: Destination;
  /** Whether they are notified of its end as well. */
  readonly withEnd: boolean;
  /** What ties a person to the incident, and whether they may see its target; null for all else. */
  readonly person: {
    readonly userId: string;
    readonly ties: readonly Tie[];
    readonly seesTarget: boolean;
  } | null;
}

/** Who is notified of an incident's beginning: people first. One destination may be there several times. */
export function addresseesOf(
  reach: IncidentReach,
  chatChannel: string | null,
  crowd: Crowd,
  orders: Orders,
): Addressee[] {
  const others = (destinations: readonly Destination[], withEnd: boolean) =>
    destinations.map((destination) => ({ destination, withEnd, person: null }));
  const watching = [...byUser(crowd.watchers)].flatMap(([userId, ties]) => {
    const person = { userId, ties, seesTarget: crowd.seeing.has(userId) };
    const [first] = ties;
    return (first ? destinationsOfPerson(first) : []).map((destination) => ({
      ...{ destination, person, withEnd: true },
    }));
  });
  const named = namedTies(reach, orders).flatMap(({ rule, person, ties, seesTarget }) =>
    destinationsOfPerson(person).map((destination) => ({
      ...{ destination, withEnd: notifiesOfEnd(rule) },
      person: { userId: person.userId, ties, seesTarget },
    })),
  );
  const chat = chatChannel ? [{ channel: 'chat', address: chatChannel } as const] : [];
  const listening = orders.standing.listening.map(
    (address) => ({ channel: 'webhook', address }) as const,
  );
  return [
    ...watching,
    ...named,
    ...others(chat, true),
    ...orders.rules.flatMap((rule) =>
      others(destinationsOfRule(rule, orders.standing), notifiesOfEnd(rule)),
    ),
    ...others(listening, true),
  ];
}

/** What is notified of an incident's beginning: to people as they may see. */
export function openings(
  story: Story,
  chatChannel: string | null,
  crowd: Crowd,
  orders: Orders,
  now: Date,
): NewNotification[] {
  const mail = new Mail(story, 'incident_opened', now);
  for (const addressee of addresseesOf(story.reach, chatChannel, crowd, orders)) {
    const { destination, withEnd, person } = addressee;
    const content = person ? contentFor(story, person) : openingFor(story);
    mail.add(destination, { ...content, withEnd });
  }
  return mail.all();
}

/** A destination that was notified when an incident opened, and what was said there. */
export interface Notified extends Destination {
  readonly content: NotificationContent;
}

/**
 * The notifications of an incident's end, or of its going on: to those who were notified of its opening, and where a
 * rule says so. Whom a rule names is not notified of what they did.
 */
export function endings(
  story: Story,
  event: 'incident_reopened' | 'incident_resolved',
  notified: readonly Notified[],
  orders: Orders,
  by: string,
  now: Date,
): NewNotification[] {
  const mail = new Mail(story, event, now);
  for (const { channel, address, content } of notified) {
    // Programs choose their events one by one.
    if (channel === 'webhook' || content.withEnd === false) continue;
    mail.add({ channel, address }, endingAfter(story, content));
  }
  for (const { person, ties, seesTarget } of namedTies(story.reach, orders)) {
    if (person.userId === by) continue;
    const content = contentFor(story, { userId: person.userId, ties, seesTarget });
    for (const destination of destinationsOfPerson(person))
      mail.add(destination, endingAfter(story, content));
  }
  const content = endingFor(story);
  for (const rule of orders.rules) {
    for (const destination of destinationsOfRule(rule, orders.standing))
      mail.add(destination, content);
  }
  mail.addListening(orders.standing, content);
  return mail.all();
}

function contentFor(
  story: Story,
  { userId, ties, seesTarget }: NonNullable<Addressee['person']>,
): NotificationContent {
  return { ...openingForPerson(story, ties, seesTarget), userId };
}

/** Whether a rule is about an incident that reaches so far. */
export function concerns(rule: NotificationRule, reach: IncidentReach): boolean {
  return metBy(rule, reach).length > 0;
}

/** Those by which a rule is about an incident: its target, and what that feeds. */
function metBy(rule: NotificationRule, { target, near, around, below }: IncidentReach): Reached[] {
  const isNear =
    near.some((resource) => meets(rule, resource)) ||
    around.some(({ id }) => rule.resourceIds.includes(id));
  return [
    ...(isNear ? [target] : []),
    ...(rule.upstream ? below.filter((resource) => meets(rule, resource)) : []),
  ];
}

const notifiesOfEnd = ({ events }: NotificationRule) => events.includes('incident_resolved');

/** How those are tied to an incident whom rules name. Anyone who sees nothing of what a rule is about is not notified by it. */
function namedTies(reach: IncidentReach, { rules, named }: Orders) {
  const { target, near } = reach;
  return rules.flatMap((rule) => {
    const met = metBy(rule, reach);
    return (named.get(rule.id) ?? []).flatMap((person) => {
      // A column counts with its table.
      const seesTarget = near.every((resource) => maySee(person, resource));
      const ties = met
        .filter((resource) => (resource === target ? seesTarget : maySee(person, resource)))
        .map(({ id }) => ({ resourceId: id, how: 'named' }) as const);
      if (!seesTarget && ties.length === 0) return [];
      return [{ rule, person, ties, seesTarget }];
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

/** The notifications of an event, one for each destination: the first that is added for one is sent. */
class Mail {
  readonly #notifications = new Map<string, NewNotification>();

  constructor(
    private readonly story: Story,
    private readonly event: Event,
    private readonly now: Date,
  ) {}

  add(destination: Destination, content: NotificationContent): void {
    const { id } = this.story.incident;
    const { reopenings } = this.story;
    // Each time that it is opened again there is something new to say.
    const turn = reopenings === 0 ? this.event : `${this.event}:${reopenings}`;
    const dedupeKey = `${id}:${turn}:${destination.channel}:${foldedAddress(destination.address)}`;
    const before = this.#notifications.get(dedupeKey);
    const withEnd = (before?.content.withEnd ?? false) || content.withEnd !== false;
    const said = { ...(before?.content ?? content), withEnd };
    const { event } = this;
    const body = destination.channel === 'webhook' ? { body: this.#body() } : {};
    const about = { dedupeKey, event, incidentId: id, content: said };
    const { channel, address } = before ?? destination;
    this.#notifications.set(dedupeKey, { channel, address, ...about, ...body });
  }

  addListening({ listening }: DestinationStates, content: NotificationContent): void {
    for (const address of listening) this.add({ channel: 'webhook', address }, content);
  }

  all(): NewNotification[] {
    return [...this.#notifications.values()];
  }

  #body(): string {
    const data = dataOf(this.story);
    return JSON.stringify({ type: this.event, timestamp: this.now, data });
  }
}

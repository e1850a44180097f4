// Who is notified when an incident opens and ends, once at each destination.

import { maySee } from '../../auth/permission.ts';
import type { Monitor } from '../../generated/prisma/client.ts';
import { earliest } from '../../notifications/business-hours.ts';
import type { Event } from '../../notifications/event.ts';
import type { NamedPerson } from '../../notifications/named.ts';
import type {
  Destination,
  NewNotification,
  NotificationContent,
} from '../../notifications/outbox/outbox.ts';
import { destinationsOfPerson } from '../../notifications/person.ts';
import type { ActiveRule } from '../../notifications/rule.ts';
import {
  type DestinationStates,
  destinationsOfRule,
  meets,
} from '../../notifications/rule-destinations.ts';
import type { Watcher } from '../../notifications/watcher.ts';
import { foldedAddress } from '../../people/mail-address.ts';
import type { IncidentReach, Reached } from './concern.ts';
import {
  type Concern,
  dataOf,
  endingAfter,
  endingFor,
  openingFor,
  openingForPerson,
  type Story,
} from './wording.ts';

/** The rules that are about an incident, whom they name, and what holds for their destinations. */
export interface Orders {
  readonly rules: readonly ActiveRule[];
  readonly standing: DestinationStates;
  /** People by the id of the rule that names them. */
  readonly named: ReadonlyMap<string, readonly NamedPerson[]>;
}

/** The people that an incident's beginning concerns. */
export interface Crowd {
  readonly watchers: readonly Watcher[];
  /** Those of them who may see the target. */
  readonly seeing: ReadonlySet<string>;
  /** Those of them who may see all that is nearest downstream, and so may know whose it is. */
  readonly seeingBelow: ReadonlySet<string>;
  /** Those of them who may see a dashboard downstream, by its id. */
  readonly seeingDashboards: ReadonlyMap<string, ReadonlySet<string>>;
}

/** One who is notified of an incident's beginning. */
export interface Addressee {
  readonly destination: Destination;
  /** Whether they are notified of its end as well. */
  readonly withEnd: boolean;
  /** The rule by which it is notified; null where it is anyway. */
  readonly rule: ActiveRule | null;
  /** What ties a person to the incident, and whether they may see its target; null for all else. */
  readonly person: (Concern & { readonly userId: string }) | null;
}

/** Who is notified of an incident's beginning: people first. One destination may be there several times. */
export function addresseesOf(
  reach: IncidentReach,
  chatChannel: string | null,
  crowd: Crowd,
  orders: Orders,
): Addressee[] {
  const others = (destinations: readonly Destination[], rule: ActiveRule | null = null) => {
    const withEnd = rule === null || notifiesOfEnd(rule);
    return destinations.map((destination) => ({ destination, withEnd, rule, person: null }));
  };
  const watching = [...byUser(crowd.watchers)].flatMap(([userId, ties]) => {
    const [first] = ties;
    const person = {
      ...{ userId, ties, seesTarget: crowd.seeing.has(userId) },
      dashboards: reach.dashboards.filter(({ id }) => crowd.seeingDashboards.get(id)?.has(userId)),
      knowsOwners: first?.knowsPeople === true && crowd.seeingBelow.has(userId),
    };
    return (first ? destinationsOfPerson(first) : []).map((destination) => ({
      ...{ destination, person, withEnd: true, rule: null },
    }));
  });
  const named = namedTies(reach, orders).flatMap(({ rule, person, concern }) =>
    destinationsOfPerson(person).map((destination) => ({
      ...{ destination, withEnd: notifiesOfEnd(rule), rule },
      person: { userId: person.userId, ...concern },
    })),
  );
  const chat = chatChannel ? [{ channel: 'chat', address: chatChannel } as const] : [];
  const listening = orders.standing.listening.map(
    (address) => ({ channel: 'webhook', address }) as const,
  );
  return [
    ...watching,
    ...named,
    ...others(chat),
    ...orders.rules.flatMap((rule) => others(destinationsOfRule(rule, orders.standing), rule)),
    ...others(listening),
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
    const { destination, withEnd, person, rule } = addressee;
    const content = person ? contentFor(story, person) : openingFor(story);
    mail.add(destination, { ...content, withEnd }, rule);
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
    const only = orders.rules.filter(({ id }) => content.byRules?.includes(id));
    mail.addOf({ channel, address }, endingAfter(story, content), only);
  }
  for (const { rule, person, concern } of namedTies(story.reach, orders)) {
    if (person.userId === by) continue;
    const content = contentFor(story, { userId: person.userId, ...concern });
    for (const destination of destinationsOfPerson(person))
      mail.add(destination, endingAfter(story, content), rule);
  }
  const content = endingFor(story);
  for (const rule of orders.rules) {
    for (const destination of destinationsOfRule(rule, orders.standing))
      mail.add(destination, content, rule);
  }
  mail.addListening(orders.standing, content);
  return mail.all();
}

function contentFor(
  story: Story,
  { userId, ...concern }: NonNullable<Addressee['person']>,
): NotificationContent {
  return { ...openingForPerson(story, concern), userId };
}

/** Whether a rule asks for the incidents of a monitor, of a severity where that is known, and for its failures. */
export function asksFor(
  { metricTypes, monitorIds, severities }: ActiveRule,
  { id, metricType }: Pick<Monitor, 'id' | 'metricType'>,
  severity?: string,
): boolean {
  const isOf = (list: readonly string[], one: string | undefined) =>
    one === undefined || list.length === 0 || list.includes(one);
  return isOf(metricTypes, metricType) && isOf(monitorIds, id) && isOf(severities, severity);
}

/** Whether a rule is about an incident that reaches so far. */
export function concerns(rule: ActiveRule, reach: IncidentReach): boolean {
  return metBy(rule, reach).length > 0;
}

/** Those by which a rule is about an incident: its target, and what that feeds. */
function metBy(rule: ActiveRule, { target, near, around, below }: IncidentReach): Reached[] {
  const isNear =
    near.some((resource) => meets(rule, resource)) ||
    around.some(({ id }) => rule.resourceIds.includes(id));
  return [
    ...(isNear ? [target] : []),
    ...(rule.upstream ? below.filter((resource) => meets(rule, resource)) : []),
  ];
}

const notifiesOfEnd = ({ events }: ActiveRule) => events.includes('incident_resolved');

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
      const dashboards = reach.dashboards.filter((one) => maySee(person, one));
      const knowsOwners = person.knowsPeople && reach.below.every((one) => maySee(person, one));
      return [{ rule, person, concern: { ties, seesTarget, dashboards, knowsOwners } }];
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

/** The rules with hours by which alone a destination is notified: none where something else does, too. */
function boundBy(before: NewNotification | undefined, rules: readonly ActiveRule[]): string[] {
  const isBound = rules.length > 0 && rules.every(({ hoursFrom }) => hoursFrom !== null);
  const known = before?.content.byRules;
  if (!isBound || (before && known === undefined)) return [];
  return [...new Set([...(known ?? []), ...rules.map(({ id }) => id)])];
}

/** The notifications of an event, one for each destination: the first that is added for one is sent. */
class Mail {
  readonly #notifications = new Map<string, NewNotification>();

  constructor(
    private readonly story: Story,
    private readonly event: Event,
    private readonly now: Date,
  ) {}

  /** To a destination that a rule names, or that is notified anyway. */
  add(destination: Destination, content: NotificationContent, rule: ActiveRule | null): void {
    this.addOf(destination, content, rule === null ? [] : [rule]);
  }

  /** To a destination that is notified by these rules alone, or anyway where there are none. */
  addOf(
    destination: Destination,
    content: NotificationContent,
    rules: readonly ActiveRule[],
  ): void {
    const { id } = this.story.incident;
    const { reopenings } = this.story;
    // Each time that it is opened again there is something new to say.
    const turn = reopenings === 0 ? this.event : `${this.event}:${reopenings}`;
    const dedupeKey = `${id}:${turn}:${destination.channel}:${foldedAddress(destination.address)}`;
    const before = this.#notifications.get(dedupeKey);
    const withEnd = (before?.content.withEnd ?? false) || content.withEnd !== false;
    const { byRules: _, ...words } = before?.content ?? content;
    const byRules = boundBy(before, rules);
    const said = { ...words, withEnd, ...(byRules.length > 0 ? { byRules } : {}) };
    const waits = rules.map((rule) => rule.held);
    const held = earliest(before ? [before.held ?? null, ...waits] : waits);
    const { event } = this;
    // Mail alone shows pictures, of what its reader may see.
    const isDrawn = destination.channel === 'email' && said.target && event !== 'incident_resolved';
    const drawn = isDrawn ? { chart: this.story.chart } : {};
    const body = destination.channel === 'webhook' ? { body: this.#body() } : {};
    const about = { dedupeKey, event, incidentId: id, content: { ...said, ...drawn }, held };
    const { channel, address } = before ?? destination;
    this.#notifications.set(dedupeKey, { channel, address, ...about, ...body });
  }

  addListening({ listening }: DestinationStates, content: NotificationContent): void {
    for (const address of listening) this.add({ channel: 'webhook', address }, content, null);
  }

  all(): NewNotification[] {
    return [...this.#notifications.values()];
  }

  #body(): string {
    const data = dataOf(this.story);
    return JSON.stringify({ type: this.event, timestamp: this.now, data });
  }
}

// Notifies of changes: what was noted of a workspace is taken, put together, and sent once.

import { maySee, type Sees } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { type NotificationRule, Prisma } from '../../generated/prisma/client.ts';
import type { Run } from '../../jobs/run.ts';
import { foldedAddress } from '../../people/mail-address.ts';
import { earliest, type Held } from '../business-hours.ts';
import { namedBy } from '../named.ts';
import { type Destination, type NewNotification, post } from '../outbox/outbox.ts';
import { destinationsOfPerson, type Person } from '../person.ts';
import { type ActiveRule, rulesFor } from '../rule.ts';
import { destinationsOfRule, meets, standingOf } from '../rule-destinations.ts';
import { watchersOf } from '../watcher.ts';
import { bodiesOf, type ChangedResource, type Noted, wordsFor } from './wording.ts';

/** Changes that are sent together at most; more are sent after them. */
const batch = 50_000;

/** Notify of what was noted. It is taken away, sent, and the job ended, in one transaction. */
export async function runGather({ ctx, complete }: Run): Promise<unknown> {
  return transaction(ctx, async (tx) => {
    const taken = await take(tx);
    const places = await placesOf(tx, taken);
    // Of what is gone for good there is nothing to be sent.
    const noted = taken.filter(({ resourceId }) => places.has(resourceId));
    const [first] = noted;
    const orders = await ordersFor(tx, places);
    const notifications = first
      ? [
          ...(await toPeople(tx, noted, places, orders)),
          ...(await toOthers(tx, noted, places, orders)),
        ]
      : [];
    const key = `changes:${first?.id}`;
    await post(
      tx,
      notifications.map((one) => ({ ...one, dedupeKey: `${key}:${one.dedupeKey}` })),
    );
    const result = { changes: taken.length, notified: notifications.length };
    await complete(tx, result);
    return result;
  });
}

async function take(tx: Context): Promise<Noted[]> {
  const taken = await rows<Noted>(
    tx,
    Prisma.sql`with taken as (
        delete from resource_change c using (
          select workspace_id, id from resource_change
          where workspace_id = ${tx.workspaceId}::uuid order by id limit ${batch} for update) t
        where c.workspace_id = t.workspace_id and c.id = t.id returning c.*)
      select t.id, t.resource_id as "resourceId", t.what, t.before, t.after,
        t.actor_id as "actorId", t.integration_id as "integrationId", t.noted_at as "notedAt",
        coalesce(nullif(btrim(u.first_name || ' ' || u.last_name), ''), u.email) as "actorName"
      from taken t left join user_account u
        on u.workspace_id = t.workspace_id and u.id = t.actor_id
      order by t.id`,
  );
  return taken;
}

async function placesOf(
  tx: Context,
  noted: readonly Noted[],
): Promise<Map<string, ChangedResource>> {
  const ids = [...new Set(noted.map(({ resourceId }) => resourceId))];
  const found = await rows<ChangedResource>(
    tx,
    Prisma.sql`select r.id, r.kind, r.title, r.title_full as "titleFull",
        r.tag_ids as "tagIds", r.team_ids as "teamIds", r.published,
        case when r.kind = 'column' then p.id end as "tableId", p.title_full as "tableTitle",
        coalesce(p.tag_ids, '{}') as "tableTagIds", coalesce(p.team_ids, '{}') as "tableTeamIds",
        coalesce(p.published, false) as "tablePublished"
      from resource r left join resource p on r.kind = 'column' and p.kind = 'table'
        and p.workspace_id = r.workspace_id and p.id = r.parent_id
      where r.workspace_id = ${tx.workspaceId}::uuid and r.id = any(${ids}::uuid[])`,
  );
  return new Map(found.map((place) => [place.id, place]));
}

/** A rule that asks for some changes, and the resources that it is about. */
interface Order {
  readonly rule: ActiveRule;
  readonly ids: ReadonlySet<string>;
}

/** The rules that are about what changed. */
async function ordersFor(
  tx: Context,
  places: ReadonlyMap<string, ChangedResource>,
): Promise<Order[]> {
  const rules = await rulesFor(tx, 'resource_changed');
  const around = await aroundOf(tx, rules, places);
  return rules
    .map((rule) => {
      const met = [...places.values()].filter((place) => isMet(rule, place, around));
      return { rule, ids: new Set(met.map(({ id }) => id)) };
    })
    .filter(({ ids }) => ids.size > 0);
}

/** The changes that somebody is notified of: of what they watch, and of what rules name them for and they may see. */
interface Recipient {
  readonly person: Person;
  readonly watched: Set<string>;
  readonly named: {
    readonly viewer: Sees;
    readonly ids: ReadonlySet<string>;
    readonly held: Held | null;
  }[];
}

/** One message for each person who is notified of some of it, without what they did themselves. */
async function toPeople(
  tx: Context,
  noted: readonly Noted[],
  places: ReadonlyMap<string, ChangedResource>,
  orders: readonly Order[],
): Promise<NewNotification[]> {
  const recipients = new Map<string, Recipient>();
  const recipientOf = (person: Person) => {
    const recipient = recipients.get(person.userId) ?? { person, watched: new Set(), named: [] };
    recipients.set(person.userId, recipient);
    return recipient;
  };
  for (const watcher of await watchersOf(tx, [...places.keys()])) {
    recipientOf(watcher).watched.add(watcher.resourceId);
  }
  const people = await namedBy(
    tx,
    orders.map(({ rule }) => rule),
  );
  for (const { rule, ids } of orders) {
    for (const one of people.get(rule.id) ?? []) {
      recipientOf(one).named.push({ viewer: one.viewer, ids, held: rule.held });
    }
  }
  return [...recipients.values()].flatMap((recipient) => {
    const { person } = recipient;
    const theirs = noted.filter(({ resourceId, actorId }) => {
      const place = places.get(resourceId);
      return actorId !== person.userId && place !== undefined && concerns(recipient, place);
    });
    if (theirs.length === 0) return [];
    const { userId } = person;
    const content = { ...wordsFor(theirs, places, person.knowsPeople), userId };
    const held =
      recipient.watched.size > 0 ? null : earliest(recipient.named.map((one) => one.held));
    return destinationsOfPerson(person).map((destination) =>
      notificationFor(destination, content, held),
    );
  });
}

function concerns({ watched, named }: Recipient, place: ChangedResource): boolean {
  if (watched.has(place.id)) return true;
  return named.some(({ viewer, ids }) => ids.has(place.id) && sees(viewer, place));
}

/** Whether somebody sees a resource, and the table of a column, which is named with it. */
function sees(viewer: Sees, place: ChangedResource): boolean {
  const { tableId, tablePublished: published, tableTeamIds: teamIds } = place;
  return (
    maySee({ viewer }, place) && (tableId === null || maySee({ viewer }, { published, teamIds }))
  );
}

/** The messages of rules, and of webhooks that ask for every change: one for each destination. */
async function toOthers(
  tx: Context,
  noted: readonly Noted[],
  places: ReadonlyMap<string, ChangedResource>,
  orders: readonly Order[],
): Promise<NewNotification[]> {
  const rules = orders.map(({ rule }) => rule);
  const standing = await standingOf(tx, rules, 'resource_changed');
  const destinations = new Map<
    string,
    {
      readonly destination: Destination;
      readonly ids: Set<string>;
      readonly by: (Held | null)[];
    }
  >();
  const add = (destination: Destination, ids: Iterable<string>, held: Held | null) => {
    const key = `${destination.channel}:${foldedAddress(destination.address)}`;
    const known = destinations.get(key) ?? { destination, ids: new Set(), by: [] };
    destinations.set(key, known);
    known.by.push(held);
    for (const id of ids) known.ids.add(id);
  };
  for (const { rule, ids } of orders) {
    for (const destination of destinationsOfRule(rule, standing)) add(destination, ids, rule.held);
  }
  for (const address of standing.listening) {
    add({ channel: 'webhook', address }, places.keys(), null);
  }
  return [...destinations.values()].flatMap(({ destination, ids, by }) => {
    const theirs = noted.filter(({ resourceId }) => ids.has(resourceId));
    const content = wordsFor(theirs, places, true);
    const held = earliest(by);
    if (destination.channel !== 'webhook') return [notificationFor(destination, content, held)];
    return bodiesOf(theirs, places, tx.now()).map((body, part) => ({
      ...notificationFor(destination, content, held),
      dedupeKey: `webhook:${destination.address}:${part}`,
      body,
    }));
  });
}

function notificationFor(
  destination: Destination,
  content: NewNotification['content'],
  held: Held | null,
): NewNotification {
  const dedupeKey = `${destination.channel}:${foldedAddress(destination.address)}`;
  return { ...destination, dedupeKey, event: 'resource_changed', incidentId: null, content, held };
}

/** A rule is about a resource, about the table of a column, or about what either lies within. */
function isMet(
  rule: NotificationRule,
  place: ChangedResource,
  around: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  if (meets(rule, place)) return true;
  const { tableId, tableTagIds: tagIds, tableTeamIds: teamIds } = place;
  if (tableId !== null && meets(rule, { id: tableId, tagIds, teamIds })) return true;
  const above = around.get(place.id);
  return above !== undefined && rule.resourceIds.some((id) => above.has(id));
}

const maxLevels = 20;

/** Which of the resources that rules name each changed one lies within. */
async function aroundOf(
  tx: Context,
  rules: readonly NotificationRule[],
  places: ReadonlyMap<string, ChangedResource>,
): Promise<Map<string, Set<string>>> {
  const named = [...new Set(rules.flatMap(({ resourceIds }) => resourceIds))];
  const around = new Map<string, Set<string>>();
  if (named.length === 0) return around;
  const found = await rows<{ id: string; aroundId: string }>(
    tx,
    Prisma.sql`with recursive up(id, at, level) as (
        select r.id, r.parent_id, 1 from resource r
          where r.workspace_id = ${tx.workspaceId}::uuid
            and r.id = any(${[...places.keys()]}::uuid[]) and r.parent_id is not null
        union all
        select u.id, p.parent_id, u.level + 1 from up u
          join resource p on p.workspace_id = ${tx.workspaceId}::uuid and p.id = u.at
          where p.parent_id is not null and u.level < ${maxLevels})
      select id, at as "aroundId" from up where at = any(${named}::uuid[])`,
  );
  for (const { id, aroundId } of found) {
    around.set(id, (around.get(id) ?? new Set()).add(aroundId));
  }
  return around;
}

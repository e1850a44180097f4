// In charge of telling of changes: what was noted of a workspace is taken, put together, and told once.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { type NotificationRule, Prisma } from '../generated/prisma/client.ts';
import type { Run } from '../jobs/run.ts';
import { bodiesOf, type Noted, type Place, wordsFor } from './change-words.ts';
import { type NewNotification, post, type Way } from './outbox.ts';
import { rulesFor } from './rule.ts';
import { meets, standingOf, waysOfRule } from './rule-way.ts';
import { type Watcher, watchersOf } from './watcher.ts';

/** Changes that are told together at most; more are told after them. */
const batch = 50_000;

/** Tell what was noted. It is taken away, told, and the job ended, in one transaction. */
export async function runGather({ ctx, complete }: Run): Promise<unknown> {
  return transaction(ctx, async (tx) => {
    const taken = await take(tx);
    const places = await placesOf(tx, taken);
    // Of what is gone for good there is nothing to be told.
    const noted = taken.filter(({ resourceId }) => places.has(resourceId));
    const [first] = noted;
    const told = first
      ? [...(await toPeople(tx, noted, places)), ...(await toOthers(tx, noted, places))]
      : [];
    const key = `changes:${first?.id}`;
    await post(
      tx,
      told.map((one) => ({ ...one, dedupeKey: `${key}:${one.dedupeKey}` })),
    );
    const result = { changes: taken.length, told: told.length };
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

async function placesOf(tx: Context, noted: readonly Noted[]): Promise<Map<string, Place>> {
  const ids = [...new Set(noted.map(({ resourceId }) => resourceId))];
  const found = await rows<Place>(
    tx,
    Prisma.sql`select r.id, r.kind, r.title, r.title_full as "titleFull",
        r.tag_ids as "tagIds", r.team_ids as "teamIds",
        case when r.kind = 'column' then p.id end as "tableId", p.title_full as "tableTitle",
        coalesce(p.tag_ids, '{}') as "tableTagIds", coalesce(p.team_ids, '{}') as "tableTeamIds"
      from resource r left join resource p on r.kind = 'column' and p.kind = 'table'
        and p.workspace_id = r.workspace_id and p.id = r.parent_id
      where r.workspace_id = ${tx.workspaceId}::uuid and r.id = any(${ids}::uuid[])`,
  );
  return new Map(found.map((place) => [place.id, place]));
}

type Told = NewNotification;

/** One message for each person who watches some of it, without what they did themselves. */
async function toPeople(
  tx: Context,
  noted: readonly Noted[],
  places: ReadonlyMap<string, Place>,
): Promise<Told[]> {
  const watchers = new Map<string, Watcher[]>();
  for (const watcher of await watchersOf(tx, [...places.keys()])) {
    watchers.set(watcher.resourceId, [...(watchers.get(watcher.resourceId) ?? []), watcher]);
  }
  const people = new Map<string, { readonly watcher: Watcher; readonly noted: Noted[] }>();
  for (const change of noted) {
    for (const watcher of watchers.get(change.resourceId) ?? []) {
      if (watcher.userId === change.actorId) continue;
      const person = people.get(watcher.userId) ?? { watcher, noted: [] };
      people.set(watcher.userId, person);
      person.noted.push(change);
    }
  }
  return [...people.values()].flatMap(({ watcher, noted }) => {
    const content = wordsFor(noted, places, watcher.knowsPeople);
    const { userId, email, wantsEmail } = watcher;
    const ways: Way[] = [{ channel: 'inbox', address: userId }];
    if (wantsEmail) ways.push({ channel: 'email', address: email });
    return ways.map((way) => telling(way, content));
  });
}

/** What rules, and webhooks of their own accord, hear of it: one message on each way. */
async function toOthers(
  tx: Context,
  noted: readonly Noted[],
  places: ReadonlyMap<string, Place>,
): Promise<Told[]> {
  const rules = await rulesFor(tx, 'resource_changed');
  const standing = await standingOf(tx, rules, 'resource_changed');
  const around = await aroundOf(tx, rules, places);
  const ways = new Map<string, { readonly way: Way; readonly ids: Set<string> }>();
  const add = (way: Way, ids: Iterable<string>) => {
    const key = `${way.channel}:${way.address.toLowerCase()}`;
    const known = ways.get(key) ?? { way, ids: new Set() };
    ways.set(key, known);
    for (const id of ids) known.ids.add(id);
  };
  for (const rule of rules) {
    const met = [...places.values()].filter((place) => isMet(rule, place, around)).map(idOf);
    if (met.length > 0) for (const way of waysOfRule(rule, standing)) add(way, met);
  }
  for (const address of standing.listening) add({ channel: 'webhook', address }, places.keys());
  return [...ways.values()].flatMap(({ way, ids }) => {
    const theirs = noted.filter(({ resourceId }) => ids.has(resourceId));
    const content = wordsFor(theirs, places, true);
    if (way.channel !== 'webhook') return [telling(way, content)];
    return bodiesOf(theirs, places, tx.now()).map((body, part) => ({
      ...telling(way, content),
      dedupeKey: `webhook:${way.address}:${part}`,
      body,
    }));
  });
}

const idOf = ({ id }: Place) => id;

function telling(way: Way, content: NewNotification['content']): Told {
  const dedupeKey = `${way.channel}:${way.address.toLowerCase()}`;
  return { ...way, dedupeKey, event: 'resource_changed', incidentId: null, content };
}

/** A rule is about a resource, about the table of a column, or about what either lies within. */
function isMet(
  rule: NotificationRule,
  place: Place,
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
  places: ReadonlyMap<string, Place>,
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

// Notifies of incidents: asked for with what happens, worked out in the background.

import { serverViewer } from '../../auth/viewer.ts';
import type { Context, ServerContext } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { type Incident, Prisma } from '../../generated/prisma/client.ts';
import { enqueueJob } from '../../jobs/job.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { Run } from '../../jobs/run.ts';
import { type NewNotification, post } from '../../notifications/outbox/outbox.ts';
import { mayRead } from '../../notifications/watcher.ts';
import { folded } from '../../people/mail-address.ts';
import { endings, type Notified, openings } from './audience.ts';
import { hasWatchedAbove, isStillOf, joinCause, unheard } from './cause.ts';
import { lookAroundEach, noOrders, ordersFor } from './crowd.ts';
import { rateIncident } from './severity.ts';
import { type Announced, storyOf } from './story.ts';

/** What of an incident people are notified of, in this order. */
const turns = ['opened', 'reopened', 'resolved'] as const;
export type IncidentTurn = (typeof turns)[number];

/** The kind of job that notifies of an incident, as the first version stored it. */
export const notifyJob = 'incidents.tell' satisfies JobKind;

/** So long an incident waits for what is measured upstream at the same time, which may be its cause. */
const gatherSeconds = 5;

/** The end can't be sent before the beginning was. */
const waitSeconds = 1;

/** Notify of an incident, in the transaction that opens or ends it. */
export async function notifyOfIncident(
  tx: Context,
  { id }: Pick<Incident, 'id'>,
  turn: IncidentTurn,
): Promise<void> {
  await enqueue(tx, { incident: id, turn, by: tx.viewer.id }, 0);
}

/** Notify at once of the end of an incident that is about to go, with its monitor. */
export async function notifyOfLastEnd(
  tx: ServerContext,
  { id }: Pick<Incident, 'id'>,
): Promise<void> {
  const story = await storyOf(tx, id);
  if (story) await post(tx, await goingOn(tx, story, 'resolved', tx.viewer.id));
}

interface Payload {
  readonly incident: string;
  readonly turn: IncidentTurn;
  /** Anyone who did it is not notified. */
  readonly by: string;
  /** What is upstream has had its time to be found out of range as well. */
  readonly gathered?: boolean;
}

/** What stored jobs call the turn, since the first version: servers of two versions share a queue. */
const storedTurn = 'telling';

async function enqueue(
  tx: Context,
  { incident, turn, by, gathered = false }: Payload,
  delaySeconds: number,
): Promise<void> {
  await enqueueJob(
    { ...tx, viewer: serverViewer(tx.workspaceId) },
    {
      kind: notifyJob,
      title: 'Notify of an incident',
      payload: { incident, [storedTurn]: turn, by, ...(gathered && { gathered }) },
      dedupeKey: keyOf(incident, turn),
      priority: 80,
      delaySeconds,
    },
  );
}

const keyOf = (id: string, turn: IncidentTurn) => `${notifyJob}:${id}:${turn}`;

/** Write the notifications of an incident; all of it, and the end of the job, in one transaction. */
export async function runNotify(run: Run): Promise<unknown> {
  const { ctx, job } = run;
  const payload = payloadOf(job.payload);
  const found = payload && (await storyOf(ctx, payload.incident));
  if (!payload || !found) return { notified: 0 };
  const isEarly = await isBefore(ctx, payload);
  // A job of this key runs: the next one is made when this one has ended.
  if (isEarly) return waitFor(run, payload);
  const isFirst = payload.turn === 'opened' && !payload.gathered;
  if (isFirst && (await hasWatchedAbove(ctx, found.incident))) {
    return waitFor(run, { ...payload, gathered: true }, gatherSeconds);
  }
  // What goes on is news to those who never heard that it began, as of a monitor that was muted then.
  const isNews = payload.turn === 'reopened' && found.incident.lastNotifiedAt === null;
  const turn = isNews ? 'opened' : payload.turn;
  const story = turn === 'opened' ? await rated(ctx, found) : found;
  const { rootId } = story.incident;
  // Its thread begins with the message of the cause.
  if (rootId !== null && (await isWaiting(ctx, [keyOf(rootId, 'opened')]))) {
    return waitFor(run, { ...payload, gathered: true });
  }
  const all =
    turn === 'opened' ? await beginning(ctx, story) : await goingOn(ctx, story, turn, payload.by);
  const notifications = await unheard(ctx, story.incident, all);
  const isSent = await transaction(ctx, async (tx) => {
    if (!(await isStillOf(tx, story.incident))) return false;
    await post(tx, notifications);
    if (notifications.some(({ channel }) => channel === 'inbox')) await noteNotified(tx, payload);
    await run.complete(tx, { notified: notifications.length });
    return true;
  });
  // Its thread has joined another since it was read: it is said there.
  if (!isSent) return waitFor(run, { ...payload, gathered: true });
  return { notified: notifications.length };
}

async function rated(ctx: Context, story: Announced): Promise<Announced> {
  const { incident, reach } = story;
  const severity = await rateIncident(ctx, incident.id, reach);
  const joined = await joinCause(ctx, incident);
  return { ...story, incident: { ...joined, severity: severity ?? incident.severity } };
}

async function waitFor(
  { ctx, complete }: Run,
  payload: Payload,
  seconds = waitSeconds,
): Promise<object> {
  await transaction(ctx, async (tx) => {
    await complete(tx, { waited: true });
    await enqueue(tx, payload, seconds);
  });
  return { waited: true };
}

function payloadOf(payload: unknown): Payload | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const incident = Reflect.get(payload, 'incident');
  const by = Reflect.get(payload, 'by');
  if (typeof incident !== 'string' || typeof by !== 'string') return null;
  const stored = Reflect.get(payload, storedTurn);
  const turn = turns.find((known) => known === stored) ?? 'opened';
  return { incident, turn, by, gathered: Reflect.get(payload, 'gathered') === true };
}

/** Whether people are still to be notified of what came before. */
async function isBefore(ctx: Context, { incident: id, turn }: Payload): Promise<boolean> {
  return isWaiting(
    ctx,
    turns.slice(0, turns.indexOf(turn)).map((one) => keyOf(id, one)),
  );
}

async function isWaiting(ctx: Context, keys: readonly string[]): Promise<boolean> {
  const waiting = await rows(
    ctx,
    Prisma.sql`select 1 as one from job j where j.workspace_id = ${ctx.workspaceId}::uuid
      and j.dedupe_key = any(${[...keys]}::text[]) and j.state in ('queued', 'running')`,
  );
  return waiting.length > 0;
}

async function beginning(ctx: Context, story: Announced): Promise<NewNotification[]> {
  if (story.isMuted) return [];
  const [seen] = await lookAroundEach(ctx, [{ ...story, madeBy: story.createdById }]);
  return seen ? openings(story, story.chatChannel, seen.crowd, seen.orders, ctx.now()) : [];
}

/** What comes after the beginning: that an incident is over, or that it goes on after all. */
async function goingOn(
  ctx: Context,
  story: Announced,
  turn: 'reopened' | 'resolved',
  by: string,
): Promise<NewNotification[]> {
  const event = `incident_${turn}` as const;
  const [orders = noOrders] = await ordersFor(ctx, [story], event);
  const notified = await notifiedOf(ctx, story.incident.id, by);
  return endings(story, event, notified, orders, by, ctx.now());
}

/**
 * Those who were notified of an incident's opening are notified of its end, but for the one who ended it. Of people
 * that is asked again: who is gone by now, wants no mail, or may no longer see what it was about is left out.
 */
async function notifiedOf(ctx: Context, incidentId: string, by: string): Promise<Notified[]> {
  return rows<Notified>(
    ctx,
    Prisma.sql`select n.channel, n.content,
        case when n.channel = 'email' then coalesce(u.email, n.address) else n.address end as address
      from notification n
      left join user_account u on u.workspace_id = n.workspace_id and u.id = coalesce(
        n.content->>'userId', case when n.channel = 'inbox' then n.address end)::uuid
      where n.workspace_id = ${ctx.workspaceId}::uuid and n.incident_id = ${incidentId}::uuid
        and n.event = 'incident_opened' and n.state in ('pending', 'delivered')
        and not (n.channel = 'email' and exists (select from user_account a
          where a.workspace_id = n.workspace_id and a.id = ${by}::uuid
            and ${folded(Prisma.sql`a.email`)} = ${folded(Prisma.sql`n.address`)}))
        and case when n.channel <> 'inbox' and n.content->>'userId' is null then true
          else u.id <> ${by}::uuid and not u.archived
            and (n.channel = 'inbox' or u.email_notifications) and ${mayReadAll} end
      order by n.created_at, n.id`,
  );
}

/** Whether the user `u` may see each of the resources that the notification `n` names. */
const mayReadAll = Prisma.sql`not exists (select from resource c
  where c.workspace_id = n.workspace_id and c.id in (
    select named.id::uuid from jsonb_array_elements_text(
      coalesce(n.content->'resources', jsonb_build_array(n.content->'target'))) named(id))
  and not (${mayRead('c')}))`;

async function noteNotified(tx: Context, { incident }: Payload): Promise<void> {
  const { workspaceId } = tx;
  const lastNotifiedAt = tx.now();
  await tx.db.incident.updateMany({
    where: { workspaceId, id: incident },
    data: { lastNotifiedAt },
  });
}

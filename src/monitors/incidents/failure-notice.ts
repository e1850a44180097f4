// Notifies once that monitors can't measure, and once that they can again: by source, not by monitor.

import { serverViewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { type Monitor, Prisma } from '../../generated/prisma/client.ts';
import { enqueueJob, payloadOf } from '../../jobs/job.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { Run } from '../../jobs/run.ts';
import { groupBy } from '../../lists/group-by.ts';
import { earliest, type Held } from '../../notifications/business-hours.ts';
import {
  type NewNotification,
  type NotificationContent,
  post,
} from '../../notifications/outbox/outbox.ts';
import { destinationsOfPerson } from '../../notifications/person.ts';
import { rulesFor } from '../../notifications/rule.ts';
import { destinationsOfRule, standingOf } from '../../notifications/rule-destinations.ts';
import { makersOf, type Watcher, watchersOf } from '../../notifications/watcher.ts';
import { foldedAddress } from '../../people/mail-address.ts';
import type { Standing } from '../runs/standing.ts';
import { monitorColumns } from '../seen.ts';
import { asksFor, concerns } from './audience.ts';
import { reachOf } from './concern.ts';
import { isMuted } from './mute.ts';
import { chatOf } from './story.ts';

/** The kind of job that notifies of failures. */
export const failureJob = 'monitors.notify_failed' satisfies JobKind;

/** A monitor that failed so often, or for so long, can't measure. */
const failures = 2;
const longMs = 86_400_000;
/** Other jobs may be measuring the same source: they are one message. */
const gatherSeconds = 5;
/** Monitors that a message names. */
const mostNamed = 5;

type Turn = 'failed' | 'recovered';

interface Payload {
  readonly turn: Turn;
  /** The source of what failed; of what recovered, what it failed by. */
  readonly group: string | null;
  /** When people were notified of what recovered. */
  readonly since: string | null;
  readonly ids: readonly string[];
}

/** Ask for messages about monitors that can no longer measure, or can again, in the transaction that notes it. */
export async function notifyOfFailures(
  tx: Context,
  monitors: readonly Monitor[],
  standings: readonly Standing[],
): Promise<void> {
  const before = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  const wanted = new Map<string, Payload & { ids: string[] }>();
  for (const { id, failed_runs: runs, failed_since: from } of standings) {
    const monitor = before.get(String(id));
    if (!monitor) continue;
    const hasFailed = Number(runs) > 0;
    const notified = monitor.failureNotifiedAt;
    const isLong = from instanceof Date && tx.now().getTime() - from.getTime() >= longMs;
    const isDue = hasFailed && notified === null && (Number(runs) >= failures || isLong);
    if (!isDue && (hasFailed || notified === null)) continue;
    const turn = isDue ? 'failed' : 'recovered';
    const since = notified?.toISOString() ?? null;
    // What failed together recovers together; another source or failure is another message.
    const group = isDue ? monitor.integrationId : groupOf(monitor);
    const key = `${turn}:${group}:${since}`;
    const entry = wanted.get(key) ?? { turn, group, since, ids: [] };
    entry.ids.push(monitor.id);
    wanted.set(key, entry);
  }
  const server = { ...tx, viewer: serverViewer(tx.workspaceId) };
  for (const payload of wanted.values()) {
    const { turn, group } = payload;
    await enqueueJob(server, {
      kind: failureJob,
      title: 'Notify of monitors that cannot measure',
      payload: { ...payload },
      // One job finds all that fail by then; each that can measure again is named by its own.
      ...(turn === 'failed' && group !== null ? { dedupeKey: `${failureJob}:${group}` } : {}),
      priority: 80,
      delaySeconds: gatherSeconds,
    });
  }
}

/** Write the messages of a job. */
export async function runFailureNotice(run: Run): Promise<unknown> {
  const { ctx, job } = run;
  const { turn, group, since, ids } = payloadOf(job);
  const given = Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  const named = typeof group === 'string' ? group : null;
  return transaction(ctx, async (tx) => {
    const hasRecovered = turn === 'recovered';
    const monitors = hasRecovered ? await byIds(tx, given) : await dueOf(tx, named, given);
    const groups = hasRecovered ? new Map([[named ?? '', monitors]]) : groupBy(monitors, groupOf);
    let notified = 0;
    for (const [key, members] of groups) {
      const episode = hasRecovered ? String(since) : await episodeOf(tx, key, members);
      const heard = members.filter((monitor) => !isMuted(monitor, tx.now()));
      const notices = await noticesOf(tx, hasRecovered ? 'recovered' : 'failed', heard, {
        key: `${key}:${episode}`,
        source: await sourceOf(tx, key),
        origin: ctx.surroundings.signIn.publicUrl,
      });
      await post(tx, notices);
      notified += notices.length;
    }
    await run.complete(tx, { notified });
    return { notified };
  });
}

/** The name of a source that is a group; null where the group is a table. */
async function sourceOf(tx: Context, group: string): Promise<string | null> {
  const [found] = await rows<{ name: string }>(
    tx,
    Prisma.sql`select i.name from integration i where i.workspace_id = ${tx.workspaceId}::uuid
      and i.id::text = ${group}`,
  );
  return found?.name ?? null;
}

/** A source that is away is one message; what it refuses is one for each table. */
const groupOf = ({ failedAway, integrationId, targetId }: Monitor): string =>
  failedAway && integrationId !== null ? integrationId : targetId;

async function byIds(tx: Context, ids: readonly string[]): Promise<Monitor[]> {
  return rows<Monitor>(
    tx,
    Prisma.sql`select ${monitorColumns} from monitor m where m.workspace_id = ${tx.workspaceId}::uuid
      and m.id = any(${[...ids]}::uuid[]) order by m.name, m.id`,
  );
}

/** The monitors of a source that can't measure, and of which no one was notified; locked. */
async function dueOf(
  tx: Context,
  source: string | null,
  ids: readonly string[],
): Promise<Monitor[]> {
  const old = new Date(tx.now().getTime() - longMs);
  return rows<Monitor>(
    tx,
    Prisma.sql`select ${monitorColumns} from monitor m where m.workspace_id = ${tx.workspaceId}::uuid
      and (m.integration_id = ${source}::uuid or m.id = any(${[...ids]}::uuid[]))
      and m.is_enabled and m.failure_notified_at is null
      and (m.failed_runs >= ${failures} or m.failed_since <= ${old}) order by m.id for update`,
  );
}

/** When the failure that a group is part of was notified of: now, unless others of it were before. */
async function episodeOf(tx: Context, group: string, members: readonly Monitor[]): Promise<string> {
  const [earlier] = await rows<{ at: Date | null }>(
    tx,
    Prisma.sql`select min(m.failure_notified_at) as at from monitor m
      where m.workspace_id = ${tx.workspaceId}::uuid and m.failed_runs > 0
        and (m.failed_away and m.integration_id = ${group}::uuid
          or not m.failed_away and m.target_id = ${group}::uuid)`,
  );
  const at = earlier?.at ?? tx.now();
  await tx.db.monitor.updateMany({
    where: { workspaceId: tx.workspaceId, id: { in: members.map(({ id }) => id) } },
    data: { failureNotifiedAt: at },
  });
  return at.toISOString();
}

interface NoticeOf {
  readonly key: string;
  /** The source that is away; null where a table can't be measured. */
  readonly source: string | null;
  readonly origin: string | null;
}

/** What is sent: to each person of the monitors that are theirs, and to places of all. */
async function noticesOf(
  tx: Context,
  turn: Turn,
  monitors: readonly Monitor[],
  { key, source, origin }: NoticeOf,
): Promise<NewNotification[]> {
  const event = `monitor_${turn}` as const;
  const all = new Map<
    string,
    {
      channel: NewNotification['channel'];
      address: string;
      userId: string | null;
      of: Set<Monitor>;
      waits: (Held | null)[];
    }
  >();
  const add = (
    channel: NewNotification['channel'],
    address: string,
    userId: string | null,
    monitor: Monitor,
    held: Held | null = null,
  ) => {
    const place = `${channel}:${foldedAddress(address)}`;
    const known = all.get(place);
    const entry = known ?? { channel, address, userId, of: new Set<Monitor>(), waits: [] };
    entry.waits.push(held);
    entry.of.add(monitor);
    all.set(place, entry);
  };
  const rules = await rulesFor(tx, event);
  const standing = await standingOf(tx, rules, event);
  for (const monitor of monitors) {
    for (const person of await concerned(tx, monitor)) {
      for (const { channel, address } of destinationsOfPerson(person))
        add(channel, address, person.userId, monitor);
    }
    const chat = chatOf(monitor);
    if (chat !== null) add('chat', chat, null, monitor);
    const reach = rules.length === 0 ? null : await reachOf(tx, monitor);
    const met = rules.filter(
      (one) => reach !== null && concerns(one, reach) && asksFor(one, monitor),
    );
    for (const rule of met) {
      for (const { channel, address } of destinationsOfRule(rule, standing))
        add(channel, address, null, monitor, rule.held);
    }
    for (const address of standing.listening) add('webhook', address, null, monitor);
  }
  return [...all].map(([place, { channel, address, userId, of, waits }]) => {
    const said = contentOf(turn, [...of], { source, origin });
    const content = userId === null ? said : { ...said, userId };
    const body =
      channel === 'webhook' ? { body: bodyOf(event, [...of], { key, timestamp: tx.now() }) } : {};
    return {
      channel,
      address,
      event,
      incidentId: null,
      content,
      held: earliest(waits),
      dedupeKey: `${event}:${key}:${place}`,
      ...body,
    };
  });
}

/** Who made a monitor, and who owns or subscribes to what it measures. */
async function concerned(tx: Context, { targetId, createdById }: Monitor): Promise<Watcher[]> {
  return [
    ...(await watchersOf(tx, [targetId])),
    ...(await makersOf(tx, [{ resourceId: targetId, userId: createdById }])),
  ];
}

/** What is said of monitors that can't measure, or can again. */
function contentOf(
  turn: Turn,
  monitors: readonly Monitor[],
  { source, origin }: Omit<NoticeOf, 'key'>,
): NotificationContent {
  const [first] = monitors;
  const isOne = source === null && monitors.length === 1;
  const subject = source ?? (isOne ? (first?.name ?? '') : `${monitors.length} monitors`);
  const verb = source === null ? 'measure' : 'be measured';
  const title = turn === 'failed' ? `${subject} can't ${verb}` : `${subject} can ${verb} again`;
  const text = turn === 'failed' ? (first?.lastErrorMessage ?? '') : 'The latest run has measured.';
  const names = isOne ? [] : monitors.slice(0, mostNamed).map(({ name }) => `- ${name}`);
  const more = monitors.length > mostNamed ? [`and ${monitors.length - mostNamed} more`] : [];
  const page = isOne && first ? `monitors/${first.id}` : 'monitors?status=error';
  const about = isOne && first ? { monitor: first.id, target: first.targetId } : {};
  const resources = [...new Set(monitors.map(({ targetId }) => targetId))];
  const link = origin === null ? {} : { link: `${origin}/${page}` };
  return { title, text, lines: [...names, ...more], resources, ...about, ...link };
}

function bodyOf(
  type: string,
  monitors: readonly Monitor[],
  { key, timestamp }: { readonly key: string; readonly timestamp: Date },
): string {
  const shown = monitors.map(
    ({ id, name, metricType, targetId, failedSince, lastErrorMessage }) => ({
      ...{ id, name, metricType, targetId, failedSince, error: lastErrorMessage },
    }),
  );
  return JSON.stringify({ type, timestamp, data: { key, monitors: shown } });
}

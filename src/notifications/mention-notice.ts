// Notifies people who were mentioned in what was written about a resource, and of comments those who watch it: once for each save.

import { z } from 'zod';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { payloadOf } from '../jobs/job.ts';
import type { Run } from '../jobs/run.ts';
import type { MentionPlace } from '../resources/editing/mentioned-people.ts';
import { post } from './outbox/outbox.ts';
import { destinationsOfPerson, type Person } from './person.ts';
import { mayRead, watchersOf } from './watcher.ts';

/** The events of such notifications. */
const mentionedEvent = 'mentioned';
const commentedEvent = 'commented';

const Payload = z.object({
  resource: z.string(),
  users: z.array(z.string()),
  actor: z.string().nullable(),
  // Jobs of older versions do not say it.
  in: z.enum(['documentation', 'comment']).default('documentation'),
  isNewComment: z.boolean().default(false),
});

const texts: Readonly<Record<MentionPlace, string>> = {
  documentation: 'Its documentation mentions you.',
  comment: 'A comment on it mentions you.',
};

/** Where the page of the resource shows it. */
const tabs: Readonly<Record<MentionPlace, string>> = {
  documentation: '',
  comment: '?tab=comments',
};

interface Mentioned extends Person {
  readonly title: string;
  /** Who wrote it; null where the server did. */
  readonly actorName: string | null;
}

/**
 * Notify those who may see the resource, each once: those who are mentioned, and of a new comment those who own the
 * resource or subscribe to it. The notifications are written, and the job ended, in one transaction.
 */
export async function runMention({ job, ctx, complete }: Run): Promise<unknown> {
  const { resource, users, actor, in: place, isNewComment } = Payload.parse(payloadOf(job));
  return transaction(ctx, async (tx) => {
    const watchers = isNewComment ? await watchersOf(tx, [resource]) : [];
    const others = watchers
      .map(({ userId }) => userId)
      .filter((id) => id !== actor && !users.includes(id));
    const people = await mentioned(tx, resource, [...users, ...others], actor);
    const origin = ctx.surroundings.signIn.publicUrl;
    await post(
      tx,
      people.flatMap((person) => {
        const { userId } = person;
        const event = users.includes(userId) ? mentionedEvent : commentedEvent;
        const link =
          origin === null ? {} : { link: `${origin}/resource/${resource}${tabs[place]}` };
        const content = { ...said(person, event, place), resources: [resource], userId, ...link };
        return destinationsOfPerson(person).map((destination) => ({
          ...{ ...destination, event, incidentId: null, content },
          dedupeKey: `${event}:${job.id}:${destination.channel}:${userId}`,
        }));
      }),
    );
    const result = { notified: people.length };
    await complete(tx, result);
    return result;
  });
}

/** What a person is told; a guest not by whom. */
function said(person: Mentioned, event: string, place: MentionPlace) {
  const { title, knowsPeople } = person;
  const actor = knowsPeople ? person.actorName : null;
  if (event === commentedEvent) {
    return {
      title: `${actor ?? 'Someone'} commented on ${title}`,
      text: 'You own or follow it.',
    };
  }
  const who = actor ? `${actor} mentioned you` : 'You were mentioned';
  return { title: `${who} in ${title}`, text: texts[place] };
}

/** Of some users, those who are active and may see a resource that is there, and the table of a column. */
async function mentioned(
  tx: Context,
  resourceId: string,
  userIds: readonly string[],
  actorId: string | null,
): Promise<Mentioned[]> {
  return rows<Mentioned>(
    tx,
    Prisma.sql`select u.id as "userId", u.email, u.email_notifications as "wantsEmail",
        u.role <> 'guest' as "knowsPeople", c.title,
        coalesce(nullif(btrim(a.first_name || ' ' || a.last_name), ''), a.email) as "actorName"
      from resource c
      left join resource w on w.workspace_id = c.workspace_id
        and w.id = c.parent_id and c.kind = 'column'
      join user_account u on u.workspace_id = c.workspace_id
        and u.id = any(${[...userIds]}::uuid[])
      left join user_account a on a.workspace_id = c.workspace_id and a.id = ${actorId}::uuid
      where c.workspace_id = ${tx.workspaceId}::uuid and c.id = ${resourceId}::uuid
        and not c.archived and not u.archived and ${mayRead('c')}
        and (w.id is null or ${mayRead('w')})
      order by u.id`,
  );
}

// Whom a text about a resource concerns: people whom it names by their ids, and those who watch what it is a comment on.

import type { Context } from '../../context.ts';
import type { Resource } from '../../generated/prisma/client.ts';
import { enqueueOwnWork } from '../../jobs/job.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import { actorOf } from './change.ts';

/** The kind of job that notifies people who were mentioned, and of a new comment those who watch its resource. */
export const mentionJob = 'notifications.mention' satisfies JobKind;

/** People whom one save notifies at most. */
const maxMentioned = 50;

/** Like other notifications of people. */
const priority = 80;

const link = /\]\(user:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)/gi;

/** Where people are mentioned. */
export type MentionPlace = 'documentation' | 'comment';

/** Ids of the people whom a text names, each once. */
function mentionedIn(text: string): Set<string> {
  return new Set([...text.matchAll(link)].map(([, id = '']) => id.toLowerCase()));
}

/** A text about a resource that was saved. */
interface Saved {
  /** Id of the resource. */
  readonly resource: string;
  /** The text before the save; empty where there was none. */
  readonly before: string;
  readonly after: string;
  readonly in: MentionPlace;
}

/** The texts of a resource in which people are mentioned, as one. */
export function wordsOf({ description, definition }: Pick<Resource, 'description' | 'definition'>) {
  return `${description ?? ''}\n${definition}`;
}

/**
 * Ask that those are notified whom a save names and the text before did not, and of a new comment those who watch its
 * resource, in the transaction of the save. Who saved it knows.
 */
export async function noteMentions(
  tx: Context,
  { resource, before, after, in: place }: Saved,
): Promise<void> {
  if (before === after) return;
  const named = mentionedIn(before);
  const actor = actorOf(tx);
  const users = [...mentionedIn(after)]
    .filter((id) => !named.has(id) && id !== actor)
    .slice(0, maxMentioned);
  const isNewComment = place === 'comment' && before === '';
  if (users.length === 0 && !isNewComment) return;
  const payload = { resource, users, actor, in: place, isNewComment };
  const title = isNewComment ? 'Notify of a comment' : 'Notify of mentions';
  await enqueueOwnWork(tx, [{ kind: mentionJob, title, priority, payload }]);
}

// Announces to every process what changed, once it is committed.

import { Prisma } from '../generated/prisma/client.ts';
import { type Connection, execute } from './rows.ts';

/**
 * What announcements are about: changed jobs, resources and incidents, new measurements, jobs that wait to
 * be run, inboxes, by the ids of their users, and lineage, which the database announces itself.
 */
export type Topic = 'job' | 'resource' | 'incident' | 'measurement' | 'queue' | 'inbox' | 'lineage';

/** The channel of NOTIFY; its payloads are `topic` or `topic:id,id,...`. */
export const channel = 'headwater';

/** PostgreSQL takes payloads of up to 8,000 bytes; an id has 36. */
const idsPerNotice = 200;
/** Past so many, "anything may have changed" is said instead. */
const maxIds = 2_000;

/**
 * Announce a change; without ids, that anything of the topic may have changed. In a transaction the
 * announcement is part of it: it goes out with the commit, and never where that does not happen.
 */
export async function announce(
  ctx: Connection,
  topic: Topic,
  ids: readonly string[] = [],
): Promise<void> {
  await execute(
    ctx,
    Prisma.sql`select pg_notify(${channel}, n) from unnest(${payloadsOf(topic, ids)}::text[]) n`,
  );
}

/** What a notice about a change says, for a statement that sends it with something else. */
export function payloadsOf(topic: Topic, ids: readonly string[]): string[] {
  if (ids.length === 0 || ids.length > maxIds) return [topic];
  const parts: string[] = [];
  for (let i = 0; i < ids.length; i += idsPerNotice) {
    parts.push(`${topic}:${ids.slice(i, i + idsPerNotice).join(',')}`);
  }
  return parts;
}

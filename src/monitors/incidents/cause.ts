// One cause, one message: an incident joins that which is open upstream, and people have heard of that one.

import type { Context } from '../../context.ts';
import { execute, rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { type Incident, Prisma } from '../../generated/prisma/client.ts';
import { lineage } from '../../lineage/graph.ts';
import type { Destination, NewNotification } from '../../notifications/outbox/outbox.ts';
import { foldedAddress } from '../../people/mail-address.ts';
import { incidentColumns } from './record.ts';

/** Steps upstream in which a cause is looked for. */
const steps = 3;
/** Tables that lie so near at most. */
const mostTables = 500;

type Caused = Pick<Incident, 'id' | 'targetId'>;

/** The tables upstream of an incident, nearest first, with their steps; none where its target is gone. */
async function tablesAbove(ctx: Context, { targetId }: Pick<Incident, 'targetId'>) {
  const [target] = await rows(
    ctx,
    Prisma.sql`select 1 as one from resource
      where workspace_id = ${ctx.workspaceId}::uuid and id = ${targetId}::uuid and not archived`,
  );
  if (!target) return [];
  const { nodes } = await lineage(ctx, {
    ...{ from: [targetId], direction: 'UPSTREAM', level: 'TABLE' },
    ...{ depth: steps, maxNodes: mostTables },
  });
  return nodes.filter(({ depth }) => depth > 0).map(({ id, depth }) => ({ id, depth }));
}

/** The tables, and their columns, as `w (id, depth)`. */
function watched(ctx: Context, tables: readonly { id: string; depth: number }[]): Prisma.Sql {
  const near = Prisma.sql`unnest(${tables.map(({ id }) => id)}::uuid[],
    ${tables.map(({ depth }) => depth)}::int[]) t(id, depth)`;
  return Prisma.sql`(select t.id, t.depth from ${near}
    union all select c.id, t.depth from ${near} join resource c
      on c.workspace_id = ${ctx.workspaceId}::uuid and c.parent_id = t.id and c.kind = 'column') w`;
}

/** Whether anything upstream is watched, and may be found to be the cause within moments. */
export async function hasWatchedAbove(ctx: Context, incident: Caused): Promise<boolean> {
  const tables = await tablesAbove(ctx, incident);
  if (tables.length === 0) return false;
  const found = await rows(
    ctx,
    Prisma.sql`select 1 as one from ${watched(ctx, tables)} join monitor m
        on m.workspace_id = ${ctx.workspaceId}::uuid and m.target_id = w.id
      where m.is_enabled limit 1`,
  );
  return found.length > 0;
}

/**
 * Let an incident join the nearest one that is open upstream within three steps, and its thread. What had joined it
 * comes along. An incident that joins what is caused by itself, in lineage that goes round, stays alone.
 */
export async function joinCause(ctx: Context, incident: Incident): Promise<Incident> {
  if (incident.causeId !== null) return incident;
  const tables = await tablesAbove(ctx, incident);
  if (tables.length === 0) return incident;
  const { workspaceId } = ctx;
  return transaction(ctx, async (tx) => {
    const nearest = Prisma.sql`select i.id, coalesce(i.root_id, i.id) as root
      from ${watched(tx, tables)} join incident i
        on i.workspace_id = ${workspaceId}::uuid and i.target_id = w.id
      where i.status <> 'resolved' and i.id <> ${incident.id}::uuid
        and coalesce(i.root_id, i.id) <> ${incident.id}::uuid
      order by w.depth, i.created_at, i.id limit 1`;
    const cause = await lockedWith(tx, incident, nearest);
    if (!cause) return incident;
    await execute(
      tx,
      Prisma.sql`update incident set root_id = ${cause.root}::uuid,
          cause_id = case when id = ${incident.id}::uuid then ${cause.id}::uuid else cause_id end
        where workspace_id = ${workspaceId}::uuid
          and ${incident.id}::uuid in (id, root_id)`,
    );
    return { ...incident, causeId: cause.id, rootId: cause.root };
  });
}

/** An incident that may be a cause, and the first of its thread. */
interface Cause {
  readonly id: string;
  readonly root: string;
}

/**
 * The nearest cause, locked with the first of its thread: two that are upstream of each other must not join each
 * other, and one that begins a thread may join another while this waits for it.
 */
async function lockedWith(
  tx: Context,
  { id }: Incident,
  nearest: Prisma.Sql,
): Promise<Cause | null> {
  let locked: Cause | null = null;
  for (;;) {
    const [found = null] = await rows<Cause>(tx, nearest);
    if (!found || (locked?.id === found.id && locked.root === found.root)) return found;
    await rows(
      tx,
      Prisma.sql`select id from incident where workspace_id = ${tx.workspaceId}::uuid
        and id in (${found.id}::uuid, ${found.root}::uuid, ${id}::uuid) order by id for update`,
    );
    locked = found;
  }
}

/**
 * Whether an incident is still of the thread that it was read with. It stays so until the transaction ends: who lets
 * it join another waits for that.
 */
export async function isStillOf(tx: Context, { id, rootId }: Incident): Promise<boolean> {
  const [now] = await rows<{ rootId: string | null }>(
    tx,
    Prisma.sql`select root_id as "rootId" from incident
      where workspace_id = ${tx.workspaceId}::uuid and id = ${id}::uuid for share`,
  );
  return now === undefined || now.rootId === rootId;
}

/**
 * What is left to say of an incident that has joined another: nothing to those who have heard of that one, but for a
 * line in the thread of a chat, and for programs that read our own messages.
 */
export async function unheard(
  ctx: Context,
  { rootId }: Pick<Incident, 'rootId'>,
  notifications: readonly NewNotification[],
): Promise<NewNotification[]> {
  if (rootId === null || notifications.length === 0) return [...notifications];
  const heard = await rows<Destination>(
    ctx,
    Prisma.sql`select n.channel, n.address from notification n
      left join webhook h on h.workspace_id = n.workspace_id and n.channel = 'webhook'
        and h.id::text = n.address
      where n.workspace_id = ${ctx.workspaceId}::uuid and n.incident_id = ${rootId}::uuid
        and n.event = 'incident_opened' and n.state in ('pending', 'delivered')
        and n.channel <> 'chat' and coalesce(h.format, '') <> 'headwater'`,
  );
  const keyOf = ({ channel, address }: Destination) => `${channel}:${foldedAddress(address)}`;
  const known = new Set(heard.map(keyOf));
  return notifications.filter((one) => !known.has(keyOf(one)));
}

/** Incidents of one cause that are open, by name, but for one; 20 at most. */
export async function othersOpen(ctx: Context, { id }: Pick<Incident, 'id'>): Promise<Incident[]> {
  return rows<Incident>(
    ctx,
    Prisma.sql`select ${incidentColumns} from incident i
      where i.workspace_id = ${ctx.workspaceId}::uuid and i.root_id = ${id}::uuid
        and i.status <> 'resolved' order by i.created_at, i.id limit 20`,
  );
}

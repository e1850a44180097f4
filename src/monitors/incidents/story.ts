// The story of an incident: all that people may be told of it, as things are now.

import type { Context, ServerContext } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { type Incident, type Monitor, Prisma } from '../../generated/prisma/client.ts';
import type { ChartPoint } from '../../notifications/pictures/chart.ts';
import { readSegments } from '../learning/segments.ts';
import { readStoredConfig } from '../metric-config.ts';
import { monitorColumns } from '../seen.ts';
import { othersOpen } from './cause.ts';
import { reachOf } from './concern.ts';
import { isMuted } from './mute.ts';
import { incidentColumns } from './record.ts';
import type { Story } from './wording.ts';

/** What people are notified of, and what its monitor says about notifying. */
export interface Announced extends Story {
  readonly chatChannel: string | null;
  readonly createdById: string | null;
  readonly isMuted: boolean;
}

/** All that is to be told of an incident; null where it, its monitor or its target is gone. */
export async function storyOf(ctx: ServerContext, id: string): Promise<Announced | null> {
  const [incident] = await rows<Incident>(
    ctx,
    Prisma.sql`select ${incidentColumns} from incident i
      where i.workspace_id = ${ctx.workspaceId}::uuid and i.id = ${id}::uuid`,
  );
  const [monitor] = await rows<Monitor>(
    ctx,
    Prisma.sql`select ${monitorColumns} from monitor m
      where m.workspace_id = ${ctx.workspaceId}::uuid and m.id = ${incident?.monitorId ?? null}::uuid`,
  );
  if (!incident || !monitor) return null;
  const reach = await reachOf(ctx, incident);
  const turns = await turnsOf(ctx, incident.id);
  const { createdById } = monitor;
  const told = { createdById, chatChannel: chatOf(monitor), isMuted: isMuted(monitor, ctx.now()) };
  const origin = ctx.surroundings.signIn.publicUrl;
  const isOfColumns = monitor.metricType === 'schema_changes';
  const segment = isOfColumns ? null : await segmentOf(ctx, incident, monitor);
  const chart = isOfColumns ? [] : await latestValues(ctx, monitor.id, incident, segment);
  const values = chart.slice(-toldValues).map(({ value }) => value);
  const joined = await othersOpen(ctx, incident);
  const latest = { values, chart };
  return reach && { incident, monitor, reach, ...latest, joined, origin, ...turns, ...told };
}

/** So many values are told. */
const toldValues = 5;
/** And so many are drawn. */
const drawnValues = 48;

/** The values up to the latest that an incident knows, the newest last. */
async function latestValues(
  ctx: Context,
  monitorId: string,
  { resolvedAt, lastSeenAt }: Incident,
  segment: string | null,
): Promise<ChartPoint[]> {
  const whole = Prisma.sql`x.value, x.lower_threshold as lower, x.upper_threshold as upper
    from measurement x where true`;
  const part = Prisma.sql`(s.one->>'value')::float8 as value, (s.one->>'lower')::float8 as lower,
      (s.one->>'upper')::float8 as upper
    from measurement x cross join lateral jsonb_array_elements(x.segments) s(one)
    where s.one->>'segment' = ${segment}`;
  const found = await rows<ChartPoint>(
    ctx,
    Prisma.sql`select ${segment === null ? whole : part}
      and x.workspace_id = ${ctx.workspaceId}::uuid
      and x.monitor_id = ${monitorId}::uuid and x.created_at <= ${resolvedAt ?? lastSeenAt}
      order by x.created_at desc limit ${drawnValues}`,
  );
  return found.reverse();
}

/** The table, or the value of a dimension, that an incident names first; null where it is about the whole. */
async function segmentOf(
  ctx: Context,
  { id, summary }: Incident,
  { metricConfig }: Monitor,
): Promise<string | null> {
  const [first] = await rows<{ segments: unknown }>(
    ctx,
    Prisma.sql`select x.segments from measurement x where x.workspace_id = ${ctx.workspaceId}::uuid
      and x.incident_id = ${id}::uuid and x.segments is not null order by x.created_at limit 1`,
  );
  const { dimension } = readStoredConfig(metricConfig);
  const named = dimension === undefined ? '' : `${dimension} = `;
  const fitting = readSegments(first?.segments)
    .map(({ segment }) => segment)
    .filter((segment) => summary.startsWith(`${named}${segment}: `));
  // Of a and a: b, both of them names, it is the longer one.
  return fitting.sort((a, b) => b.length - a.length)[0] ?? null;
}

/** Who ended an incident last, and how often it was opened again. */
async function turnsOf(
  ctx: Context,
  incidentId: string,
): Promise<Pick<Story, 'endedBy' | 'reopenings'>> {
  const [found] = await rows<{ endedBy: string | null; reopenings: number }>(
    ctx,
    Prisma.sql`select (array_agg(a.user_name order by a.created_at desc)
          filter (where a.type = 'resolved' and a.user_name <> ''))[1] as "endedBy",
        count(*) filter (where a.type = 'reopened')::int as reopenings
      from incident_action a where a.workspace_id = ${ctx.workspaceId}::uuid
        and a.incident_id = ${incidentId}::uuid`,
  );
  return found ?? { endedBy: null, reopenings: 0 };
}

/** The chat channel of a monitor; null for none. */
export const chatOf = ({ notifyChatChannel }: Pick<Monitor, 'notifyChatChannel'>): string | null =>
  notifyChatChannel || null;

// Finds anything by its id alone, for clients that do not know its type.

import type { ServerContext } from '../context.ts';
import { rows } from '../database/rows.ts';
import { CatalogError, notFound } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { getIntegration } from '../integrations/integration.ts';
import { getJob } from '../jobs/job.ts';
import { getIncident } from '../monitors/incidents/incident.ts';
import { getMonitor } from '../monitors/monitor.ts';
import { getWebhook } from '../notifications/webhooks/webhook.ts';
import { getGroup } from '../people/group.ts';
import { getUser } from '../people/user.ts';
import { getProperty } from '../properties/property.ts';
import { kinds, parseKind } from '../resources/kind.ts';
import { countedFields } from '../resources/query-schema.ts';
import { findResource } from '../resources/resource.ts';
import { getTag } from '../tags/tag.ts';
import { getTeam } from '../teams/team.ts';
import { isUuid } from '../text/uuid.ts';
import { builder } from './builder.ts';
import { selects } from './execution/selection.ts';
import { NodeRef } from './node-ref.ts';

type Read = (ctx: ServerContext, id: string) => Promise<{ readonly id: string }>;

/** By their types, the tables of what has an id, and who reads one of them for the viewer. */
const things: Readonly<Record<string, { readonly table: Prisma.Sql; readonly read: Read }>> = {
  Tag: { table: Prisma.sql`tag`, read: getTag },
  Team: { table: Prisma.sql`team`, read: getTeam },
  User: { table: Prisma.sql`user_account`, read: getUser },
  Group: { table: Prisma.sql`user_group`, read: getGroup },
  CustomProperty: { table: Prisma.sql`custom_property`, read: getProperty },
  Integration: { table: Prisma.sql`integration`, read: getIntegration },
  Job: { table: Prisma.sql`job`, read: getJob },
  Monitor: { table: Prisma.sql`monitor`, read: getMonitor },
  Incident: { table: Prisma.sql`incident`, read: getIncident },
  Webhook: { table: Prisma.sql`webhook`, read: getWebhook },
};

builder.queryField('node', (t) =>
  t.field({
    type: NodeRef,
    nullable: true,
    description:
      'Anything by its id: a resource, tag, team, user, group, custom property, integration, job, ' +
      'monitor, incident or webhook. NOT_FOUND where there is none that the viewer may see.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: async (_root, { id }, ctx, info) => {
      const found = isUuid(id) ? await findNode(ctx, id, selects(info, countedFields)) : null;
      if (!found) throw notFound('Node', id);
      return found;
    },
  }),
);

/** One statement for a resource, which is what most ids are of; two for anything else. */
async function findNode(ctx: ServerContext, id: string, extras: boolean) {
  const resource = await findResource(ctx, id, { archived: true, extras });
  if (resource) return { ...resource, __typename: kinds[parseKind(resource.kind)].type };
  const type = await typeOf(ctx, id);
  const read = type === undefined ? undefined : things[type]?.read;
  const thing = read && (await orUnseen(read(ctx, id)));
  return thing ? { ...thing, __typename: type } : null;
}

async function typeOf(ctx: ServerContext, id: string): Promise<string | undefined> {
  const parts = Object.entries(things).map(
    ([type, { table }]) =>
      Prisma.sql`select ${type} as type from ${table}
        where workspace_id = ${ctx.workspaceId}::uuid and id = ${id}::uuid`,
  );
  const [found] = await rows<{ type: string }>(ctx, Prisma.join(parts, ' union all '));
  return found?.type;
}

/** What a role may not read is answered as what there is not: an id does not say of what it is. */
async function orUnseen<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    const isUnseen = error instanceof CatalogError && /^(NOT_FOUND|FORBIDDEN)$/.test(error.code);
    if (!isUnseen) throw error;
    return null;
  }
}

// Finds anything by its id alone, for clients that do not know its type.

import type { Context, ServerContext } from '../context.ts';
import { loaderOf } from '../database/loader.ts';
import { rows } from '../database/rows.ts';
import { CatalogError, invalidField, notFound } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { getIntegration, loadIntegration } from '../integrations/integration.ts';
import { getJob } from '../jobs/job.ts';
import { loadJob } from '../jobs/loaders.ts';
import { getIncident } from '../monitors/incidents/incident.ts';
import { loadIncident, loadMonitor } from '../monitors/loaders.ts';
import { getMonitor } from '../monitors/monitor.ts';
import { getWebhook, loadWebhooks } from '../notifications/webhooks/webhook.ts';
import { getGroup } from '../people/group.ts';
import { loadGroups, loadUser } from '../people/loaders.ts';
import { getUser } from '../people/user.ts';
import { getProperty, loadProperty } from '../properties/property.ts';
import { kinds, parseKind } from '../resources/kind.ts';
import { loadResource } from '../resources/loaders.ts';
import { countedFields } from '../resources/query-schema.ts';
import { findResource } from '../resources/resource.ts';
import { getTag, loadTags } from '../tags/tag.ts';
import { getTeam, loadKnownTeams } from '../teams/team.ts';
import { isUuid } from '../text/uuid.ts';
import { builder } from './builder.ts';
import { selects } from './execution/selection.ts';
import { lengthOf, weighing } from './limits/weight.ts';
import { NodeRef } from './node-ref.ts';

interface Identified {
  readonly id: string;
}

/** What is kept in a table of its own and found by an id. */
interface Thing {
  readonly table: Prisma.Sql;
  /** One of them for the viewer. Throws NOT_FOUND or FORBIDDEN. */
  readonly read: (ctx: ServerContext, id: string) => Promise<Identified>;
  /** The one of an id, those of many ids read together; none where the viewer may not read it. */
  readonly load: (
    ctx: ServerContext,
    id: string,
  ) =>
    | Identified
    | null
    | readonly Identified[]
    | Promise<Identified | null | readonly Identified[]>;
}

/** By their types, what has an id. */
const things: Readonly<Record<string, Thing>> = {
  Tag: { table: Prisma.sql`tag`, read: getTag, load: (ctx, id) => loadTags(ctx, [id]) },
  Team: { table: Prisma.sql`team`, read: getTeam, load: (ctx, id) => loadKnownTeams(ctx, [id]) },
  User: { table: Prisma.sql`user_account`, read: getUser, load: loadUser },
  Group: {
    table: Prisma.sql`user_group`,
    read: getGroup,
    load: (ctx, id) => loadGroups(ctx, [id]),
  },
  CustomProperty: {
    ...{ table: Prisma.sql`custom_property`, read: getProperty, load: loadProperty },
  },
  Integration: { table: Prisma.sql`integration`, read: getIntegration, load: loadIntegration },
  Job: { table: Prisma.sql`job`, read: getJob, load: loadJob },
  Monitor: { table: Prisma.sql`monitor`, read: getMonitor, load: loadMonitor },
  Incident: { table: Prisma.sql`incident`, read: getIncident, load: loadIncident },
  Webhook: {
    ...{ table: Prisma.sql`webhook`, read: getWebhook },
    load: (ctx, id) => loadWebhooks(ctx, [id]),
  },
};

/** Ids that one request may ask for. */
const maxNodes = 100;

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

builder.queryField('nodes', (t) =>
  t.field({
    type: [NodeRef],
    nullable: { list: true, items: true },
    description: `What \`node\` gives for each of some ids, in their order: null where there is nothing that the viewer may see. At most ${maxNodes}.`,
    args: { ids: t.arg.idList({ required: true, description: 'Their ids.' }) },
    extensions: weighing({ items: lengthOf('ids') }),
    resolve: (_root, { ids }, ctx) => {
      if (ids.length > maxNodes) {
        throw invalidField('ids', `Use at most ${maxNodes} ids, not ${ids.length}.`);
      }
      return ids.map((id) => (isUuid(id) ? loadNode(ctx, id.toLowerCase()) : null));
    },
  }),
);

/** A statement for all resources, one for the types of other ids, and one for each of those. */
async function loadNode(ctx: ServerContext, id: string) {
  const resource = await loadResource(ctx, id);
  if (resource) return { ...resource, __typename: kinds[parseKind(resource.kind)].type };
  const type = await loaderOf(ctx, typesOf).load(id);
  const found = type === undefined ? null : await things[type]?.load(ctx, id);
  const thing = Array.isArray(found) ? found[0] : found;
  return thing ? { ...thing, __typename: type } : null;
}

/** One statement for a resource, which is what most ids are of; two for anything else. */
async function findNode(ctx: ServerContext, id: string, extras: boolean) {
  const resource = await findResource(ctx, id, { archived: true, extras });
  if (resource) return { ...resource, __typename: kinds[parseKind(resource.kind)].type };
  const type = (await typesOf(ctx, [id])).get(id.toLowerCase());
  const read = type === undefined ? undefined : things[type]?.read;
  const thing = read && (await orUnseen(read(ctx, id)));
  return thing ? { ...thing, __typename: type } : null;
}

async function typesOf(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const parts = Object.entries(things).map(
    ([type, { table }]) =>
      Prisma.sql`select id, ${type} as type from ${table}
        where workspace_id = ${ctx.workspaceId}::uuid and id = any(${[...ids]}::uuid[])`,
  );
  const found = await rows<{ id: string; type: string }>(ctx, Prisma.join(parts, ' union all '));
  return new Map(found.map(({ id, type }) => [id, type]));
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

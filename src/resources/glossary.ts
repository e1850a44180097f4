// The links between glossary terms: one names the other in a custom property.

import type { Context } from '../context.ts';
import { loaderOf } from '../database/loader.ts';
import { rows } from '../database/rows.ts';
import { Prisma, type Resource } from '../generated/prisma/client.ts';
import { loadResources } from './loaders.ts';

/** Related terms that one term shows at most. */
export const maxRelated = 100;

/** The terms that a term names in its custom properties, and those that name it, by title. */
export async function loadRelatedTerms(ctx: Context, id: string): Promise<Resource[]> {
  const ids = (await loaderOf(ctx, namedWith).load(id)) ?? [];
  const terms = (await loadResources(ctx, ids)).filter(
    ({ kind, archived }) => kind === 'glossary' && !archived,
  );
  return terms.sort((a, b) => (a.title < b.title ? -1 : 1)).slice(0, maxRelated);
}

/** Ids of what resources name in their properties, and of the terms that name them there. */
async function namedWith(ctx: Context, ids: readonly string[]): Promise<Map<string, string[]>> {
  const isOurs = Prisma.sql`v.workspace_id = ${ctx.workspaceId}::uuid and length(v.value) = 36`;
  const found = await rows<{ id: string; other: string }>(
    ctx,
    Prisma.sql`select n.id, n.other from (
        select v.property_id, v.resource_id::text as id, v.value as other
          from custom_property_value v where ${isOurs} and v.resource_id = any(${[...ids]}::uuid[])
        union
        select v.property_id, v.value, v.resource_id::text from custom_property_value v
          join resource r on r.workspace_id = v.workspace_id and r.id = v.resource_id
            and r.kind = 'glossary'
          where ${isOurs} and v.value = any(${[...ids]}::text[])) n
      join custom_property p on p.workspace_id = ${ctx.workspaceId}::uuid and p.id = n.property_id
        and p.value_type = 'resource'
      group by n.id, n.other order by n.id, n.other`,
  );
  const byTerm = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { id, other } of found) if (other !== id) byTerm.get(id)?.push(other);
  return byTerm;
}

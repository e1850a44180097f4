// In charge of holding resources still while a transaction changes what hangs on them.

import { visibleResources } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { notFound } from '../errors.ts';
import { Prisma, type Resource } from '../generated/prisma/client.ts';
import { isUuid } from '../uuid.ts';
import { resourceColumns } from './resource.ts';

/**
 * Read resources by id and lock them until the transaction ends, always in the same order, so that two
 * who lock the same ones do not wait for each other. Repeated ids count once. Throws NOT_FOUND that
 * names the first id that is no resource the viewer may see.
 */
export async function lockResources(ctx: Context, ids: readonly string[]): Promise<Resource[]> {
  const found = await rows<Resource>(
    ctx,
    Prisma.sql`select ${resourceColumns} from resource r
      where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = any(${ids.filter(isUuid)}::uuid[])
        and not r.archived and ${visibleResources(ctx)}
      order by r.id for no key update`,
  );
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id.toLowerCase()));
  if (unknown !== undefined) throw notFound('Resource', unknown.slice(0, 60));
  return found;
}

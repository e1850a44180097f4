// Finds a resource by its full name.

import { isAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { invalidField } from '../../errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Kind } from '../kind.ts';
import {
  findResource,
  listResources,
  type ResourceOptions,
  type ResourceRow,
} from '../resource.ts';

/** What is known of a resource besides its id. */
export interface ResourceName {
  readonly titleFull: string;
  readonly kind?: Kind | undefined;
  /** An integration that describes it. */
  readonly integrationId?: string | null | undefined;
}

/** So many that have one name are named in an error. */
const maxNamed = 5;

/**
 * The resource of a full name that the viewer may see, without deleted ones; null where there is none. Throws
 * BAD_REQUEST where several have the name: it says which, by their kinds, integrations and ids.
 */
export async function findByName(
  ctx: Context,
  { titleFull, kind, integrationId }: ResourceName,
  options: Pick<ResourceOptions, 'extras' | 'shown'>,
): Promise<ResourceRow | null> {
  const { nodes } = await listResources(
    ctx,
    {
      kinds: kind && [kind],
      where: { titleFull: { eq: titleFull } },
      integrationId,
      orderBy: [{ createdAt: 'asc' }],
      shown: new Set(['id', 'kind', 'integrationId']),
    },
    { first: maxNamed + 1 },
  );
  const [only] = nodes;
  if (!only) return null;
  if (nodes.length === 1) return findResource(ctx, only.id, options);
  throw await severalCalled(ctx, titleFull, nodes);
}

async function severalCalled(ctx: Context, titleFull: string, found: readonly ResourceRow[]) {
  const wanted = found.flatMap(({ integrationId }) => integrationId ?? []);
  const integrations = isAllowed(ctx, 'read integrations')
    ? await rows<{ id: string; name: string }>(
        ctx,
        Prisma.sql`select i.id, i.name from integration i
          where i.workspace_id = ${ctx.workspaceId}::uuid and i.id = any(${wanted}::uuid[])`,
      )
    : [];
  const names = new Map(integrations.map(({ id, name }) => [id, name]));
  const shown = found.slice(0, maxNamed).map(({ id, kind, integrationId }) => {
    const name = integrationId && names.get(integrationId);
    return `${kind} ${id}${name ? ` of ${name}` : ''}`;
  });
  const more = found.length > maxNamed ? ', and more' : '';
  return invalidField(
    'titleFull',
    `Several resources are called ${titleFull}: ${shown.join(', ')}${more}. Name the kind or ` +
      'the integration, or ask by id.',
  );
}

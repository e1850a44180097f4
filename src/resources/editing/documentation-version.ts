// The versions of a resource's documentation.

import type { Context } from '../../context.ts';
import { columnsOf } from '../../database/columns.ts';
import { Prisma, type Resource, type ResourceVersion } from '../../generated/prisma/client.ts';
import type { Page, PageArgs } from '../../lists/page.ts';
import { loadPage, type OwnedListing } from '../../lists/page-of-each.ts';
import { getResource } from '../resource.ts';

/**
 * Keep the new version of a changed definition, and the one it replaces if it was never kept. Returns
 * the new version, or null when the definition stays as it is. Runs in the transaction of the change.
 */
export async function keepVersion(
  ctx: Context,
  before: Resource,
  definition: string | undefined,
): Promise<{ id: string; version: number } | null> {
  if (definition === undefined || definition === before.definition) return null;
  const { workspaceId } = ctx;
  const common = { workspaceId, resourceId: before.id };
  await ctx.db.resourceVersion.createMany({
    data: [
      {
        ...common,
        version: before.definitionVersion,
        definition: before.definition,
        createdAt: before.createdAt,
      },
    ],
    skipDuplicates: true,
  });
  return ctx.db.resourceVersion.create({
    data: {
      ...common,
      version: before.definitionVersion + 1,
      definition,
      authorId: ctx.viewer.id,
      createdAt: ctx.now(),
    },
    select: { id: true, version: true },
  });
}

const columns = columnsOf(Prisma.ResourceVersionScalarFieldEnum, 'v');

/**
 * The kept versions of a resource's documentation, newest first. A resource whose documentation never
 * changed has only the one on its record, and no row here. Throws NOT_FOUND for a resource that the
 * viewer may not see.
 */
export async function listVersions(
  ctx: Context,
  resourceId: string,
  args: PageArgs,
): Promise<Page<ResourceVersion>> {
  const { id } = await getResource(ctx, resourceId, { archived: true });
  return loadVersions(ctx, id, args);
}

/** The same of a resource that was read already; those of many are read together. */
export async function loadVersions(
  ctx: Context,
  resourceId: string,
  args: PageArgs,
): Promise<Page<ResourceVersion>> {
  return loadPage(ctx, versionsOf, { ownerId: resourceId, query: null, args });
}

function versionsOf(ctx: Context): OwnedListing {
  return {
    from: Prisma.sql`resource_version v`,
    columns,
    where: Prisma.sql`v.workspace_id = ${ctx.workspaceId}::uuid`,
    order: [{ by: Prisma.sql`v.version`, type: 'int4', descending: true }],
    belongs: Prisma.sql`v.resource_id = owner.id`,
  };
}

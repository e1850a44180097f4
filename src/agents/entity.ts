// A resource as tools of the original product answer it: with its owners, tags, columns and what holds it.

import type { Context } from '../context.ts';
import type { Resource } from '../generated/prisma/client.ts';
import { loadIntegration } from '../integrations/integration.ts';
import { loadGroups, loadUsers } from '../people/loaders.ts';
import { loadChildren, loadResource } from '../resources/loaders.ts';
import { getResource } from '../resources/resource.ts';
import { loadTags } from '../tags/tag.ts';
import { loadTeams } from '../teams/team.ts';

/** Columns of a table that are answered at once. */
const maxColumns = 200;
/** Steps up to what holds a resource. */
const maxParents = 8;

/** What is shown of any resource. */
export function entityOf({ id, kind, title, titleFull, description, nativeType }: Resource) {
  return {
    ...{ id, entity_type: kind, title, title_full: titleFull },
    ...{ description, native_type: nativeType },
  };
}

/**
 * One resource by its id. Throws NOT_FOUND where the viewer sees none. Where nothing owns it, `owners_of` names
 * the nearest of what holds it that has owners, and `owners` and `owner_groups` are those.
 */
export async function retrieveEntity(ctx: Context, id: string): Promise<object> {
  const resource = await getResource(ctx, id);
  const { definition, verified, pii, stale, url, creationQuery, sql } = resource;
  const parents = await parentsOf(ctx, resource);
  const owned = [resource, ...parents].find(isOwned);
  const [owners, groups, tags, teams, integration] = await Promise.all([
    loadUsers(ctx, owned?.ownerIds ?? []),
    loadGroups(ctx, owned?.ownerGroupIds ?? []),
    loadTags(ctx, resource.tagIds),
    loadTeams(ctx, resource.teamIds),
    loadIntegration(ctx, resource.integrationId),
  ]);
  return {
    ...entityOf(resource),
    ...{ definition, verified, pii, stale, url, creation_query: creationQuery, sql },
    parent: parents[0] ? entityOf(parents[0]) : null,
    owners: owners.map(({ id, firstName, lastName, email }) => {
      return { id, name: `${firstName} ${lastName}`.trim() || email, email };
    }),
    owner_groups: groups.map(({ id, name }) => ({ id, name })),
    owners_of: owned && owned !== resource ? entityOf(owned) : null,
    tags: tags.map(({ id, name }) => ({ id, name })),
    teams: teams.map(({ id, name }) => ({ id, name })),
    integration: integration && {
      id: integration.id,
      name: integration.name,
      type: integration.type,
    },
    external_updated_at: resource.externalUpdatedAt,
    ...(resource.kind === 'table' ? { columns: await columnsOf(ctx, resource) } : {}),
  };
}

function isOwned({ ownerIds, ownerGroupIds }: Resource): boolean {
  return ownerIds.length + ownerGroupIds.length > 0;
}

async function parentsOf(ctx: Context, { parentId }: Resource): Promise<Resource[]> {
  const parents: Resource[] = [];
  let next = parentId;
  while (next !== null && parents.length < maxParents) {
    const parent = await loadResource(ctx, next);
    if (!parent) break;
    parents.push(parent);
    next = parent.parentId;
  }
  return parents;
}

async function columnsOf(ctx: Context, { id }: Resource): Promise<object[]> {
  const columns = await loadChildren(ctx, id, { kind: 'column', first: maxColumns, shown: null });
  return columns.map((column) => {
    const { id, title, type, description, pii, isPk } = column;
    return { id, title, type, description, pii, is_pk: isPk };
  });
}

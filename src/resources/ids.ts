// In charge of sets of ids on a resource: whom and what they may name.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { type FieldError, invalid } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { isUuid } from '../uuid.ts';

/** The sets of ids that a resource carries, as far as a change gives them. */
export interface IdSets {
  teamIds?: readonly string[] | null | undefined;
  ownerIds?: readonly string[] | null | undefined;
  ownerGroupIds?: readonly string[] | null | undefined;
  collectionIds?: readonly string[] | null | undefined;
  tagIds?: readonly string[] | null | undefined;
  subscriberIds?: readonly string[] | null | undefined;
}

const targets = {
  teamIds: { field: 'teams', from: Prisma.sql`team x`, alive: Prisma.sql`not x.archived` },
  ownerIds: { field: 'owners', from: Prisma.sql`user_account x`, alive: Prisma.sql`true` },
  ownerGroupIds: {
    field: 'owners_groups',
    from: Prisma.sql`user_group x`,
    alive: Prisma.sql`true`,
  },
  collectionIds: {
    field: 'collections',
    from: Prisma.sql`resource x`,
    alive: Prisma.sql`x.kind = 'collection' and not x.archived`,
  },
  tagIds: { field: 'tags', from: Prisma.sql`tag x`, alive: Prisma.sql`true` },
  subscriberIds: {
    field: 'subscribers',
    from: Prisma.sql`user_account x`,
    alive: Prisma.sql`true`,
  },
} as const satisfies Record<keyof IdSets, { field: string; from: Prisma.Sql; alive: Prisma.Sql }>;

/** A change of sets, each without repeats; an absent set stays as it is, null empties it. */
export type CheckedSets = { [Name in keyof IdSets]?: string[] };

/**
 * Check that every id names something of the workspace, and lock what is named against deletion until
 * the transaction ends, so that no resource is left with the id of what is gone. Throws BAD_REQUEST
 * that names the field and the ids.
 */
export async function checkIdSets(ctx: Context, sets: IdSets): Promise<CheckedSets> {
  const checked: CheckedSets = {};
  const errors: FieldError[] = [];
  for (const name of Object.keys(targets).filter(isSetName)) {
    const given = sets[name];
    if (given === undefined) continue;
    const wanted = [...new Set(given ?? [])].map((id) => id.toLowerCase());
    checked[name] = wanted;
    const unknown = await unknownIds(ctx, name, wanted);
    if (unknown.length > 0) {
      const list = unknown.slice(0, 5).join(', ');
      errors.push({
        field: targets[name].field,
        message: `No such id in this workspace: ${list}.`,
      });
    }
  }
  if (errors.length > 0) {
    throw invalid(errors.map(({ field, message }) => `${field}: ${message}`).join(' '), errors);
  }
  return checked;
}

function isSetName(name: string): name is keyof IdSets {
  return Object.hasOwn(targets, name);
}

async function unknownIds(
  ctx: Context,
  name: keyof IdSets,
  wanted: readonly string[],
): Promise<string[]> {
  const ids = wanted.filter(isUuid);
  const { from, alive } = targets[name];
  const known = new Set<string>();
  if (ids.length > 0) {
    const found = await rows<{ id: string }>(
      ctx,
      Prisma.sql`select x.id from ${from} where x.workspace_id = ${ctx.workspaceId}::uuid
        and x.id = any(${ids}::uuid[]) and ${alive} order by x.id for share`,
    );
    for (const { id } of found) known.add(id);
  }
  return wanted.filter((id) => !known.has(id));
}

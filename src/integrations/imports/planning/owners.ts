// The owners that a source names: which users and groups they are.

import type { Context } from '../../../context.ts';
import { scratch } from '../../../database/scratch.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { folded, isAddress } from '../../../people/mail-address.ts';
import type { ExtractedResource } from '../../readers/extraction.ts';
import { unmet } from './labels.ts';

/** Names are remembered so many at a time. */
const maxNames = 50_000;

/** The owners of one resource. */
export interface Owners {
  readonly userIds: readonly string[];
  readonly groupIds: readonly string[];
  /** What else its source says, with the owners that are neither users nor groups here. */
  readonly metadata: Record<string, unknown>;
}

interface Found {
  readonly name: string;
  readonly userId: string | null;
  readonly groupId: string | null;
}

/** What is known of the owners that an import has met. */
export class OwnerNames {
  readonly #ctx: Context;
  readonly #known = new Map<string, Found>();
  readonly #unknown = new Set<string>();

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Names of owners that are no one's, in the order in which they came. */
  get unknown(): ReadonlySet<string> {
    return this.#unknown;
  }

  /** Look up what a batch names, so that `of` answers for it. */
  async meet(batch: readonly ExtractedResource[]): Promise<void> {
    if (this.#known.size > maxNames) this.#known.clear();
    const names = unmet(batch, 'owners', this.#known);
    if (names.length === 0) return;
    const addresses = names.filter(isAddress);
    const others = names.filter((name) => !isAddress(name));
    for (const found of await ownersByAddress(this.#ctx, addresses)) this.#learn(found);
    for (const found of await ownersByName(this.#ctx, others)) this.#learn(found);
  }

  #learn(found: Found): void {
    this.#known.set(found.name, found);
  }

  /** The owners of a resource, in one order whatever that of their names; undefined where nothing is said of them. */
  of({ owners, metadata }: ExtractedResource): Owners | undefined {
    if (!owners) return undefined;
    const userIds = new Set<string>();
    const groupIds = new Set<string>();
    const unknown: string[] = [];
    for (const name of owners) {
      const { userId = null, groupId = null } = this.#known.get(name) ?? {};
      if (groupId !== null) groupIds.add(groupId);
      else if (userId !== null) userIds.add(userId);
      else unknown.push(name);
    }
    for (const name of unknown) if (this.#unknown.size < maxNames) this.#unknown.add(name);
    return {
      userIds: [...userIds].sort(),
      groupIds: [...groupIds].sort(),
      metadata: { ...metadata, ...(unknown.length > 0 ? { unknown_owners: unknown } : {}) },
    };
  }
}

async function ownersByAddress(ctx: Context, addresses: readonly string[]): Promise<Found[]> {
  if (addresses.length === 0) return [];
  return scratch<Found>(
    ctx,
    Prisma.sql`select n.name, u.id as "userId", null as "groupId"
      from unnest(${[...addresses]}::text[]) n(name)
      left join user_account u on u.workspace_id = ${ctx.workspaceId}::uuid
        and ${folded(Prisma.sql`u.email`)} = ${folded(Prisma.sql`n.name`)} and not u.archived and not u.is_service`,
  );
}

/**
 * A group of that name, else a user of that full name or handle, which is what stands before the @ of an address; with an
 * @ in front a user first. What several are called is the name of none of them.
 */
async function ownersByName(ctx: Context, names: readonly string[]): Promise<Found[]> {
  if (names.length === 0) return [];
  const ws = Prisma.sql`${ctx.workspaceId}::uuid`;
  return scratch<Found>(
    ctx,
    Prisma.sql`with named as (
        select n.name, lower(ltrim(n.name, '@')) as folded, n.name like '@%' as is_handle
        from unnest(${[...names]}::text[]) n(name)),
      groups as (
        select lower(g.name) as folded, min(g.id::text)::uuid as id from user_group g
        where g.workspace_id = ${ws} group by 1 having count(*) = 1),
      people as (
        select lower(p.name) as folded, min(p.id::text)::uuid as id from user_account u
        cross join lateral (values (split_part(u.email, '@', 1), u.id),
          (btrim(u.first_name || ' ' || u.last_name), u.id)) p(name, id)
        where u.workspace_id = ${ws} and not u.archived and not u.is_service
        group by 1 having count(distinct p.id) = 1)
      select n.name,
        case when n.is_handle or coalesce(e.id, g.id) is null then u.id end as "userId",
        case when not (n.is_handle and u.id is not null) then coalesce(e.id, g.id) end as "groupId"
      from named n left join groups g on g.folded = n.folded
      left join user_group e on e.workspace_id = ${ws} and e.name = ltrim(n.name, '@')
      left join people u on u.folded = n.folded and n.folded <> ''`,
  );
}

// Who describes a resource: each integration with what it says, as far as the catalog shows that.

import { serverId as nilId } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { loaderOf } from '../../database/loader.ts';
import { rows } from '../../database/rows.ts';
import { namesOf } from '../../fields.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import {
  type ClaimRole,
  factOrder,
  ranks,
  wordColumns,
  wordOrder,
} from '../../resources/identities/claim-rank.ts';
import { claimColumns, editable, ownClaim } from './claim-words.ts';

/** An integration that describes a resource, or the person who made it. */
export interface Describer {
  /** Null for a person. */
  readonly integrationId: string | null;
  readonly key: string;
  readonly role: ClaimRole;
  readonly isLive: boolean;
  readonly goneAt: Date | null;
  readonly isOwner: boolean;
  /** The fields whose value the catalog shows, under the names of the API. */
  readonly fields: readonly string[];
}

type Words = Readonly<Partial<Record<(typeof claimColumns)[number], unknown>>>;

interface Row extends Words {
  readonly resourceId: string;
  readonly integrationId: string;
  readonly key: string;
  readonly rank: number;
  readonly live: boolean;
  readonly goneAt: Date | null;
  readonly isOwner: boolean;
  readonly edited: readonly string[];
}

/** Who describes a resource that the viewer may see: the owner first, then who still does. */
export async function loadDescribers(ctx: Context, resourceId: string): Promise<Describer[]> {
  return (await loaderOf(ctx, describersOf).load(resourceId)) ?? [];
}

/** The integration that makes a resource: the first whose model, seed or snapshot it is. */
export async function loadMaker(ctx: Context, resourceId: string): Promise<string | null> {
  const found = await loadDescribers(ctx, resourceId);
  return found.find(({ role, isLive }) => isLive && role === 'model')?.integrationId ?? null;
}

/** The integrations whose source had the resource and no longer has it. */
export async function loadMissing(ctx: Context, resourceId: string): Promise<string[]> {
  const found = await loadDescribers(ctx, resourceId);
  const gone = found.filter(({ role, isLive }) => !isLive && role === 'sync');
  return [...new Set(gone.flatMap(({ integrationId }) => integrationId ?? []))];
}

const words = (of: string) =>
  Prisma.raw(claimColumns.map((column) => `${of}.${column}`).join(', '));
const first = ownClaim('r', 'i', 'o');

async function describersOf(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Describer[]>> {
  const ws = Prisma.sql`${ctx.workspaceId}::uuid`;
  const which = Prisma.sql`r.workspace_id = ${ws} and r.id = any(${[...ids]}::uuid[])`;
  const alone = await rows<Row>(
    ctx,
    Prisma.sql`select r.id as "resourceId", ${Prisma.raw(first.integrationId)} as "integrationId",
        ${Prisma.raw(first.key)} as key, (${Prisma.raw(first.rank)})::integer as rank,
        not r.stale as live, r.stale_at as "goneAt", true as "isOwner", r.edited_fields as edited,
        ${words('r')}
      from resource r left join integration i on i.workspace_id = ${ws} and i.id = r.integration_id
      left join resource o on o.workspace_id = ${ws} and o.id = r.parent_id
      where ${which} and not r.shared and (r.integration_id is not null or r.created_by_id is not null)`,
  );
  const claims = await rows<Row>(
    ctx,
    Prisma.sql`select r.id as "resourceId", c.integration_id as "integrationId", c.key,
        c.rank::integer as rank, c.live, c.gone_at as "goneAt", r.edited_fields as edited,
        c.integration_id = coalesce(r.integration_id, ${nilId}::uuid)
          and c.key = coalesce(r.databuilder_id, r.id::text) as "isOwner", ${words('c')}
      from resource r join resource_claim c on c.workspace_id = ${ws} and c.resource_id = r.id
      left join integration i on i.workspace_id = ${ws} and i.id = c.integration_id
      where ${which} and r.shared order by c.rank, i.created_at, c.integration_id, c.key`,
  );
  const grouped = new Map<string, Row[]>();
  for (const row of [...alone, ...claims]) {
    grouped.set(row.resourceId, [...(grouped.get(row.resourceId) ?? []), row]);
  }
  return new Map([...grouped].map(([id, list]) => [id, describe(list)]));
}

/** The roles by their ranks. */
const roles = new Map<number, ClaimRole>(namesOf(ranks).map((role) => [ranks[role], role]));

/** What the API calls what claims say, as far as it shows that. */
const fieldNames: Readonly<Record<string, string>> = {
  group_name: 'group',
  owner_ids: 'owners',
  owner_group_ids: 'ownerGroups',
  tag_ids: 'tags',
};
const fieldOf = (column: string) =>
  fieldNames[column] ?? column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const says = (value: unknown) =>
  value !== null &&
  value !== '' &&
  value !== false &&
  value !== 0 &&
  JSON.stringify(value) !== '{}' &&
  !(Array.isArray(value) && value.length === 0);

/** Who describes a resource, by the claims on it, the nearest first. */
function describe(claims: readonly Row[]): Describer[] {
  const isAnyLive = claims.some(({ live }) => live);
  const used = claims.filter(({ live }) => live || !isAnyLive);
  const shown = new Map<Row, string[]>();
  for (const column of claimColumns) {
    const order = wordColumns.has(column) ? wordOrder : factOrder;
    const sayers = used.filter((claim) => says(claim[column]));
    const [edited] = used.map((claim) => claim.edited.includes(editable[column] ?? ''));
    if (edited) continue;
    const best = sayers.toSorted((a, b) => order.indexOf(a.rank) - order.indexOf(b.rank));
    // Tags and owners of all count.
    const counting = column.endsWith('_ids') ? best : best.slice(0, 1);
    for (const claim of counting) shown.set(claim, [...(shown.get(claim) ?? []), fieldOf(column)]);
  }
  return claims
    .toSorted((a, b) => Number(b.isOwner) - Number(a.isOwner) || Number(b.live) - Number(a.live))
    .map((claim) => ({
      integrationId: claim.integrationId === nilId ? null : claim.integrationId,
      key: claim.key,
      role: roles.get(claim.rank) ?? 'file',
      isLive: claim.live,
      goneAt: claim.live ? null : claim.goneAt,
      isOwner: claim.isOwner,
      fields: (shown.get(claim) ?? []).sort(),
    }));
}

/** The ids that a resource had before others were merged into it. */
export async function loadMergedIds(ctx: Context, resourceId: string): Promise<string[]> {
  return (await loaderOf(ctx, mergedIdsOf).load(resourceId)) ?? [];
}

async function mergedIdsOf(ctx: Context, ids: readonly string[]): Promise<Map<string, string[]>> {
  const found = await rows<{ id: string; old: string[] }>(
    ctx,
    Prisma.sql`select a.resource_id as id, array_agg(a.old_id order by a.merged_at, a.old_id) as old
      from resource_alias a where a.workspace_id = ${ctx.workspaceId}::uuid
        and a.resource_id = any(${[...ids]}::uuid[]) group by a.resource_id`,
  );
  return new Map(found.map(({ id, old }) => [id, old]));
}

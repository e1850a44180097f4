// Where the databases lie that an integration names, and where they may lie.

import type { Context } from '../../context.ts';
import { byOwner, loaderOf } from '../../database/loader.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';

/** An address of an integration, and who says it. */
export interface KnownAddress {
  readonly database: string | null;
  readonly address: string;
  readonly becomes: string | null;
  readonly origin: 'set' | 'credentials' | 'matched';
  readonly decidedAt: Date;
}

/** Where the databases lie that an integration names, as far as something says so. */
export async function loadAddresses(ctx: Context, integrationId: string): Promise<KnownAddress[]> {
  return (await loaderOf(ctx, addressesOf).load(integrationId)) ?? [];
}

async function addressesOf(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, KnownAddress[]>> {
  const ws = Prisma.sql`${ctx.workspaceId}::uuid`;
  const found = await rows<KnownAddress & { of: string }>(
    ctx,
    Prisma.sql`with asked as (
        select i.id, i.type from integration i
        where i.workspace_id = ${ws} and i.id = any(${[...ids]}::uuid[]))
      select a.integration_id as "of", nullif(a.database, '') as database, a.address, a.becomes, a.origin,
        a.decided_at as "decidedAt" from integration_address a join asked i on i.id = a.integration_id
      where a.workspace_id = ${ws}
      union all
      select i.id, d.database, d.address, null, 'matched', d.decided_at
      from database_address d cross join asked i
      where d.workspace_id = ${ws} and i.type = 'dbt_core'
        and not exists (select from integration_address a where a.workspace_id = ${ws}
          and a.integration_id = i.id and a.database in (d.database, '*'))
        and exists (select from resource r where r.workspace_id = ${ws} and r.kind = 'schema'
          and r.address = d.address and lower(r.database_name collate "C") = d.database
          and (r.integration_id = i.id or exists (select from resource_claim c
            where c.workspace_id = ${ws} and c.resource_id = r.id and c.live
              and c.integration_id = i.id)))
      order by 5, 2 nulls last`,
  );
  const byId = new Map<string, KnownAddress[]>(ids.map((id) => [id, []]));
  for (const { of, ...address } of found) byId.get(of)?.push(address);
  return byId;
}

/** The databases that a project names, and nothing says where they lie, by name. */
export async function loadUndecided(ctx: Context, integrationId: string): Promise<string[]> {
  return (await loaderOf(ctx, undecidedOf).load(integrationId)) ?? [];
}

async function undecidedOf(ctx: Context, ids: readonly string[]): Promise<Map<string, string[]>> {
  const found = await rows<{ of: string; databases: string[] }>(
    ctx,
    Prisma.sql`select u.id as "of", array_agg(distinct r.database_name order by r.database_name) as databases
      from resource r cross join lateral unnest(r.integration_id || r.source_ids) u(id)
      where r.workspace_id = ${ctx.workspaceId}::uuid and r.kind = 'schema' and not r.archived
        and starts_with(r.address, 'unplaced:') and r.database_name is not null
        and u.id = any(${[...ids]}::uuid[]) group by u.id`,
  );
  return new Map(found.map(({ of, databases }) => [of, databases]));
}

/** A place where a database may lie that an integration names, as another source has schemas of it. */
export interface AddressProposal {
  readonly database: string | null;
  readonly address: string;
  readonly becomes: string | null;
  readonly integrationId: string | null;
  readonly sharedSchemas: number;
  readonly sharedTables: number;
}

/** Where the databases may lie that an integration names, the likeliest first; what it says itself is left out. */
export async function proposedAddresses(
  ctx: Context,
  integrationId: string,
): Promise<AddressProposal[]> {
  return (await loaderOf(ctx, proposalsOf).load(integrationId)) ?? [];
}

/** Those of many integrations in one statement. */
async function proposalsOf(
  ctx: Context,
  integrationIds: readonly string[],
): Promise<Map<string, AddressProposal[]>> {
  const ws = Prisma.sql`${ctx.workspaceId}::uuid`;
  const folded = (name: string) => Prisma.raw(`lower(${name} collate "C")`);
  const found = await rows<AddressProposal & { ownerId: string }>(
    ctx,
    Prisma.sql`select owner.id as "ownerId", one.* from unnest(${[...integrationIds]}::uuid[]) owner(id)
      cross join lateral (with mine as (
        select r.id, r.address, ${folded('r.database_name')} as database, ${folded('r.title')} as schema
        from resource r where r.workspace_id = ${ws} and r.kind = 'schema' and r.address is not null
          and (r.integration_id = owner.id or exists (select from resource_claim c
            where c.workspace_id = ${ws} and c.resource_id = r.id and c.live
              and c.integration_id = owner.id))
        order by r.id limit 1000),
      there as (
        select m.id, m.database, o.id as other, o.address, ${folded('o.database_name')} as holder,
          o.database_name, o.integration_id
        from mine m join resource o on o.workspace_id = ${ws} and o.kind = 'schema'
          and o.address is not null and not starts_with(o.address, 'unplaced:') and o.address <> m.address
          and ${folded('o.title')} = m.schema and not o.archived
          and (m.database is null or ${folded('o.database_name')} = m.database)
          and o.database_name is not null)
      select t.database, t.address, case when t.database is null then min(t.database_name) end as becomes,
        (array_agg(t.integration_id order by t.integration_id))[1] as "integrationId",
        count(distinct t.other)::integer as "sharedSchemas",
        (select count(*) from there x join resource a on a.workspace_id = ${ws} and a.parent_id = x.id
          join resource b on b.workspace_id = ${ws} and b.parent_id = x.other and b.kind = a.kind
            and ${folded('b.title')} = ${folded('a.title')}
          where x.address = t.address and x.holder = t.holder
            and x.database is not distinct from t.database)::integer as "sharedTables"
      from there t group by t.database, t.address, t.holder
      order by 6 desc, 5 desc, 2 limit 100) one`,
  );
  return byOwner(integrationIds, found);
}

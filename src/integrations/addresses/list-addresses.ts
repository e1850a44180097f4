// Where the databases lie that an integration names, and where they may lie.

import type { Context } from '../../context.ts';
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
export function addressesOf(ctx: Context, integrationId: string): Promise<KnownAddress[]> {
  const ws = Prisma.sql`${ctx.workspaceId}::uuid`;
  const described = Prisma.sql`(r.integration_id = ${integrationId}::uuid or exists (
    select from resource_claim c where c.workspace_id = ${ws} and c.resource_id = r.id and c.live
      and c.integration_id = ${integrationId}::uuid))`;
  return rows<KnownAddress>(
    ctx,
    Prisma.sql`select nullif(a.database, '') as database, a.address, a.becomes, a.origin,
        a.decided_at as "decidedAt" from integration_address a
      where a.workspace_id = ${ws} and a.integration_id = ${integrationId}::uuid
      union all
      select d.database, d.address, null, 'matched', d.decided_at from database_address d
      where d.workspace_id = ${ws}
        and exists (select from integration i where i.workspace_id = ${ws}
          and i.id = ${integrationId}::uuid and i.type = 'dbt_core')
        and not exists (select from integration_address a where a.workspace_id = ${ws}
          and a.integration_id = ${integrationId}::uuid and a.database in (d.database, '*'))
        and exists (select from resource r where r.workspace_id = ${ws} and r.kind = 'schema'
          and r.address = d.address and lower(r.database_name collate "C") = d.database and ${described})
      order by 4, 1 nulls last`,
  );
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
export function proposedAddresses(ctx: Context, integrationId: string): Promise<AddressProposal[]> {
  const ws = Prisma.sql`${ctx.workspaceId}::uuid`;
  const folded = (name: string) => Prisma.raw(`lower(${name} collate "C")`);
  return rows<AddressProposal>(
    ctx,
    Prisma.sql`with mine as (
        select r.id, r.address, ${folded('r.database_name')} as database, ${folded('r.title')} as schema
        from resource r where r.workspace_id = ${ws} and r.kind = 'schema' and r.address is not null
          and (r.integration_id = ${integrationId}::uuid or exists (select from resource_claim c
            where c.workspace_id = ${ws} and c.resource_id = r.id and c.live
              and c.integration_id = ${integrationId}::uuid))
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
      order by 6 desc, 5 desc, 2 limit 100`,
  );
}

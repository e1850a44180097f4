// Says where the databases lie that an integration names.

import { mustBeAllowed } from '../../auth/permission.ts';
import type { ServerContext } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { invalidField } from '../../errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { beginHere } from '../../jobs/here.ts';
import { runImport } from '../imports/import.ts';
import type { ListedChange } from '../imports/listed.ts';
import type { ImportCounts } from '../imports/options.ts';
import { resultOf } from '../imports/sync.ts';
import { getIntegration } from '../integration.ts';
import { checkText } from '../../text/text.ts';
import { importJob, syncKey } from '../sync-key.ts';
import { adapterOf, foldName } from './address.ts';
import { lastSaid } from './last-said.ts';

/** Where a database lies. */
export interface AddressInput {
  /** The database; `*` for all that are not named one by one, null for tables that name none. */
  readonly database?: string | null | undefined;
  readonly address: string;
  /** The database in which tables lie that name none. */
  readonly becomes?: string | null | undefined;
}

/** What became of the resources of an integration whose addresses were said, or would become. */
export interface AddressReport {
  /** Resources that are made one with others. */
  readonly merged: number;
  /** Resources that others describe as well, and that the integration leaves to them. */
  readonly split: number;
  /** Databases, schemas and tables that lie elsewhere. */
  readonly moved: number;
  readonly problems: readonly string[];
  readonly changes: readonly ListedChange[];
  readonly jobId: string | null;
}

const most = 1_000;

/**
 * Say where the databases lie that an integration names, in place of what was said before; admins may. What it described last is
 * brought in line at once: what turns out to be one is merged, and what is not is parted. What a database becomes that tables do not name shows
 * with the next upload. Throws NOT_FOUND, BAD_REQUEST, and CONFLICT while something is imported into it.
 */
export async function setIntegrationAddresses(
  ctx: ServerContext,
  id: string,
  given: readonly AddressInput[],
  dryRun = false,
): Promise<AddressReport> {
  mustBeAllowed(ctx, 'manage integrations');
  const integration = await getIntegration(ctx, id);
  const said = checked(given);
  let changes: readonly ListedChange[] = [];
  let moved = 0;
  const { job, done } = await beginHere<ServerContext, ImportCounts>(
    ctx,
    {
      kind: importJob,
      title: `${dryRun ? 'Dry run of the addresses' : 'Addresses'} of ${integration.name}`,
      dedupeKey: syncKey(integration.id),
      busy: 'A sync of this integration is in progress.',
      ifLost: 'The server stopped before this had ended; nothing was changed. Say it again.',
    },
    (run) =>
      runImport(run.ctx, {
        integration,
        extraction: lastSaid(run.ctx, integration.id),
        ...{ file: integration.name, title: 'Addresses', origin: 'IMPORT', said, dryRun },
        covers: { resources: true, lineage: false, tests: false },
        readDeclarations: null,
        stale: 'nothing',
        force: true,
        isProject: integration.type === 'dbt_core',
        onChanges: (found) => {
          changes = found;
        },
        onMoved: (count) => {
          moved = count;
        },
        watch: {
          log: run.log,
          progress: run.progress,
          finish: (tx, counts, trace) => run.complete(tx, resultOf(counts, trace)),
        },
      }),
  );
  const { shared, problems } = await done;
  return { merged: shared.merged, split: shared.left, moved, problems, changes, jobId: job.id };
}

function checked(given: readonly AddressInput[]): AddressInput[] {
  if (given.length > most) throw invalidField('addresses', `Say at most ${most} of them.`);
  const seen = new Set<string>();
  return given.map(({ database, address, becomes }, at) => {
    const field = `addresses.${at}`;
    const name = foldName(checkText(`${field}.database`, database ?? '').trim());
    const where = checkText(`${field}.address`, address).trim();
    if (!/^[a-z][a-z0-9_]*(:|$)/.test(where) || adapterOf(where) !== null || where.length > 1_000) {
      throw invalidField(
        `${field}.address`,
        'Use an address such as postgres://db.example.com:5432, or that of another integration.',
      );
    }
    if (seen.has(name)) throw invalidField(`${field}.database`, 'This database is said twice.');
    seen.add(name);
    if (name !== '' && becomes) {
      throw invalidField(`${field}.becomes`, 'Only tables that name no database get one.');
    }
    return { database: name, address: where, becomes: becomes?.trim() || null };
  });
}

/** An address of an integration, and who says it. */
export interface KnownAddress {
  readonly database: string | null;
  readonly address: string;
  readonly becomes: string | null;
  readonly origin: 'set' | 'credentials' | 'matched';
  readonly decidedAt: Date;
}

/** Where the databases lie that an integration names, as far as something says so. */
export function addressesOf(ctx: ServerContext, integrationId: string): Promise<KnownAddress[]> {
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
export function proposedAddresses(
  ctx: ServerContext,
  integrationId: string,
): Promise<AddressProposal[]> {
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

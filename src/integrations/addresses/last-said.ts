// What an integration said last, as the catalog holds it: the same that its source would say again.

import type { Context } from '../../context.ts';
import { scratch } from '../../database/scratch.ts';
import { foldedName, identityOf, placedKindList } from '../../resources/identities/named-place.ts';
import { claimColumns } from '../claims/claim-words.ts';
import type { ExtractedResource, Extraction } from '../readers/extraction.ts';

interface Row {
  readonly key: string;
  readonly kind: ExtractedResource['kind'];
  readonly parentKey: string | null;
  readonly database: string | null;
  readonly schema: string | null;
  readonly tags: string[] | null;
  readonly owners: string[] | null;
  readonly words: Readonly<Record<string, unknown>> | null;
  readonly metadata: Record<string, unknown>;
  readonly title: string;
  readonly cluster: string | null;
}

/** Resources that are read at once. */
const batch = 2_000;

/** Everything that lies somewhere and an integration still describes, alone or with others. */
export async function* lastSaid(ctx: Context, integrationId: string): Extraction {
  const values = [ctx.workspaceId, integrationId];
  const adapter = await adapterOfProject(ctx, integrationId);
  if (adapter) yield { is: 'adapter', adapter };
  for (let after = ''; ; ) {
    const found = await scratch<Row>(ctx, said, [...values, after, batch]);
    for (const row of found) yield { is: 'resource', resource: resourceOf(row) };
    const last = found.at(-1);
    if (!last || found.length < batch) return;
    after = last.key;
  }
}

/** The warehouse that a project is written for, as its models said last; null where none did. */
export async function adapterOfProject(
  ctx: Context,
  integrationId: string,
): Promise<string | null> {
  const [project] = await scratch<{ adapter: string | null }>(
    ctx,
    `select coalesce(max(r.source_metadata -> 'transform' ->> 'dialect'), max(r.source_metadata ->> 'dialect'))
        as adapter
      from resource r where r.workspace_id = $1::uuid and r.kind = 'table' and (r.integration_id = $2::uuid
        or r.id in (select c.resource_id from resource_claim c where c.workspace_id = $1::uuid
          and c.integration_id = $2::uuid))`,
    [ctx.workspaceId, integrationId],
  );
  return project?.adapter ?? null;
}

const keyOf = (
  r: string,
) => `coalesce((select min(k.key) from resource_claim k where k.workspace_id = $1::uuid
  and k.integration_id = $2::uuid and k.resource_id = ${r}.id and k.live),
  case when ${r}.integration_id = $2::uuid then ${r}.databuilder_id end)`;
const labels = claimColumns.filter((column) => !column.endsWith('_ids'));
const kinds = `r.kind in (${placedKindList}, 'column')`;
/** What the integration itself calls a resource, which may be kept under the name of another that was merged into it. */
const nameOf = (
  r: string,
) => `coalesce((select k.title from resource_claim k where k.workspace_id = $1::uuid
  and k.integration_id = $2::uuid and k.resource_id = ${r}.id and k.live order by k.key limit 1), ${r}.title)`;
/** Whose words are other than what the resource holds. */
const ofClaim = `select r.id, c.key, r.kind, r.parent_id, r.database_name, r.schema_name, coalesce(c.title, r.title) as title,
    c.cluster, coalesce(c.source_metadata, '{}') as metadata, c.tag_ids, c.owner_ids, c.owner_group_ids,
    jsonb_build_object(${labels.map((column) => `'${column}', c.${column}`).join(', ')}) as words
  from resource_claim c join resource r on r.workspace_id = $1::uuid and r.id = c.resource_id
  where c.workspace_id = $1::uuid and c.integration_id = $2::uuid and c.live and ${kinds} and c.key > $3`;
// What it describes alone keeps what it holds: nothing is said of that.
const alone = `select r.id, r.databuilder_id, r.kind, r.parent_id, r.database_name, r.schema_name, r.title,
    r.cluster, r.source_metadata, null::uuid[], null::uuid[], null::uuid[], null::jsonb
  from resource r where r.workspace_id = $1::uuid and r.integration_id = $2::uuid and not r.shared
    and not r.stale and r.databuilder_id is not null and ${kinds} and r.databuilder_id > $3`;

/** What a merged schema or table, alias `s`, lay in, for those who do not describe what it lies in now. */
const holder = `(select z.path, h.title, h.database_name, ${keyOf('h')} as key from resource_alias z
    left join resource h on h.workspace_id = $1::uuid and h.identity = case z.path ->> 1
      when 'table' then ${identityOf('(z.path ->> 0)', {
        kind: `'schema'`,
        database: '(z.path ->> 2)',
        schema: 'null',
        title: '(z.path ->> 3)',
      })}
      else ${identityOf('(z.path ->> 0)', {
        kind: `'database'`,
        database: 'null',
        schema: 'null',
        title: '(z.path ->> 2)',
      })} end
    where z.workspace_id = $1::uuid and z.resource_id = s.id and z.path ->> 1 = s.kind
    order by ${keyOf('h')} is null, z.path ->> 4 <> ${foldedName('s.title')}, z.merged_at, z.old_id limit 1)`;

const said = `with named as (
    select s.*, p.id as held_by, p.kind as held_as, ${nameOf('p')} as holder,
      case q.kind when 'database' then ${nameOf('q')} end as above, ${keyOf('p')} as parent_key
    from (select * from (${ofClaim} union all ${alone}) a order by a.key limit $4) s
    left join resource p on p.workspace_id = $1::uuid and p.id = s.parent_id
    left join resource q on q.workspace_id = $1::uuid and q.id = p.parent_id and s.kind = 'table')
  select s.key, s.kind, s.title, s.cluster, s.metadata, s.words,
    case when s.kind not in ('schema', 'table') then null
      when h.path is not null then coalesce(case s.kind when 'schema' then h.title else h.database_name end, h.path ->> 2)
      when s.held_as = 'database' then s.holder else coalesce(s.above, s.database_name) end as database,
    case when s.kind = 'table' then case when h.path is not null then coalesce(h.title, h.path ->> 3)
      when s.held_as = 'schema' then s.holder else s.schema_name end end as schema,
    coalesce(h.key, s.parent_key) as "parentKey",
    (select array_agg(t.name) from tag t where t.workspace_id = $1::uuid and t.id = any(s.tag_ids)) as tags,
    (select array_agg(o.name) from (
        select u.email as name from user_account u
        where u.workspace_id = $1::uuid and u.id = any(s.owner_ids)
        union all select g.name from user_group g
        where g.workspace_id = $1::uuid and g.id = any(s.owner_group_ids)) o) as owners
  from named s left join lateral ${holder} h on s.kind in ('schema', 'table') and s.parent_key is null
  order by s.key`;

function resourceOf(row: Row): ExtractedResource {
  const text = (column: string) => {
    const value = row.words?.[column];
    return typeof value === 'string' ? value : undefined;
  };
  const number = (column: string) => {
    const value = row.words?.[column];
    return typeof value === 'number' ? value : undefined;
  };
  const flag = (column: string) => {
    const value = row.words?.[column];
    return typeof value === 'boolean' ? value : undefined;
  };
  const time = text('external_updated_at');
  return {
    line: 0,
    ...{ kind: row.kind, key: row.key, parentKey: row.parentKey ?? undefined, standing: 'named' },
    ...{ title: row.title, cluster: row.cluster ?? undefined },
    ...{ database: row.database ?? undefined, schema: row.schema ?? undefined },
    ...{ description: text('description'), definition: text('definition'), url: text('url') },
    ...{
      nativeType: text('native_type'),
      creationQuery: text('creation_query'),
      type: text('type'),
    },
    ...{ group: text('group_name'), product: text('product') },
    ...{ rowCount: number('row_count'), byteSize: number('byte_size') },
    ...{ sortOrder: number('sort_order'), externalUsage: number('external_usage') },
    ...{ isPk: flag('is_pk'), hidden: flag('hidden') },
    externalUpdatedAt: time === undefined ? undefined : new Date(time),
    tags: row.tags ?? undefined,
    owners: row.owners ?? undefined,
    metadata: row.metadata,
  };
}

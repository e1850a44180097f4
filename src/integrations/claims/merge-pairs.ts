// Makes one resource of two that are one thing, set by set: nothing that people did with either is lost.

import type { Context } from '../../context.ts';
import { scratch } from '../../database/scratch.ts';
import { editable } from './claim-words.ts';
import { keepOwnClaims } from './own-claims.ts';

/** Sets of a resource: what either of the two is in, the one that is kept is in. */
const sets = [
  'owner_group_ids',
  'collection_ids',
  'subscriber_ids',
  'bookmarked_by_ids',
  'internal_user_ids',
  'external_user_ids',
  'multiplayer_ids',
];

/** What names a resource by its id, and no other table has it twice. */
const references: readonly (readonly [table: string, column: string])[] = [
  ['data_test', 'resource_id'],
  ['data_test', 'column_id'],
  ['run_result', 'resource_id'],
  ['monitor', 'target_id'],
  ['incident', 'target_id'],
  ['resource_change', 'resource_id'],
  ['comment', 'resource_id'],
  ['announcement', 'resource_id'],
  ['resource', 'parent_id'],
  ['resource', 'base_entity_id'],
  ['resource', 'successor_id'],
  ['resource_claim', 'resource_id'],
  ['resource_alias', 'resource_id'],
];

/**
 * Merge pairs of resources, which are locked, within a transaction: of each the one that is kept gets what hangs on the
 * other, whose id leads to it from now on. What follows of the claims is to be settled afterwards.
 */
export async function mergePairs(tx: Context, pairs: string): Promise<void> {
  const send = (sql: string, ...more: readonly unknown[]) =>
    scratch(tx, sql, [tx.workspaceId, ...more]);
  const here = 'workspace_id = $1::uuid';
  await scratch(tx, `analyze ${pairs}`);
  await keepOwnClaims(tx, `select p.kept from ${pairs} p union select p.gone from ${pairs} p`);
  await joinVersions(send, pairs, tx.now());
  await joinFields(send, pairs, tx.now());
  await send(
    `insert into usage_day as u (workspace_id, resource_id, day, internal, external)
      select $1::uuid, p.kept, g.day, sum(g.internal)::integer, sum(g.external) from ${pairs} p
      join usage_day g on g.${here} and g.resource_id = p.gone group by p.kept, g.day
      on conflict (workspace_id, resource_id, day) do update
        set internal = u.internal + excluded.internal, external = u.external + excluded.external`,
  );
  await send(
    `insert into recent_view as v (workspace_id, user_id, resource_id, viewed_at)
      select $1::uuid, g.user_id, p.kept, max(g.viewed_at) from ${pairs} p
      join recent_view g on g.${here} and g.resource_id = p.gone group by p.kept, g.user_id
      on conflict (workspace_id, user_id, resource_id) do update
        set viewed_at = greatest(v.viewed_at, excluded.viewed_at)`,
  );
  await send(
    `insert into custom_property_value (workspace_id, property_id, resource_id, value)
      select distinct on (p.kept, g.property_id) $1::uuid, g.property_id, p.kept, g.value
      from ${pairs} p join custom_property_value g on g.${here} and g.resource_id = p.gone
      order by p.kept, g.property_id, p.gone on conflict do nothing`,
  );
  await moveEdges(send, pairs);
  await send(`update lineage_edge e set query_id = p.kept from ${pairs} p
    where e.${here} and e.query_id = p.gone`);
  for (const [table, column] of references) {
    const dated = table === 'monitor' || table === 'incident';
    await send(
      `update ${table} t set ${column} = p.kept${dated ? ', updated_at = $2::timestamptz' : ''} from ${pairs} p
        where t.${here} and t.${column} = p.gone`,
      ...(dated ? [tx.now()] : []),
    );
  }
  await send(`update notification_rule n set resource_ids = array(
      select distinct coalesce(p.kept, x) from unnest(n.resource_ids) x
      left join ${pairs} p on p.gone = x)
    where n.${here} and exists (select from ${pairs} p where p.gone = any(n.resource_ids))`);
  await send(`update custom_property_value v set value = p.kept::text from ${pairs} p
    where v.${here} and length(v.value) = 36 and v.value = p.gone::text`);
  // What its SQL said of columns is read again.
  await send(`delete from table_trace t using ${pairs} p where t.${here} and t.table_id = p.gone`);
  await send(`delete from resource r using ${pairs} p where r.${here} and r.id = p.gone`);
  await send(
    `insert into resource_alias (workspace_id, old_id, resource_id, merged_at)
      select $1::uuid, p.gone, p.kept, $2::timestamptz from ${pairs} p`,
    tx.now(),
  );
}

type Send = (sql: string, ...more: readonly unknown[]) => Promise<object[]>;

const edited = (of: string, field: string) => `'${field}' = any(${of}.edited_fields)`;

/**
 * The versions of the one that goes become versions of the other, before the text that counts in the end: what people
 * wrote, else what is there.
 */
async function joinVersions(send: Send, pairs: string, now: Date): Promise<void> {
  const taken = `${edited('g', 'definition')} and not ${edited('k', 'definition')}`;
  await send(
    `with old as (
        select p.kept, p.gone, v.definition, v.created_at, v.version from ${pairs} p
          join resource_version v on v.workspace_id = $1::uuid and v.resource_id = p.gone
        union all
        select p.kept, p.gone, g.definition, g.updated_at, g.definition_version from ${pairs} p
          join resource g on g.workspace_id = $1::uuid and g.id = p.gone
          where ${edited('g', 'definition')} and not exists (select from resource_version v
            where v.workspace_id = $1::uuid and v.resource_id = g.id)),
      numbered as (
        select o.*, row_number() over (partition by o.kept order by o.gone, o.version) as place,
          count(*) over (partition by o.kept) as total from old o),
      first as (
        insert into resource_version (workspace_id, resource_id, version, definition, created_at)
        select k.workspace_id, k.id, k.definition_version, k.definition, k.created_at
          from resource k where k.workspace_id = $1::uuid and k.id in (select o.kept from old o)
        on conflict do nothing),
      joined as (
        insert into resource_version (workspace_id, resource_id, version, definition, created_at)
        select $1::uuid, k.id, k.definition_version + n.place, n.definition, n.created_at
          from numbered n join resource k on k.workspace_id = $1::uuid and k.id = n.kept
        union all
        select distinct on (k.id) $1::uuid, k.id, k.definition_version + n.total + 1,
          case when ${taken} then g.definition else k.definition end, $2::timestamptz
          from numbered n join resource k on k.workspace_id = $1::uuid and k.id = n.kept
          join resource g on g.workspace_id = $1::uuid and g.id = n.gone
          order by 2, 3, 4)
      update resource r set definition_version = r.definition_version + n.total + 1
      from (select distinct kept, total from numbered) n where r.workspace_id = $1::uuid and r.id = n.kept`,
    now,
  );
}

/** What people wrote is taken where the other says nothing of theirs; sets are joined. */
async function joinFields(send: Send, pairs: string, now: Date): Promise<void> {
  const single = Object.entries(editable).filter(([column]) => !sets.includes(column));
  const taken = single.map(([column, field]) => {
    const both = column.endsWith('_ids')
      ? `when ${edited('g', field)} and ${edited('r', field)}
          then array(select distinct unnest(r.${column} || g.${column}))`
      : '';
    return `${column} = case ${both} when ${edited('g', field)} and not ${edited('r', field)}
      then g.${column} else r.${column} end`;
  });
  const joined = sets.map(
    (column) => `${column} = array(select distinct unnest(r.${column} || g.${column}))`,
  );
  // Of two that were one all along, the one that took the place of the other is not deprecated by that.
  const deprecations = ['deprecated_at', 'deprecation_note', 'successor_id'].map(
    (
      column,
    ) => `${column} = case when r.deprecated_at is null and g.successor_id is distinct from r.id
      then g.${column} else r.${column} end`,
  );
  // Of several that go into one, each is joined by a statement of its own.
  for (let place = 1; ; place += 1) {
    const found = await send(
      `update resource r set ${[...taken, ...joined, ...deprecations].join(', ')}, updated_at = $2::timestamptz,
          edited_fields = array(select distinct unnest(r.edited_fields || g.edited_fields)),
          internal_usage = r.internal_usage + g.internal_usage, pii = r.pii or g.pii,
          verified = r.verified or g.verified, icon = coalesce(r.icon, g.icon),
          forced_unstale_by_user = r.forced_unstale_by_user or g.forced_unstale_by_user
        from (select p.*, row_number() over (partition by p.kept order by p.gone) as place
          from ${pairs} p) p
        join resource g on g.workspace_id = $1::uuid and g.id = p.gone
        where r.workspace_id = $1::uuid and r.id = p.kept and p.place = $3::integer returning r.id`,
      now,
      place,
    );
    if (found.length === 0) return;
  }
}

/** Of edges that become one, what is stated comes before what is implied, then the older; one to itself goes. */
async function moveEdges(send: Send, pairs: string): Promise<void> {
  const ends = `coalesce(a.kept, e.source_id) as source_id, coalesce(b.kept, e.target_id) as target_id`;
  const moving = `moving as materialized (
      select e.id, ${ends}, e.origin, e.integration_id, e.valid_to, e.valid_from, e.implied, e.level
      from lineage_edge e left join ${pairs} a on a.gone = e.source_id
      left join ${pairs} b on b.gone = e.target_id
      where e.workspace_id = $1::uuid and (e.source_id in (select p.gone from ${pairs} p)
        or e.target_id in (select p.gone from ${pairs} p)))`;
  await send(
    `with ${moving},
      equal as (
        select m.* from moving m where m.valid_to is null
        union select e.id, e.source_id, e.target_id, e.origin, e.integration_id, e.valid_to, e.valid_from,
          e.implied, e.level
        from lineage_edge e join moving m on e.source_id = m.source_id and e.target_id = m.target_id
          and e.origin = m.origin and e.integration_id is not distinct from m.integration_id
        where e.workspace_id = $1::uuid and e.valid_to is null),
      ranked as (
        select q.id, row_number() over (partition by q.source_id, q.target_id, q.origin, q.integration_id
          order by q.implied, q.valid_from, q.id) as place from equal q)
      delete from lineage_edge e where e.workspace_id = $1::uuid and (
        e.id in (select k.id from ranked k where k.place > 1)
        or e.id in (select m.id from moving m where m.source_id = m.target_id
          and not (m.level = 'COLUMN' and m.origin = 'QUERY')))`,
  );
  await send(
    `with ${moving}
      update lineage_edge e set source_id = m.source_id, target_id = m.target_id from moving m
      where e.workspace_id = $1::uuid and e.id = m.id`,
  );
}

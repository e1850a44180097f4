// What follows of the claims on resources: which value counts, who owns each, whether it is stale.

import { serverId as nilId } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { scratch, unwatched } from '../../database/scratch.ts';
import { ranks, wordColumns, wordOrder } from '../../resources/identities/claim-rank.ts';
import { claimColumns, editable } from './claim-words.ts';

const types: Readonly<Record<string, string>> = {
  external_updated_at: 'timestamptz(3)',
  row_count: 'float8',
  byte_size: 'float8',
  sort_order: 'integer',
  is_pk: 'boolean',
  hidden: 'boolean',
  external_usage: 'float8',
  tag_ids: 'uuid[]',
  owner_ids: 'uuid[]',
  owner_group_ids: 'uuid[]',
  source_metadata: 'jsonb',
};
const typeOf = (column: string) => types[column] ?? 'text';

/** The scratch tables that claims are settled on. */
export interface Settling {
  /** All claims on the resources that are looked at, as they are to be. */
  readonly claims: string;
  /** What follows of them, a row for each resource. */
  readonly settled: string;
}

/** Names of the scratch tables, after that of the work they belong to. */
export function settlingOf(name: string): Settling {
  return { claims: `${name}_claims`, settled: `${name}_settled` };
}

const head = `integration_id uuid, key text, resource_id uuid, rank smallint, live boolean,
  gone_at timestamptz(3), is_new boolean`;

/** Make the scratch tables, outside of what may be undone. */
export async function makeSettling(ctx: Context, { claims, settled }: Settling): Promise<void> {
  const said = claimColumns.map((column) => `${column} ${typeOf(column)}`).join(', ');
  await scratch(ctx, `drop table if exists ${claims}, ${settled}`);
  await scratch(ctx, `create unlogged table ${claims} (${head}, ${said}) ${unwatched}`);
  await scratch(
    ctx,
    `create unlogged table ${settled} (k integer, id uuid, owner uuid, key text, stale boolean,
      sources uuid[], ${said}) ${unwatched}`,
  );
}

/** Look at the claims as they are, of the resources of an alias `c` of claims that a condition holds for. */
export async function lookAtClaims(
  tx: Context,
  { claims }: Settling,
  condition: string,
  values: readonly unknown[],
): Promise<void> {
  const columns = [
    'integration_id',
    'key',
    'resource_id',
    'rank',
    'live',
    'gone_at',
    ...claimColumns,
  ];
  await scratch(tx, `delete from ${claims}`);
  await scratch(
    tx,
    `insert into ${claims} (is_new, ${columns.join(', ')})
      select false, ${columns.map((column) => `c.${column}`).join(', ')} from resource_claim c
      where c.workspace_id = $1::uuid and ${condition}`,
    [tx.workspaceId, ...values],
  );
}

const words = `array_position(array[${wordOrder.join(', ')}], u.rank::integer)`;
const facts = 'u.rank';
const older = 'u.made, u.integration_id, u.key';
// Where a sync describes a thing, what that said last decides: it is the source itself, through which it is measured. A
// person who made the thing by hand comes next.
const nearest = `(u.rank > ${ranks.sync}), (not u.live), (u.rank <> ${ranks.sync}), u.rank, ${older}`;

const best = (column: string, order: string, which = 'true') =>
  `(array_agg(u.${column} order by ${order}, ${older})
    filter (where u.${column} is not null and ${which}))[1]`;

const all = (column: string) =>
  `array(select distinct x from unnest(string_to_array(
    string_agg(array_to_string(u.${column}, ','), ',') filter (where cardinality(u.${column}) > 0), ',')::uuid[]) x
    order by x)`;

function settledValue(column: string): string {
  switch (column) {
    case 'tag_ids':
    case 'owner_ids':
    case 'owner_group_ids':
      return all(column);
    case 'is_pk':
      return 'coalesce(bool_or(u.is_pk), false)';
    case 'source_metadata': {
      const its = best(column, facts, 'not u.is_project');
      const project = best(column, words, 'u.is_project');
      return `case when bool_or(not u.is_project) then coalesce(${its}, '{}') || case
          when ${project} is null then '{}' else jsonb_build_object('transform', ${project}) end
        else coalesce(${project}, '{}') end`;
    }
    default:
      return best(column, wordColumns.has(column) ? words : facts);
  }
}

/** Work out what follows of the claims. */
export async function settle(ctx: Context, { claims, settled }: Settling): Promise<void> {
  await scratch(ctx, `analyze ${claims}`);
  await scratch(ctx, `delete from ${settled}`);
  await scratch(
    ctx,
    `with looked as (
        select c.*, coalesce(i.created_at, '-infinity') as made,
          coalesce(i.type = 'dbt_core', false) as is_project,
          bool_or(c.live) over w as any_live, bool_or(c.rank = ${ranks.sync}) over w as has_sync,
          bool_or(c.rank = ${ranks.sync} and c.live) over w as any_synced
        from ${claims} c left join integration i on i.workspace_id = $1::uuid and i.id = c.integration_id
        window w as (partition by c.resource_id)),
      used as (select * from looked u where u.live or not u.any_live
        or u.rank = ${ranks.sync} and not u.any_synced)
      insert into ${settled} (k, id, owner, key, stale, sources, ${claimColumns.join(', ')})
      select row_number() over (order by u.resource_id), u.resource_id,
        (array_agg(u.integration_id order by ${nearest}))[1],
        (array_agg(u.key order by ${nearest}))[1],
        case when bool_or(u.has_sync) then not bool_or(u.any_synced) else not bool_or(u.any_live) end,
        array(select x from unnest(array_agg(distinct u.integration_id) filter (where u.live)) x
          where x <> '${nilId}' and x <> (array_agg(u.integration_id order by ${nearest}))[1] order by x),
        ${claimColumns.map(settledValue).join(', ')}
      from used u group by u.resource_id`,
    [ctx.workspaceId],
  );
  await scratch(ctx, `analyze ${settled}`);
}

const edited = (column: string, value: string) => {
  const field = editable[column];
  return field
    ? `case when '${field}' = any(r.edited_fields) then r.${column} else ${value} end`
    : value;
};

const defaults: Readonly<Record<string, string>> = {
  title: 'coalesce(t.title, r.title)',
  definition: `coalesce(t.definition, '')`,
  hidden: 'coalesce(t.hidden, false)',
  external_usage: 'coalesce(t.external_usage, 0)',
};

const definition = edited('definition', `coalesce(t.definition, '')`);

/** What a resource, alias `r`, is to hold by what was settled, alias `t`; its key is written apart. */
export const settledColumns: Readonly<Record<string, string>> = {
  integration_id: `nullif(t.owner, '${nilId}'::uuid)`,
  source_ids: 't.sources',
  shared: 'true',
  title_full: `case when t.title is null or t.title = r.title then r.title_full
    else left(r.title_full, length(r.title_full) - length(r.title)) || t.title end`,
  stale: 't.stale and not r.forced_unstale_by_user',
  stale_at: `case when t.stale and not r.forced_unstale_by_user then coalesce(r.stale_at, now()) end`,
  definition_version: `r.definition_version + (${definition} is distinct from r.definition)::integer`,
  ...Object.fromEntries(
    claimColumns.map((column) => [column, edited(column, defaults[column] ?? `t.${column}`)]),
  ),
};

/** The key that a resource, alias `r`, is to have by what was settled; null where nothing names it by one. */
const settledKey = 'nullif(t.key, r.id::text)';

/**
 * Write what was settled, where all of the resources are locked: first keys that go from one to another are let go.
 * Answers the ids of those that became different.
 */
export async function writeSettled(tx: Context, { settled }: Settling): Promise<string[]> {
  const ws = [tx.workspaceId];
  const isIn = `r.workspace_id = $1::uuid and r.id = t.id`;
  await scratch(
    tx,
    `update resource r set databuilder_id = null from ${settled} t where ${isIn}
      and r.databuilder_id is not null and (r.integration_id, r.databuilder_id)
        is distinct from (${settledColumns.integration_id}, ${settledKey})`,
    ws,
  );
  const columns = Object.keys(settledColumns);
  const changed = await scratch<{ id: string }>(
    tx,
    `update resource r set databuilder_id = ${settledKey}, updated_at = $2::timestamptz,
        ${columns.map((column) => `${column} = ${settledColumns[column]}`).join(', ')}
      from ${settled} t where ${isIn} and ${differs} returning r.id`,
    [...ws, tx.now()],
  );
  return changed.map(({ id }) => id);
}

/** Keep the versions of the documentation that is about to change: the one before, and the new one. */
export async function keepSettledVersions(tx: Context, { settled }: Settling): Promise<void> {
  await scratch(
    tx,
    `insert into resource_version (workspace_id, resource_id, version, definition, created_at)
      select r.workspace_id, r.id, v.version, v.definition, v.created_at
      from ${settled} t join resource r on r.workspace_id = $1::uuid and r.id = t.id
      cross join lateral (values (r.definition_version, r.definition, r.created_at),
        (r.definition_version + 1, ${definition}, $2::timestamptz)) v(version, definition, created_at)
      where ${definition} is distinct from r.definition
      on conflict (workspace_id, resource_id, version) do nothing`,
    [tx.workspaceId, tx.now()],
  );
}

/** Whether a resource, alias `r`, is other than what was settled, alias `t`. */
export const differs = `(r.databuilder_id, ${Object.keys(settledColumns)
  .map((column) => `r.${column}`)
  .join(', ')}) is distinct from (${settledKey}, ${Object.values(settledColumns).join(', ')})`;

/** Write the claims that are new or changed. */
export async function writeClaims(tx: Context, { claims }: Settling): Promise<void> {
  const columns = ['resource_id', 'rank', 'live', 'gone_at', ...claimColumns];
  await scratch(
    tx,
    `insert into resource_claim (workspace_id, integration_id, key, ${columns.join(', ')})
      select $1::uuid, c.integration_id, c.key, ${columns.map((column) => `c.${column}`).join(', ')}
      from ${claims} c where c.is_new
      on conflict (workspace_id, integration_id, key) do update set
        ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    [tx.workspaceId],
  );
}

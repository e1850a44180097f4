// The staged databases, schemas and tables with their paths, and which thing each path is.

import type { Context } from '../../../context.ts';
import { scratch, unwatched } from '../../../database/scratch.ts';
import {
  foldedName,
  identityOf,
  keyInOneLine,
  placedKindList,
} from '../../../resources/identities/named-place.ts';
import { clusterAddress, namesAfter } from '../../addresses/moves.ts';
import type { Stage } from '../staging/stage.ts';
import type { Importing } from './importing.ts';
import type { Places } from './places.ts';

/**
 * List the staged databases, schemas and tables with their path: a parent says the names of what lies in it, whether that is
 * in the file or in the catalog.
 */
export async function listPaths(
  ctx: Context,
  { resources, paths, matches }: Stage,
  integrationId: string,
) {
  const known = (alias: string, key: string, when: string) => `left join lateral (
      select r.kind, r.title, r.database_name, r.schema_name, r.parent_id from resource r
      where ${when} and r.workspace_id = $1::uuid and (r.integration_id = $2::uuid and r.databuilder_id = ${key}
        or r.id = (select c.resource_id from resource_claim c where c.workspace_id = $1::uuid
          and c.integration_id = $2::uuid and c.key = ${key})) limit 1) ${alias} on true`;
  const title = (alias: string) =>
    `coalesce(nullif(${alias}.title, ''), ${keyInOneLine(`${alias}.key`)})`;
  const named = (kind: string, ...holders: readonly [alias: string, title: string][]) =>
    holders
      .map(
        ([alias, name]) =>
          `case ${alias}.kind when '${kind}' then ${name} else ${alias}.${kind}_name end`,
      )
      .join(', ');
  const holders = [
    ['p', title('p')],
    ['q', title('q')],
    ['o', 'o.title'],
    ['u', 'u.title'],
  ] as const;
  const of = (kind: string) => named(kind, ...holders.map(([a, t]): [string, string] => [a, t]));
  await scratch(
    ctx,
    `create unlogged table ${paths} ${unwatched} as
      select s.seq, s.key, s.id, s.kind, s.standing, s.cluster,
        coalesce(nullif(s.title, ''), k.title, ${keyInOneLine('s.key')}) as title,
        case when s.kind = 'database' then coalesce(nullif(s.title, ''), k.title, ${keyInOneLine('s.key')})
          else coalesce(${of('database')}, s.database_name, k.database_name) end as database,
        case when s.kind = 'table' then coalesce(${of('schema')}, s.schema_name, k.schema_name) end as schema,
        null::text as at_address, null::text as at_database, null::text as at_schema
      from ${resources} s
      left join ${resources} p on p.key = s.parent_key
      left join ${resources} q on q.key = p.parent_key
      ${known('o', 's.parent_key', 'p.key is null and s.parent_key is not null')}
      ${known('u', 'p.parent_key', 'q.key is null and p.parent_key is not null')}
      ${known('k', 's.key', '(s.title is null or s.parent_key is null)')}
      where s.kind in (${placedKindList})
        and not exists (select from ${matches} m where m.key = s.key)`,
    [ctx.workspaceId, integrationId],
  );
  await scratch(ctx, `analyze ${paths}`);
}

/**
 * Say which thing each path is. A source may have several tables whose names differ by case alone: the first of them is what the
 * folded name means, and the others are meant by their exact spelling only.
 */
export async function identify(
  ctx: Context,
  { paths, placed, moves }: Stage,
  { adapter }: Importing,
  { addresses }: Places,
): Promise<void> {
  const names = {
    kind: 'p.kind',
    database: `case p.kind when 'database' then null else coalesce(p.at_database, p.database) end`,
    schema: 'coalesce(p.at_schema, p.schema)',
    title: 'p.title',
  };
  await followMerged(ctx, paths, moves, addresses);
  const address = `coalesce(p.at_address, ${clusterAddress('a.address', 'p.cluster')})`;
  const ofName = `partition by p.kind, a.address, ${foldedName('p.cluster')}, ${foldedName('p.database')},
    ${foldedName('p.schema')}, ${foldedName('p.title')}`;
  await scratch(
    ctx,
    `create unlogged table ${placed} ${unwatched} as
      select p.seq, p.key, p.id, p.kind, p.standing, p.title, p.address, p.variant,
        ${identityOf('p.address', { ...names, variant: 'p.variant' })} as identity,
        ${identityOf('p.address', { ...names, variant: 'true' })} as exact
      from (
        select p.*, ${address} as address, $3::boolean and p.kind = 'table'
          and p.title collate "C" <> min(p.title collate "C") over (${ofName}) as variant
        from ${paths} p join unnest($1::text[], $2::text[]) a(database, address)
          on a.database is not distinct from
            ${foldedName('p.database')}
        where p.kind <> 'table' or p.schema is not null) p`,
    [[...addresses.keys()], [...addresses.values()], adapter === null],
  );
  await scratch(ctx, `analyze ${placed}`);
}

/** What lies in a database or schema that people merged into another one lies in that. */
async function followMerged(
  ctx: Context,
  paths: string,
  moves: string,
  addresses: Places['addresses'],
): Promise<void> {
  const [any] = await scratch(
    ctx,
    `select from resource_alias z join resource k on k.workspace_id = z.workspace_id and k.id = z.resource_id
      where z.workspace_id = $1::uuid and z.identity is not null and k.kind in ('database', 'schema') limit 1`,
    [ctx.workspaceId],
  );
  if (!any) return;
  const said = clusterAddress('a.address', 'p.cluster');
  const follow = (kinds: string, identity: string, database: string, schema: string) =>
    scratch(
      ctx,
      `update ${paths} p set at_address = k.address, at_database = ${database}, at_schema = ${schema}
        from unnest($2::text[], $3::text[]) a(database, address), ${namesAfter(moves)} z
        join resource k on k.workspace_id = $1::uuid and k.id = z.resource_id
        where a.database is not distinct from ${foldedName('p.database')} and p.kind in (${kinds})
          and z.identity = ${identity}`,
      [ctx.workspaceId, [...addresses.keys()], [...addresses.values()]],
    );
  const ofSchema = (address: string, database: string) =>
    identityOf(address, { kind: `'schema'`, database, schema: 'null', title: 'p.schema' });
  const database = { kind: `'database'`, database: 'null', schema: 'null', title: 'p.database' };
  await follow(`'schema', 'table'`, identityOf(said, database), 'k.title', 'null');
  // A schema may have been merged as part of its database, or by itself before that was.
  for (const identity of [
    ofSchema('p.at_address', 'p.at_database'),
    ofSchema(said, 'p.database'),
  ]) {
    await follow(`'table'`, identity, 'k.database_name', 'k.title');
  }
}

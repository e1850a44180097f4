// Finds out which thing each staged database, schema, table and column is, and who else names it.

import type { Context } from '../../../context.ts';
import { scratch, scratchCount, unwatched } from '../../../database/scratch.ts';
import { foldedName, identityOf, placedKindList } from '../../addresses/address.ts';
import { clusterAddress, listMoves } from '../../addresses/moves.ts';
import { maxNamed } from '../staging/problems.ts';
import { listPairsWithin } from '../../claims/pairs.ts';
import type { Stage } from '../staging/stage.ts';
import { type Describer, findPlaces, type Places } from './places.ts';

/** What was found out of where things lie; null where the file names nothing that lies anywhere. */
export type Recognized = Places | null;

/**
 * Match what is staged with the things that it names, as far as others describe them as well, or two of its keys name
 * one: `matches` then says which resource a key means, and that what the file says of it is a claim. What this integration
 * alone describes is matched by its keys. Lists in `pairs` what turns out to be one.
 */
export async function recognize(
  ctx: Context,
  stage: Stage,
  describer: Describer,
  note: (problem: string) => void,
): Promise<Recognized> {
  const { resources, matches, pairs, moves } = stage;
  await scratch(
    ctx,
    `drop table if exists ${stage.paths}, ${stage.placed}, ${stage.things},
    ${moves}, ${pairs}`,
  );
  await scratch(ctx, `create unlogged table ${pairs} (kept uuid, gone uuid) ${unwatched}`);
  const [any] = await scratch(
    ctx,
    `select from ${resources} s where s.kind in (${placedKindList}) limit 1`,
  );
  if (!any) {
    await scratch(
      ctx,
      `create unlogged table ${stage.placed} (key text, address text, identity uuid, exact uuid,
        variant boolean) ${unwatched}`,
    );
    await scratch(
      ctx,
      `create unlogged table ${stage.things} (key text, there uuid, renamed uuid) ${unwatched}`,
    );
    await listMoves(ctx, moves, []);
    await scratch(ctx, `create index on ${matches} (key)`);
    await scratch(ctx, `analyze ${matches}`);
    return null;
  }
  await listPaths(ctx, stage, describer.integrationId);
  const places = await findPlaces(ctx, stage.paths, describer);
  await listMoves(ctx, moves, places.moves);
  await identify(ctx, stage, describer, places);
  const shared = await matchPlaced(ctx, stage, describer, note);
  if (shared > 0) await matchColumns(ctx, stage, describer.integrationId);
  await scratch(ctx, `analyze ${matches}`);
  return places;
}

/**
 * List the staged databases, schemas and tables with their path: a parent says the names of what lies in it, be it
 * in the file or in the catalog.
 */
async function listPaths(
  ctx: Context,
  { resources, paths, matches }: Stage,
  integrationId: string,
) {
  const known = (alias: string, key: string, when: string) => `left join lateral (
      select r.kind, r.title, r.database_name, r.schema_name, r.parent_id from resource r
      where ${when} and r.workspace_id = $1::uuid and (r.integration_id = $2::uuid and r.databuilder_id = ${key}
        or r.id = (select c.resource_id from resource_claim c where c.workspace_id = $1::uuid
          and c.integration_id = $2::uuid and c.key = ${key})) limit 1) ${alias} on true`;
  const title = (alias: string) => `coalesce(nullif(${alias}.title, ''), ${alias}.key)`;
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
        coalesce(nullif(s.title, ''), k.title, s.key) as title,
        case when s.kind = 'database' then coalesce(nullif(s.title, ''), k.title, s.key)
          else coalesce(${of('database')}, s.database_name, k.database_name) end as database,
        case when s.kind = 'table' then coalesce(${of('schema')}, s.schema_name, k.schema_name) end as schema
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
async function identify(
  ctx: Context,
  { paths, placed }: Stage,
  { adapter }: Describer,
  { addresses }: Places,
): Promise<void> {
  const names = {
    kind: 'p.kind',
    database: `case p.kind when 'database' then null else p.database end`,
    schema: 'p.schema',
    title: 'p.title',
  };
  const address = clusterAddress('a.address', 'p.cluster');
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

/** Whether a resource `r` is this integration's alone, and has a key that the source does not name any more. */
const isRekeyed = (r: string, staged: string) =>
  `coalesce(${r}.integration_id = $2::uuid and not ${r}.shared and ${r}.databuilder_id is not null
    and not exists (select from ${staged} x where x.key = ${r}.databuilder_id), false)`;

const isMine = 'r.workspace_id = $1::uuid and r.integration_id = $2::uuid';

/** Match databases, schemas and tables. Answers of how many tables the columns are to be matched. */
async function matchPlaced(
  ctx: Context,
  stage: Stage,
  { integrationId, adapter }: Describer,
  note: (problem: string) => void,
): Promise<number> {
  const { placed, moves, pairs, matches, things } = stage;
  const ids = [ctx.workspaceId, integrationId];
  await scratch(ctx, `drop table if exists ${things}, ${things}_of`);
  // `there` is what has the identity, `mine` what has the key and this integration alone describes, `left` what it
  // describes under the key along with none but itself.
  await scratch(
    ctx,
    `create unlogged table ${things} ${unwatched} as
      select n.*, coalesce(e.id, x.id, m.kept, z.resource_id) as there, o.id as mine, c.id as renamed
      from ${placed} n
      left join resource e on $3::boolean and e.workspace_id = $1::uuid and e.identity = n.exact and e.variant
      left join resource x on x.workspace_id = $1::uuid and x.identity = n.identity
        and not exists (select from ${moves} y where y.id = x.id and y.kept <> x.id)
      left join ${moves} m on m.identity = n.identity and m.id = m.kept
      left join resource_alias z on z.workspace_id = $1::uuid and z.identity = n.identity
      left join resource o on o.workspace_id = $1::uuid and o.integration_id = $2::uuid
        and o.databuilder_id = n.key and o.kind = n.kind and not o.shared
      left join lateral (select r.id from resource_claim k join resource r
          on r.workspace_id = $1::uuid and r.id = k.resource_id and r.kind = n.kind
        where k.workspace_id = $1::uuid and k.integration_id = $2::uuid and k.key = n.key
          and not exists (select from resource_claim z where z.workspace_id = $1::uuid
            and z.resource_id = k.resource_id
            and (z.integration_id <> $2::uuid or z.key <> k.key and z.live))) c on true`,
    [...ids, adapter !== null],
  );
  // What is renamed in this file leaves its name to others.
  await scratch(
    ctx,
    `update ${things} t set there = null from resource r join ${placed} n on n.key = r.databuilder_id
      where ${isMine} and r.id = t.there and not r.shared and n.identity <> t.identity`,
    ids,
  );
  await scratch(
    ctx,
    `create unlogged table ${things}_of ${unwatched} as
      select t.*, count(*) over g as keys, first_value(t.seq) over g = t.seq as is_first,
        coalesce(t.there, first_value(coalesce(t.mine, t.renamed)) over g, first_value(t.id) over g) as thing
      from ${things} t
      window g as (partition by coalesce(t.there::text, t.identity::text)
        order by (t.mine is null), (t.renamed is null), t.seq
        rows between unbounded preceding and unbounded following)`,
  );
  await scratch(
    ctx,
    `insert into ${matches} (key, id, shared)
      select t.key, case when t.is_first and t.there is null and t.renamed is null then null else t.thing end,
        not (t.keys = 1 and ${isRekeyed('r', placed)})
      from ${things}_of t left join resource r on r.workspace_id = $1::uuid and r.id = t.there
      where t.keys > 1 or t.renamed is not null and t.there is null
        or t.there is not null and t.there is distinct from t.mine`,
    ids,
  );
  await scratch(
    ctx,
    `insert into ${pairs} select m.kept, m.id from ${moves} m where m.kept <> m.id
      union select t.thing, t.mine from ${things}_of t join resource r
        on r.workspace_id = $1::uuid and r.id = t.mine and not r.archived where t.mine <> t.thing
      union select t.thing, t.renamed from ${things}_of t where t.renamed <> t.thing`,
    [ctx.workspaceId],
  );
  await listPairsWithin(ctx, pairs);
  await noteDoubles(ctx, `${things}_of`, note);
  await scratch(ctx, `drop table ${things}`);
  await scratch(ctx, `alter table ${things}_of rename to ${things.split('.').at(-1)}`);
  await scratch(ctx, `create index on ${matches} (key)`);
  await scratch(ctx, `analyze ${matches}`);
  await scratch(ctx, `analyze ${things}`);
  return scratchCount(
    ctx,
    `select from ${things} t join ${matches} m on m.key = t.key where t.kind = 'table'`,
  );
}

/** Say which names of the source stand for one thing. */
async function noteDoubles(
  ctx: Context,
  things: string,
  note: (problem: string) => void,
): Promise<void> {
  const doubles = await scratch<{ keys: string[]; title: string }>(
    ctx,
    `select array_agg(t.key order by t.seq) as keys, min(t.title) as title from ${things} t
      where t.kind = 'table' and t.standing = 'named' group by t.thing
      having count(*) > 1 order by min(t.seq) limit ${maxNamed}`,
  );
  for (const { keys, title } of doubles) {
    note(
      `${keys.slice(0, 5).join(' and ')} are both the table ${title}; they are shown as one table.`,
    );
  }
}

/**
 * Match the columns of tables that go through claims, by the exact name, else by the folded one, unless the source has a
 * column of the other spelling as well.
 */
async function matchColumns(ctx: Context, stage: Stage, integrationId: string): Promise<void> {
  const { resources, matches, pairs, things } = stage;
  const holders = `${things}_holders`;
  const columns = `${things}_columns`;
  await scratch(ctx, `drop table if exists ${holders}, ${columns}`);
  await scratch(
    ctx,
    `create unlogged table ${holders} ${unwatched} as
      select distinct t.thing as id, t.thing from ${things} t join ${matches} m on m.key = t.key
        where t.kind = 'table'
      union select g.gone, t.thing from ${things} t join ${pairs} g on g.kept = t.thing where t.kind = 'table'`,
  );
  await scratch(ctx, `analyze ${holders}`);
  await scratch(
    ctx,
    `create unlogged table ${columns} ${unwatched} as
      select distinct on (h.thing, r.title) h.thing, r.id, r.title, ${foldedName('r.title')} as folded
      from ${holders} h join resource r on r.workspace_id = $1::uuid and r.parent_id = h.id
        and r.kind = 'column' and not exists (select from ${pairs} x where x.gone = r.id)
      order by h.thing, r.title, (r.parent_id <> h.thing), r.archived, r.created_at, r.id`,
    [ctx.workspaceId],
  );
  await scratch(ctx, `analyze ${columns}`);
  const staged = `${things}_staged`;
  await scratch(ctx, `drop table if exists ${staged}`);
  await scratch(
    ctx,
    `create unlogged table ${staged} ${unwatched} as
      with named as (
        select s.seq, s.key, s.id, t.thing, coalesce(nullif(s.title, ''), s.key) as title, s.parent_key
        from ${resources} s join ${things} t on t.key = s.parent_key
        join ${holders} h on h.id = t.thing
        where s.kind = 'column' and not exists (select from ${matches} m where m.key = s.key)),
      spelled as (
        select n.*, ${foldedName('n.title')} as folded,
          min(n.title collate "C") over w <> max(n.title collate "C") over w as is_exact
        from named n window w as (partition by n.parent_key, ${foldedName('n.title')}))
      select distinct on (n.key) n.*, c.id as there, o.id as mine
      from spelled n
      left join ${columns} c on c.thing = n.thing and c.folded = n.folded
        and (c.title = n.title or not n.is_exact)
      left join resource o on o.workspace_id = $1::uuid and o.integration_id = $2::uuid
        and o.databuilder_id = n.key and o.kind = 'column' and not o.shared
      order by n.key, (c.title <> n.title), c.title`,
    [ctx.workspaceId, integrationId],
  );
  await scratch(ctx, `analyze ${staged}`);
  await scratch(
    ctx,
    `create unlogged table ${staged}_of ${unwatched} as
      select n.*, count(*) over g as keys, first_value(n.seq) over g = n.seq as is_first,
        coalesce(n.there, first_value(n.mine) over g, first_value(n.id) over g) as column_id
      from ${staged} n
      window g as (partition by n.thing, coalesce(n.there::text, case when n.is_exact then n.title else n.folded end)
        order by (n.mine is null), n.seq rows between unbounded preceding and unbounded following)`,
  );
  await scratch(
    ctx,
    `insert into ${matches} (key, id, shared)
      select n.key, case when n.is_first and n.there is null then null else n.column_id end,
        not (n.keys = 1 and ${isRekeyed('r', resources)})
      from ${staged}_of n left join resource r on r.workspace_id = $1::uuid and r.id = n.there
      where n.keys > 1 or n.there is not null and n.there is distinct from n.mine`,
    [ctx.workspaceId, integrationId],
  );
  await scratch(
    ctx,
    `insert into ${pairs} select n.column_id, n.mine from ${staged}_of n join resource r
      on r.workspace_id = $1::uuid and r.id = n.mine and not r.archived where n.mine <> n.column_id
        and not exists (select from ${pairs} x where x.gone = n.mine)`,
    [ctx.workspaceId],
  );
  await listPairsWithin(ctx, pairs);
  await scratch(ctx, `drop table ${holders}, ${columns}, ${staged}, ${staged}_of`);
}

/**
 * Match schemas and databases that are only implied with those of the same name that this integration
 * names under a key of its own, in the file or in the catalog.
 */
export async function matchImplied(
  ctx: Context,
  stage: Stage,
  integrationId: string,
): Promise<void> {
  const { resources, matches } = stage;
  const open = `i.standing = 'implied' and not exists (select from ${matches} m where m.key = i.key)`;
  await scratch(
    ctx,
    `insert into ${matches} (key, same_as)
      select distinct on (i.key) i.key, n.key from ${resources} i
      join ${resources} n on n.kind = i.kind and n.standing = 'named'
        and lower(n.title) = lower(i.title)
      left join ${resources} d on d.key = n.parent_key
      where ${open} and (i.kind = 'database' or i.kind = 'schema' and
        lower(coalesce(d.title, n.database_name)) is not distinct from lower(i.database_name))
      order by i.key, n.seq`,
  );
  await scratch(
    ctx,
    `insert into ${matches} (key, id)
      select distinct on (i.key) i.key, r.id from ${resources} i
      join resource r on r.workspace_id = $1::uuid and r.integration_id = $2::uuid
        and r.kind = i.kind and not r.archived and not r.stale and not r.shared
        and r.databuilder_id <> i.key
        and lower(r.title) = lower(i.title)
        and (i.kind = 'database'
          or lower(r.database_name) is not distinct from lower(i.database_name))
      where ${open} and not exists (
        select from resource o where o.workspace_id = $1::uuid and o.integration_id = $2::uuid
          and o.databuilder_id = i.key and o.kind = i.kind and not o.stale)
      order by i.key, r.created_at, r.id`,
    [ctx.workspaceId, integrationId],
  );
}

// Finds out which thing each staged database, schema, table and column is, and who else names it.

import type { Context } from '../../../context.ts';
import { scratch, scratchCount, unwatched } from '../../../database/scratch.ts';
import { placedKindList } from '../../../resources/identities/named-place.ts';
import { listMoves, namesAfter } from '../../addresses/moves.ts';
import { listPairsWithin } from '../../claims/pairs.ts';
import { maxNamed } from '../staging/problems.ts';
import type { Stage } from '../staging/stage.ts';
import type { Importing } from './importing.ts';
import { isRekeyed, matchColumns } from './match-columns.ts';
import { identify, listPaths } from './paths.ts';
import { findPlaces, type Places } from './places.ts';

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
  describer: Importing,
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

const isMine = 'r.workspace_id = $1::uuid and r.integration_id = $2::uuid';

/** Match databases, schemas and tables. Answers of how many tables the columns are to be matched. */
async function matchPlaced(
  ctx: Context,
  stage: Stage,
  { integrationId, adapter }: Importing,
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
      left join ${namesAfter(moves)} z on z.identity = n.identity
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
    `insert into ${pairs} select m.kept, m.id from ${moves} m where m.kept <> m.id and m.path is null
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

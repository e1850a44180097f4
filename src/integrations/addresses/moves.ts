// Moves of whole databases to another address: what becomes of each resource there.

import type { Context } from '../../context.ts';
import { scratch, scratchCount, unwatched } from '../../database/scratch.ts';
import { ranks } from '../../resources/identities/claim-rank.ts';
import {
  databaseOfPlaced,
  foldedName,
  identityOf,
  identityOfPath,
  placedKindList,
  placedNames,
} from '../../resources/identities/named-place.ts';

/**
 * That what lies at one address lies at another; of one database, in small letters, or of all for which nothing is said by
 * itself.
 */
export interface Move {
  readonly from: string;
  readonly database: string | null;
  readonly to: string;
  /** Only names move that lead to what people merged, of what this integration describes there and no one else. */
  readonly namesOf?: string;
}

/** What a source with several clusters calls the address of each. */
export function clusterAddress(address: string, cluster: string): string {
  return `${address} || coalesce('#' || ${foldedName(cluster)}, '')`;
}

/**
 * List in `moves` what lies at the addresses, with its address and identity afterwards, and, where something has this
 * identity already, what is kept of the two. Nothing is written.
 */
export async function listMoves(ctx: Context, moves: string, list: readonly Move[]): Promise<void> {
  await makeMoves(ctx, moves);
  await fillMoves(ctx, moves, list);
}

/** Make the table of moves, outside of what may be undone. */
export async function makeMoves(ctx: Context, moves: string): Promise<void> {
  await scratch(ctx, `drop table if exists ${moves}`);
  await scratch(
    ctx,
    `create unlogged table ${moves} (id uuid, address text, identity uuid, kept uuid, path jsonb) ${unwatched}`,
  );
}

/** List the moves in a table that is there, in place of what it lists. */
export async function fillMoves(ctx: Context, moves: string, list: readonly Move[]): Promise<void> {
  await scratch(ctx, `delete from ${moves}`);
  if (list.length === 0) return;
  const whole = list.filter(({ namesOf }) => namesOf === undefined);
  await scratch(
    ctx,
    `with moving as materialized (
        select r.id, r.created_at, m.new || substr(r.address, length(m.old) + 1) as address,
          ${identityOf('m.new || substr(r.address, length(m.old) + 1)', placedNames('r'))} as identity
        from resource r cross join lateral ${moveOf('r.address', foldedName(databaseOfPlaced('r')))} m
        where r.workspace_id = $1::uuid and r.kind in (${placedKindList}) and r.identity is not null
          and m.new <> m.old)
      insert into ${moves} (id, address, identity, kept) select g.id, g.address, g.identity,
        coalesce(x.id, first_value(g.id) over (partition by g.identity order by g.created_at, g.id))
      from moving g left join resource x on x.workspace_id = $1::uuid and x.identity = g.identity
        and not exists (select from moving o where o.id = x.id)`,
    moveValues(ctx, whole),
  );
  await fillMovedNames(ctx, moves, list);
  await scratch(ctx, `analyze ${moves}`);
}

/** The move of what lies at an address in a database: what is said of the database counts before what is said of all. */
const moveOf = (address: string, database: string, condition = 'true') =>
  `(select m.* from unnest($2::text[], $3::text[], $4::text[], $5::uuid[]) with ordinality
      m(old, database, new, names_of, place)
    where (${address} = m.old or starts_with(${address}, m.old || '#'))
      and (m.database is null or m.database = ${database}) and ${condition}
    order by m.database is null, m.place limit 1)`;

const moveValues = (ctx: Context, list: readonly Move[]) => [
  ctx.workspaceId,
  list.map(({ from }) => from),
  list.map(({ database }) => database),
  list.map(({ to }) => to),
  list.map(({ namesOf }) => namesOf ?? null),
];

/**
 * List the names that lead to what was merged by hand, with a `path`: they move with the place that they name. What is there
 * under such a name is what the name leads to.
 */
async function fillMovedNames(ctx: Context, moves: string, list: readonly Move[]): Promise<void> {
  const claims =
    'from resource_claim c where c.workspace_id = $1::uuid and c.resource_id = z.resource_id and c.live';
  const isTheirs = `exists (select ${claims} and c.integration_id = m.names_of)
    and not exists (select ${claims} and c.integration_id <> m.names_of and (c.rank > ${ranks.file}
      or exists (select from integration_address a where a.workspace_id = $1::uuid
        and a.integration_id = c.integration_id and a.address = m.old)))`;
  await scratch(
    ctx,
    `with moving as materialized (
        select z.old_id, z.resource_id, z.merged_at,
          jsonb_set(z.path, '{0}', to_jsonb(m.new || substr(z.path ->> 0, length(m.old) + 1))) as path
        from resource_alias z cross join lateral ${moveOf(
          'z.path ->> 0',
          `(z.path ->> case z.path ->> 1 when 'database' then 4 else 2 end)`,
          `(m.names_of is null or ${isTheirs})`,
        )} m
        where z.workspace_id = $1::uuid and z.identity is not null and z.path is not null
          and m.new <> m.old),
      named as materialized (select g.*, ${identityOfPath('g.path')} as identity from moving g),
      listed as (
        insert into ${moves} (id, identity, kept, path)
          select n.old_id, case when row_number() over (partition by n.identity order by n.merged_at, n.old_id) = 1
              and not exists (select from resource_alias o where o.workspace_id = $1::uuid
                and o.identity = n.identity and o.old_id not in (select x.old_id from moving x))
            then n.identity end, n.resource_id, n.path from named n)
      insert into ${moves} (id, kept) select distinct on (x.id) x.id, n.resource_id from named n
        join resource x on x.workspace_id = $1::uuid and x.identity = n.identity and x.id <> n.resource_id
        where not exists (select from ${moves} o where x.id in (o.id, o.kept))
          and not exists (select from (${warehousesOf('x.id')}) a join (${warehousesOf('n.resource_id')}) b using (id))
        order by x.id, n.merged_at, n.old_id`,
    moveValues(ctx, list),
  );
}

/** The warehouses and files that hold a resource: what one of them has twice is two things. */
const warehousesOf = (id: string) =>
  `select c.integration_id as id from resource_claim c where c.workspace_id = $1::uuid and c.resource_id = ${id}
      and c.live and c.rank <= ${ranks.file}
    union select r.integration_id from resource r where r.workspace_id = $1::uuid and r.id = ${id} and not r.shared`;

/** The names that lead to what was merged by hand, as they are once the moves are written; the workspace is $1. */
export function namesAfter(moves: string): string {
  return `(select z.old_id, z.resource_id, case when m.id is null then z.identity else m.identity end as identity
    from resource_alias z left join ${moves} m on m.id = z.old_id
    where z.workspace_id = $1::uuid and z.identity is not null)`;
}

/** Write the new addresses of what is kept, once the others were merged into it. Answers how many moved. */
export async function writeMoves(tx: Context, moves: string): Promise<number> {
  const isMoving = 'r.workspace_id = $1::uuid and r.id = m.id and m.id = m.kept';
  // Two that change places must not have one identity in between.
  await scratch(tx, `update resource r set identity = null from ${moves} m where ${isMoving}`, [
    tx.workspaceId,
  ]);
  await scratch(
    tx,
    `update resource_alias z set path = m.path, identity = m.identity from ${moves} m
      where z.workspace_id = $1::uuid and z.old_id = m.id and m.path is not null`,
    [tx.workspaceId],
  );
  return scratchCount(
    tx,
    `update resource r set address = m.address, identity = m.identity from ${moves} m where ${isMoving}`,
    [tx.workspaceId],
  );
}

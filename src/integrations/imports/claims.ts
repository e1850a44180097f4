// What an import says of resources that others describe as well: its claims, and what follows of them.

import type { Context } from '../../context.ts';
import { scratch, unwatched } from '../../database/scratch.ts';
import { ranks } from '../../resources/identities/claim-rank.ts';
import { foldedName } from '../../resources/identities/named-place.ts';
import { namesAfter } from '../addresses/moves.ts';
import { claimColumns, ownWords, wordsOf } from '../claims/claim-words.ts';
import { mergePairs } from '../claims/merge-pairs.ts';
import { ownClaims } from '../claims/own-claims.ts';
import { respell } from '../claims/respell.ts';
import { differs, makeSettling, settle, writeClaims, writeSettled } from '../claims/settle.ts';
import { isColumnOfNamed, keyList, type StaleRule } from './gone.ts';
import type { Importing } from './planning/importing.ts';
import type { Stage } from './staging/stage.ts';

/** How many resources an import describes together with others from now on, no longer, and makes one of two. */
export interface SharedCounts {
  readonly claimed: number;
  readonly left: number;
  readonly merged: number;
}

/** What is to become of resources that several describe. */
export interface ClaimChanges extends SharedCounts {
  /** Whether any claim changes. */
  readonly isAny: boolean;
  readonly updated: number;
  readonly staled: number;
  /** Claims that end, whatever becomes of what they are on. */
  readonly ended: number;
}

export interface ClaimOptions {
  readonly describer: Importing;
  readonly stale: StaleRule;
}

const saidColumns = claimColumns.join(', ');
const isMine = 'c.workspace_id = $1::uuid and c.integration_id = $2::uuid';

/** Find out which claims change, and what follows of them, without writing any. */
export async function findClaims(
  tx: Context,
  stage: Stage,
  options: ClaimOptions,
): Promise<ClaimChanges> {
  const { said, touched, settling, pairs, plan } = stage;
  await makeSettling(tx, settling);
  await scratch(tx, `drop table if exists ${said}, ${touched}`);
  await scratch(
    tx,
    `create unlogged table ${said} ${unwatched} as select c.key, c.resource_id, c.rank, false as is_first,
      ${saidColumns} from resource_claim c limit 0`,
  );
  await scratch(tx, `create unlogged table ${touched} (id uuid) ${unwatched}`);
  const left = await fillClaims(tx, stage, options);
  const isNew = (id: string) =>
    `exists (select from ${plan} p where p.id = ${id} and p.is_new and p.n is not null)`;
  const [counted] = await scratch<Omit<ClaimChanges, 'left' | 'ended'>>(
    tx,
    `select exists (select from ${touched}) as "isAny",
      (select count(distinct s.resource_id) from ${said} s
        where s.is_first and not ${isNew('s.resource_id')})::integer as claimed,
      (select count(*) from ${pairs})::integer as merged,
      (count(*) filter (where not (t.stale and not r.stale and not r.forced_unstale_by_user)))::integer as updated,
      (count(*) filter (where t.stale and not r.stale and not r.forced_unstale_by_user))::integer as staled
      from ${settling.settled} t join resource r on r.workspace_id = $1::uuid and r.id = t.id
      where ${differs}`,
    [tx.workspaceId],
  );
  if (!counted) throw new Error('A count has one row.');
  return { ...counted, ...left };
}

/** Work out the claims as they are to be, and what follows of them. Answers how many are given up. */
async function fillClaims(
  tx: Context,
  stage: Stage,
  { describer, stale }: ClaimOptions,
): Promise<{ left: number; ended: number }> {
  const { plan, resources, said, touched, pairs, settling } = stage;
  const ids = [tx.workspaceId, describer.integrationId];
  for (const table of [said, touched, settling.claims]) await scratch(tx, `delete from ${table}`);
  await scratch(tx, saying(stage, describer), ids);
  await scratch(tx, `analyze ${said}`);
  const ofNamed = `exists (select from resource r where r.workspace_id = $1::uuid
      and r.id = c.resource_id and ${isColumnOfNamed('r', plan)})`;
  const unnamed =
    stale === 'nothing'
      ? 'false'
      : `c.live and not exists (select from ${plan} p where p.key = c.key)
    ${
      stale === 'everything'
        ? ''
        : typeof stale === 'object'
          ? `and (c.key in (${keyList(stale)}) or ${ofNamed})`
          : `and not ${ofNamed}`
    }`;
  const isMoved = `exists (select from ${said} s where s.key = c.key and s.resource_id <> c.resource_id)`;
  const isLeft = `exists (select from ${plan} p where p.key = c.key and p.n is not null and not p.claims)`;
  const given = await scratch<{ ended: number; moved: number }>(
    tx,
    `with given as (
        select c.resource_id, ${unnamed} and not ${isRekeyed(plan, 'c.key', 'c.resource_id')} as ended,
          ${isMoved} or ${isLeft} as moved from resource_claim c where ${isMine}),
      listed as (
        insert into ${touched} select distinct id from (
          select s.resource_id as id from ${said} s
          union all select g.resource_id from given g where g.ended or g.moved
          union all select p.kept from ${pairs} p
          union all select p.id from ${plan} p join ${resources} s on s.seq = p.seq
            join resource r on r.workspace_id = $1::uuid and r.id = p.id
            where p.is_foreign and r.title <> s.title and ${foldedName('r.title')} <> ${foldedName('s.title')}) x)
      select (count(*) filter (where ended))::integer as ended,
        (count(*) filter (where moved))::integer as moved from given`,
    ids,
  );
  await scratch(tx, `analyze ${touched}`);
  await scratch(tx, `analyze ${pairs}`);
  const among = `(select t.id from ${touched} t union select p.gone from ${pairs} p)`;
  const isSaid = (integration: string, key: string) =>
    `${integration} = $2::uuid and exists (select from ${said} s where s.key = ${key})`;
  const kept = `select c.integration_id, c.key, c.resource_id, c.rank, c.live, c.gone_at, false as is_new,
    ${saidColumns} from resource_claim c where c.workspace_id = $1::uuid and c.resource_id in ${among}`;
  const own = `select c.integration_id, c.key, c.resource_id, c.rank, c.live, c.gone_at, true, ${saidColumns}
    from (${ownClaims(`r.id in ${among}`)}) c`;
  await scratch(
    tx,
    `insert into ${settling.claims} (integration_id, key, resource_id, rank, live, gone_at, is_new, ${saidColumns})
      select c.integration_id, c.key, coalesce(g.kept, c.resource_id), c.rank, c.live and not c.ends,
        case when c.ends then $3::timestamptz else c.gone_at end, c.is_new or c.ends or g.kept is not null,
        ${saidColumns}
      from (select c.*, c.integration_id = $2::uuid and (${unnamed}) as ends
        from (${kept} union all ${own}) c) c
      left join ${pairs} g on g.gone = c.resource_id
      where not (${isSaid('c.integration_id', 'c.key')} or c.integration_id = $2::uuid and ${isLeft}
        or $4::boolean and c.integration_id = $2::uuid
          and ${isRekeyed(plan, 'c.key', 'coalesce(g.kept, c.resource_id)')})`,
    [...ids, tx.now(), stale !== 'nothing'],
  );
  await scratch(
    tx,
    `insert into ${settling.claims} (integration_id, key, resource_id, rank, live, is_new, ${saidColumns})
      select $1::uuid, s.key, s.resource_id, s.rank, true, true, ${saidColumns} from ${said} s`,
    [describer.integrationId],
  );
  await settle(tx, settling);
  const { ended = 0, moved = 0 } = given[0] ?? {};
  return { left: ended + moved, ended };
}

/** Whether the source names a resource by another key, rather than no longer. */
const isRekeyed = (plan: string, key: string, id: string) =>
  `(not exists (select from ${plan} p where p.key = ${key})
    and exists (select from ${plan} p where p.id = ${id} and p.claims and p.n is not null))`;

/** How near a source is that is no project. */
function rankOfSource(type: string, isSynced: boolean): number {
  if (type === 'openlineage') return ranks.openlineage;
  return isSynced ? ranks.sync : ranks.file;
}

/** What the source says of what goes through claims, as far as it differs from what it said before. */
function saying({ plan, resources, said }: Stage, { adapter, isSynced, type }: Importing): string {
  const made = (of: string) =>
    `case when ${of}.source_metadata ->> 'resource_type' = 'source' then ${ranks.source} else ${ranks.model} end`;
  const rank =
    adapter === null
      ? String(rankOfSource(type, isSynced))
      : `case s.kind when 'table' then ${made('s')} when 'column' then ${made('t')} else ${ranks.implied} end`;
  const own = ownWords('o');
  // What the source called by another key before, it goes on to say, as far as it says nothing else.
  const isUnstaged = (key: string) => `not exists (select from ${plan} x where x.key = ${key})`;
  const before = (column: string) =>
    `case when c.key is not null then c.${column} when k.key is not null then k.${column}
      else ${own[column as keyof typeof own]} end`;
  const now = wordsOf('s', before);
  const list = (of: string) => claimColumns.map((column) => `x.${of}_${column}`).join(', ');
  return `insert into ${said} (key, resource_id, rank, is_first, ${saidColumns})
    select x.key, x.id, x.rank, x.is_first, ${list('now')} from (
      select p.key, p.id, (${rank})::smallint as rank, c.key is null and k.key is null and o.id is null as is_first,
        c.key is not null and c.live and c.resource_id = p.id and c.rank = ${rank} as is_same,
        ${claimColumns.map((column) => `${now[column]} as now_${column}, ${before(column)} as old_${column}`).join(', ')}
      from ${plan} p join ${resources} s on s.seq = p.seq
      left join resource_claim c on ${isMine} and c.key = p.key
      left join resource o on c.key is null and o.workspace_id = $1::uuid and o.integration_id = $2::uuid
        and not o.shared and (o.databuilder_id = p.key or o.id = p.id and ${isUnstaged('o.databuilder_id')})
      left join lateral (select k.* from resource_claim k where c.key is null and o.id is null
          and k.workspace_id = $1::uuid and k.integration_id = $2::uuid and k.resource_id = p.id
          and ${isUnstaged('k.key')} order by k.live desc, k.gone_at desc, k.key limit 1) k on true
      left join ${resources} t on s.kind = 'column' and t.key = s.parent_key
      where p.claims and p.n is not null) x
    where not x.is_same or (${list('now')}) is distinct from (${list('old')})`;
}

/** What was planned does not hold any more: it is to be planned again. */
export class PlanOutdated extends Error {}

/** Whether what was planned does not hold any more: others describe, rename, merge or delete the same at this time. */
export async function isOutdated(tx: Context, stage: Stage): Promise<boolean> {
  const { changes, plan, placed, things } = stage;
  const found = await scratch(
    tx,
    `select from ${changes} x join resource r on r.workspace_id = $1::uuid and r.id = x.id
        where r.shared and x.becomes in ('own', 'gone')
      union all select from ${plan} p join ${placed} a on a.key = p.key
        join ${things} t on t.key = p.key and t.there = p.id
        left join resource r on r.workspace_id = $1::uuid and r.id = p.id
        where p.is_foreign and (r.id is null or r.identity is null or r.identity not in (a.identity, a.exact)
          and not exists (select from ${stage.moves} m where m.id = r.id
            or m.kept = r.id and m.identity = a.identity)
          and not exists (select from resource_alias z where z.workspace_id = $1::uuid
            and z.identity = a.identity and z.resource_id = r.id))
      union all select from ${plan} p join ${placed} a on a.key = p.key
        where p.is_new and exists (select from ${namesAfter(stage.moves)} z
          where z.identity = a.identity and z.resource_id <> p.id)
      union all select from ${plan} p join ${placed} a on a.key = p.key
        where not p.is_new and not p.is_foreign and not exists (select from resource r
          where r.workspace_id = $1::uuid and r.id = p.id)
      limit 1`,
    [tx.workspaceId],
  );
  return found.length > 0;
}

/** Merge what is one, and work out again what follows of all claims, when everything is locked. */
export async function settleShared(
  tx: Context,
  stage: Stage,
  options: ClaimOptions,
): Promise<void> {
  const [any] = await scratch(tx, `select from ${stage.pairs} limit 1`);
  if (any) await mergePairs(tx, stage.pairs);
  await fillClaims(tx, stage, options);
}

/** Write the claims, and what follows of them. */
export async function writeShared(
  tx: Context,
  stage: Stage,
  { describer, stale }: ClaimOptions,
): Promise<void> {
  const { plan, said, touched, settling } = stage;
  const ids = [tx.workspaceId, describer.integrationId];
  await scratch(
    tx,
    `delete from resource_claim c where ${isMine} and (
      exists (select from ${plan} p where p.key = c.key and p.n is not null and not p.claims)
      or $3::boolean and ${isRekeyed(plan, 'c.key', 'c.resource_id')})`,
    [...ids, stale !== 'nothing'],
  );
  await writeClaims(tx, settling);
  // What nothing describes any more, or what has the key of a claim on something else, goes without a key.
  await scratch(
    tx,
    `update resource r set databuilder_id = null from ${said} s where r.workspace_id = $1::uuid
      and r.integration_id = $2::uuid and r.databuilder_id = s.key and r.id <> s.resource_id`,
    ids,
  );
  await scratch(
    tx,
    `update resource r set databuilder_id = null, stale = true, stale_at = coalesce(r.stale_at, $2)
      where r.workspace_id = $1::uuid and r.id in (select t.id from ${touched} t)
        and not exists (select from ${settling.settled} x where x.id = r.id)`,
    [tx.workspaceId, tx.now()],
  );
  await writeSettled(tx, settling);
  await respell(tx, settling.settled);
}

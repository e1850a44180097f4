// Makes one resource of two, as people say.

import { randomUUID } from 'node:crypto';
import { record } from '../../audit/audit.ts';
import { changeOf } from '../../audit/changes.ts';
import { mustBeAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { announce } from '../../database/announce.ts';
import { dropScratch, prepare, scratch, scratchSchema, unwatched } from '../../database/scratch.ts';
import { transaction } from '../../database/transaction.ts';
import { conflict, invalidField } from '../../errors.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { idsOfNow } from '../../resources/alias.ts';
import { lockOrder, lockResources } from '../../resources/editing/lock.ts';
import { placeLikeHolders } from '../../resources/identities/by-hand.ts';
import { ranks } from '../../resources/identities/claim-rank.ts';
import { pathOf, placedKindList, placedNames } from '../../resources/identities/named-place.ts';
import { getResource } from '../../resources/resource.ts';
import { mergePairs } from './merge-pairs.ts';
import { keepOwnClaims } from './own-claims.ts';
import { listPairsWithin } from './pairs.ts';
import { respell } from './respell.ts';
import {
  keepSettledVersions,
  lookAtClaims,
  makeSettling,
  type Settling,
  settle,
  settlingOf,
  writeSettled,
} from './settle.ts';

const mergeable = ['database', 'schema', 'table', 'column'];

/**
 * Make one resource of two of a kind, with what lies in both under one name; editors may. All that hangs on the one that is merged
 * hangs on the other afterwards, and its id leads there. What names the one means the other from now on. Throws BAD_REQUEST for two that
 * cannot be one, and CONFLICT where one source has both.
 */
export async function mergeResources(
  ctx: Context,
  { keep, merge, dryRun = false }: { keep: string; merge: string; dryRun?: boolean | undefined },
): Promise<Resource> {
  mustBeAllowed(ctx, 'edit resources');
  const name = `merge_${randomUUID().replaceAll('-', '')}`;
  const settling = settlingOf(`${scratchSchema}.${name}`);
  const pairs = `${scratchSchema}.${name}_pairs`;
  await prepare(ctx, async (tx) => {
    await scratch(tx, `create schema if not exists ${scratchSchema}`);
    await makeSettling(tx, settling);
    await scratch(tx, `create unlogged table ${pairs} (kept uuid, gone uuid) ${unwatched}`);
  });
  try {
    return await transaction(
      ctx,
      async (tx) => {
        const [kept, gone] = await lockBoth(tx, keep, merge);
        await mustBeTwoNames(tx, kept, gone);
        if (dryRun) return kept;
        await mergeAll(tx, { kept, gone, pairs, settling });
        return getResource(tx, kept.id);
      },
      { long: true },
    );
  } finally {
    const { db, database, workspaceId } = ctx;
    const names = ['claims', 'settled', 'pairs'].map((part) => `${name}_${part}`);
    await dropScratch({ db, database, workspaceId }, names);
  }
}

async function lockBoth(tx: Context, keep: string, merge: string): Promise<[Resource, Resource]> {
  if (keep.toLowerCase() === merge.toLowerCase()) {
    throw invalidField('merge', 'Name two resources: this one is kept.');
  }
  const found = await lockResources(tx, [keep, merge]);
  // Either may have been merged, perhaps just now: what is locked is not any more.
  const now = await idsOfNow(tx, [keep.toLowerCase(), merge.toLowerCase()]);
  const [kept, gone] = now.map((id) => found.find((one) => one.id === id));
  if (!kept || !gone) throw new Error('What was locked was found.');
  if (kept.id === gone.id) throw invalidField('merge', 'These are one resource already.');
  return [kept, gone];
}

/** Throw where the two are things of their own. */
async function mustBeTwoNames(tx: Context, kept: Resource, gone: Resource): Promise<void> {
  if (kept.kind !== gone.kind) {
    throw invalidField('merge', `A ${gone.kind} cannot be merged into a ${kept.kind}.`);
  }
  if (!mergeable.includes(kept.kind)) {
    throw invalidField('merge', `Only a ${mergeable.join(', ')} can be merged.`);
  }
  if (kept.kind === 'column' && kept.parentId !== gone.parentId) {
    throw invalidField('merge', 'Merge the tables of these columns.');
  }
  await keepOwnClaims(tx, `'${kept.id}'::uuid, '${gone.id}'::uuid`);
  const [both] = await scratch<{ name: string }>(
    tx,
    `select i.name from resource_claim a join resource_claim b on b.workspace_id = $1::uuid
        and b.integration_id = a.integration_id and b.resource_id = $3::uuid and b.live
        and b.rank <= ${ranks.file}
      join integration i on i.workspace_id = $1::uuid and i.id = a.integration_id
      where a.workspace_id = $1::uuid and a.resource_id = $2::uuid and a.live
        and a.rank <= ${ranks.file} limit 1`,
    [tx.workspaceId, kept.id, gone.id],
  );
  if (both) throw conflict(`${both.name} has both of them: they are two ${kept.kind}s there.`);
}

interface Merge {
  readonly kept: Resource;
  readonly gone: Resource;
  readonly pairs: string;
  readonly settling: Settling;
}

async function mergeAll(tx: Context, { kept, gone, pairs, settling }: Merge): Promise<void> {
  const ws = [tx.workspaceId];
  await scratch(tx, `insert into ${pairs} values ($1::uuid, $2::uuid)`, [kept.id, gone.id]);
  await listPairsWithin(tx, pairs);
  await scratch(
    tx,
    Prisma.sql`select count(*) from (
      select 1 from resource r where r.workspace_id = ${tx.workspaceId}::uuid and r.id in (
        select p.kept from ${Prisma.raw(pairs)} p union select p.gone from ${Prisma.raw(pairs)} p)
      order by ${lockOrder} for no key update) held`,
  );
  const names = await scratch<{ old: string; identity: string; path: string }>(
    tx,
    `select r.id as old, r.identity, (${pathOf('r.address', placedNames('r'))})::text as path from ${pairs} p join resource r
      on r.workspace_id = $1::uuid and r.id = p.gone where r.identity is not null`,
    ws,
  );
  const within = await scratch<{ id: string }>(
    tx,
    `select r.id from resource r join ${pairs} p on p.gone = r.parent_id
      where r.workspace_id = $1::uuid and r.kind in (${placedKindList})
        and not exists (select from ${pairs} x where x.gone = r.id)`,
    ws,
  );
  await mergePairs(tx, pairs);
  for (const { old, identity, path } of names) {
    await scratch(
      tx,
      `update resource_alias set identity = $3::uuid, path = $4::jsonb
        where workspace_id = $1::uuid and old_id = $2::uuid`,
      [...ws, old, identity, path],
    );
  }
  await lookAtClaims(tx, settling, `c.resource_id in (select p.kept from ${pairs} p)`, []);
  await settle(tx, settling);
  await keepSettledVersions(tx, settling);
  await writeSettled(tx, settling);
  await respell(tx, settling.settled);
  if (within.length > 0)
    await placeLikeHolders(
      tx,
      within.map(({ id }) => id),
    );
  await record(tx, {
    activity: 'resources_merged',
    subject: kept,
    related: { ids: [gone.id], type: gone.kind },
    changes: [changeOf('mergedFrom', null, { id: gone.id, title: gone.titleFull })],
  });
  await announce(tx, 'resource');
}

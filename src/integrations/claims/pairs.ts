// Pairs of resources that are one thing, and what lies in them.

import type { Context } from '../../context.ts';
import { scratch, scratchCount } from '../../database/scratch.ts';
import { foldedName } from '../../resources/identities/named-place.ts';
import { maxNesting } from '../../resources/lists/nesting.ts';

/**
 * List, level by level, what lies in one of a pair under the name of something in the other. Where either has several names
 * that differ by case alone, the exact spelling decides.
 */
export async function listPairsWithin(ctx: Context, pairs: string): Promise<void> {
  await scratch(ctx, `analyze ${pairs}`);
  for (let level = 0; level < maxNesting; level += 1) {
    const found = await scratchCount(
      ctx,
      `insert into ${pairs}
        select distinct on (b.id) a.id, b.id from ${pairs} p
        join resource a on a.workspace_id = $1::uuid and a.parent_id = p.kept
          and a.kind in ('schema', 'table', 'column')
        join resource b on b.workspace_id = $1::uuid and b.parent_id = p.gone and b.kind = a.kind
          and ${foldedName('a.title')} = ${foldedName('b.title')}
        where not exists (select from ${pairs} x where x.gone in (a.id, b.id))
          and (a.title = b.title or not exists (select from resource o where o.workspace_id = $1::uuid
            and o.parent_id in (p.kept, p.gone) and o.kind = a.kind and o.id not in (a.id, b.id)
            and ${foldedName('o.title')} = ${foldedName('a.title')} and not o.archived and not o.stale))
        order by b.id, (a.title <> b.title), a.archived, a.id`,
      [ctx.workspaceId],
    );
    if (found === 0) break;
  }
  // What is merged into something that is merged itself goes where that goes.
  for (let step = 0; step < maxNesting; step += 1) {
    const follow = `update ${pairs} p set kept = q.kept from ${pairs} q where q.gone = p.kept`;
    if ((await scratchCount(ctx, follow)) === 0) return;
  }
}

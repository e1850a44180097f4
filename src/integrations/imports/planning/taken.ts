// Keys that name something else in the catalog than in the file: of another kind, or what a
// person asked or replied.
//
// The file says what its keys name. What had such a key gives it up and stays as it is otherwise; was it
// brought by an import, its source no longer names it, and it becomes stale. The resource of the file is
// written without the key at first: others may be working on what has it, and would wait.

import type { Context } from '../../../context.ts';
import { scratch, scratchCount } from '../../../database/scratch.ts';
import type { Stage } from '../staging/stage.ts';

/** A key that another resource has to give up. */
export interface Taken {
  readonly key: string;
  /** Kind of what the file calls by it. */
  readonly kind: string;
  /** What had it. */
  readonly from: { readonly id: string; readonly kind: string; readonly title: string };
}

/** The keys that an import takes from other resources: how many, and the first of them. */
export interface TakenKeys {
  readonly count: number;
  readonly first: readonly Taken[];
}

/** Keys that the result of an import names. */
const maxNamed = 100;

/** List whose keys are taken among the changes, and say which those are. */
export async function findTaken(ctx: Context, { plan, changes }: Stage): Promise<TakenKeys> {
  const count = await scratchCount(
    ctx,
    `insert into ${changes} (id, becomes) select p.taken_from, 'taken' from ${plan} p
      where p.taken_from is not null and p.n is not null`,
  );
  if (count === 0) return { count, first: [] };
  const found = await scratch<{
    key: string;
    kind: string;
    id: string;
    was: string;
    title: string;
  }>(
    ctx,
    `select p.key, p.kind, r.id, r.kind as was, r.title_full as title from ${plan} p
      join resource r on r.workspace_id = $1::uuid and r.id = p.taken_from
      where p.n is not null order by p.n limit ${maxNamed}`,
    [ctx.workspaceId],
  );
  const first = found.map(({ key, kind, id, was, title }) => ({
    ...{ key, kind, from: { id, kind: was, title } },
  }));
  return { count, first };
}

/** Whether the key of a resource `r` is taken, which is listed among the changes. */
export function isTakenFrom({ changes }: Stage): string {
  return `r.id in (select c.id from ${changes} c where c.becomes = 'taken')`;
}

/** Whether a person made a resource `r`, rather than an import. */
export const isMadeByHand = 'r.created_by_id is not null';

/** Hand the keys over, when all that changes is locked: the last that is written of resources. */
export async function handOver(tx: Context, stage: Stage, { count }: TakenKeys): Promise<void> {
  if (count === 0) return;
  const { plan } = stage;
  await scratch(
    tx,
    `update resource r set databuilder_id = null, updated_at = $2,
        stale = r.stale or not (${isMadeByHand}),
        stale_at = case when ${isMadeByHand} then r.stale_at else coalesce(r.stale_at, $2) end
      where r.workspace_id = $1::uuid and ${isTakenFrom(stage)}`,
    [tx.workspaceId, tx.now()],
  );
  await scratch(
    tx,
    `update resource r set databuilder_id = p.key from ${plan} p
      where r.workspace_id = $1::uuid and r.id = p.id and p.taken_from is not null`,
    [tx.workspaceId],
  );
}

/** What became of keys, in lines for the log of an import. */
export function takenInWords({ count, first }: TakenKeys): string[] {
  if (count === 0) return [];
  const said = first.map(
    ({ key, kind, from }) =>
      `The key ${JSON.stringify(key)} names a ${kind} now; the ${from.kind} ${from.title} ` +
      `(${from.id}) had it, and stays without it.`,
  );
  const more = count - first.length;
  return more > 0 ? [...said, `The same of ${more} more keys.`] : said;
}

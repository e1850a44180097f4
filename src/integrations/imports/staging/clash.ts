// Skips what a file calls by a key that names something of another kind in it.

import type { Context } from '../../../context.ts';
import { scratch, scratchCount, unwatched } from '../../../database/scratch.ts';
import { allowedPairs } from '../planning/parents.ts';
import { type ImportNotes, maxNamed, withMore } from './problems.ts';
import type { Stage } from './stage.ts';

/** Orders what describes one key: what a source says itself comes before what follows from it. */
export const standingOrder = `array_position(array['named', 'implied', 'addition'], standing)`;

interface Skipped {
  readonly line: number;
  readonly kind: string;
  readonly key: string;
  /** Kind and line of what the key names; null for what lies in something that is skipped. */
  readonly keptKind: string | null;
  readonly keptLine: number | null;
}

/**
 * Of several kinds that a key has in a file its first description decides; one that the file makes itself comes before
 * one that follows from others. Those of another kind are skipped and reported, with all that can lie in them alone.
 */
export async function skipOtherKinds(
  ctx: Context,
  { resources, plan }: Stage,
  { file, note }: ImportNotes,
): Promise<void> {
  const [clash] = await scratch(
    ctx,
    `select 1 from ${resources} group by key having min(kind) <> max(kind) limit 1`,
  );
  if (!clash) return;
  const skipped = `${plan}_skipped`;
  // Without figures the levels below would be looked for one row after the other.
  await scratch(ctx, `analyze ${resources}`);
  await scratch(ctx, `drop table if exists ${skipped}`);
  const count = await scratchCount(
    ctx,
    `create unlogged table ${skipped} ${unwatched} as
      with recursive kept as materialized (
        select distinct on (r.key) r.key, r.kind, r.line from ${resources} r
        where r.key in (select key from ${resources} group by key having min(kind) <> max(kind))
        order by r.key, ${standingOrder}, r.seq),
      lost as (
        select r.seq, r.key, r.kind, r.line, k.kind as kept_kind, k.line as kept_line
        from ${resources} r join kept k on k.key = r.key and k.kind <> r.kind
        union
        select c.seq, c.key, c.kind, c.line, null::text, null::integer
        from lost l join ${resources} c on c.parent_key = l.key
          and (c.kind, l.kind) in (values ${allowedPairs})
        left join kept k on k.key = l.key
        where k.key is null or (c.kind, k.kind) not in (values ${allowedPairs}))
      select * from lost`,
  );
  const first = await scratch<Skipped>(
    ctx,
    `select line, kind, key, kept_kind as "keptKind", kept_line as "keptLine" from ${skipped}
      order by line, seq limit ${maxNamed}`,
  );
  const said = first.map((one) => inWords(one, file));
  for (const problem of withMore(said, count, file, 'resources')) note(problem);
  await scratch(ctx, `delete from ${resources} r using ${skipped} s where s.seq = r.seq`);
  await scratch(ctx, `drop table ${skipped}`);
}

function inWords({ line, kind, key, keptKind, keptLine }: Skipped, file: string): string {
  const what = `${file}, line ${line}: the ${kind} ${JSON.stringify(key)} is skipped`;
  return keptKind === null
    ? `${what}, as what it lies in is.`
    : `${what}; the key names a ${keptKind}, in line ${keptLine}.`;
}

// Makes one description out of several that share a key.

import type { Context } from '../../../context.ts';
import { scratch } from '../../../database/scratch.ts';
import { skipOtherKinds, standingOrder } from './clash.ts';
import { type ImportNotes, maxNamed } from './problems.ts';
import type { Stage } from './stage.ts';
import { stagedFields } from './stage-rows.ts';

/**
 * Fold staged resources of one key into one: the first that says something of a field decides it, and
 * a text that says something comes before one that says there is nothing, and metadata has the members of all. Descriptions of another kind than the first
 * are skipped. Then drop additions to what no one names.
 */
export async function foldDuplicates(
  ctx: Context,
  stage: Stage,
  reporting: ImportNotes,
): Promise<void> {
  const { resources } = stage;
  await scratch(ctx, `create index on ${resources} (seq)`);
  if (!(await indexKeys(ctx, stage))) {
    await skipOtherKinds(ctx, stage, reporting);
    const problems = await findConflicts(ctx, stage, reporting.file);
    for (const problem of problems) reporting.note(problem);
    await fold(ctx, stage);
    await scratch(ctx, `create unique index on ${resources} (key)`);
  }
  await scratch(
    ctx,
    `delete from ${resources} r where r.standing = 'addition' and not exists (
      select from ${resources} p where p.key = r.parent_key and p.standing <> 'addition')`,
  );
  await scratch(ctx, `analyze ${resources}`);
}

/** Index the keys, in a transaction; false where one comes more than once, and there is no index. */
async function indexKeys(tx: Context, { resources }: Stage): Promise<boolean> {
  // As a rule no key does: the index is wanted anyway, and finds out for nothing.
  await scratch(tx, 'savepoint keys');
  try {
    await scratch(tx, `create unique index on ${resources} (key)`);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    await scratch(tx, 'rollback to savepoint keys');
    return false;
  }
}

const isDuplicateKey = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '23505';

/** Fields of which two descriptions of one thing should not say different things. */
const singular = ['title', 'native_type', 'type', 'is_pk', 'parent_key'];

/** What descriptions of one key say that can't both be so, a sentence for each key. */
async function findConflicts(ctx: Context, { resources }: Stage, file: string): Promise<string[]> {
  const differing = singular.map(
    (field) => `case when count(distinct nullif(${field}::text, '')) > 1 then '${field}' end`,
  );
  const found = await scratch<{ key: string; lines: number[]; fields: string[] }>(
    ctx,
    `select key, lines, fields from (
        select key, (array_agg(line order by line))[1:5] as lines,
          array_remove(array[${differing.join(', ')}], null) as fields
        from ${resources} where standing = 'named' group by key having count(*) > 1) d
      where cardinality(fields) > 0 order by lines limit ${maxNamed}`,
  );
  return found.map(
    ({ key, lines, fields }) =>
      `${file}, lines ${lines.join(', ')}: ${JSON.stringify(key)} is described more than once, with ` +
      `different values of ${fields.join(', ')}; the first is taken.`,
  );
}

/** Objects as one, with the members of all; of equal names the first is taken. */
function mergedOf(name: string): string {
  const last = `array_agg(${name} order by seq desc) filter (where ${name} is not null)`;
  return `(select jsonb_object_agg(m.key, m.value order by o.at)
    from unnest(${last}) with ordinality o(value, at), jsonb_each(o.value) m)`;
}

async function fold(ctx: Context, { resources }: Stage): Promise<void> {
  const fields = Object.keys(stagedFields);
  const folded = Object.entries(stagedFields).map(([name, type]) => {
    const order = type === 'text' ? `(${name} = ''), seq` : 'seq';
    // An aggregate of arrays would be one array of more dimensions: these are folded as text.
    const value = type.endsWith('[]') ? `${name}::text` : name;
    if (type === 'jsonb') return mergedOf(name);
    const first = `(array_agg(${value} order by ${order}) filter (where ${name} is not null))[1]`;
    return type.endsWith('[]') ? `${first}::${type}` : first;
  });
  await scratch(
    ctx,
    `with duplicates as materialized (
        select key from ${resources} group by key having count(*) > 1),
      gone as (
        delete from ${resources} r using duplicates d where r.key = d.key returning r.*)
      insert into ${resources} (seq, line, id, standing, kind, key, parent_key, ${fields.join(', ')})
      select min(seq), (array_agg(line order by ${standingOrder}, seq))[1],
        (array_agg(id order by seq))[1], (array_agg(standing order by ${standingOrder}))[1],
        min(kind), key, (array_agg(parent_key order by seq) filter (where parent_key is not null))[1],
        ${folded.join(', ')}
      from gone group by key`,
  );
}

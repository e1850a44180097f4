// Makes one description out of several that share a key.

import type { Context } from '../../../context.ts';
import { scratch } from '../../../database/scratch.ts';
import { badField } from '../../readers/place.ts';
import { type Stage, stagedFields } from './stage.ts';

/**
 * Fold staged resources of one key into one: the first that says something of a field decides it, and
 * a text that says something comes before one that says there is nothing. Then drop additions to what
 * nobody names. Throws BAD_REQUEST where the descriptions of a key are of different kinds.
 */
export async function foldDuplicates(ctx: Context, stage: Stage, file: string): Promise<void> {
  const { resources } = stage;
  await scratch(ctx, `create index on ${resources} (seq)`);
  if (!(await indexKeys(ctx, stage))) {
    await checkKinds(ctx, stage, file);
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

async function checkKinds(ctx: Context, { resources }: Stage, file: string): Promise<void> {
  const [found] = await scratch<Duplicate>(
    ctx,
    `select key, max(line) as line, min(kind) as kind, max(kind) as "otherKind"
      from ${resources} group by key having min(kind) <> max(kind) order by max(line) limit 1`,
  );
  if (!found) return;
  const { key, line, kind, otherKind } = found;
  const both = `${JSON.stringify(key)} is a ${kind} and a ${otherKind} in this file`;
  const message = `${both}; a key names one thing.`;
  throw badField({ file, line }, 'databuilder_id', message);
}

interface Duplicate {
  key: string;
  line: number;
  kind: string;
  otherKind: string;
}

async function fold(ctx: Context, { resources }: Stage): Promise<void> {
  const fields = Object.keys(stagedFields);
  const folded = Object.entries(stagedFields).map(([name, type]) => {
    const order = type === 'text' ? `(${name} = ''), seq` : 'seq';
    // An aggregate of arrays would be one array of more dimensions: these are folded as text.
    const value = type.endsWith('[]') ? `${name}::text` : name;
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

const standingOrder = `array_position(array['named', 'implied', 'addition'], standing)`;

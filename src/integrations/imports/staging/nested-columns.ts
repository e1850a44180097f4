// Stages the fields of nested columns as columns that lie in them.

import type { Context } from '../../../context.ts';
import { scratch, unwatched } from '../../../database/scratch.ts';
import { deepestType, fieldsOf } from '../../../lineage/sql/scope/struct.ts';
import { fieldKey } from '../../readers/extraction.ts';
import { textLimits } from '../../readers/json-fields.ts';
import type { Stage } from './stage.ts';
import { type StagedResource, stageResources } from './stage-rows.ts';

interface Nested {
  readonly seq: number;
  readonly line: number;
  readonly key: string;
  readonly type: string;
  /** The titles that the source gives to columns in it, in small letters. */
  readonly named: readonly string[];
}

/** Whether a type may have fields, as the database sees it; `fieldsOf` says which. */
const mayBeNested = String.raw`s.type ~* '(struct|row|record|object|tuple|nested)\s*[<(]'`;
const batch = 2_000;

/**
 * Stage what the types of staged columns name as fields: columns with keys of their own that lie in the
 * column. What the source itself names there stays as it is. Runs when each key is staged once; answers how
 * many columns were added, numbered from `seq` on.
 */
export async function stageNestedColumns(ctx: Context, stage: Stage, seq: number): Promise<number> {
  const { resources } = stage;
  const [any] = await scratch(
    ctx,
    `select from ${resources} s where s.kind = 'column' and ${mayBeNested} limit 1`,
  );
  if (!any) return 0;
  const named = `${resources}_nested`;
  await scratch(ctx, `drop table if exists ${named}`);
  await scratch(
    ctx,
    `create unlogged table ${named} ${unwatched} as
      select c.parent_key, lower(c.title) as title from ${resources} c
      join ${resources} p on p.key = c.parent_key and p.kind = 'column'
      where c.kind = 'column' and c.title is not null`,
  );
  await scratch(ctx, `create index on ${named} (parent_key)`);
  let added = 0;
  // Those of one level are staged behind all others, and are the ones that the next level looks at.
  for (let level = 0, first = 0; level < deepestType; level++) {
    const before = added;
    for (let after = first; ; ) {
      const columns = await nestedColumns(ctx, stage, after, seq + before);
      const fields = await newFields(ctx, stage, columns.flatMap(fieldsIn));
      const staged = fields.map((resource, i) => ({ resource, seq: seq + added + i + 1 }));
      if (staged.length > 0) await stageResources(ctx, stage, staged);
      added += staged.length;
      after = columns.at(-1)?.seq ?? after;
      if (columns.length < batch) break;
    }
    if (added === before) break;
    first = seq + before;
  }
  await scratch(ctx, `drop table ${named}`);
  return added;
}

async function nestedColumns(
  ctx: Context,
  { resources }: Stage,
  after: number,
  last: number,
): Promise<Nested[]> {
  return scratch<Nested>(
    ctx,
    `select s.seq, s.line, s.key, s.type, array(
        select n.title from ${resources}_nested n where n.parent_key = s.key) as named
      from ${resources} s
      where s.kind = 'column' and ${mayBeNested} and s.seq > $1 and s.seq <= $2
      order by s.seq limit ${batch}`,
    [after, last],
  );
}

function fieldsIn({ line, key, type, named }: Nested): StagedResource['resource'][] {
  const taken = new Set(named);
  return (fieldsOf(type) ?? []).flatMap((field, i) => {
    const own = fieldKey(key, field.name);
    const isLong = own.length > textLimits.key || field.name.length > textLimits.name;
    if (isLong || taken.has(field.name.toLowerCase())) return [];
    taken.add(field.name.toLowerCase());
    return {
      ...{ line, kind: 'column', key: own, parentKey: key, standing: 'named' },
      ...{ title: field.name, type: field.type, sortOrder: i + 1 },
    };
  });
}

/** Those whose keys name nothing else. */
async function newFields(
  ctx: Context,
  { resources }: Stage,
  fields: readonly StagedResource['resource'][],
): Promise<readonly StagedResource['resource'][]> {
  if (fields.length === 0) return fields;
  const taken = await scratch<{ key: string }>(
    ctx,
    `select s.key from ${resources} s where s.key = any($1::text[])`,
    [fields.map(({ key }) => key)],
  );
  const keys = new Set(taken.map(({ key }) => key));
  return fields.filter(({ key }) => !keys.has(key));
}

// What is to become of each staged resource: its id, its parent, its place and its names.

import type { Context } from '../../../context.ts';
import { scratch, scratchCount, unwatched } from '../../../database/scratch.ts';
import { mayLieInItself } from '../../../resources/editing/lock.ts';
import { keyInOneLine } from '../../../resources/identities/named-place.ts';
import { kindNames } from '../../../resources/kind.ts';
import type { Stage } from '../staging/stage.ts';
import { joining } from './figures.ts';
import type { Importing } from './importing.ts';
import { matchImplied } from './match-implied.ts';
import { checkCircles, checkLinks, maxLevels } from './parents.ts';
import { type Recognized, recognize } from './recognize.ts';
import { findSuccessors } from './successors.ts';
import { findTermLinks } from './term-links.ts';

export interface PlanOptions {
  readonly describer: Importing;
  /** What messages call the file. */
  readonly file: string;
  /** Told what is odd about the names of the source. */
  readonly note: (problem: string) => void;
  /** How many resources were staged, about. */
  readonly staged: number;
}

/**
 * Work out the plan of the staged resources, without touching the catalog. A row of the plan with a
 * number (`n`) is to be written, in the order of the numbers: parents come before what they hold. One
 * without only says which resource its key names. A key that names something else in the catalog is taken
 * from it (`taken.ts`). Throws BAD_REQUEST for an unknown parent, one of a wrong kind, or
 * a circle of parents. Answers where its things lie.
 */
export async function makePlan(
  ctx: Context,
  stage: Stage,
  { describer, file, staged, note }: PlanOptions,
): Promise<Recognized> {
  const { integrationId } = describer;
  let recognized: Recognized = null;
  const links = await joining(ctx, { integrationId, rows: staged }, async () => {
    await matchImplied(ctx, stage, integrationId);
    recognized = await recognize(ctx, stage, describer, note);
    return link(ctx, stage, integrationId);
  });
  await checkLinks(ctx, links, file);
  await settle(ctx, stage, links);
  await checkCircles(ctx, stage, links, file);
  await finish(ctx, stage, links);
  await findSuccessors(ctx, stage, integrationId, { file, note });
  await findTermLinks(ctx, stage, integrationId, { file, note });
  return recognized;
}

/** What follows from where a resource lies, and from what it is called. */
const placeColumns = [
  'parent_id',
  'title_full',
  'database_name',
  'schema_name',
  'table_name',
] as const;

/** Whether what has the key of a staged resource `s` in the catalog, `o`, is what the file means by it. */
const isMeant = `o.kind = s.kind and not o.shared and not (
  o.kind in ('question', 'question_reply') and o.created_by_id is not null)`;

/** Find out, for each staged resource, what it is in the catalog and which is its parent. */
async function link(ctx: Context, stage: Stage, integrationId: string): Promise<string> {
  const { resources, matches } = stage;
  const [known, links] = [`${stage.plan}_known`, `${stage.plan}_links`];
  const own = (alias: string) =>
    `${alias}.workspace_id = $1::uuid and ${alias}.integration_id = $2::uuid`;
  // What has the key and is something else gives it up (`taken.ts`).
  const same = (column: string) => `case when ${isMeant} then o.${column} end`;
  const live = (column: string) =>
    `case when l.id is null then ${same(column)} else l.${column} end as live_${column}`;
  const ids = [ctx.workspaceId, integrationId];
  await scratch(ctx, `drop table if exists ${known}, ${links}`);
  await scratch(
    ctx,
    `create unlogged table ${known} ${unwatched} as
      select s.seq, s.line, s.key, s.kind, s.standing, s.parent_key, s.database_name,
        s.schema_name, s.cluster, coalesce(m.id, ${same('id')}, s.id) as id,
        m.id is null and ${same('id')} is null as is_new,
        m.id is not null and coalesce(m.shared, false) as is_foreign,
        coalesce(m.shared, false) as claims, 
        l.id is null and o.shared is true or m.shared is false as is_held,
        coalesce(case when m.shared is false then nullif(s.title, '') end, l.title, nullif(s.title, ''),
          ${same('title')}, ${keyInOneLine('s.key')}) as title,
        case when m.id is null and not o.shared and not (${isMeant}) then o.id end as taken_from,
        ${['title', ...placeColumns].map(live).join(', ')}
      from ${resources} s
      left join ${matches} m on m.key = s.key
      left join resource l on l.workspace_id = $1::uuid and l.id = m.id
      left join resource o on ${own('o')} and o.databuilder_id = s.key
      where not exists (
        select from ${matches} x where x.key = s.key and x.same_as is not null)`,
    ids,
  );
  // Without figures about these tables, joins of a million rows are planned as if they had a few.
  await scratch(ctx, `analyze ${known}`);
  await scratch(
    ctx,
    `create unlogged table ${links} ${unwatched} as
      select k.*, p.seq as parent_seq, coalesce(p.id, o.id) as parent_id,
        coalesce(p.kind, o.kind) as parent_kind, o.title as outer_title,
        o.title_full as outer_title_full, o.database_name as outer_database_name,
        o.schema_name as outer_schema_name, o.table_name as outer_table_name,
        o.cluster as outer_cluster
      from ${known} k
      left join ${matches} m on m.key = k.parent_key and m.same_as is not null
      left join ${known} p on p.key = coalesce(m.same_as, k.parent_key)
      left join resource named on p.key is null and ${own('named')}
        and named.databuilder_id = k.parent_key
      left join resource_claim claimed on p.key is null and claimed.workspace_id = $1::uuid
        and claimed.integration_id = $2::uuid and claimed.key = k.parent_key
      left join resource o on p.key is null and o.workspace_id = $1::uuid and o.id =
        case when k.parent_key is null then k.live_parent_id else coalesce(claimed.resource_id, named.id) end`,
    ids,
  );
  await scratch(ctx, `create index on ${links} (parent_seq)`);
  await scratch(ctx, `analyze ${links}`);
  await scratch(ctx, `drop table ${known}`);
  return links;
}

/** What is said of the parent of a link, alias `l`: in the catalog, or in the plan itself. */
interface Above {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly titleFull: string;
  readonly isNew: string;
  readonly named: (column: string) => string;
}

const inCatalog: Above = {
  id: 'l.parent_id',
  kind: 'l.parent_kind',
  title: 'l.outer_title',
  titleFull: 'l.outer_title_full',
  isNew: 'false',
  named: (column) => `l.outer_${column}`,
};

const inPlan: Above = {
  id: 'p.id',
  kind: 'p.kind',
  title: 'p.title',
  titleFull: 'p.title_full',
  isNew: 'p.is_new',
  named: (column) => `p.${column}`,
};

const nesting = kindNames
  .filter(mayLieInItself)
  .map((kind) => `'${kind}'`)
  .join(', ');

/**
 * The columns of the plan for a link, alias `l`, numbered in the order of reading after `$1` others. Of what is in
 * the catalog it says whether the source gives it another title (`is_retitled`), another parent (`is_moved`, and
 * `is_nested` where that could make a circle) or another place (`is_placed`): only that is written. What `settles`
 * comes to lie in something that was there before.
 */
function planned({ kind, named, isNew }: Above): string {
  const place = (of: string) => placeColumns.map((column) => `${of}${column}`).join(', ');
  return `$1 + row_number() over (order by l.seq)::integer as n, l.seq, $2::integer as level, l.id,
    l.kind, l.title, ${place('t.')}, coalesce(l.cluster, ${named('cluster')}) as cluster, l.key,
    l.line, l.is_new, l.is_foreign, l.claims, l.is_held, l.taken_from,
    not l.is_new and t.title_full is distinct from l.live_title_full as is_renamed,
    not l.is_new and l.title is distinct from l.live_title as is_retitled, t.is_moved,
    t.is_moved and l.kind in (${nesting}) and ${kind} in (${nesting}) as is_nested,
    not l.is_new and not l.is_foreign and (t.parent_id, t.title_full,
        coalesce(t.database_name, l.live_database_name), coalesce(t.schema_name, l.live_schema_name),
        coalesce(t.table_name, l.live_table_name))
      is distinct from (${place('l.live_')}) as is_placed,
    (l.is_new or t.is_moved) and t.parent_id is not null and not ${isNew} as settles`;
}

/** Where a link, alias `l`, comes to lie, as the alias `t`. */
function placed({ id, kind, title, titleFull, named }: Above): string {
  const name = (of: string) =>
    `coalesce(case ${kind} when '${of}' then ${title} else ${named(`${of}_name`)} end, l.${of}_name)`;
  // What others describe as well stays where it is, and what lies in it lies there.
  const staying = (column: string, value: string) =>
    `case when l.is_foreign and l.live_title_full is not null then l.live_${column} else ${value} end as ${column}`;
  const tableName = `case ${kind} when 'table' then ${title} else ${named('table_name')} end`;
  return `cross join lateral (select ${staying('parent_id', id)},
    ${staying('title_full', `coalesce(${titleFull} || '.', '') || l.title`)},
    ${staying('database_name', name('database'))}, ${staying('schema_name', name('schema'))},
    ${staying('table_name', tableName)},
    not l.is_new and not l.is_foreign and ${id} is distinct from l.live_parent_id as is_moved) t`;
}

/** Follow the parents down from the roots, level by level. What lies in a circle is never reached. */
async function settle(ctx: Context, { plan }: Stage, links: string): Promise<void> {
  await scratch(ctx, `drop table if exists ${plan}`);
  let last = await scratchCount(
    ctx,
    `create unlogged table ${plan} ${unwatched} as select ${planned(inCatalog)}
      from ${links} l ${placed(inCatalog)} where l.parent_seq is null`,
    [0, 0],
  );
  for (let level = 1; level <= maxLevels; level++) {
    const reached = await scratchCount(
      ctx,
      `insert into ${plan} select ${planned(inPlan)}
        from ${plan} p join ${links} l on l.parent_seq = p.seq ${placed(inPlan)}
        where p.level = $2::integer - 1`,
      [last, level],
    );
    if (reached === 0) break;
    last += reached;
  }
  await scratch(ctx, `create index on ${plan} (n)`);
  await scratch(ctx, `create index on ${plan} (id)`);
  await scratch(ctx, `analyze ${plan}`);
}

async function finish(ctx: Context, stage: Stage, links: string): Promise<void> {
  const { plan, matches } = stage;
  await scratch(ctx, `drop table ${links}`);
  await scratch(
    ctx,
    `insert into ${plan} (key, id, kind, title, database_name, schema_name)
      select m.key, p.id, p.kind, p.title, p.database_name, p.schema_name
      from ${matches} m join ${plan} p on p.key = m.same_as`,
  );
  await scratch(ctx, `create unique index on ${plan} (key)`);
}

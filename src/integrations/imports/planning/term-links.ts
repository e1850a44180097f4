// Links between related glossary terms of a source: which are wanted, and which are there.

// Either line may name the other term. A source decides about the links between its own terms alone, and about none of a
// term whose related terms a person edited.

import type { Context } from '../../../context.ts';
import { scratch } from '../../../database/scratch.ts';
import { type ImportNotes, maxNamed } from '../staging/problems.ts';
import type { Stage } from '../staging/stage.ts';

/** Whether a person edited the related terms of one of two, by their ids. */
const isEdited = (one: string, other: string) =>
  `exists (select from resource e where e.workspace_id = $1::uuid and e.id in (${one}, ${other})
    and 'related_term_ids' = any(e.edited_fields))`;

/** What is linked, alias `l`, and the source no longer says: both terms are its own, and it says what one is related to. */
const isGone = ({ terms, termLinks }: Stage) => `l.workspace_id = $1::uuid
  and exists (select from ${terms} a where a.id in (l.term_id, l.related_id) having count(*) = 2 and bool_or(a.is_said))
  and not exists (select from ${termLinks} w where w.term_id = l.term_id and w.related_id = l.related_id)
  and not ${isEdited('l.term_id', 'l.related_id')}`;

/** What the source says, alias `w`, and is not linked. */
const isMissing = `not exists (select from term_link l where l.workspace_id = $1::uuid
    and l.term_id = w.term_id and l.related_id = w.related_id)
  and not ${isEdited('w.term_id', 'w.related_id')}`;

/**
 * Find out which terms the staged lines relate, once all are planned, and which of the lines are to change links. What is
 * no other term of the integration is noted.
 */
export async function findTermLinks(
  tx: Context,
  stage: Stage,
  integrationId: string,
  { file, note }: ImportNotes,
): Promise<void> {
  const { resources, plan, terms, termLinks } = stage;
  await scratch(tx, `delete from ${terms}`);
  await scratch(tx, `delete from ${termLinks}`);
  const [said] = await scratch(
    tx,
    `select from ${resources} where related_keys is not null limit 1`,
  );
  if (!said) return;
  const isSaid =
    's.related_keys is not null and p.n is not null and not p.is_foreign and not p.claims';
  await scratch(
    tx,
    `insert into ${terms} (id, key, is_said, seq, line, related_keys)
      select p.id, p.key, coalesce(${isSaid}, false), s.seq, s.line, s.related_keys
        from ${plan} p left join ${resources} s on s.seq = p.seq where p.kind = 'glossary'
      union all
      select r.id, r.databuilder_id, false, null, null, null from resource r
        where r.workspace_id = $1::uuid and r.integration_id = $2::uuid and r.kind = 'glossary'
          and r.databuilder_id is not null and not r.archived
          and not exists (select from ${plan} p where p.key = r.databuilder_id)`,
    [tx.workspaceId, integrationId],
  );
  await scratch(tx, `create index on ${terms} (id)`);
  await scratch(tx, `analyze ${terms}`);
  await scratch(
    tx,
    `insert into ${termLinks} (term_id, related_id)
      select distinct least(t.id, o.id) as term_id, greatest(t.id, o.id) as related_id
      from ${terms} t cross join lateral unnest(t.related_keys) k(key) join ${terms} o on o.key = k.key
      where t.is_said and o.id <> t.id`,
  );
  await scratch(tx, `create index on ${termLinks} (term_id, related_id)`);
  await scratch(
    tx,
    `update ${resources} s set related_changes =
        exists (select from ${termLinks} w where t.id in (w.term_id, w.related_id) and ${isMissing})
        or exists (select from term_link l where t.id in (l.term_id, l.related_id) and ${isGone(stage)})
      from ${terms} t where t.seq = s.seq and t.is_said`,
    [tx.workspaceId],
  );
  const unknown = await scratch<{ line: number; key: string }>(
    tx,
    `select t.line, k.key from ${terms} t cross join lateral unnest(t.related_keys) k(key)
      where t.is_said and not exists (select from ${terms} o where o.key = k.key and o.id <> t.id)
      order by t.line, k.key limit ${maxNamed}`,
  );
  for (const { line, key } of unknown) {
    note(
      `${file}, line ${line}: related_terms names no other glossary term: ${JSON.stringify(key)}.`,
    );
  }
}

/** Link what the source relates, and what it no longer does no more, within the transaction of the import. */
export async function writeTermLinks(tx: Context, stage: Stage): Promise<void> {
  await scratch(tx, `delete from term_link l where ${isGone(stage)}`, [tx.workspaceId]);
  await scratch(
    tx,
    `insert into term_link (workspace_id, term_id, related_id)
      select $1::uuid, w.term_id, w.related_id from ${stage.termLinks} w where ${isMissing}
      order by w.term_id, w.related_id on conflict do nothing`,
    [tx.workspaceId],
  );
}

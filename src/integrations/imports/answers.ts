// Keeps questions and their accepted replies together, where an import changes or moves these.

import type { Context } from '../../context.ts';
import { scratch, scratchCount } from '../../database/scratch.ts';
import { maxNamed, withMore } from './staging/problems.ts';
import type { Stage } from './staging/stage.ts';

/** List the questions of replies that change among the changes, so that they are locked with them. */
export async function findAnswered(ctx: Context, { plan, changes }: Stage): Promise<number> {
  return scratchCount(
    ctx,
    `insert into ${changes} (id, becomes)
      select distinct r.parent_id, 'answered' from ${plan} p join ${changes} x on x.n = p.n
      join resource r on r.workspace_id = $1::uuid and r.id = p.id
      where p.kind = 'question_reply' and not p.is_new and r.parent_id is not null`,
    [ctx.workspaceId],
  );
}

/** The questions `q` that do not say what their accepted reply `a` says by now, which is among the changes. */
export function otherAnswers({ changes }: Stage): string {
  return `resource q join resource a on a.workspace_id = q.workspace_id and a.parent_id = q.id
      and a.accepted_answer and a.definition is distinct from q.answer
    where q.workspace_id = $1::uuid and q.kind = 'question'
      and a.id in (select c.id from ${changes} c where c.becomes = 'own')`;
}

/**
 * Let questions say what their accepted replies say, once these are written. Nearly always they are locked: only a reply
 * that people have just moved answers another question than when the changes were listed.
 */
export async function keepAnswers(tx: Context, stage: Stage): Promise<void> {
  await scratch(
    tx,
    `update resource r set answer = o.answer, answered_by_id = o.answered_by_id,
        question_status = 'Answered', updated_at = $2
      from (select q.id, a.definition as answer, a.created_by_id as answered_by_id
        from ${otherAnswers(stage)}) o
      where r.workspace_id = $1::uuid and r.id = o.id`,
    [tx.workspaceId, tx.now()],
  );
}

/**
 * The accepted replies that the source moves to other questions, a sentence each: they stay, until that is taken back.
 * Of what is written it is said afterwards.
 */
export async function stayingInWords(
  ctx: Context,
  { plan }: Stage,
  file: string,
): Promise<string[]> {
  const first = await scratch<{ line: number; key: string; count: number }>(
    ctx,
    `select p.line, p.key, (count(*) over ())::integer as count from ${plan} p
      join resource r on r.workspace_id = $1::uuid and r.id = p.id
      where p.is_moved and p.kind = 'question_reply' and r.accepted_answer and not r.archived
        and r.parent_id is distinct from p.parent_id
      order by p.line, p.n limit ${maxNamed}`,
    [ctx.workspaceId],
  );
  const said = first.map(
    ({ line, key }) =>
      `${file}, line ${line}: the question_reply ${JSON.stringify(key)} stays with its question, ` +
      'as it is the accepted answer; unaccept it first.',
  );
  return withMore(said, first[0]?.count ?? 0, file, 'replies');
}

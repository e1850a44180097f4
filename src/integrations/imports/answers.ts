// Keeps questions in line with their accepted replies, where an import changes what these say.

import type { Context } from '../../context.ts';
import { scratch, scratchCount } from '../../database/scratch.ts';
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

/** The questions `q` that are listed and do not say what their accepted reply `a` says by now. */
export function otherAnswers({ changes }: Stage): string {
  return `resource q join resource a on a.workspace_id = q.workspace_id and a.parent_id = q.id
      and a.accepted_answer and a.definition is distinct from q.answer
    where q.workspace_id = $1::uuid and q.kind = 'question'
      and q.id in (select c.id from ${changes} c where c.becomes = 'answered')`;
}

/** Let the questions that are listed say what their accepted replies say, once these are written. */
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

// Happenings: what webhooks can be sent besides what people are notified of. Any feature notes them.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { enqueueOwnWork } from './job.ts';
import { awaitedKinds, type JobKind } from './job-kind.ts';

/** The happenings by name, in words. */
export const happenings = {
  incident_acknowledged: 'Somebody takes care of an incident.',
  job_succeeded: 'An import, sync or run of monitors is done.',
  job_failed: 'An import, sync or run of monitors could not be done.',
  question_asked: 'Somebody asked a question.',
  question_answered: 'A question has an answer.',
  lineage_changed: 'Somebody drew, read from SQL or deleted lineage.',
} as const;

export type Happening = keyof typeof happenings;

/** The kind of job that sends a happening to webhooks. */
export const happeningJob = 'notifications.happening' satisfies JobKind;

/** After notifications of people. */
const priority = 110;
const title = 'Notify webhooks';

/**
 * Note that something happened, in the transaction in which it did. Nothing is written where no webhook asks for it.
 * `data` is what the webhooks are sent.
 */
export async function noteHappening(
  tx: Context,
  event: Happening,
  data: Prisma.InputJsonObject,
): Promise<void> {
  const [listening] = await rows<{ id: string }>(
    tx,
    Prisma.sql`select w.id from webhook w where w.workspace_id = ${tx.workspaceId}::uuid
      and w.is_enabled and ${event} = any(w.events) limit 1`,
  );
  if (!listening) return;
  const payload = { event, at: tx.now().toISOString(), data };
  await enqueueOwnWork(tx, [{ kind: happeningJob, title, priority, payload }]);
}

/** Notes the end of jobs within the statement that ends them, whose part `from` has returned their rows. */
export function noteEnds(from: 'ended' | 'swept'): Prisma.Sql {
  return Prisma.sql`insert into job (workspace_id, kind, title, priority, payload)
    select e.workspace_id, ${happeningJob}, ${title}, ${priority}::integer, jsonb_build_object(
        'event', 'job_' || e.state, 'at', to_jsonb(clock_timestamp()),
        'data', jsonb_build_object('job', jsonb_build_object(
          'id', e.id, 'kind', e.kind, 'title', e.title, 'error', e.last_error)))
      from ${Prisma.raw(from)} e where e.state in ('succeeded', 'failed')
        and e.kind = any(${awaitedKinds}::text[])
        and exists (select from webhook w where w.workspace_id = e.workspace_id and w.is_enabled
          and 'job_' || e.state = any(w.events))
    returning id`;
}

// Once a day: what runs no longer show ends, and what is old of runs goes.

import type { Context, ServerContext } from '../../context.ts';
import { announce } from '../../database/announce.ts';
import { type Connection, execute, rows } from '../../database/rows.ts';
import { atLength } from '../../database/scratch.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { Run } from '../../jobs/run.ts';
import { holdDrain } from './drain.ts';
import { linkFlows } from './link.ts';

/** The kind of job that does it. */
export const unseenJob = 'openlineage.unseen' satisfies JobKind;

/** How long runs are kept, and how long what they were read from: what comes later of them changes no lineage. */
const keptDays = { runs: 90, said: 14, counts: 90 };

/** Make the job for each workspace that has flows and had none for a day; every worker calls it. */
export async function askForUnseen(db: Connection): Promise<void> {
  const made = await rows<{ id: string }>(
    db,
    Prisma.sql`insert into job (workspace_id, kind, title, priority, dedupe_key)
      select w.id, ${unseenJob}, 'End lineage that runs no longer show', 120, ${unseenJob}
      from workspace w where exists (select from openlineage_job o where o.workspace_id = w.id)
        and not exists (select from job j where j.workspace_id = w.id and j.kind = ${unseenJob}
          and j.created_at > now() - interval '23 hours')
      on conflict (workspace_id, dedupe_key)
        where dedupe_key is not null and state in ('queued', 'running') do nothing
      returning id`,
  );
  if (made.length > 0) await announce(db, 'queue');
}

/**
 * End the edges that no run has shown for as many days, and in as many runs of its job that succeeded, as the settings say; both
 * must be so. A job that does not run ends nothing, and neither does one run of another part.
 */
export async function runUnseen({ ctx }: Pick<Run, 'ctx'>): Promise<object> {
  const ended = await atLength(ctx, async (tx) => {
    await holdDrain(tx);
    const unseen = await forgetUnseen(tx, ctx);
    // What was merged, moved or described by others in the meantime is found as well.
    await linkFlows(tx, null);
    return unseen;
  });
  await forgetOld(ctx);
  return { ended };
}

function forgetUnseen(tx: Context, { surroundings, now }: ServerContext): Promise<number> {
  const { days, runs } = surroundings.unseenLineage;
  return execute(
    tx,
    Prisma.sql`update openlineage_flow f set runs = 0
      where f.workspace_id = ${tx.workspaceId}::uuid
        and f.last_seen_at < ${now()}::timestamptz - make_interval(days => ${days})
        and (select count(*) from (select from openlineage_run u where u.workspace_id = f.workspace_id
            and u.job_id = f.job_id and u.state = 'completed' and u.started_at > f.last_seen_at
            limit ${runs}) later) >= ${runs}`,
  );
}

async function forgetOld(ctx: ServerContext): Promise<void> {
  const old = (days: number) =>
    Prisma.sql`${ctx.now()}::timestamptz - make_interval(days => ${days})`;
  await execute(
    ctx,
    Prisma.sql`delete from openlineage_run u where u.workspace_id = ${ctx.workspaceId}::uuid
      and u.last_event_at < ${old(keptDays.runs)} and u.state <> 'stated'`,
  );
  await execute(
    ctx,
    Prisma.sql`update openlineage_run u set said = '{}' where u.workspace_id = ${ctx.workspaceId}::uuid
      and u.last_event_at < ${old(keptDays.said)} and u.ended_at is not null and u.said <> '{}'`,
  );
  await execute(
    ctx,
    Prisma.sql`delete from openlineage_day d where d.workspace_id = ${ctx.workspaceId}::uuid
      and d.day < (${old(keptDays.counts)})::date`,
  );
}

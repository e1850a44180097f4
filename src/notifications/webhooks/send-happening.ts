// Sends a happening to the webhooks that ask for it.

import { z } from 'zod';
import type { ServerContext } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { happenings } from '../../jobs/happening.ts';
import type { Run } from '../../jobs/run.ts';
import { post } from '../outbox/outbox.ts';

const named = z.object({ id: z.string() }).loose().optional();
const noted = z.object({
  event: z.string(),
  at: z.string(),
  data: z.object({ incident: named, question: named, job: named, target: named }).loose(),
});

/** Write what webhooks are sent of a happening; that, and the end of the job, in one transaction. */
export async function runHappening({ ctx, job, complete }: Run): Promise<unknown> {
  const { event, at, data } = noted.parse(job.payload);
  return transaction(ctx, async (tx) => {
    const webhooks = await rows<{ id: string }>(
      tx,
      Prisma.sql`select w.id from webhook w where w.workspace_id = ${tx.workspaceId}::uuid
        and w.is_enabled and ${event} = any(w.events) order by w.id`,
    );
    const body = JSON.stringify({
      type: event,
      timestamp: at,
      data: { ...data, url: pageOf(ctx, data) },
    });
    const text = Object.entries(happenings).find(([name]) => name === event)?.[1] ?? event;
    await post(
      tx,
      webhooks.map(({ id }) => ({
        ...({ channel: 'webhook', address: id, event, body, incidentId: null } as const),
        dedupeKey: `happening:${job.id}:${id}`,
        content: { title: text, text },
      })),
    );
    const result = { notified: webhooks.length };
    await complete(tx, result);
    return result;
  });
}

/** The page of the explorer that shows it; null where the server does not know its own address. */
function pageOf(ctx: ServerContext, data: z.output<typeof noted>['data']): string | null {
  const origin = ctx.surroundings.signIn.publicUrl;
  const path = pathOf(data);
  return origin === null || path === null ? null : `${origin}${path}`;
}

function pathOf({ incident, question, target, job }: z.output<typeof noted>['data']) {
  if (incident) return `/incidents/${incident.id}`;
  if (question) return `/resource/${question.id}`;
  if (target) return `/lineage/${target.id}`;
  return job ? '/imports' : null;
}

// The key by which only one thing at a time feeds an integration.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { conflict } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { endDead } from '../jobs/here.ts';
import type { JobKind } from '../jobs/job-kind.ts';

/** Kind of the jobs that imports are. */
export const importJob = 'import' satisfies JobKind;

/** What everything that feeds an integration agrees on, so that only one does at a time. */
export const syncKey = (integrationId: string) => `${importJob}:${integrationId}`;

/** Throw CONFLICT while something is imported into an integration; what waits to be is no obstacle. */
export async function mustBeIdle(ctx: Context, integrationId: string): Promise<void> {
  const key = syncKey(integrationId);
  const [running] = await rows<{ id: string }>(
    ctx,
    Prisma.sql`select j.id from job j where j.workspace_id = ${ctx.workspaceId}::uuid
      and j.dedupe_key = ${key} and j.state = 'running'`,
  );
  if (!running || (await endDead(ctx, key))) return;
  throw conflict('A sync of this integration is in progress; cancel it, or wait for its end.');
}

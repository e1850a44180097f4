// The scratch tables of imports whose process died: no one else would drop them soon.

import { serverViewer } from '../../../auth/viewer.ts';
import { type Context, contextFor } from '../../../context.ts';
import type { Database } from '../../../database/database.ts';
import { acrossWorkspaces } from '../../../database/outside.ts';
import { execute, rows } from '../../../database/rows.ts';
import { scratch } from '../../../database/scratch.ts';
import { transaction } from '../../../database/transaction.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { endDead } from '../../../jobs/here.ts';
import { importJob, syncKey } from '../../sync-key.ts';
import { closeStage, stagedIntegrations } from './open-stage.ts';

/** Drop the scratch tables of all imports that are not in progress; of how many imports they were. */
export async function dropLeftovers(database: Database): Promise<number> {
  const db = acrossWorkspaces(database);
  let dropped = 0;
  for (const integrationId of await stagedIntegrations(db)) {
    const [integration] = await rows<{ workspaceId: string }>(
      db,
      Prisma.sql`select workspace_id as "workspaceId" from integration
        where id = ${integrationId}::uuid`,
    );
    if (integration) {
      const ctx = contextFor(database, serverViewer(integration.workspaceId));
      if (await dropUnlessInUse(ctx, integrationId)) dropped += 1;
    } else {
      // Nothing can be imported into what is no more.
      await closeStage(db, integrationId);
      dropped += 1;
    }
  }
  return dropped;
}

/**
 * An import has a job with a key, from its beginning to its end: anyone who has that key is alone with the
 * tables. It is held here by a job that is never committed.
 */
async function dropUnlessInUse(ctx: Context, integrationId: string): Promise<boolean> {
  const { workspaceId } = ctx;
  const key = syncKey(integrationId);
  const [other] = await rows<{ kind: string }>(
    ctx,
    Prisma.sql`select kind from job where workspace_id = ${workspaceId}::uuid
      and dedupe_key = ${key} and state in ('queued', 'running')`,
  );
  // A sync of a lost worker is taken up by another one, which makes the tables again.
  if (other && (other.kind !== importJob || !(await endDead(ctx, key)))) return false;
  return transaction(ctx, async (tx) => {
    const [held] = await rows<{ id: string }>(
      tx,
      Prisma.sql`insert into job (workspace_id, kind, title, dedupe_key, state)
        values (${workspaceId}::uuid, ${importJob}, 'Drop what is left', ${key}, 'running')
        on conflict (workspace_id, dedupe_key)
          where dedupe_key is not null and state in ('queued', 'running') do nothing
        returning id`,
    );
    if (!held) return false;
    // The server may not have noticed yet that its client died, and an import waits for this one.
    await scratch(tx, "set local lock_timeout = '1s'");
    await closeStage(tx, integrationId);
    await execute(
      tx,
      Prisma.sql`delete from job where workspace_id = ${workspaceId}::uuid
        and id = ${held.id}::uuid`,
    );
    return true;
  });
}

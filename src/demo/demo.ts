// The sample workspace: whether it is to be loaded, and in which order.

import { record } from '../audit/audit.ts';
import { viewerOfUser } from '../auth/account.ts';
import { serverViewer } from '../auth/viewer.ts';
import { type Context, contextFor, type ServerContext } from '../context.ts';
import type { Database } from '../database/database.ts';
import { inWorkspace } from '../database/outside.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Surroundings } from '../surroundings.ts';
import { feed } from './feed.ts';
import { writeKnowledge } from './knowledge.ts';
import { makeMonitors } from './monitors.ts';
import { makeOrganization } from './organization.ts';
import { readSample } from './sample.ts';

/** Where the sample workspace is to be loaded. */
export interface DemoPlace {
  readonly database: Database;
  readonly surroundings: Surroundings;
  readonly workspaceId: string;
}

/** What became of a request for the sample workspace. */
export type DemoOutcome = 'loaded' | 'there already' | 'not empty';

const loaded = 'sample_workspace_loaded';

/**
 * Load the sample workspace into a workspace that has no resources, with the same functions that
 * serve clients. Where it was cut off, the next call takes it up again: people, teams and tags are
 * written in one transaction, each import is one, and what people write is one more, with the
 * monitors and what they have measured. The live source of the monitors is a file below `filesDir`,
 * and left out without one. `report` is called with what is being done.
 */
export async function loadDemo(
  place: DemoPlace,
  report: (line: string) => void,
  filesDir?: string,
): Promise<DemoOutcome> {
  const ctx = await adminOf(place);
  if (await isLoaded(ctx)) return 'there already';
  const sample = await readSample();
  if (await holdsOther(ctx, sample.integrations)) return 'not empty';

  report('people, teams, tags and properties');
  const organization = await transaction(ctx, (tx) => makeOrganization(tx, sample));
  await feed(ctx, sample, organization, { report, filesDir });
  report('documents, questions, events and what people say about their data');
  await transaction(
    ctx,
    async (tx) => {
      await writeKnowledge(tx, sample, organization);
      if (filesDir !== undefined) await makeMonitors(tx, sample, filesDir);
      await record(tx, { activity: loaded, says: 'The sample workspace was loaded' });
    },
    { long: true },
  );
  return 'loaded';
}

/** The table of the sample whose lineage is shown first. */
const shown = 'fct_orders';

/** Where in the explorer the lineage of the sample is; its first page where the sample is not there. */
export async function showcaseOf(database: Database, workspaceId: string): Promise<string> {
  const [table] = await rows<{ id: string }>(
    inWorkspace(database, workspaceId),
    Prisma.sql`select r.id from resource r
      where r.workspace_id = ${workspaceId}::uuid and r.kind = 'table' and r.title = ${shown}
        and not r.archived order by r.created_at, r.id limit 1`,
  );
  return table ? `/lineage/${table.id}` : '/';
}

async function isLoaded(ctx: Context): Promise<boolean> {
  const marks = await rows(
    ctx,
    Prisma.sql`select id from audit_log
      where workspace_id = ${ctx.workspaceId}::uuid and activity_type = ${loaded} limit 1`,
  );
  return marks.length > 0;
}

/** Whether the workspace holds anything that does not come from a load that was cut off. */
async function holdsOther(
  ctx: Context,
  integrations: readonly { name: string }[],
): Promise<boolean> {
  const names = integrations.map(({ name }) => name);
  const others = await rows(
    ctx,
    Prisma.sql`select r.id from resource r
      left join integration i on i.workspace_id = r.workspace_id and i.id = r.integration_id
      where r.workspace_id = ${ctx.workspaceId}::uuid
        and (i.id is null or i.name <> all(${names}::text[])) limit 1`,
  );
  return others.length > 0;
}

/** A context of the workspace's first admin, who has the sample as if they had made it. */
async function adminOf({ database, surroundings, workspaceId }: DemoPlace): Promise<ServerContext> {
  const server = contextFor(database, serverViewer(workspaceId));
  const [first] = await rows<{ id: string }>(
    server,
    Prisma.sql`select id from user_account
      where workspace_id = ${workspaceId}::uuid and role = 'admin' and not archived
      order by created_at, id limit 1`,
  );
  const viewer = first && (await viewerOfUser(server, workspaceId, first.id));
  return { ...contextFor(database, viewer ?? server.viewer), surroundings };
}

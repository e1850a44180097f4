// In charge of the sample workspace: whether it is to be loaded, and in which order.

import { record } from '../audit/audit.ts';
import { viewerOfUser } from '../auth/account.ts';
import { serverViewer } from '../auth/viewer.ts';
import { type Context, contextFor, type ServerContext } from '../context.ts';
import type { Database } from '../database/database.ts';
import { transaction } from '../database/transaction.ts';
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
 * and left out without one. `tell` hears what is being done.
 */
export async function loadDemo(
  place: DemoPlace,
  tell: (line: string) => void,
  filesDir?: string,
): Promise<DemoOutcome> {
  const { workspaceId } = place;
  const ctx = await adminOf(place);
  const marker = { workspaceId, activityType: loaded };
  if ((await ctx.db.auditLog.count({ where: marker })) > 0) return 'there already';
  const sample = await readSample();
  if (await holdsOther(ctx, sample.integrations)) return 'not empty';

  tell('people, teams, tags and properties');
  const organization = await transaction(ctx, (tx) => makeOrganization(tx, sample));
  await feed(ctx, sample, organization, { tell, filesDir });
  tell('documents, questions, events and what people say about their data');
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

/** Whether the workspace holds anything that does not come from a load that was cut off. */
async function holdsOther(
  ctx: Context,
  integrations: readonly { name: string }[],
): Promise<boolean> {
  const names = integrations.map(({ name }) => name);
  const { workspaceId } = ctx;
  const other = await ctx.db.resource.findFirst({
    where: {
      workspaceId,
      OR: [{ integrationId: null }, { integration: { name: { notIn: names } } }],
    },
    select: { id: true },
  });
  return other !== null;
}

/** A context of the workspace's first admin, who has the sample as if they had made it. */
async function adminOf({ database, surroundings, workspaceId }: DemoPlace): Promise<ServerContext> {
  const server = contextFor(database, serverViewer(workspaceId));
  const { id } = await server.db.user.findFirstOrThrow({
    where: { workspaceId, role: 'admin', archived: false },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const viewer = (await viewerOfUser(server, workspaceId, id)) ?? server.viewer;
  return { ...contextFor(database, viewer), surroundings };
}

// An integration with a source that is synced by a worker, from the trigger to lineage.

import { expect } from 'vitest';
import type { Job, Resource } from '../../../src/generated/prisma/client.ts';
import { createIntegration } from '../../../src/integrations/integration.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { handlers } from '../../../src/work.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { ended } from '../../jobs/ended.ts';

export interface LivePlace extends AsyncDisposable {
  readonly catalog: Catalog;
  readonly integrationId: string;
  /** Sync it, or another one, and wait until nothing of the workspace waits or runs. */
  sync(integrationId?: string): Promise<Job>;
  resources(kind: string): Promise<Resource[]>;
  /** Edges as `source > target`, by whole titles, in order. */
  edges(): Promise<string[]>;
}

/** A workspace with one integration; the loopback is allowed. */
export async function openLivePlace(
  type: string,
  credentials: object,
  settings: NodeJS.ProcessEnv = {},
): Promise<LivePlace> {
  const catalog = await openCatalog({ alone: true });
  await catalog.app({ ALLOW_PRIVATE_HOSTS: '127.0.0.0/8', ...settings });
  const { database, surroundings } = catalog;
  const onError = (error: unknown) => console.error(error);
  const worker = startWorker({ database, surroundings, handlers, pollSeconds: 1, onError });
  const { id } = await createIntegration(catalog.admin, {
    ...{ name: 'Warehouse', type, credentials: { ...credentials } },
  });
  const { prisma } = database;
  const workspaceId = catalog.workspaceId;
  const trigger = 'mutation ($id: ID!) { triggerSync(integrationId: $id) { id kind title state } }';
  return {
    catalog,
    integrationId: id,
    async sync(integrationId = id) {
      const { data, errors } = await catalog.graphql(trigger, { id: integrationId });
      expect(errors).toBeUndefined();
      const job = await ended(catalog.admin, data.triggerSync);
      const busy = { workspaceId, state: { in: ['queued', 'running'] } };
      await expect.poll(() => prisma.job.count({ where: busy }), { timeout: 60_000 }).toBe(0);
      return job;
    },
    resources: (kind) =>
      prisma.resource.findMany({ where: { workspaceId, kind }, orderBy: { titleFull: 'asc' } }),
    async edges() {
      const edges = await prisma.lineageEdge.findMany({
        where: { workspaceId, validTo: null },
        include: { source: true, target: true },
      });
      return edges.map(({ source, target }) => `${source.titleFull} > ${target.titleFull}`).sort();
    },
    async [Symbol.asyncDispose]() {
      await worker.stop();
      await catalog[Symbol.asyncDispose]();
    },
  };
}

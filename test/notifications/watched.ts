// Makes a table called orders that a monitor watches, and measures it without a source.

import type { ServerContext } from '../../src/context.ts';
import { createMonitor, getMonitor } from '../../src/monitors/monitor.ts';
import { runAndKeep } from '../../src/monitors/runs/run.ts';
import type { NewResource } from '../../src/resources/editing/asked-changes.ts';
import type { Catalog } from '../catalog.ts';

/** The table, of which a monitor takes 5 rows at least; measuring answers the latest incident's id. */
export async function watched(ctx: ServerContext, catalog: Catalog, about: NewResource) {
  const integration = await catalog.integration({ type: 'postgres' });
  const table = await catalog.resource({ title: 'orders', ...about });
  await catalog.database.prisma.resource.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: table.id } },
    data: { integrationId: integration.id, schemaName: 'public' },
  });
  const { id } = await createMonitor(ctx, {
    ...{ targetId: table.id, metricType: 'row_count', notifyChatChannel: 'C1' },
    ...{ conditionAutoSensitivity: null, conditionManualMin: 5 },
  });
  const measure = async (value: number) => {
    await runAndKeep(
      ctx,
      [id],
      async () => ({
        dialect: 'postgres',
        query: async () => ({ rows: [[value]] }),
        close: async () => {},
      }),
      { jobId: null, scheduled: false, fence: async () => {} },
      { log: () => {}, progress: () => {} },
    );
    return (await getMonitor(ctx, id)).lastIncidentId ?? '';
  };
  return { table, measure };
}

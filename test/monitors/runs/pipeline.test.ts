// Pipelines are measured by the run results that were uploaded for a table's model.

import { expect, test } from 'vitest';
import { invalid } from '../../../src/errors.ts';
import { createMonitor, getMonitor } from '../../../src/monitors/monitor.ts';
import { runAndKeep } from '../../../src/monitors/runs/run.ts';
import { openCatalog } from '../../catalog.ts';

test('durations and rates are those of the runs within the interval; no run is an error', async () => {
  await using catalog = await openCatalog();
  const { admin, workspaceId, database } = catalog;
  const integration = await catalog.integration({ type: 'dbt_core' });
  const table = await catalog.resource();
  const idle = await catalog.resource();
  const now = new Date('2026-03-05T12:00:00Z');
  catalog.setTime(now);
  const ran = (hoursAgo: number, status: string, executionSeconds: number) => ({
    ...{
      workspaceId,
      integrationId: integration.id,
      resourceId: table.id,
      nodeKey: 'model.orders',
    },
    ...{ invocationId: `run ${hoursAgo}`, status, executionSeconds },
    completedAt: new Date(now.getTime() - hoursAgo * 3_600_000),
  });
  await database.prisma.runResult.createMany({
    data: [
      ran(1, 'success', 10),
      ran(2, 'error', 20),
      ran(3, 'success', 30),
      ran(4, 'success', 60),
      ran(5, 'skipped', 0),
      ran(30, 'error', 1_000),
    ],
  });
  const measured = async (targetId: string, metricType: string) => {
    const { id } = await createMonitor(admin, { targetId, metricType });
    await runAndKeep(
      admin,
      [id],
      async () => {
        throw invalid('No source is to be opened for it.');
      },
      { jobId: null, scheduled: false, fence: async () => {} },
      { log: () => {}, progress: () => {} },
    );
    const { lastMeasurementValue, lastErrorMessage } = await getMonitor(admin, id);
    return lastMeasurementValue ?? lastErrorMessage;
  };
  expect(await measured(table.id, 'job_duration')).toBe(30);
  expect(await measured(table.id, 'job_error_rate')).toBe(25);
  expect(await measured(table.id, 'job_success_rate')).toBe(75);
  expect(await measured(idle.id, 'job_duration')).toBe('No run ended in the last 24 hours.');
});

// Lets workers do what waits, and gathered changes be sent without anybody waiting for minutes.

import { expect } from 'vitest';
import { rows } from '../../src/database/rows.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { startGathering } from '../../src/notifications/changes/schedule.ts';
import { handlers } from '../../src/work.ts';
import type { Catalog } from '../catalog.ts';

/** Let workers, one unless told otherwise, work until nothing of the workspace waits. */
export async function workOff(catalog: Catalog, workers = 1): Promise<void> {
  const { database, surroundings, workspaceId } = catalog;
  const running = Array.from({ length: workers }, () =>
    startWorker({
      database,
      surroundings,
      handlers,
      onError: (error) => expect.unreachable(String(error)),
    }),
  );
  const waiting = { where: { workspaceId, state: { in: ['queued', 'running'] } } };
  await expect
    .poll(() => database.prisma.job.count(waiting), { timeout: 30_000, interval: 20 })
    .toBe(0);
  await Promise.all(running.map((worker) => worker.stop()));
}

/** What was noted was noted an hour ago: send it. */
export async function notifyOfChanges(catalog: Catalog): Promise<void> {
  await rows(catalog.admin, "update resource_change set noted_at = now() - interval '1 hour'");
  await startGathering(catalog.admin);
  await workOff(catalog);
}

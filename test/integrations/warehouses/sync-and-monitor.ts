// What a sync of a warehouse brings, and a monitor of one of its tables measures.

import { expect } from 'vitest';
import { connectors, openConnector } from '../../../src/integrations/connectors/open.ts';
import { createMonitor, getMonitor } from '../../../src/monitors/monitor.ts';
import { runAndKeep } from '../../../src/monitors/runs/run.ts';
import { expectFirstPicture } from './first-picture.ts';
import { openLivePlace } from './live-place.ts';

/**
 * A sync of the shop brings the lineage of views and of queries that ran, these edges among it; a second one changes nothing; a
 * monitor of its 500 orders measures them, and opens an incident.
 */
export async function expectSyncAndMonitor(
  type: string,
  credentials: object,
  expected: readonly string[],
): Promise<void> {
  await using place = await openLivePlace(type, credentials);
  const { catalog } = place;
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  const edges = await place.edges();
  expect(edges).toEqual(expect.arrayContaining([...expected]));
  await expectFirstPicture(place, type);
  const versions = async () =>
    [...(await place.resources('table')), ...(await place.resources('column'))].map(
      ({ titleFull, version, stale }) => [titleFull, version, stale],
    );
  const before = await versions();
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  expect(await versions()).toEqual(before);
  expect(await place.edges()).toEqual(edges);

  const tables = await place.resources('table');
  const targetId = tables.find(({ title }) => title.toLowerCase() === 'orders')?.id ?? '';
  const rowCount = { targetId, metricType: 'row_count', conditionManualMin: 600 } as const;
  const monitors = [
    await createMonitor(catalog.admin, rowCount),
    await createMonitor(catalog.admin, { targetId, metricType: 'freshness' }),
  ];
  const quiet = { log: () => {}, progress: () => {} };
  const origin = { jobId: null, scheduled: false, fence: async () => {} };
  const ids = monitors.map(({ id }) => id);
  await runAndKeep(catalog.admin, ids, openConnector, origin, quiet);
  const [rows, fresh] = await Promise.all(ids.map((id) => getMonitor(catalog.admin, id)));
  expect(rows).toMatchObject({ lastMeasurementValue: 500, lastErrorMessage: '' });
  // Where the source does not say when a table changed, a column has to.
  const knows = connectors[type]?.capabilities.includes('freshness');
  const missing = expect.stringContaining('No freshness source');
  expect(fresh).toMatchObject({ lastErrorMessage: knows ? '' : missing });
  const { workspaceId } = catalog;
  expect(await catalog.database.prisma.incident.count({ where: { workspaceId } })).toBe(1);
}

// What is measured of a dimension's values stays theirs: all that reads a monitor as a whole reads the whole.

import { expect, test } from 'vitest';
import { monitorsAsYaml } from '../../../src/monitors/declarations/as-code.ts';
import { readSegments } from '../../../src/monitors/learning/segments.ts';
import { listMeasurements } from '../../../src/monitors/measurement.ts';
import { createMonitor, getMonitor } from '../../../src/monitors/monitor.ts';
import { runAndKeep } from '../../../src/monitors/runs/run.ts';
import { loadSeries } from '../../../src/monitors/series.ts';
import { openCatalog } from '../../catalog.ts';

const DAY = 86_400_000;
const begin = Date.UTC(2026, 2, 1);

test('charts, the latest value, exports and the learned range of a monitor are of the whole', async () => {
  await using catalog = await openCatalog();
  const { admin } = catalog;
  const integration = await catalog.integration({ type: 'postgres' });
  const { id: targetId } = await catalog.resource({ title: 'orders' });
  await catalog.resource({ kind: 'column', parentId: targetId, title: 'country', type: 'text' });
  await catalog.database.prisma.resource.updateMany({
    where: { workspaceId: catalog.workspaceId },
    data: { integrationId: integration.id, schemaName: 'public' },
  });
  const made = { targetId, metricType: 'row_count', schedule: { cadence: 'daily', hour: 0 } };
  const whole = await createMonitor(admin, { ...made, name: 'whole' });
  const divided = await createMonitor(admin, {
    ...{ ...made, name: 'divided', metricConfig: { dimension: 'country' } },
  });
  const counts = (day: number) => ({ DE: 900 + (day % 5), FR: day === 30 ? 0 : 90 + (day % 3) });
  const days = 31;
  for (let day = 0; day < days; day++) {
    catalog.setTime(new Date(begin + day * DAY));
    const { DE, FR } = counts(day);
    const query = async (sql: string) => {
      if (!sql.includes('headwater_segment')) return { rows: [[DE + FR]] };
      const rows = Object.entries({ DE, FR }).map(([country, n]) => [0, country, n, n]);
      return { rows: rows.filter(([, , n]) => n !== 0) };
    };
    await runAndKeep(
      ...([admin, [whole.id, divided.id]] as const),
      async () => ({ dialect: 'postgres', query, close: async () => {} }),
      { jobId: null, scheduled: false, fence: async () => {} },
      { log: () => {}, progress: () => {} },
    );
  }

  const shown = async ({ id }: { id: string }) => {
    const { nodes } = await listMeasurements(admin, { monitorId: id }, { first: 100 });
    const query = { from: new Date(begin), to: new Date(begin + days * DAY), points: 100 };
    const { points, total } = await loadSeries(admin, id, query);
    const of = ({ createdAt, value, lowerThreshold, upperThreshold }: (typeof nodes)[number]) => ({
      ...{ createdAt, value, lowerThreshold, upperThreshold },
    });
    const { lastMeasurementValue } = await getMonitor(admin, id);
    return { listed: nodes.map(of), drawn: points.map(of), total, lastMeasurementValue };
  };
  const [one, other] = [await shown(whole), await shown(divided)];
  const { DE, FR } = counts(days - 1);
  expect(one).toMatchObject({ total: days, lastMeasurementValue: DE + FR });
  expect(one.listed[0]?.upperThreshold).not.toBeNull();
  expect(other).toEqual(one);

  // What is theirs: their values with ranges of their own, and what they open.
  const { nodes } = await listMeasurements(admin, { monitorId: divided.id }, { first: 1 });
  expect(readSegments(nodes[0]?.segments)).toMatchObject([
    { segment: 'DE', value: DE, verdict: 'within' },
    { segment: 'FR', value: 0, verdict: 'below' },
  ]);
  const { lastIncidentId } = await getMonitor(admin, divided.id);
  expect(lastIncidentId).not.toBeNull();

  const yaml = await monitorsAsYaml(admin, null);
  expect(yaml.match(/row_count/g)).toHaveLength(2);
  expect(yaml.match(/dimension: country/g)).toHaveLength(1);
  expect(yaml).not.toMatch(/\b(?:DE|FR)\b/);
});

// What is said of one table of many, or of one value of a dimension, is its own values and not those of the whole.

import { expect, test } from 'vitest';
import { createIntegration } from '../../../src/integrations/integration.ts';
import { backtestMonitor } from '../../../src/monitors/learning/backtests/monitor-backtest.ts';
import { createMonitor } from '../../../src/monitors/monitor.ts';
import { runAndKeep } from '../../../src/monitors/runs/run.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { chatCredentials, startChat } from '../../notifications/chat-server.ts';
import { workOff } from '../../notifications/work-off.ts';

const by = { jobId: null, scheduled: false, fence: async () => {} };
const quiet = { log: () => {}, progress: () => {} };

/** A schema whose tables a monitor counts, by rows as the source says them; 50 at least, or learned. */
async function watchedSchema(catalog: Catalog, given: object) {
  const { admin, database, workspaceId } = catalog;
  const integration = await catalog.integration({ type: 'postgres' });
  const { id } = await catalog.resource({ kind: 'schema', title: 'public' });
  await database.prisma.resource.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { integrationId: integration.id },
  });
  const monitor = await createMonitor(admin, {
    ...{ targetId: id, metricType: 'row_count', name: 'Volume', notifyChatChannel: 'C1', ...given },
  });
  const measure = (tables: Readonly<Record<string, number>>) =>
    runAndKeep(
      admin,
      [monitor.id],
      async () => ({
        dialect: 'postgres',
        query: async () => ({
          rows: Object.entries(tables).map(([table, rows]) => ['public', table, rows, null, rows]),
        }),
        close: async () => {},
      }),
      by,
      quiet,
    );
  return { monitor, measure };
}

test('a message about a table has the last values of that table', async () => {
  await using chat = await startChat();
  await using catalog = await openCatalog({ alone: true });
  catalog.surroundings.chatBase = chat.base;
  await createIntegration(catalog.admin, { type: 'chat', credentials: chatCredentials });
  const { measure } = await watchedSchema(catalog, {
    ...{ conditionAutoSensitivity: null, conditionManualMin: 50 },
  });
  for (const orders of [61, 62, 63, 64, 65]) await measure({ orders, items: 9_000 });
  await measure({ orders: 7, items: 9_000 });
  await workOff(catalog);
  expect(chat.messages).toHaveLength(1);
  expect(chat.messages[0]?.text).toContain('orders: 7 is below 50');
  expect(chat.messages[0]?.text).toContain('Latest values: 62, 63, 64, 65, 7.');
}, 60_000);

test('the backtest of a watched schema replays a table, and says which', async () => {
  await using catalog = await openCatalog();
  const { monitor, measure } = await watchedSchema(catalog, { conditionAutoSensitivity: 5 });
  for (let day = 0; day < 12; day += 1) {
    catalog.setTime(new Date(Date.UTC(2026, 2, 2 + day, 0, 1)));
    await measure({ orders: 100 + (day % 2), items: day === 11 ? 5_000 : 20 + (day % 3) });
  }
  const replay = (segment: string | null, bounds = { lower: 50, upper: null }) =>
    backtestMonitor(catalog.admin, monitor.id, {
      ...{ segment, sensitivity: null, bounds, adaptation: null },
    });
  const worst = await replay(null);
  expect(worst.segment).toBe('items');
  expect(worst.points.map(({ value }) => value).slice(0, 3)).toEqual([20, 21, 22]);
  expect(worst.opened).toHaveLength(1);
  const orders = await replay('orders');
  expect(orders.points.map(({ value }) => value).slice(0, 2)).toEqual([100, 101]);
  expect(orders).toMatchObject({ segment: 'orders', opened: [] });
  await expect(replay('customers')).rejects.toThrow(
    'segment: "customers" was never measured; use a segment of a measurement.',
  );

  // As the monitor itself judges a table: at a tenth of the rate.
  const query = `query ($id: ID!) { monitor(id: $id) { lastMeasurement { segments { segment upperThreshold } } }
    monitorBacktest(id: $id, segment: "items") { segment points { upper } } }`;
  const { data } = await catalog.graphql(query, { id: monitor.id });
  const [known] = data.monitor.lastMeasurement.segments;
  expect(known.segment).toBe('items');
  expect(data.monitorBacktest.segment).toBe('items');
  expect(data.monitorBacktest.points.at(-1).upper).toBeCloseTo(known.upperThreshold, 6);
}, 60_000);

// Monitors as YAML: by table, with what is not by default, and only those that one may see.

import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMonitor } from '../../../src/monitors/monitor.ts';
import { openCatalog } from '../../catalog.ts';

test('the monitors of a table and its columns are written under it', async () => {
  await using catalog = await openCatalog();
  const { admin } = catalog;
  const table = await catalog.resource({ title: 'orders: "all"' });
  const column = await catalog.resource({ kind: 'column', parentId: table.id, title: 'amount' });
  const hidden = await catalog.resource({ title: 'secret', published: false });
  await createMonitor(admin, { targetId: table.id, metricType: 'row_count', name: 'Rows' });
  await createMonitor(admin, {
    ...{ targetId: column.id, metricType: 'null_percentage', name: 'Nulls', isEnabled: false },
    ...{ metricConfig: { where: 'a > 1' }, schedule: { cadence: 'hourly', frequency: 6 } },
    ...{ conditionAutoSensitivity: null, conditionManualMax: 2.5, notifyChatChannel: 'C1' },
  });
  await createMonitor(admin, { targetId: hidden.id, metricType: 'row_count' });
  const asked = async (as: 'admin' | 'viewer') =>
    parse((await catalog.graphql('{ monitorsAsYaml }', {}, { as })).data.monitorsAsYaml);
  const orders = {
    table: 'orders: "all"',
    monitors: [
      {
        ...{ name: 'Rows', metric_type: 'row_count' },
        ...{ schedule: { cadence: 'daily', hour: 0 }, condition_auto_sensitivity: 5 },
      },
      {
        ...{ name: 'Nulls', column: 'amount', metric_type: 'null_percentage', is_enabled: false },
        ...{ metric_config: { where: 'a > 1' }, schedule: { cadence: 'hourly', frequency: 6 } },
        ...{ condition_manual_max: 2.5, notify_chat_channel: 'C1' },
      },
    ],
  };
  const all = await asked('admin');
  expect(all.version).toBe(1);
  expect(all.tables).toEqual([orders, expect.objectContaining({ table: 'secret' })]);
  await catalog.database.prisma.resource.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: column.id } },
    data: { published: true },
  });
  expect((await asked('viewer')).tables).toEqual([orders]);
});

// What was sent long ago is forgotten, but for what still matters.

import { expect, test } from 'vitest';
import { createMonitor } from '../../src/monitors/monitor.ts';
import { keptNotifications } from '../../src/notifications/outbox/forget.ts';
import { openCatalog } from '../catalog.ts';

test('what is old goes with its attempts; what waits, is young, or of an open incident stays', async () => {
  await using catalog = await openCatalog();
  const { workspaceId, database, admin } = catalog;
  const table = await catalog.resource();
  const { id: monitorId } = await createMonitor(admin, {
    ...{ targetId: table.id, metricType: 'row_count' },
  });
  const incident = await database.prisma.incident.create({
    data: { workspaceId, monitorId, targetId: table.id, name: 'x', summary: 'x', value: 1 },
  });
  const old = new Date(Date.now() - 91 * 86_400_000);
  const post = (dedupeKey: string, createdAt: Date, more: object = {}) =>
    database.prisma.notification.create({
      data: {
        ...{ workspaceId, dedupeKey, createdAt, event: 'ping', channel: 'webhook' },
        ...{ address: '', content: {}, state: 'delivered', ...more },
      },
    });
  const gone = await post('old', old);
  await database.prisma.webhookAttempt.create({
    data: { workspaceId, notificationId: gone.id, startedAt: old, durationMs: 1 },
  });
  await post('waiting', old, { state: 'pending' });
  await post('young', new Date());
  await post('open', old, { incidentId: incident.id });
  expect(await keptNotifications.count(admin, 90)).toBe(1);
  expect(await keptNotifications.forget(admin, 90)).toBe(1);
  expect(await keptNotifications.forget(admin, 90)).toBe(0);
  const kept = await database.prisma.notification.findMany({ where: { workspaceId } });
  expect(kept.map(({ dedupeKey }) => dedupeKey).sort()).toEqual(['open', 'waiting', 'young']);
});

// While a monitor is muted, no one is notified of its new incidents; anyone who was of one is of its end.

import { expect, test } from 'vitest';
import { updateIncident } from '../../src/monitors/incidents/incident-change.ts';
import { muteMonitor } from '../../src/monitors/incidents/mute.ts';
import { loadRecipients } from '../../src/monitors/incidents/recipient.ts';
import { createMonitor, getMonitor } from '../../src/monitors/monitor.ts';
import { runAndKeep } from '../../src/monitors/runs/run.ts';
import { listInbox } from '../../src/notifications/inbox.ts';
import { openCatalog } from '../catalog.ts';
import { workOff } from './work-off.ts';

const hour = 3_600_000;

async function openPlace() {
  const catalog = await openCatalog();
  const owner = await catalog.user({ email: 'owner@example.com', role: 'editor' });
  const integration = await catalog.integration({ type: 'postgres' });
  const table = await catalog.resource({ title: 'orders', ownerIds: [owner.id] });
  await catalog.database.prisma.resource.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: table.id } },
    data: { integrationId: integration.id, schemaName: 'public' },
  });
  const { id } = await createMonitor(catalog.admin, {
    ...{ targetId: table.id, metricType: 'row_count' },
    ...{ conditionAutoSensitivity: null, conditionManualMin: 5 },
  });
  const measure = async (value: number) => {
    const source = async () => ({
      ...{ dialect: 'postgres' as const, close: async () => {} },
      query: async () => ({ rows: [[value]] }),
    });
    const by = { jobId: null, scheduled: false, fence: async () => {} };
    await runAndKeep(catalog.admin, [id], source, by, { log: () => {}, progress: () => {} });
    await workOff(catalog);
    return (await getMonitor(catalog.admin, id)).lastIncidentId ?? '';
  };
  const heard = async () => {
    const { nodes } = await listInbox(catalog.contextOf(owner), {}, { first: 10 });
    return nodes.map(({ event }) => event);
  };
  return { catalog, id, measure, heard };
}

test('a muted monitor measures and opens incidents, and no one is told until it is over', async () => {
  const { catalog, id, measure, heard } = await openPlace();
  const { admin } = catalog;
  const { version } = await getMonitor(admin, id);
  const muted = await muteMonitor(admin, id, new Date(admin.now().getTime() + hour));
  // Anyone who edits its settings in the meantime is not in the way of it.
  expect(muted.version).toBe(version);
  expect(await loadRecipients(admin, muted)).toEqual([]);
  const incident = await measure(1);
  expect(incident).not.toBe('');
  await updateIncident(admin, incident, { status: 'resolved', resolveReason: 'fixed' });
  await workOff(catalog);
  expect(await heard()).toEqual([]);
  const again = await muteMonitor(admin, id, null);
  expect(await loadRecipients(admin, again)).not.toEqual([]);
  await measure(2);
  expect(await heard()).toEqual(['incident_opened']);
});

test('who heard of an incident hears of its end, though the monitor was muted since', async () => {
  const { catalog, id, measure, heard } = await openPlace();
  const { admin } = catalog;
  const incident = await measure(1);
  await muteMonitor(admin, id, new Date(admin.now().getTime() + hour));
  await updateIncident(admin, incident, { status: 'resolved', resolveReason: 'fixed' });
  await workOff(catalog);
  expect(await heard()).toEqual(['incident_resolved', 'incident_opened']);
});

test('only who may edit monitors mutes, and only for a while that begins now', async () => {
  const { catalog, id } = await openPlace();
  const { admin } = catalog;
  const after = (ms: number) => new Date(admin.now().getTime() + ms);
  await expect(muteMonitor(catalog.as('viewer'), id, after(hour))).rejects.toThrow(
    /can't edit monitors/,
  );
  for (const wrong of [after(-1), after(91 * 24 * hour)]) {
    await expect(muteMonitor(admin, id, wrong)).rejects.toThrow(/within the next 90 days/);
  }
  expect((await getMonitor(admin, id)).mutedUntil).toBeNull();
  const until = after(hour);
  const { data } = await catalog.graphql(
    'mutation ($id: ID!, $until: DateTime) { muteMonitor(id: $id, until: $until) { mutedUntil } }',
    { id, until },
    { as: 'editor' },
  );
  expect(data.muteMonitor.mutedUntil).toBe(until.toISOString());
  const { data: log } = await catalog.graphql(
    '{ auditLogs(first: 1) { nodes { activityType changedFields } } }',
  );
  expect(log.auditLogs.nodes).toEqual([
    { activityType: 'monitor_updated', changedFields: ['mutedUntil'] },
  ]);
});

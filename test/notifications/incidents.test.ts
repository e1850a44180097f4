// Who watches what an incident is on, is made from or feeds is notified of it: once, and as they may see.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { User } from '../../src/generated/prisma/client.ts';
import { createLineage } from '../../src/lineage/edge.ts';
import { getIncident, loadActions } from '../../src/monitors/incidents/incident.ts';
import { updateIncident } from '../../src/monitors/incidents/incident-change.ts';
import { createMonitor, deleteMonitor, getMonitor } from '../../src/monitors/monitor.ts';
import { runAndKeep } from '../../src/monitors/runs/run.ts';
import { parsePrivateHosts } from '../../src/network/address.ts';
import { listInbox } from '../../src/notifications/inbox.ts';
import { createRule } from '../../src/notifications/rule.ts';
import { createWebhook } from '../../src/notifications/webhooks/webhook.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { root } from '../house/sources.ts';
import { fieldsMissing } from '../rest/page.ts';
import { startMail } from './mail-server.ts';
import { watched } from './watched.ts';
import { startReceiver } from './webhook-server.ts';
import { workOff } from './work-off.ts';

/** A raw table that feeds orders, on which a monitor takes 5 at least, and that feeds a report. */
async function openPlace() {
  const catalog = await openCatalog();
  const { admin } = catalog;
  const named = (email: string, role = 'editor') => catalog.user({ email, role });
  const people = {
    owner: await named('owner@example.com'),
    below: await named('below@example.com', 'viewer'),
    above: await named('above@example.com'),
    far: await named('far@example.com'),
    stranger: await named('stranger@example.com'),
  };
  const integration = await catalog.integration({ type: 'postgres' });
  const raw = await catalog.resource({ title: 'raw', subscriberIds: [people.above.id] });
  const rawest = await catalog.resource({ title: 'rawest', subscriberIds: [people.far.id] });
  const table = await catalog.resource({
    ...{ title: 'orders', published: false, ownerIds: [people.owner.id] },
  });
  await catalog.database.prisma.resource.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: table.id } },
    data: { integrationId: integration.id, schemaName: 'public' },
  });
  const subscriberIds = [people.below.id, people.owner.id];
  const report = await catalog.resource({ title: 'report', subscriberIds });
  await catalog.resource({ title: 'elsewhere', subscriberIds: [people.stranger.id] });
  for (const [from, to] of [
    [rawest, raw],
    [raw, table],
    [table, report],
  ] as const) {
    await createLineage(admin, { fromId: from.id, toId: to.id, direction: 'DOWNSTREAM' });
  }
  const { id } = await createMonitor(admin, {
    ...{ targetId: table.id, metricType: 'row_count' },
    ...{ conditionAutoSensitivity: null, conditionManualMin: 5 },
  });
  const measure = async (value: number) => {
    await runAndKeep(
      admin,
      [id],
      async () => ({
        dialect: 'postgres',
        query: async () => ({ rows: [[value]] }),
        close: async () => {},
      }),
      { jobId: null, scheduled: false, fence: async () => {} },
      { log: () => {}, progress: () => {} },
    );
    return (await getMonitor(admin, id)).lastIncidentId ?? '';
  };
  return { catalog, people, table, report, measure, monitorId: id };
}

async function inboxOf(catalog: Catalog, user: User) {
  const { nodes } = await listInbox(catalog.contextOf(user), {}, { first: 10 });
  return nodes.map(({ event, content }) => ({ event, content }));
}

test('owners and subscribers around an incident are notified of it once, as far as they may see', async () => {
  const { catalog, people, table, measure } = await openPlace();
  await using mail = await startMail(catalog);
  await createRule(catalog.admin, {
    ...{ name: 'Owners', userIds: [people.owner.id], emails: ['OWNER@example.com'] },
  });
  const id = await measure(1);
  await workOff(catalog);
  const full = { title: 'Row count of orders', incident: id, target: table.id };
  expect(await inboxOf(catalog, people.owner)).toMatchObject([
    {
      event: 'incident_opened',
      content: {
        ...full,
        text: '1 is below 5, the lowest value allowed.',
        lines: [
          'On the table orders.',
          'Severity: medium.',
          ...['You own it.', 'Upstream of report, which you subscribe to.', 'Downstream: 1.'],
        ],
      },
    },
  ]);
  expect(await inboxOf(catalog, people.above)).toMatchObject([
    { content: { ...full, lines: expect.arrayContaining([expect.stringContaining('raw')]) } },
  ]);
  const [hidden] = await inboxOf(catalog, people.below);
  expect(hidden?.content).toMatchObject({ title: 'Something upstream of report is out of range' });
  expect(JSON.stringify(hidden)).not.toMatch(new RegExp(`orders|${table.id}|${id}`));
  expect(await inboxOf(catalog, people.far)).toEqual([]);
  expect(await inboxOf(catalog, people.stranger)).toEqual([]);
  const addressed = ['above', 'admin', 'below', 'owner'].map((name) => `${name}@example.com`);
  expect(mail.mails.map(({ to }) => to).sort()).toEqual(addressed);

  await updateIncident(catalog.contextOf(people.above), id, { status: 'resolved' });
  await workOff(catalog);
  const last = mail.mails.slice(4);
  // Who resolved it knows.
  expect(last.map(({ to }) => to).sort()).toEqual(addressed.slice(1));
  expect(await inboxOf(catalog, people.above)).toHaveLength(1);
  expect((await inboxOf(catalog, people.owner)).map(({ event }) => event).sort()).toEqual([
    ...['incident_opened', 'incident_resolved'],
  ]);
  const unseen = last.find(({ to }) => to === 'below@example.com');
  expect(unseen?.text).toContain('Resolved');
  expect(unseen?.text).not.toContain('orders');
});

test('without a mail server nothing fails: the inbox has it, and the incident no complaint', async () => {
  const { catalog, people, measure } = await openPlace();
  await createRule(catalog.admin, { name: 'Desk', emails: ['desk@example.com'] });
  const id = await measure(1);
  await workOff(catalog);
  expect(await inboxOf(catalog, people.owner)).toHaveLength(1);
  const actions = await loadActions(catalog.admin, id);
  expect(actions.map(({ type }) => type)).toEqual(['notification_initial']);
  const { workspaceId } = catalog;
  const emails = { where: { workspaceId, channel: 'email' } };
  expect(await catalog.database.prisma.notification.count(emails)).toBe(0);
  expect(await getIncident(catalog.admin, id)).toMatchObject({ lastNotifiedAt: expect.any(Date) });
});

test('a webhook is notified of what it names, by itself or by a rule, once', async () => {
  const { catalog, table, report, measure } = await openPlace();
  await using receiver = await startReceiver();
  catalog.surroundings.reach = { privateHosts: parsePrivateHosts('127.0.0.1'), filesDir: null };
  const { webhook } = await createWebhook(catalog.admin, {
    ...{ name: 'Openings', url: receiver.url, events: ['incident_opened'] },
  });
  await createRule(catalog.admin, {
    ...{ name: 'Report', resourceIds: [report.id], upstream: true, webhookIds: [webhook.id] },
    events: ['incident_opened'],
  });
  const id = await measure(1);
  await workOff(catalog);
  for (const value of [6, 7, 8]) await measure(value);
  await workOff(catalog);
  expect(receiver.received).toHaveLength(1);
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    type: 'incident_opened',
    data: {
      incident: { id, status: 'active', value: 1 },
      target: { id: table.id, kind: 'table', title: 'orders' },
      downstream: { count: 1, nearest: [{ id: report.id }] },
    },
  });
  // What the page about notifications shows of a message is in it.
  const page = readFileSync(join(root, 'docs/notifications.md'), 'utf8');
  const shown = JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? '');
  expect(fieldsMissing(shown, JSON.parse(receiver.received[0]?.body ?? ''))).toEqual([]);
});

test('an incident that ends before anybody was notified is sent from the beginning', async () => {
  const { catalog, people, measure } = await openPlace();
  const id = await measure(1);
  await updateIncident(catalog.admin, id, { status: 'resolved', resolveReason: 'fixed' });
  await workOff(catalog, 2);
  const inbox = await inboxOf(catalog, people.owner);
  expect(inbox.map(({ event }) => event).sort()).toEqual(['incident_opened', 'incident_resolved']);
});

test('the end that comes with the end of its monitor is sent, too', async () => {
  const { catalog, people, monitorId, measure } = await openPlace();
  await measure(1);
  await workOff(catalog);
  await deleteMonitor(catalog.admin, monitorId);
  await workOff(catalog);
  const inbox = await inboxOf(catalog, people.owner);
  expect(inbox.map(({ event }) => event).sort()).toEqual(['incident_opened', 'incident_resolved']);
});

test('the inbox gives the id of an incident as long as its reader may see its target', async () => {
  await using catalog = await openCatalog();
  const { table, measure } = await watched(catalog.admin, catalog, {
    subscriberIds: [catalog.idOf('viewer')],
  });
  const id = await measure(1);
  await workOff(catalog);
  const list = '{ myNotifications(first: 5) { nodes { incidentId incident { id } resourceIds } } }';
  const first = async () =>
    (await catalog.graphql(list, {}, { as: 'viewer' })).data.myNotifications.nodes[0];
  const seen = { incidentId: id, incident: { id }, resourceIds: [table.id] };
  expect(await first()).toEqual(seen);
  await updateResource(catalog.admin, table.id, { published: false });
  expect(await first()).toEqual({ incidentId: null, incident: null, resourceIds: [] });
});

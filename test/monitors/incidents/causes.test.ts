// One cause, one message: what breaks downstream of an open incident joins it and its thread.

import { expect, test } from 'vitest';
import { createIntegration } from '../../../src/integrations/integration.ts';
import { createLineage } from '../../../src/lineage/edge.ts';
import { joinCause } from '../../../src/monitors/incidents/cause.ts';
import { getIncident, loadThread } from '../../../src/monitors/incidents/incident.ts';
import { createMonitor, getMonitor } from '../../../src/monitors/monitor.ts';
import { runAndKeep } from '../../../src/monitors/runs/run.ts';
import { listInbox } from '../../../src/notifications/inbox.ts';
import { openCatalog } from '../../catalog.ts';
import { chatCredentials, startChat } from '../../notifications/chat-server.ts';
import { workOff } from '../../notifications/work-off.ts';

/** Tables that feed each other in this order, each with a monitor that takes 5 rows at least. */
async function openChain(titles: readonly string[]) {
  const catalog = await openCatalog();
  const { admin } = catalog;
  const chat = await startChat();
  catalog.surroundings.chatBase = chat.base;
  await createIntegration(admin, { type: 'chat', credentials: chatCredentials });
  const owner = await catalog.user({ email: 'owner@example.com', role: 'editor' });
  const integration = await catalog.integration({ type: 'postgres' });
  const monitors = new Map<string, string>();
  const tables: string[] = [];
  for (const title of titles) {
    const { id } = await catalog.resource({ title, ownerIds: [owner.id] });
    await catalog.database.prisma.resource.update({
      where: { workspaceId_id: { workspaceId: catalog.workspaceId, id } },
      data: { integrationId: integration.id, schemaName: 'public' },
    });
    const monitor = await createMonitor(admin, {
      ...{ targetId: id, metricType: 'row_count', name: title, notifyChatChannel: 'C1' },
      ...{ conditionAutoSensitivity: null, conditionManualMin: 5 },
    });
    monitors.set(title, monitor.id);
    const before = tables.at(-1);
    if (before) await createLineage(admin, { fromId: before, toId: id, direction: 'DOWNSTREAM' });
    tables.push(id);
  }
  const measure = async (value: number, ...of: readonly string[]) => {
    for (const title of of) {
      await runAndKeep(
        admin,
        [monitors.get(title) ?? ''],
        async () => ({
          dialect: 'postgres',
          query: async () => ({ rows: [[value]] }),
          close: async () => {},
        }),
        { jobId: null, scheduled: false, fence: async () => {} },
        { log: () => {}, progress: () => {} },
      );
    }
  };
  const incidentOf = async (title: string) => {
    const { lastIncidentId } = await getMonitor(admin, monitors.get(title) ?? '');
    return getIncident(admin, lastIncidentId ?? '');
  };
  const inbox = async () => {
    const { nodes } = await listInbox(catalog.contextOf(owner), {}, { first: 20 });
    return nodes.map(({ content }) => content);
  };
  return { catalog, chat, tables, measure, incidentOf, inbox };
}

test('what breaks at once is one message and a thread, whichever was measured first', async () => {
  const { catalog, chat, measure, incidentOf, inbox } = await openChain([
    ...['raw', 'orders', 'report', 'board', 'far'],
  ]);
  await using _catalog = catalog;
  await using _chat = chat;
  await measure(1, 'report', 'orders', 'raw', 'far');
  await workOff(catalog);
  const [raw, orders, report, far] = [
    await incidentOf('raw'),
    await incidentOf('orders'),
    await incidentOf('report'),
    await incidentOf('far'),
  ];
  expect(raw).toMatchObject({ causeId: null, rootId: null });
  expect(orders).toMatchObject({ causeId: raw.id, rootId: raw.id });
  expect(report).toMatchObject({ causeId: orders.id, rootId: raw.id });
  // Two steps below the report, which is the nearest that is open.
  expect(far).toMatchObject({ causeId: report.id, rootId: raw.id });
  const thread = await loadThread(catalog.admin, report);
  expect(thread.map(({ id }) => id)).toEqual([raw.id, report.id, orders.id, far.id]);

  const first = chat.messages.find(({ thread: of }) => of === null);
  expect(first?.text).toContain('raw');
  expect(chat.messages.map(({ thread: of }) => of).sort()).toEqual(
    [null, first?.ts, first?.ts, first?.ts].sort(),
  );
  expect(await inbox()).toMatchObject([{ title: 'raw' }]);

  // The cause is over, and one that had joined it isn't.
  for (let run = 0; run < 3; run++) await measure(9, 'raw', 'orders', 'far');
  await workOff(catalog);
  expect(await inbox()).toMatchObject([
    { text: expect.stringContaining('Still open downstream: report.') },
    { title: 'raw' },
  ]);
  expect(chat.messages.every(({ thread: of, ts }) => of === first?.ts || ts === first?.ts)).toBe(
    true,
  );
}, 60_000);

test('incidents that look for their causes at the same time are of one thread', async () => {
  const { catalog, measure, incidentOf } = await openChain(['raw', 'orders', 'report', 'board']);
  await using _catalog = catalog;
  const titles = ['raw', 'orders', 'report', 'board'];
  await measure(1, ...titles);
  const rounds = 20;
  for (let round = 0; round < rounds; round++) {
    await catalog.database.prisma.incident.updateMany({ data: { causeId: null, rootId: null } });
    const incidents = await Promise.all(titles.map(incidentOf));
    const turned = [...incidents.slice(round % 4), ...incidents.slice(0, round % 4)];
    await Promise.all(turned.map((incident) => joinCause(catalog.admin, incident)));
    const [raw, ...others] = await Promise.all(titles.map(incidentOf));
    expect(raw).toMatchObject({ causeId: null, rootId: null });
    expect(others.map(({ rootId }) => rootId)).toEqual(others.map(() => raw?.id));
  }
}, 60_000);

test('incidents that are upstream of each other, or more than three steps apart, stay apart', async () => {
  const { catalog, chat, tables, measure, incidentOf, inbox } = await openChain([
    ...['a', 'b', 'c', 'd', 'e'],
  ]);
  await using _catalog = catalog;
  await using _chat = chat;
  await measure(1, 'a', 'e');
  await workOff(catalog);
  expect(await incidentOf('e')).toMatchObject({ causeId: null, rootId: null });
  expect(await inbox()).toHaveLength(2);
  // Now the lineage goes round: a is made from b, and b from a.
  const [a = '', b = ''] = tables;
  await createLineage(catalog.admin, { fromId: b, toId: a, direction: 'DOWNSTREAM' });
  await measure(1, 'b');
  await workOff(catalog, 2);
  const [one, other] = [await incidentOf('a'), await incidentOf('b')];
  expect(other).toMatchObject({ causeId: one.id, rootId: one.id });
  expect(one).toMatchObject({ causeId: null, rootId: null });
}, 60_000);

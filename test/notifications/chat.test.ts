// The chat is notified of an incident once, in the end in its thread, whatever goes wrong on the way.

import { expect, test } from 'vitest';
import { createIntegration } from '../../src/integrations/integration.ts';
import { getIncident, loadActions } from '../../src/monitors/incidents/incident.ts';
import { updateIncident } from '../../src/monitors/incidents/incident-change.ts';
import { createMonitor, getMonitor } from '../../src/monitors/monitor.ts';
import { runAndKeep } from '../../src/monitors/runs/run.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { type ChatServer, chatCredentials, startChat } from './chat-server.ts';
import { workOff } from './work-off.ts';

async function connected(catalog: Catalog, chat: ChatServer): Promise<void> {
  catalog.surroundings.chatBase = chat.base;
  await createIntegration(catalog.admin, { type: 'chat', credentials: chatCredentials });
}

/** A monitor that takes 5 at least, and a run of it that measures a value. */
async function watched(catalog: Catalog, notifyChatChannel: string) {
  const integration = await catalog.integration({ type: 'postgres' });
  const table = await catalog.resource({ title: 'a & b' });
  await catalog.database.prisma.resource.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: table.id } },
    data: { integrationId: integration.id, schemaName: 'public' },
  });
  const { id } = await createMonitor(catalog.admin, {
    ...{ targetId: table.id, metricType: 'row_count', notifyChatChannel },
    ...{ conditionAutoSensitivity: null, conditionManualMin: 5 },
  });
  const measure = async (value: number) => {
    await runAndKeep(
      catalog.admin,
      [id],
      async () => ({
        dialect: 'postgres',
        query: async () => ({ rows: [[value]] }),
        close: async () => {},
      }),
      { jobId: null, scheduled: false, fence: async () => {} },
      { log: () => {}, progress: () => {} },
    );
    return getMonitor(catalog.admin, id);
  };
  return { id, measure };
}

test('a breach is posted once after refusals that pass, and its end in the thread', async () => {
  await using chat = await startChat();
  await using catalog = await openCatalog({ alone: true });
  await connected(catalog, chat);
  const { signIn } = catalog.surroundings;
  catalog.surroundings.signIn = { ...signIn, publicUrl: 'https://headwater.example.com' };
  const { measure } = await watched(catalog, 'C1');
  chat.refuse(
    { status: 429, headers: { 'retry-after': '1' } },
    { status: 500 },
    { error: 'ratelimited' },
  );
  const { lastIncidentId } = await measure(1);
  await measure(2);
  await workOff(catalog);
  expect(chat.messages).toHaveLength(1);
  expect(chat.requests()).toBe(4);
  const [first] = chat.messages;
  expect(first).toMatchObject({ channel: 'C1', thread: null });
  expect(first?.text).toContain(
    'Row count of a &amp; b>*\n1 is below 5, the lowest value allowed.',
  );
  const link = `https://headwater.example.com/incidents/${lastIncidentId}`;
  const button = (name: string, url: string) => ({
    ...{ type: 'button', text: { type: 'plain_text', text: name } },
    ...{ url, action_id: name.toLowerCase() },
  });
  const mrkdwn = (text: unknown) => ({ type: 'section', text: { type: 'mrkdwn', text } });
  expect(JSON.parse(first?.blocks ?? '')).toEqual([
    { type: 'header', text: { type: 'plain_text', text: 'Row count of a & b' } },
    mrkdwn('1 is below 5, the lowest value allowed.'),
    mrkdwn(expect.stringMatching(/^On the table a &amp; b\.\nSeverity: low\./)),
    {
      type: 'actions',
      elements: [
        button('Open', link),
        button('Acknowledge', `${link}?do=acknowledge`),
        button('Resolve', `${link}?do=resolve`),
      ],
    },
  ]);
  for (const value of [7, 8, 9]) await measure(value);
  await workOff(catalog);
  expect(chat.messages).toHaveLength(2);
  expect(chat.messages[1]).toMatchObject({ channel: 'C1', thread: first?.ts });
  // What is over is only looked at.
  const ended = JSON.parse(chat.messages[1]?.blocks ?? '');
  expect(ended.at(-1)).toEqual({ type: 'actions', elements: [button('Open', link)] });
  const incident = await getIncident(catalog.admin, lastIncidentId ?? '');
  expect(incident).toMatchObject({ status: 'resolved', lastNotifiedAt: expect.any(Date) });
  const actions = await loadActions(catalog.admin, incident.id);
  expect(actions.map(({ type }) => type)).toEqual(['notification_initial', 'auto_resolved']);
});

test('what can not be delivered is not tried again, and is said on the incident', async () => {
  await using chat = await startChat();
  await using catalog = await openCatalog({ alone: true });
  await connected(catalog, chat);
  const { measure } = await watched(catalog, 'C9');
  const { lastIncidentId: id } = await measure(1);
  await workOff(catalog);
  expect(chat.requests()).toBe(1);
  const actions = await loadActions(catalog.admin, id ?? '');
  expect(actions.map(({ type, comment }) => ({ type, comment }))).toEqual([
    { type: 'notification_initial', comment: null },
    {
      type: 'notification_failed',
      comment: 'chat C9: The chat refused chat.postMessage: channel_not_found.',
    },
  ]);
  await updateIncident(catalog.admin, id ?? '', { status: 'resolved', resolveReason: 'fixed' });
  await workOff(catalog);
  expect(chat.messages).toHaveLength(0);
});

test('the channels are those that were joined, over all pages, in REST by both names', async () => {
  await using chat = await startChat();
  await using catalog = await openCatalog();
  await createIntegration(catalog.admin, { type: 'chat', credentials: chatCredentials });
  await catalog.app({ CHAT_API_BASE: chat.base });
  const joined = [
    { id: 'C3', name: 'analytics' },
    { id: 'C1', name: 'data-alerts' },
  ];
  for (const name of ['chat', 'slack']) {
    const path = `/api/v2/integration_v2/${name}/conversations/list`;
    expect(await catalog.rest('GET', path)).toMatchObject({ status: 200, body: joined });
  }
  chat.refuse({ error: 'invalid_auth' }, { status: 500 });
  const path = '/api/v2/integration_v2/chat/conversations/list';
  expect((await catalog.rest('GET', path)).status).toBe(400);
  expect((await catalog.rest('GET', path)).status).toBe(503);
  const asViewer = await catalog.rest('GET', path, { caller: { as: 'viewer' } });
  expect(asViewer.status).toBe(403);
  await using other = await catalog.another();
  const none = await other.graphql('{ chatChannels { id } }');
  expect(none.data).toEqual({ chatChannels: [] });
});

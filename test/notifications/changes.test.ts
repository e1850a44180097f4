// Who watches a resource is notified of its changes, once, together, and not of what they did themselves.

import { expect, test } from 'vitest';
import { execute } from '../../src/database/rows.ts';
import type { User } from '../../src/generated/prisma/client.ts';
import { createIntegration } from '../../src/integrations/integration.ts';
import { parsePrivateHosts } from '../../src/network/address.ts';
import { runGather } from '../../src/notifications/changes/gather.ts';
import { gatherJob, startGathering } from '../../src/notifications/changes/schedule.ts';
import { listInbox } from '../../src/notifications/inbox.ts';
import { createRule } from '../../src/notifications/rule.ts';
import { createWebhook } from '../../src/notifications/webhooks/webhook.ts';
import { setValue } from '../../src/properties/assign.ts';
import { archiveResource, restoreResource } from '../../src/resources/editing/archive.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { counts, feedJsonl, resourceAt } from '../integrations/imports/feed.ts';
import { chatCredentials, startChat } from './chat-server.ts';
import { startMail } from './mail-server.ts';
import { startReceiver } from './webhook-server.ts';
import { notifyOfChanges } from './work-off.ts';

async function open() {
  const catalog = await openCatalog();
  const mail = await startMail(catalog);
  const people = await peopleOf(catalog);
  return { mail, catalog, people, [Symbol.asyncDispose]: () => mail[Symbol.asyncDispose]() };
}

async function peopleOf(catalog: Catalog) {
  const named = (email: string, role = 'editor') => catalog.user({ email, role });
  return {
    owner: await named('owner@example.com'),
    member: await named('member@example.com', 'viewer'),
    reader: await named('reader@example.com', 'viewer'),
    guest: await named('stranger@example.com', 'guest'),
  };
}

/** A mail without its head, its lines put together again. */
const bodyOf = (text: string) =>
  text
    .slice(text.indexOf('\n\n') + 2)
    .replaceAll(/=\n/g, '')
    .trim();

const noted = (catalog: Catalog) =>
  catalog.database.prisma.resourceChange.count({ where: { workspaceId: catalog.workspaceId } });

test('what people edit is sent in one email for each who watches, but not to who did it', async () => {
  await using place = await open();
  const { mail, catalog, people } = place;
  const { owner, member, reader, guest } = people;
  const group = await catalog.group({ memberIds: [member.id, owner.id] });
  const tag = await catalog.tag();
  const property = await catalog.property({ name: 'Retention' });
  const table = await catalog.resource({
    ...{ title: 'orders', ownerIds: [owner.id], ownerGroupIds: [group.id] },
    subscriberIds: [reader.id, guest.id],
  });
  const column = await catalog.resource({ kind: 'column', title: 'amount', parentId: table.id });
  const other = await catalog.resource({ title: 'customers', subscriberIds: [reader.id] });
  const unwatched = await catalog.resource({ title: 'unwatched' });

  const ownerNow = catalog.contextOf(owner);
  await updateResource(ownerNow, table.id, { description: 'What was sold', tagIds: [tag.id] });
  await updateResource(catalog.admin, table.id, {
    title: 'all_orders',
    subscriberIds: [reader.id],
  });
  await updateResource(catalog.admin, table.id, { subscriberIds: [reader.id, guest.id] });
  await updateResource(catalog.admin, column.id, { description: 'Net' });
  await setValue(catalog.admin, property.id, table.id, 'a year');
  await updateResource(catalog.admin, unwatched.id, { description: 'Nobody cares' });
  await archiveResource(catalog.admin, other.id);
  await notifyOfChanges(catalog);

  const byAddress = new Map(mail.mails.map(({ to, text }) => [to, text]));
  expect(mail.mails.map(({ to }) => to).sort()).toEqual([
    ...['member@example.com', 'owner@example.com', 'reader@example.com'],
  ]);
  const forOwner = bodyOf(byAddress.get('owner@example.com') ?? '');
  expect(byAddress.get('owner@example.com')).toContain('Subject: all_orders changed');
  expect(forOwner).not.toMatch(/- description|- tags/);
  expect(forOwner).toContain('- column amount: description, by Admin');
  const forReader = bodyOf(byAddress.get('reader@example.com') ?? '');
  expect(byAddress.get('reader@example.com')).toContain('Subject: 2 resources changed');
  for (const line of ['all_orders:', '- description', '- tags', 'customers:', '- deleted']) {
    expect(forReader).toContain(line);
  }
  expect(forReader).not.toMatch(/unwatched|subscribers/);
  expect(await noted(catalog)).toBe(0);

  // Nothing new: nothing is sent twice.
  await notifyOfChanges(catalog);
  expect(mail.mails).toHaveLength(3);
});

test('changes are sent two minutes after the first of them, however lately others came', async () => {
  await using catalog = await openCatalog({ alone: true });
  const table = await catalog.resource({ subscriberIds: [catalog.idOf('viewer')] });
  await updateResource(catalog.admin, table.id, { description: 'first' });
  await updateResource(catalog.admin, table.id, { title: 'second' });
  const [first, second] = await catalog.database.prisma.resourceChange.findMany({
    where: { workspaceId: catalog.workspaceId },
    orderBy: { id: 'asc' },
  });
  const jobs = () =>
    catalog.database.prisma.job.count({
      where: { workspaceId: catalog.workspaceId, kind: gatherJob },
    });
  const notedAgo = (id: bigint | undefined, seconds: number) =>
    execute(
      catalog.admin,
      'update resource_change set noted_at = now() - make_interval(secs => $1) where id = $2',
      [seconds, id],
    );
  await notedAgo(second?.id, 1);
  await notedAgo(first?.id, 100);
  const next = await startGathering(catalog.admin);
  expect(await jobs()).toBe(0);
  const { notedAt } = await catalog.database.prisma.resourceChange.findFirstOrThrow({
    where: { workspaceId: catalog.workspaceId, id: first?.id ?? 0 },
  });
  expect(next).toEqual(new Date(notedAt.getTime() + 120_000));

  await notedAgo(first?.id, 121);
  expect(await startGathering(catalog.admin)).toBeNull();
  expect(await jobs()).toBe(1);
});

test('a crash while changes are sent loses none of them, and sends none twice', async () => {
  await using place = await open();
  const { mail, catalog, people } = place;
  const subscriberIds = [people.reader.id];
  const schema = await catalog.resource({ kind: 'schema', title: 'sales' });
  const within = { parentId: schema.id, published: true };
  const table = await catalog.resource({ ...within, title: 'orders', subscriberIds });
  await catalog.resource({ kind: 'column', title: 'id', parentId: table.id, subscriberIds });
  await catalog.resource({ ...within, title: 'nobody' });
  await archiveResource(catalog.admin, schema.id);
  await restoreResource(catalog.admin, schema.id);
  expect(await noted(catalog)).toBe(4);
  const job = await catalog.database.prisma.job.create({
    data: { workspaceId: catalog.workspaceId, kind: 'none', title: 'Tell', state: 'failed' },
  });
  const crash = runGather({
    ...{
      ctx: catalog.admin,
      job,
      log() {},
      progress() {},
      fence: async () => {},
      keep: async () => {},
    },
    complete: () => Promise.reject(new Error('The worker was lost.')),
  });
  await expect(crash).rejects.toThrow('The worker was lost.');
  expect(await noted(catalog)).toBe(4);
  expect(await inboxOf(catalog, people.reader)).toEqual([]);
  await notifyOfChanges(catalog);
  await notifyOfChanges(catalog);
  expect(mail.mails.map(({ to }) => to)).toEqual(['reader@example.com']);
  const [notified] = await inboxOf(catalog, people.reader);
  expect(notified?.content).toMatchObject({
    title: 'sales.orders changed',
    lines: [
      ...['- deleted, by Admin', '- column id: deleted, by Admin'],
      ...['- restored, by Admin', '- column id: restored, by Admin'],
    ],
  });
});

async function inboxOf(catalog: Catalog, user: User, unreadOnly = false) {
  const page = await listInbox(catalog.contextOf(user), { unreadOnly }, { first: 10 });
  return page.nodes;
}

test('who may not see a resource, or said no to email, gets none', async () => {
  await using place = await open();
  const { mail, catalog, people } = place;
  const { owner, reader, guest } = people;
  const subscriberIds = [owner.id, reader.id, guest.id];
  const secret = await catalog.resource({ title: 'secret', published: false, subscriberIds });
  const say = `mutation ($id: ID!) {
    updateUser(id: $id, input: { emailNotifications: false }) { emailNotifications } }`;
  const refused = await catalog.graphql(say, { id: owner.id }, { as: 'viewer' });
  expect(refused.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  const own = await catalog.graphql(say, { id: catalog.idOf('viewer') }, { as: 'viewer' });
  expect(own.data.updateUser).toEqual({ emailNotifications: false });
  await catalog.graphql(say, { id: owner.id });
  await createRule(catalog.admin, {
    ...{ name: 'Desk', events: ['resource_changed'], resourceIds: [secret.id] },
    emails: ['desk@example.com', 'OWNER@example.com'],
  });
  await updateResource(catalog.admin, secret.id, { description: 'Hush' });
  await notifyOfChanges(catalog);
  expect(mail.mails.map(({ to }) => to)).toEqual(['desk@example.com']);
  expect(await inboxOf(catalog, reader)).toEqual([]);
  expect(await inboxOf(catalog, guest)).toEqual([]);
  expect(await inboxOf(catalog, owner)).toHaveLength(1);
});

test("the inbox works with no mail at all, and is everybody's own", async () => {
  await using catalog = await openCatalog();
  await using other = await catalog.another();
  const subscriberIds = [catalog.idOf('viewer')];
  const table = await catalog.resource({ title: 'orders', subscriberIds });
  await updateResource(catalog.admin, table.id, { description: 'What was sold' });
  await notifyOfChanges(catalog);
  const list = `query ($unread: Boolean) { notificationSettings { emailEnabled chatConnected }
    myNotifications(first: 5, unreadOnly: $unread) { totalCount
      nodes { id event title text resourceIds incidentId readAt } } }`;
  const { data } = await catalog.graphql(list, {}, { as: 'viewer' });
  expect(data.notificationSettings).toEqual({ emailEnabled: false, chatConnected: false });
  const [first] = data.myNotifications.nodes;
  expect(first).toMatchObject({
    ...{ event: 'resource_changed', title: 'orders changed', resourceIds: [table.id] },
    ...{ text: 'This changed:\n- description, by Admin', readAt: null, incidentId: null },
  });
  const emails = { workspaceId: catalog.workspaceId, channel: 'email' };
  expect(await catalog.database.prisma.notification.count({ where: emails })).toBe(0);
  const read = 'mutation ($ids: [ID!]) { markNotificationsRead(ids: $ids) }';
  const foreign = await other.graphql(read, { ids: [first.id] });
  expect(foreign.data).toEqual({ markNotificationsRead: 0 });
  const asEditor = await catalog.graphql(read, { ids: [first.id] }, { as: 'editor' });
  expect(asEditor.data).toEqual({ markNotificationsRead: 0 });
  const mine = await catalog.graphql(read, {}, { as: 'viewer' });
  expect(mine.data).toEqual({ markNotificationsRead: 1 });
  const after = await catalog.graphql(list, { unread: true }, { as: 'viewer' });
  expect(after.data.myNotifications.totalCount).toBe(0);
});

test('the inbox gives the ids of what its reader may see by now', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource({ title: 'orders', published: false });
  const subscriberIds = [catalog.idOf('viewer')];
  const about = { kind: 'column', title: 'amount', parentId: table.id, subscriberIds } as const;
  const column = await catalog.resource(about);
  await updateResource(catalog.admin, column.id, { description: 'Net' });
  await notifyOfChanges(catalog);
  const list = '{ myNotifications(first: 5) { nodes { resourceIds resources { id } } } }';
  const asked = async () => (await catalog.graphql(list, {}, { as: 'viewer' })).data;
  expect(await asked()).toEqual({
    myNotifications: { nodes: [{ resourceIds: [], resources: [] }] },
  });
  await updateResource(catalog.admin, table.id, { published: true });
  const [after] = (await asked()).myNotifications.nodes;
  expect(after).toEqual({ resourceIds: [table.id], resources: [{ id: table.id }] });
});

const shop = (amount: string, ...more: string[]) => ({
  resources: [
    { entity_type: 'table', databuilder_id: 'orders', title: 'orders' },
    { entity_type: 'table', databuilder_id: 'other', title: 'other', description: amount },
    ...['amount', ...more].map((title) => ({
      ...{ entity_type: 'column', databuilder_id: `orders.${title}`, title },
      ...{ parent_databuilder_id: 'orders', type: title === 'amount' ? amount : 'text' },
    })),
  ],
});

test('an import notifies who subscribes to a table of what it changed on its columns, and no more', async () => {
  await using place = await open();
  const { mail, catalog, people } = place;
  const integration = await catalog.integration();
  await feedJsonl(catalog, integration, shop('integer', 'note'));
  await feedJsonl(catalog, integration, shop('numeric', 'note', 'paid'));
  // No one watched: nothing was noted.
  expect(await noted(catalog)).toBe(0);
  const { id } = await resourceAt(catalog, 'orders');
  await updateResource(catalog.admin, id, { subscriberIds: [people.reader.id], published: true });
  await catalog.database.prisma.resourceChange.deleteMany({});

  const again = await feedJsonl(catalog, integration, shop('numeric', 'note', 'paid'));
  expect(again).toEqual(counts({ unchanged: 5 }));
  expect(await noted(catalog)).toBe(0);
  await feedJsonl(catalog, integration, shop('float', 'paid', 'new'));
  await notifyOfChanges(catalog);
  const [notified] = await inboxOf(catalog, people.reader);
  expect(notified?.content).toMatchObject({
    title: 'orders changed',
    lines: [
      '- column added: new (text)',
      '- column amount: type: numeric → float',
      '- column gone from its source: note',
    ],
  });
  expect(mail.mails).toHaveLength(1);

  await feedJsonl(catalog, integration, { resources: [] }, { force: true });
  await feedJsonl(catalog, integration, shop('float', 'paid', 'new'));
  await notifyOfChanges(catalog);
  const [gone] = await inboxOf(catalog, people.reader);
  expect(gone?.content).toMatchObject({
    lines: ['- gone from its source', '- back in its source'],
  });
  expect(mail.mails).toHaveLength(2);
});

test('a rule on what a table lies within, and a webhook on all, are notified of imports', async () => {
  await using receiver = await startReceiver();
  await using chat = await startChat();
  await using place = await open();
  const { mail, catalog } = place;
  catalog.surroundings.chatBase = chat.base;
  catalog.surroundings.reach = { privateHosts: parsePrivateHosts('127.0.0.1'), filesDir: null };
  const integration = await catalog.integration();
  await feedJsonl(catalog, integration, shop('integer'));
  const { id } = await resourceAt(catalog, 'orders');
  await createIntegration(catalog.admin, { type: 'chat', credentials: chatCredentials });
  await createRule(catalog.admin, {
    ...{ name: 'Orders', events: ['resource_changed'], resourceIds: [id] },
    ...{ emails: ['desk@example.com'], chatChannels: ['C1'] },
  });
  await createWebhook(catalog.admin, {
    ...{ name: 'All', url: receiver.url, events: ['resource_changed'] },
  });
  await feedJsonl(catalog, integration, shop('numeric'));
  await notifyOfChanges(catalog);
  expect(mail.mails.map(({ to }) => to)).toEqual(['desk@example.com']);
  expect(bodyOf(mail.mails[0]?.text ?? '')).not.toContain('other');
  expect(chat.messages).toMatchObject([
    {
      ...{ channel: 'C1', thread: null },
      text: '*orders changed*\nThis changed:\n- column amount: type: integer → numeric',
    },
  ]);
  const [event] = receiver.received;
  expect(receiver.received).toHaveLength(1);
  const { type, data } = JSON.parse(event?.body ?? '{}');
  expect(type).toBe('resource_changed');
  const seen = data.changes.map(({ resource, what }: Record<string, { title: string }>) => [
    ...[resource?.title, what],
  ]);
  expect(seen).toEqual(
    expect.arrayContaining([
      ['other', 'description'],
      ['orders.amount', 'type'],
    ]),
  );
  expect(data.changes).toHaveLength(2);
});

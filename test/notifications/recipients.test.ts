// Anyone who makes a monitor is told of its incidents, and a monitor says who is, and what keeps them from it.

import { expect, test } from 'vitest';
import { deactivateUser } from '../../src/people/user.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { startMail } from './mail-server.ts';
import { watched } from './watched.ts';
import { workOff } from './work-off.ts';

const asked = `{ monitors { nodes { recipients {
  channel address problem userId user { email } webhookId webhook { id }
} } } }`;

async function recipients(catalog: Catalog, caller: { as: 'admin' | 'viewer' } = { as: 'admin' }) {
  const { data, errors } = await catalog.graphql(asked, {}, caller);
  expect(errors).toBeUndefined();
  return data.monitors.nodes[0].recipients;
}

const inbox = async (catalog: Catalog, as: 'editor' | 'admin') =>
  (await catalog.graphql('{ myNotifications { nodes { title text } } }', {}, { as })).data
    .myNotifications.nodes;

test('anyone who makes a monitor of what no one owns hears of its incidents', async () => {
  await using catalog = await openCatalog();
  await using mail = await startMail(catalog);
  const { measure } = await watched(catalog.as('editor'), catalog, {});
  const editor = { userId: catalog.idOf('editor'), user: { email: 'editor@example.com' } };
  const none = { webhookId: null, webhook: null, problem: null };
  expect(await recipients(catalog)).toEqual([
    { channel: 'inbox', address: null, ...editor, ...none },
    { channel: 'email', address: 'editor@example.com', ...editor, ...none },
    {
      ...{ channel: 'chat', address: 'C1', userId: null, user: null },
      ...{ ...none, problem: expect.stringContaining('No team chat is connected') },
    },
  ]);
  expect(await recipients(catalog, { as: 'viewer' })).toBeNull();
  await measure(1);
  await workOff(catalog);
  const [told, ...others] = await inbox(catalog, 'editor');
  expect(others).toEqual([]);
  expect(told).toMatchObject({ title: 'Row count of orders' });
  expect(mail.mails[0]?.text).toContain('You made a monitor on it.');
  expect(await inbox(catalog, 'admin')).toEqual([]);
  expect(mail.mails.map(({ to }) => to)).toEqual(['editor@example.com']);
});

test('who may no longer see the table, or is gone, is not told', async () => {
  await using catalog = await openCatalog();
  const maker = await catalog.user({ email: 'maker@example.com', role: 'editor' });
  const { table, measure } = await watched(catalog.contextOf(maker), catalog, { published: false });
  const people = async () =>
    (await recipients(catalog)).filter(({ userId }: { userId: string | null }) => userId);
  expect(await people()).toHaveLength(2);
  const setRole = (role: string) =>
    catalog.database.prisma.user.update({
      where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: maker.id } },
      data: { role },
    });
  await setRole('viewer');
  expect(await people()).toEqual([]);
  await setRole('editor');
  await deactivateUser(catalog.admin, maker.id);
  expect(await people()).toEqual([]);
  await measure(1);
  await workOff(catalog);
  const where = { workspaceId: catalog.workspaceId, channel: 'inbox' };
  expect(await catalog.database.prisma.notification.count({ where })).toBe(0);
  expect(table.published).toBe(false);
});

test('addresses without a mail server, and channels without a chat, are warned of, on the rule and on the monitor', async () => {
  await using catalog = await openCatalog();
  await watched(catalog.admin, catalog, {});
  const create = `mutation { createNotificationRule(input: {
    name: "All", emails: ["a@example.com"], chatChannels: ["C1"] }) { id warnings } }`;
  const made = await catalog.graphql(create);
  const reasons = [expect.stringContaining('SMTP_URL'), expect.stringContaining('type chat')];
  expect(made.data.createNotificationRule.warnings).toEqual(reasons);
  // Who writes it is told so next to the answer, too.
  expect(made.extensions?.warnings).toEqual([
    { field: 'emails', message: reasons[0] },
    { field: 'chatChannels', message: reasons[1] },
  ]);
  const named = (await recipients(catalog)).find(
    ({ address }: { address: string }) => address === 'a@example.com',
  );
  expect(named.problem).toContain('SMTP_URL');
  await using _mail = await startMail(catalog);
  const rules = await catalog.graphql('{ notificationRules { nodes { warnings } } }');
  expect(rules.data.notificationRules.nodes).toEqual([{ warnings: [reasons[1]] }]);
  expect(
    (await recipients(catalog)).every(
      ({ channel, problem }: { channel: string; problem: string | null }) =>
        channel === 'chat' || problem === null,
    ),
  ).toBe(true);
});

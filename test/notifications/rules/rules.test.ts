// Notification rules notify people, addresses and channels of incidents, and no one else.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createIntegration } from '../../../src/integrations/integration.ts';
import { createLineage } from '../../../src/lineage/edge.ts';
import { createRule, listRules, updateRule } from '../../../src/notifications/rule.ts';
import { openCatalog } from '../../catalog.ts';
import { chatCredentials, startChat } from '../chat-server.ts';
import { startMail } from '../mail-server.ts';
import { watched } from '../watched.ts';
import { workOff } from '../work-off.ts';

test('whom an incident concerns is notified of it once, and of its end if the rule says so', async () => {
  await using chat = await startChat();
  await using catalog = await openCatalog({ alone: true });
  const { admin } = catalog;
  catalog.surroundings.chatBase = chat.base;
  await using mail = await startMail(catalog);
  await createIntegration(admin, { type: 'chat', credentials: chatCredentials });
  const [owner, subscriber, stranger] = [
    await catalog.user({ email: 'owner@example.com' }),
    await catalog.user({ email: 'subscriber@example.com' }),
    await catalog.user({ email: 'stranger@example.com' }),
  ];
  const { table, measure } = await watched(admin, catalog, { subscriberIds: [subscriber.id] });
  const report = await catalog.resource({ title: 'report', ownerIds: [owner.id] });
  const elsewhere = await catalog.resource({ ownerIds: [stranger.id] });
  await createLineage(admin, { fromId: table.id, toId: report.id, direction: 'DOWNSTREAM' });

  await createRule(admin, {
    ...{ name: 'Downstream', upstream: true, events: ['incident_opened'], chatChannels: ['C1'] },
  });
  await createRule(admin, { name: 'Desk', resourceIds: [table.id], emails: ['desk@example.com'] });
  await createRule(admin, {
    ...{ name: 'Elsewhere', resourceIds: [elsewhere.id], chatChannels: ['C3'] },
    userIds: [stranger.id],
  });
  const paused = await createRule(admin, { name: 'Paused', emails: ['paused@example.com'] });
  await updateRule(admin, paused.id, { isEnabled: false });

  await measure(1);
  await workOff(catalog);
  expect(mail.mails.map(({ to }) => to).sort()).toEqual([
    // The first made the monitor.
    ...['admin@example.com', 'desk@example.com', 'owner@example.com', 'subscriber@example.com'],
  ]);
  for (const { text } of mail.mails) {
    expect(text).toContain('Subject: Incident: Row count of orders');
    expect(text).toContain('1 is below 5, the lowest value allowed.');
  }
  // The monitor's own channel and the rule's are one.
  expect(chat.messages.map(({ channel }) => channel)).toEqual(['C1']);

  for (const value of [7, 8, 9]) await measure(value);
  await workOff(catalog);
  // The rule that notifies of the beginning only speaks for itself, not for those whom it concerns.
  expect(
    mail.mails
      .slice(4)
      .map(({ to }) => to)
      .sort(),
  ).toEqual(['admin', 'desk', 'owner', 'subscriber'].map((name) => `${name}@example.com`));
  expect(mail.mails[4]?.text).toContain('Subject: Resolved: Row count of orders');
  expect(mail.mails[4]?.text).toMatch(/In-Reply-To: <.+@headwater>/);
  expect(chat.messages.map(({ thread }) => thread === null)).toEqual([true, false]);
});

test('a rule that notifies no one, or of nothing, is refused by its field', async () => {
  await using catalog = await openCatalog();
  for (const [field, input] of [
    ['chat_channels', { name: 'Nobody' }],
    ['name', { name: ' ', emails: ['a@example.com'] }],
    ['events', { name: 'x', events: ['rain'], emails: ['a@example.com'] }],
    ['events', { name: 'x', events: [], emails: ['a@example.com'] }],
    ['emails', { name: 'x', emails: ['a@example.com\nBcc: b@example.com'] }],
    ['emails', { name: 'x', emails: ['a@example.com, b@example.com'] }],
    ['resource_ids', { name: 'x', resourceIds: ['1'], emails: ['a@example.com'] }],
    ['user_ids', { name: 'x', userIds: ['1'] }],
    ['group_ids', { name: 'x', groupIds: Array.from({ length: 101 }, () => randomUUID()) }],
  ] as const) {
    const making = createRule(catalog.admin, input);
    await expect(making, JSON.stringify(input)).rejects.toMatchObject({ fields: [{ field }] });
  }
  const editors = catalog.as('viewer');
  await expect(listRules(editors)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect((await listRules(catalog.admin)).nodes).toHaveLength(0);
});

// How many rules, webhooks and properties a workspace has at most, also where several are made at once.

import { expect, test } from 'vitest';
import { createRule } from '../../src/notifications/rule.ts';
import { createWebhook } from '../../src/notifications/webhooks/webhook.ts';
import { createProperty } from '../../src/properties/property.ts';
import { openCatalog } from '../catalog.ts';

const many = <Row>(number: number, row: Row): Row[] => Array.from({ length: number }, () => row);

test('the last place is taken once, however many want it at once', async () => {
  await using catalog = await openCatalog();
  const { workspaceId, database, admin } = catalog;
  const { prisma } = database;
  const rule = { workspaceId, name: 'Rule', events: ['incident_opened'] };
  await prisma.notificationRule.createMany({ data: many(199, rule) });
  const hook = { workspaceId, name: 'Hook', url: 'https://a.test', secret: 'x' };
  await prisma.webhook.createMany({ data: many(49, hook) });
  await prisma.customProperty.createMany({ data: many(999, { workspaceId, name: 'Property' }) });

  for (const make of [
    () => createRule(admin, { name: 'One more', emails: ['a@example.com'] }),
    () => createWebhook(admin, { name: 'One more', url: 'https://a.test' }),
    () => createProperty(admin, { name: 'One more' }),
  ]) {
    const made = await Promise.allSettled([make(), make(), make(), make()]);
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  }
  const counts = await Promise.all([
    prisma.notificationRule.count({ where: { workspaceId } }),
    prisma.webhook.count({ where: { workspaceId } }),
    prisma.customProperty.count({ where: { workspaceId } }),
  ]);
  expect(counts).toEqual([200, 50, 1_000]);
});

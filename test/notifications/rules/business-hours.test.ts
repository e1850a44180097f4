// Rules ask for severity, metric and monitor, and hold what happens outside of their hours.

import { expect, test } from 'vitest';
import { execute } from '../../../src/database/rows.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { heldBy, heldInWords } from '../../../src/notifications/business-hours.ts';
import { createRule, updateRule } from '../../../src/notifications/rule.ts';
import { updateWorkspaceSettings } from '../../../src/people/workspace-settings.ts';
import { handlers } from '../../../src/work.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { type MailServer, startMail } from '../mail-server.ts';
import { watched } from '../watched.ts';
import { workOff } from '../work-off.ts';

const office = { hoursFrom: 9, hoursUntil: 17, hoursDays: [0, 1, 2, 3, 4] };

test.each([
  // A Wednesday.
  ['2026-03-04T08:00:00Z', 'Europe/Berlin', null],
  ['2026-03-04T07:59:00Z', 'Europe/Berlin', '2026-03-04T08:00:00.000Z'],
  ['2026-03-04T15:59:59Z', 'Europe/Berlin', null],
  ['2026-03-04T16:00:00Z', 'Europe/Berlin', '2026-03-05T08:00:00.000Z'],
  // From Friday evening to Monday morning, over the night on which clocks are set forward.
  ['2026-03-27T16:30:00Z', 'Europe/Berlin', '2026-03-30T07:00:00.000Z'],
  // It is Monday in Auckland while it is Sunday in UTC.
  ['2026-03-01T20:30:00Z', 'Pacific/Auckland', null],
  ['2026-03-01T19:30:00Z', 'Pacific/Auckland', '2026-03-01T20:00:00.000Z'],
])('at %s in %s hours begin at %s', (now, zone, begins) => {
  expect(heldBy(office, zone, new Date(now))?.until.toISOString() ?? null).toBe(begins);
});

test('hours that are not there hold nothing', () => {
  const now = new Date('2026-03-01T03:00:00Z');
  expect(heldBy({ hoursFrom: null, hoursUntil: null, hoursDays: [] }, 'UTC', now)).toBeNull();
  expect(heldBy({ hoursFrom: 0, hoursUntil: 24, hoursDays: [] }, 'UTC', now)).toBeNull();
  const held = { until: new Date('2026-03-02T08:00:00Z'), zone: 'Europe/Berlin' };
  expect(heldInWords(held, now)).toBe(
    'Held from Mar 1, 04:00 until Mar 2, 09:00 (Europe/Berlin): the hours of its rule.',
  );
});

/** Let a worker work until so many messages wait for hours to begin, and nothing else does. */
async function workUntilHeld(catalog: Catalog, count: number) {
  const { database, surroundings, workspaceId } = catalog;
  const worker = startWorker({
    ...{ database, surroundings, handlers },
    onError: (error) => expect.unreachable(String(error)),
  });
  const where = { workspaceId, state: { in: ['queued', 'running'] } };
  const soon = new Date(Date.now() + 600_000);
  const waiting = async () => [
    await database.prisma.job.count({ where }),
    await database.prisma.job.count({ where: { ...where, runAt: { gt: soon } } }),
  ];
  await expect.poll(waiting, { timeout: 30_000, interval: 20 }).toEqual([count, count]);
  await worker.stop();
}

/** But for the author of the monitor, who is notified anyway. */
const inMails = (mail: MailServer) =>
  mail.mails
    .map(({ to }) => to)
    .filter((to) => to !== 'editor@example.com')
    .sort();

test('what happens outside of the hours of a rule is held until they begin, and so is the end', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin } = catalog;
  await using mail = await startMail(catalog);
  await updateWorkspaceSettings(admin, { timeZone: 'Asia/Kolkata' });
  // All of a day that is neither today nor tomorrow, wherever one is.
  const day = (new Date().getUTCDay() + 6 + 3) % 7;
  const hours = { hoursFrom: 0, hoursUntil: 24, hoursDays: [day] };
  const named = await catalog.user({ email: 'named@example.com' });
  await createRule(admin, {
    ...{ name: 'Office', ...hours, emails: ['desk@example.com'], userIds: [named.id] },
  });
  await createRule(admin, {
    ...{ name: 'Also', ...hours, emails: ['both@example.com'] },
  });
  await createRule(admin, { name: 'Always', emails: ['both@example.com'] });
  const { measure } = await watched(catalog.as('editor'), catalog, {});
  await catalog.database.prisma.monitor.updateMany({ data: { notifyChatChannel: null } });

  await measure(1);
  await workUntilHeld(catalog, 2);
  expect(inMails(mail)).toEqual(['both@example.com']);
  expect(mail.mails.some(({ text }) => text.includes('Held'))).toBe(false);
  const inbox = { where: { channel: 'inbox', address: named.id } };
  expect(await catalog.database.prisma.notification.count(inbox)).toBe(1);

  for (const value of [7, 8, 9]) await measure(value);
  await workUntilHeld(catalog, 4);
  expect(inMails(mail)).toEqual(['both@example.com', 'both@example.com']);

  await execute(admin, 'update notification set held_until = now()');
  await execute(admin, 'update job set run_at = now()');
  await workOff(catalog);
  const late = mail.mails.slice(4);
  for (const to of ['desk@example.com', 'named@example.com']) {
    const [opened, ended] = late.filter((one) => one.to === to);
    expect(opened?.text).toContain('Subject: Incident: ');
    expect(opened?.text.replace(/=\r?\n/g, '')).toMatch(/Held from .* until .* \(Asia\/Kolkata\)/);
    expect(ended?.text).toContain('Subject: Resolved: ');
  }
  expect(late).toHaveLength(4);
});

test('a rule asks for severities, metrics and monitors', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin } = catalog;
  await using mail = await startMail(catalog);
  const { measure } = await watched(catalog.as('editor'), catalog, {});
  await catalog.database.prisma.monitor.updateMany({ data: { notifyChatChannel: null } });
  const monitor = await catalog.database.prisma.monitor.findFirstOrThrow({});
  const other = await catalog.resource({});
  const { data } = await catalog.graphql(
    'mutation ($id: ID!) { createMonitor(input: { targetId: $id, metricType: row_count }) { id } }',
    { id: other.id },
  );
  const rules = {
    low: { severities: ['low'] },
    critical: { severities: ['critical', 'high'] },
    rows: { metricTypes: ['row_count', 'mean'] },
    mean: { metricTypes: ['mean'] },
    this: { monitorIds: [monitor.id] },
    other: { monitorIds: [data.createMonitor.id] },
    all: { severities: ['low'], metricTypes: ['row_count'], monitorIds: [monitor.id] },
  };
  for (const [name, asks] of Object.entries(rules)) {
    await createRule(admin, { name, ...asks, emails: [`${name}@example.com`] });
  }
  await measure(1);
  await workOff(catalog);
  expect(inMails(mail)).toEqual(
    ['all', 'low', 'rows', 'this'].map((name) => `${name}@example.com`),
  );
});

test('what a rule cannot ask for is refused by its field, and hours are cleared together', async () => {
  await using catalog = await openCatalog();
  const { admin } = catalog;
  const emails = ['a@example.com'];
  for (const [field, asks] of [
    ['hours_until', { hoursFrom: 9 }],
    ['hours_from', { hoursUntil: 9 }],
    ['hours_until', { hoursFrom: 17, hoursUntil: 9 }],
    ['hours_from', { hoursFrom: 24, hoursUntil: 9 }],
    ['hours_days', { ...office, hoursDays: [7] }],
    ['monitor_ids', { monitorIds: ['6e1b1c88-8c0f-4f6c-9d4a-0d6b6f0f0c11'] }],
  ] as const) {
    const making = createRule(admin, { name: 'x', emails, ...asks });
    await expect(making, JSON.stringify(asks)).rejects.toMatchObject({ fields: [{ field }] });
  }
  const made = await createRule(admin, { name: 'x', emails, ...office });
  await expect(updateRule(admin, made.id, { hoursFrom: null })).rejects.toMatchObject({
    fields: [{ field: 'hours_from' }],
  });
  const cleared = await updateRule(admin, made.id, { hoursFrom: null, hoursUntil: null });
  expect(cleared).toMatchObject({ hoursFrom: null, hoursUntil: null });
  const ask = `mutation { createNotificationRule(input: { name: "y", emails: ["a@example.com"], severities: [awful] }) { id } }`;
  expect((await catalog.graphql(ask)).errors?.[0]?.message).toContain('awful');
});

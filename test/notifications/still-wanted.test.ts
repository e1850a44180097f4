// What is sent later than it began asks again who may see what it is about, and who wants mail.

import { expect, test } from 'vitest';
import { transaction } from '../../src/database/transaction.ts';
import type { User } from '../../src/generated/prisma/client.ts';
import { createLineage } from '../../src/lineage/edge.ts';
import { updateIncident } from '../../src/monitors/incidents/incident-change.ts';
import { listInbox } from '../../src/notifications/inbox.ts';
import { post } from '../../src/notifications/outbox/outbox.ts';
import { createRule } from '../../src/notifications/rule.ts';
import { deactivateUser, updateUser } from '../../src/people/user.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { startMail } from './mail-server.ts';
import { watched } from './watched.ts';
import { workOff } from './work-off.ts';

async function eventsOf(catalog: Catalog, user: User): Promise<string[]> {
  const { nodes } = await listInbox(catalog.contextOf(user), {}, { first: 10 });
  return nodes.map(({ event }) => event).toSorted();
}

const both = ['incident_opened', 'incident_resolved'];

test('the end of an incident is for those who are still there, may still see it, and want mail', async () => {
  await using catalog = await openCatalog();
  await using mail = await startMail(catalog);
  const { admin } = catalog;
  const named = (name: string) =>
    catalog.user({ email: `${name}@example.com`, role: 'editor', emailNotifications: true });
  const [gone, demoted, quiet, moved, stays] = await Promise.all(
    ['gone', 'demoted', 'quiet', 'moved', 'stays'].map(named),
  );
  if (!gone || !demoted || !quiet || !moved || !stays) throw new Error('Somebody is missing.');
  const ownerIds = [gone, demoted, quiet, moved, stays].map(({ id }) => id);
  const { measure } = await watched(admin, catalog, { published: false, ownerIds });
  await createRule(admin, { name: 'Desk', emails: ['desk@example.com'] });
  const id = await measure(1);
  await workOff(catalog);
  const people = ['admin', 'demoted', 'desk', 'gone', 'moved', 'quiet', 'stays'];
  const addresses = (names: readonly string[]) => names.map((name) => `${name}@example.com`);
  expect(mail.mails.map(({ to }) => to).toSorted()).toEqual(addresses(people));

  await deactivateUser(admin, gone.id);
  await updateUser(admin, demoted.id, { role: 'viewer' });
  await updateUser(admin, quiet.id, { emailNotifications: false });
  await updateUser(admin, moved.id, { email: 'new@example.com' });
  await updateIncident(admin, id, { status: 'resolved' });
  await workOff(catalog);
  const last = mail.mails.slice(people.length).map(({ to }) => to);
  expect(last.toSorted()).toEqual(addresses(['desk', 'new', 'stays']));
  expect(await eventsOf(catalog, gone)).toEqual(['incident_opened']);
  expect(await eventsOf(catalog, demoted)).toEqual(['incident_opened']);
  for (const one of [quiet, moved, stays]) expect(await eventsOf(catalog, one)).toEqual(both);
});

test('who was told of something near theirs is told of its end as long as they may see theirs', async () => {
  const ends = async (published: boolean) => {
    await using catalog = await openCatalog();
    const reader = await catalog.user({ role: 'viewer' });
    const { table, measure } = await watched(catalog.admin, catalog, { published: false });
    const report = await catalog.resource({ title: 'report', subscriberIds: [reader.id] });
    const edge = { fromId: table.id, toId: report.id, direction: 'DOWNSTREAM' } as const;
    await createLineage(catalog.admin, edge);
    const id = await measure(1);
    await workOff(catalog);
    expect(await eventsOf(catalog, reader)).toEqual(['incident_opened']);
    await updateResource(catalog.admin, report.id, { published });
    await updateIncident(catalog.admin, id, { status: 'resolved' });
    await workOff(catalog);
    return eventsOf(catalog, reader);
  };
  expect(await ends(true)).toEqual(both);
  expect(await ends(false)).toEqual(['incident_opened']);
});

test('mail that waits is skipped when whom it is for was deactivated or said no in the meantime', async () => {
  await using catalog = await openCatalog();
  await using mail = await startMail(catalog);
  const users = await Promise.all(
    ['gone', 'quiet', 'stays'].map((name) => catalog.user({ email: `${name}@example.com` })),
  );
  const written = [
    ...users.map(({ email, id }) => ({ address: email, userId: id })),
    // An address that a rule names is of a user who said no to email.
    { address: 'QUIET@example.com' },
    { address: 'desk@example.com' },
  ];
  await transaction(catalog.admin, (tx) =>
    post(
      tx,
      written.map(({ address, ...whom }) => ({
        ...{ channel: 'email', address, dedupeKey: address, event: 'resource_changed' },
        ...{ incidentId: null, content: { title: 'orders changed', text: '', ...whom } },
      })),
    ),
  );
  const [gone, quiet] = users;
  await deactivateUser(catalog.admin, gone?.id ?? '');
  await updateUser(catalog.admin, quiet?.id ?? '', { emailNotifications: false });
  await workOff(catalog);
  const sent = mail.mails.map(({ to }) => to).toSorted();
  expect(sent).toEqual(['desk@example.com', 'stays@example.com']);
  const skipped = await catalog.database.prisma.notification.findMany({
    where: { workspaceId: catalog.workspaceId, state: 'skipped' },
  });
  expect(skipped.map(({ lastError }) => lastError)).toEqual(
    skipped.map(() => 'Whom it was for was deactivated, or wants no email.'),
  );
  expect(skipped).toHaveLength(3);
});

// People whom rules name are notified of incidents and changes as others do, and not of what they may not see.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { User } from '../../src/generated/prisma/client.ts';
import { createLineage } from '../../src/lineage/edge.ts';
import { updateIncident } from '../../src/monitors/incidents/incident-change.ts';
import { listInbox } from '../../src/notifications/inbox.ts';
import { createRule, updateRule } from '../../src/notifications/rule.ts';
import { deleteGroup } from '../../src/people/group.ts';
import { deactivateUser } from '../../src/people/user.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { addTeamMembers } from '../../src/teams/member.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { startMail } from './mail-server.ts';
import { watched } from './watched.ts';
import { notifyOfChanges, workOff } from './work-off.ts';

async function inboxOf(catalog: Catalog, user: User) {
  const { nodes } = await listInbox(catalog.contextOf(user), {}, { first: 10 });
  return nodes.map(({ event, content }) => ({ event, content }));
}

async function linesFor(catalog: Catalog, user: User) {
  const inbox = await inboxOf(catalog, user);
  return inbox.map(({ content }) => Reflect.get(Object(content), 'lines'));
}

/** Orders, which only editors and a team see, feeds a report that is published. */
async function openPlace() {
  const catalog = await openCatalog();
  const { admin } = catalog;
  const named = (name: string, role = 'editor') =>
    catalog.user({ email: `${name}@example.com`, role });
  const people = {
    owner: await named('owner'),
    named: await named('named'),
    quiet: await named('quiet'),
    gone: await named('gone'),
    viewer: await named('viewer-of-report', 'viewer'),
    guest: await named('guest-of-nothing', 'guest'),
    partner: await named('guest-of-orders', 'guest'),
  };
  const team = await catalog.team();
  await addTeamMembers(admin, team.id, [people.partner.id]);
  const { table, measure } = await watched(admin, catalog, {
    ...{ published: false, ownerIds: [people.owner.id], teamIds: [team.id] },
  });
  const report = await catalog.resource({ title: 'report' });
  await createLineage(admin, { fromId: table.id, toId: report.id, direction: 'DOWNSTREAM' });
  return { catalog, people, table, report, measure };
}

test('people whom a rule names are notified of an incident once, and not of what they may not see', async () => {
  const { catalog, people, table, report, measure } = await openPlace();
  const { owner, named, quiet, gone, viewer, guest, partner } = people;
  await using mail = await startMail(catalog);
  const say = `mutation ($id: ID!) {
    updateUser(id: $id, input: { emailNotifications: false }) { emailNotifications } }`;
  await catalog.graphql(say, { id: quiet.id });
  const memberIds = [named.id, viewer.id, guest.id, partner.id];
  const group = await catalog.group({ memberIds });
  await createRule(catalog.admin, {
    ...{ name: 'Report', resourceIds: [report.id], upstream: true, groupIds: [group.id] },
    userIds: [named.id, owner.id, quiet.id, gone.id],
  });
  await createRule(catalog.admin, { name: 'All', groupIds: [group.id], userIds: [named.id] });
  await deactivateUser(catalog.admin, gone.id);

  const id = await measure(1);
  await workOff(catalog);
  const addressed = [
    // The first made the monitor.
    ...['admin@example.com', 'guest-of-orders@example.com', 'named@example.com'],
    'owner@example.com',
    'viewer-of-report@example.com',
  ];
  expect(mail.mails.map(({ to }) => to).sort()).toEqual(addressed);
  expect(await linesFor(catalog, quiet)).toEqual([
    [
      ...[
        'On the table orders.',
        'Severity: medium.',
        'Upstream of report, which a rule notifies you of.',
      ],
      'Downstream: 1.',
    ],
  ]);
  expect(await linesFor(catalog, named)).toHaveLength(1);
  expect(await linesFor(catalog, owner)).toEqual([expect.arrayContaining(['You own it.'])]);
  // The report is not theirs to see: the rule on everything notifies them.
  const [forPartner] = await linesFor(catalog, partner);
  expect(forPartner).toContain('On the table orders.');
  expect(JSON.stringify(forPartner)).not.toContain('report');
  const [hidden] = await inboxOf(catalog, viewer);
  expect(hidden?.content).toMatchObject({ title: 'Something upstream of report is out of range' });
  const secrets = new RegExp(`orders|${table.id}|${id}`);
  expect(JSON.stringify(hidden)).not.toMatch(secrets);

  await updateIncident(catalog.contextOf(named), id, { status: 'resolved' });
  await workOff(catalog);
  const last = mail.mails.slice(addressed.length);
  // Who resolved it knows.
  expect(last.map(({ to }) => to).sort()).toEqual(
    addressed.filter((address) => !address.startsWith('named')),
  );
  expect(await inboxOf(catalog, named)).toHaveLength(1);
  expect(await inboxOf(catalog, quiet)).toHaveLength(2);
  expect(JSON.stringify(await inboxOf(catalog, viewer))).not.toMatch(secrets);
  for (const user of [guest, gone]) expect(await inboxOf(catalog, user)).toEqual([]);
});

test('people whom a rule names are notified of the events of the rule', async () => {
  const { catalog, people, table, report, measure } = await openPlace();
  const { named, quiet, viewer, guest } = people;
  const rule = (event: string, userIds: string[], resourceIds = [table.id]) =>
    createRule(catalog.admin, {
      ...{ name: event, events: [event], userIds, resourceIds, upstream: true },
    });
  await rule('incident_opened', [named.id]);
  await rule('incident_resolved', [quiet.id, viewer.id]);
  await rule('incident_resolved', [viewer.id, guest.id], [report.id]);
  const paused = await rule('incident_resolved', [named.id]);
  await updateRule(catalog.admin, paused.id, { isEnabled: false });
  const id = await measure(1);
  await updateIncident(catalog.admin, id, { status: 'resolved' });
  await workOff(catalog);
  const eventsOf = async (user: User) => (await inboxOf(catalog, user)).map(({ event }) => event);
  expect(await eventsOf(named)).toEqual(['incident_opened']);
  expect(await inboxOf(catalog, quiet)).toMatchObject([
    { event: 'incident_resolved', content: { title: 'Row count of orders', incident: id } },
  ]);
  const hidden = await inboxOf(catalog, viewer);
  expect(hidden).toMatchObject([
    {
      event: 'incident_resolved',
      content: { title: 'Something upstream of report is out of range' },
    },
  ]);
  expect(JSON.stringify(hidden)).not.toMatch(new RegExp(`orders|${id}`));
  expect(await eventsOf(guest)).toEqual([]);
});

test('a rule names active users and groups of its own workspace, as long as there are', async () => {
  await using catalog = await openCatalog();
  await using other = await catalog.another();
  const user = await catalog.user();
  const gone = await catalog.user();
  const group = await catalog.group();
  const emails = ['a@example.com'];
  const { id } = await createRule(catalog.admin, {
    ...{ name: 'People', userIds: [user.id.toUpperCase(), gone.id, user.id] },
    groupIds: [group.id],
  });
  await deactivateUser(catalog.admin, gone.id);
  for (const [field, input] of [
    ['user_ids', { userIds: [user.id, (await other.user()).id] }],
    ['user_ids', { userIds: [group.id] }],
    ['user_ids', { userIds: [randomUUID()] }],
    ['group_ids', { groupIds: [group.id, (await other.group()).id] }],
    ['group_ids', { groupIds: [user.id] }],
  ] as const) {
    const making = createRule(catalog.admin, { name: 'x', emails, ...input });
    await expect(making, JSON.stringify(input)).rejects.toMatchObject({ fields: [{ field }] });
    const changing = updateRule(catalog.admin, id, input);
    await expect(changing, JSON.stringify(input)).rejects.toMatchObject({ fields: [{ field }] });
  }
  const making = createRule(catalog.admin, { name: 'x', userIds: [gone.id] });
  await expect(making).rejects.toMatchObject({ fields: [{ field: 'user_ids' }] });
  // What a rule says already may be said again.
  const same = await updateRule(catalog.admin, id, { userIds: [user.id, gone.id] });
  expect(same).toMatchObject({ userIds: [user.id, gone.id], groupIds: [group.id] });
  const foreign = updateRule(other.admin, id, { name: 'Mine' });
  await expect(foreign).rejects.toMatchObject({ code: 'NOT_FOUND' });

  await deleteGroup(catalog.admin, group.id);
  const query = '{ notificationRules { nodes { name userIds groupIds } } }';
  expect((await catalog.graphql(query)).data.notificationRules.nodes).toEqual([
    { name: 'People', userIds: [user.id, gone.id], groupIds: [] },
  ]);
  const nobody = updateRule(catalog.admin, id, { userIds: [] });
  await expect(nobody).rejects.toMatchObject({ fields: [{ field: 'chat_channels' }] });
});

test('people whom a rule names are notified of changes that they see and did not make, with theirs', async () => {
  await using catalog = await openCatalog();
  await using mail = await startMail(catalog);
  const named = (name: string, role: string) =>
    catalog.user({ email: `${name}@example.com`, role });
  const owner = await named('owner', 'editor');
  const [member, reader] = [await named('member', 'viewer'), await named('reader', 'viewer')];
  const guest = await named('stranger', 'guest');
  const schema = await catalog.resource({ kind: 'schema', title: 'sales' });
  const within = { parentId: schema.id, published: true };
  const table = await catalog.resource({ ...within, title: 'orders' });
  const hidden = await catalog.resource({ ...within, title: 'secret', published: false });
  const column = await catalog.resource({
    ...{ kind: 'column', title: 'amount', parentId: hidden.id, published: true },
  });
  const own = await catalog.resource({ title: 'customers', subscriberIds: [reader.id] });
  const elsewhere = await catalog.resource({ title: 'elsewhere' });
  const group = await catalog.group({ memberIds: [member.id, reader.id, guest.id] });
  for (const resourceIds of [[schema.id], [hidden.id]]) {
    await createRule(catalog.admin, {
      ...{ name: 'Sales', events: ['resource_changed'], resourceIds, groupIds: [group.id] },
      userIds: [owner.id, reader.id],
    });
  }
  const incidents = { name: 'Incidents', resourceIds: [elsewhere.id], userIds: [owner.id] };
  await createRule(catalog.admin, incidents);

  for (const { id } of [table, hidden, column, own, elsewhere]) {
    await updateResource(catalog.admin, id, { description: 'What it is' });
  }
  await updateResource(catalog.contextOf(owner), table.id, { title: 'all_orders' });
  await notifyOfChanges(catalog);
  const change = '- description, by Admin';
  const renamed = '- title: orders → all_orders, by ';
  expect(await linesFor(catalog, owner)).toEqual([
    [
      ...['sales.all_orders:', change, 'sales.secret:', change],
      '- column amount: description, by Admin',
    ],
  ]);
  expect(await linesFor(catalog, member)).toEqual([[change, expect.stringContaining(renamed)]]);
  expect(await linesFor(catalog, reader)).toEqual([
    ['sales.all_orders:', change, expect.stringContaining(renamed), 'customers:', change],
  ]);
  expect(await linesFor(catalog, guest)).toEqual([]);
  expect(mail.mails.map(({ to }) => to).sort()).toEqual([
    ...['member@example.com', 'owner@example.com', 'reader@example.com'],
  ]);
});

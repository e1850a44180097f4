// Things besides their ids: what an id names can be asked for at once, as far as the viewer may see it.

import {
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { createLineage } from '../../src/lineage/edge.ts';
import { createRule } from '../../src/notifications/rule.ts';
import { createWebhook } from '../../src/notifications/webhooks/webhook.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { createQuestion } from '../../src/resources/questions/question.ts';
import { type Caller, type Catalog, openCatalog } from '../catalog.ts';

/** Ids that have no thing next to them, and why. */
const bare: Readonly<Record<string, string>> = {
  'AuditLog.keyId': 'keys are listed by apiKeys, those of everybody, for admins alone',
  'AuditLog.parentId': 'an entry of the same list',
  'AuditLog.relatedResourceIds': 'of things of any type, which relatedResourceType names',
  'AuditLog.versionHistoryId': 'one of the versions of its resource',
  'AuditSubject.integrationId': 'what the thing was then',
  'ColumnProfile.columnId': 'one of the columns of the table that the profile is of',
  'FailingTests.failing': 'for programs that gate on them',
  'FailingTests.warning': 'for programs that gate on them',
  'Incident.causeId': 'the tree of an incident has it',
  'MetricConfig.otherIntegration': 'a setting, as it was given',
  'MetricConfig.references': 'a setting, as it was given',
  'QueryColumn.integrationId': 'its resource has it',
  'QueryTable.integrationId': 'its resource has it',
  'Resource.mergedFrom': 'ids that lead to this resource itself',
  'SavedSearch.integrationIds': 'what search is given again, as it was given',
  'SavedSearch.ownerIds': 'what search is given again, as it was given',
  'SavedSearch.tagIds': 'what search is given again, as it was given',
  'SavedSearch.teamIds': 'what search is given again, as it was given',
};

test('each id that names a thing has the thing next to it, or a reason why not', () => {
  const resource = schema.getType('Resource');
  const ofEveryKind = isInterfaceType(resource) ? resource.getFields() : {};
  const withFields = Object.values(schema.getTypeMap()).filter(
    (type) => isComposite(type) && !/^(__.*|Mutation)$/.test(type.name),
  );
  const alone: string[] = [];
  for (const type of withFields) {
    if (!isComposite(type)) continue;
    const fields = type.getFields();
    const isKind = type !== resource && 'titleFull' in fields && 'editedFields' in fields;
    for (const field of Object.values(fields)) {
      if (/^(id|workspaceId)$/.test(field.name) || (isKind && field.name in ofEveryKind)) continue;
      if (getNamedType(field.type).name !== 'ID') continue;
      const path = `${type.name}.${field.name}`;
      const thing = field.name.replace(/Ids$/, 's').replace(/Id$/, '');
      const beside = fields[thing];
      if (!beside || !isComposite(getNamedType(beside.type))) alone.push(path);
    }
  }
  expect(alone.sort()).toEqual(Object.keys(bare).sort());
});

function isComposite(type: GraphQLNamedType): type is GraphQLObjectType | GraphQLInterfaceType {
  return isObjectType(type) || isInterfaceType(type);
}

/** A catalog in which everything names something. */
async function fill(catalog: Catalog, times: number) {
  const { admin, workspaceId, database } = catalog;
  const integration = await catalog.integration({ name: 'warehouse' });
  const person = await catalog.user({ firstName: 'Ada', lastName: 'Lovelace' });
  const [tag, team, group] = [await catalog.tag(), await catalog.team(), await catalog.group()];
  await database.prisma.tag.updateMany({
    where: { id: tag.id },
    data: { integrationId: integration.id },
  });
  await database.prisma.integration.updateMany({
    where: { id: integration.id },
    data: { teamIds: [team.id] },
  });
  const { webhook } = await createWebhook(admin, { name: 'hook', url: 'https://example.com/' });
  for (let n = 0; n < times; n += 1) {
    const table = await catalog.resource({ title: `t${n}`, integrationId: integration.id });
    const other = await catalog.resource({ title: `other ${n}` });
    await updateResource(admin, table.id, { definition: `about ${n}` });
    await createLineage(admin, { fromId: table.id, toId: other.id });
    await createQuestion(admin, {
      title: `q${n}`,
      published: true,
      assignedToId: person.id,
      answer: 'yes',
    });
    const of = { workspaceId, targetId: table.id };
    const monitor = await database.prisma.monitor.create({
      data: {
        ...of,
        metricType: 'row_count',
        name: `m${n}`,
        integrationId: integration.id,
        declaredById: integration.id,
        createdById: person.id,
      },
    });
    await database.prisma.comment.create({
      data: { workspaceId, resourceId: table.id, authorId: person.id, text: `c${n}` },
    });
    await database.prisma.announcement.create({
      data: { workspaceId, resourceId: table.id, authorId: person.id, text: `a${n}` },
    });
    await database.prisma.maintenanceWindow.create({
      data: {
        ...{ workspaceId, name: `w${n}`, fromTime: '00:00', untilTime: '00:00' },
        ...{ monitorId: monitor.id, integrationId: integration.id },
      },
    });
    const incident = await database.prisma.incident.create({
      data: {
        ...of,
        monitorId: monitor.id,
        name: 'i',
        summary: 's',
        value: 1,
        assigneeId: person.id,
      },
    });
    await database.prisma.incidentAction.create({
      data: { workspaceId, incidentId: incident.id, type: 'comment', userId: person.id },
    });
    const measurement = await database.prisma.measurement.create({
      data: { workspaceId, monitorId: monitor.id, incidentId: incident.id, value: 1 },
    });
    await database.prisma.monitor.updateMany({
      where: { id: monitor.id },
      data: { lastIncidentId: incident.id, lastMeasurementId: measurement.id },
    });
    await database.prisma.notification.create({
      data: {
        ...{
          workspaceId,
          event: 'incident_opened',
          channel: 'inbox',
          address: catalog.idOf('admin'),
        },
        ...{ dedupeKey: `n${n}`, content: { incident: incident.id, target: table.id } },
      },
    });
    await createRule(admin, {
      ...{ name: `r${n}`, resourceIds: [table.id], tagIds: [tag.id], teamIds: [team.id] },
      ...{ webhookIds: [webhook.id], userIds: [person.id], groupIds: [group.id] },
    });
  }
}

const person = 'id name';
/** What is asked for, and how many statements it takes, however many rows there are. */
const asked: readonly { readonly query: string; readonly statements: number }[] = [
  {
    query: `{ resources(first: 100, kinds: [table, question]) { nodes { createdBy { ${person} } lastModifiedBy { ${person} }
      versions(first: 1) { nodes { author { ${person} } } }
      ... on Question { answeredBy { ${person} } assignedTo { ${person} } } } } }`,
    statements: 3,
  },
  {
    query: `{ monitors(first: 100) { nodes { createdBy { ${person} } integration { id } declaredBy { id }
      lastMeasurement { id monitor { id } incident { id } } lastIncident { id assignee { ${person} } actions { user { ${person} } } } } } }`,
    statements: 7,
  },
  {
    query: `{ auditLogs(first: 1000) { nodes { performer { ${person} } resource { id title } } } }`,
    // One of them looks whether those that aren't there were merged into others.
    statements: 4,
  },
  {
    query: '{ myNotifications(first: 100) { nodes { incident { id } resources { id title } } } }',
    statements: 3,
  },
  {
    query: `{ notificationRules { nodes { resources { id } tags { id integration { id teams { id } } } teams { id } webhooks { id }
      users { ${person} } groups { id } } } }`,
    statements: 8,
  },
  {
    query: `{ resources(where: { kind: { eq: table } }) { nodes {
      comments { nodes { author { id } resource { id } } } } } }`,
    statements: 4,
  },
  {
    query: `{ resources(where: { kind: { eq: table } }) { nodes {
      announcements { author { id } resource { id } } } } }`,
    statements: 4,
  },
  {
    query: '{ announcements { nodes { author { id } resource { id announcements { id } } } } }',
    statements: 4,
  },
  {
    query:
      '{ maintenanceWindows { nodes { monitor { id maintenance { id } } integration { id } } } }',
    statements: 4,
  },
];

const sent = (statements: readonly string[]) =>
  statements.filter((text) => !/\bapi_key\b/.test(text));

test('what many rows name is read in as many statements as for one', async () => {
  for (const times of [1, 4]) {
    await using catalog = await openCatalog();
    await fill(catalog, times);
    for (const { query, statements } of asked) {
      const { value, statements: all } = await catalog.counting(() => catalog.graphql(query));
      expect(value.errors, query).toBeUndefined();
      expect(JSON.stringify(value.data), query).not.toMatch(
        /"(createdBy|integration|lastIncident|incident|monitor|performer)":null/,
      );
      expect(sent(all).length, `${query} of ${times}:\n${sent(all).join('\n')}`).toBe(statements);
    }
  }
});

test('a thing is null where the viewer may not know of it', async () => {
  await using catalog = await openCatalog();
  await fill(catalog, 1);
  const of = (caller: Caller) =>
    catalog.graphql(
      `{ monitors { nodes { createdById createdBy { id } integration { id } lastIncident { assigneeId assignee { id } } } }
        viewer { teams { name } } }`,
      {},
      caller,
    );
  const { data: byEditor } = await of({ as: 'editor' });
  expect(byEditor.monitors.nodes[0]).toMatchObject({ integration: {}, createdBy: {} });
  const { data: byViewer } = await of({ as: 'viewer' });
  expect(byViewer.monitors.nodes[0]).toMatchObject({ integration: null, createdBy: {} });
  // A guest gets to know no one, not even by what its own team holds.
  const team = await catalog.team({ addMemberIds: [catalog.idOf('guest')], name: 'guests' });
  const table = await catalog.database.prisma.resource.findFirstOrThrow({
    where: { workspaceId: catalog.workspaceId, title: 't0' },
  });
  await updateResource(catalog.admin, table.id, { teamIds: [team.id] });
  const { data: byGuest } = await of({ as: 'guest' });
  expect(byGuest.monitors.nodes).toEqual([
    {
      ...{ createdById: null, createdBy: null, integration: null },
      lastIncident: { assigneeId: null, assignee: null },
    },
  ]);
  expect(byGuest.viewer.teams).toEqual([{ name: 'guests' }]);
});

test('an incident or resource that is gone or hidden is null where something names it', async () => {
  await using catalog = await openCatalog();
  await fill(catalog, 1);
  const { prisma } = catalog.database;
  const where = { workspaceId: catalog.workspaceId };
  await prisma.notification.updateMany({ where, data: { address: catalog.idOf('viewer') } });
  const query = '{ myNotifications { nodes { incidentId incident { id } resources { id } } } }';
  const asViewer = { as: 'viewer' } as const;
  const before = (await catalog.graphql(query, {}, asViewer)).data.myNotifications.nodes[0];
  expect([before.incident.id, before.resources.length]).toEqual([before.incidentId, 1]);
  await prisma.resource.updateMany({ where, data: { published: false } });
  const after = (await catalog.graphql(query, {}, asViewer)).data.myNotifications.nodes[0];
  expect(after).toMatchObject({ incident: null, resources: [] });
});

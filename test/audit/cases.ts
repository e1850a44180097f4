// A case of each mutation: how it is made to succeed, and what the audit log says of it then.

import type { Monitor } from '../../src/generated/prisma/client.ts';
import { createIntegration } from '../../src/integrations/integration.ts';
import { enqueueJob } from '../../src/jobs/job.ts';
import { createLineage } from '../../src/lineage/edge.ts';
import { createMonitor } from '../../src/monitors/monitor.ts';
import { testWebhook } from '../../src/notifications/webhooks/delivery-log.ts';
import { createWebhook } from '../../src/notifications/webhooks/webhook.ts';
import { createServiceAccount } from '../../src/people/service-account.ts';
import { archiveResource } from '../../src/resources/editing/archive.ts';
import { createQuestion, createReply } from '../../src/resources/questions/question.ts';
import { inviteUser } from '../../src/sign-in/invitation.ts';
import { beginSession, listSessions } from '../../src/sign-in/user-session.ts';
import { joinTeam } from '../../src/teams/member.ts';
import type { Catalog } from '../catalog.ts';
import type { Case } from './activities.ts';
import { alertCases } from './alert-cases.ts';
import { commentCases } from './comment-cases.ts';
import { keyCases } from './key-cases.ts';
import { manifest } from './manifest.ts';
import { tableCases } from './table-cases.ts';

export const q = (value: string) => JSON.stringify(value);

const arrival = { method: 'link', says: 'with a link', userAgent: 'test' };
const sessionLimits = { idleMs: 3_600_000, maxAgeMs: 3_600_000 };

const table = (catalog: Catalog, title: string) => catalog.resource({ title });

async function monitor(catalog: Catalog, name: string): Promise<Monitor> {
  const source = await catalog.integration({ type: 'postgres' });
  const { id } = await catalog.resource({ title: 'watched' });
  await catalog.database.prisma.resource.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id } },
    data: { integrationId: source.id, schemaName: 'public' },
  });
  return createMonitor(catalog.admin, { targetId: id, metricType: 'row_count', name });
}

async function incidentOf(
  catalog: Catalog,
  { id: monitorId, targetId, workspaceId }: Monitor,
): Promise<string> {
  const incident = await catalog.database.prisma.incident.create({
    data: { workspaceId, monitorId, targetId, name: 'Too few rows', summary: 'Odd', value: 1 },
  });
  return incident.id;
}

/** A PostgreSQL source: the server of this test. */
async function source(catalog: Catalog, name: string) {
  const { hostname, port, username, pathname } = new URL(catalog.url);
  return createIntegration(catalog.admin, {
    name,
    type: 'postgres',
    credentials: {
      ...{ host: hostname, port: Number(port), user: username, password: 'any' },
      database: pathname.slice(1),
    },
  });
}

const hook = { name: 'Hook', url: 'http://127.0.0.1:9/nobody' };
const orders = 'col_name,database,schema,name,col_type\nid,shop,public,orders,bigint';

/** A case of each mutation that writes an entry, by its name. */
export const cases: Readonly<Record<string, (catalog: Catalog) => Promise<Case>>> = {
  ...keyCases,
  ...alertCases,
  ...commentCases,
  ...tableCases,
  async addGroupMembers(catalog) {
    const group = await catalog.group({ name: 'Stewards' });
    const ids = q(catalog.idOf('editor'));
    const ask = `addGroupMembers(id: ${q(group.id)}, userIds: [${ids}]) { id }`;
    return { ask, says: 'updated the group Stewards: members', changes: ['memberIds'] };
  },
  async addTeamMembers(catalog) {
    const team = await catalog.team({ name: 'Sales' });
    const ids = [catalog.idOf('editor'), catalog.idOf('viewer')].map(q).join();
    const ask = `addTeamMembers(id: ${q(team.id)}, userIds: [${ids}]) { id }`;
    return { ask, says: 'added 2 members to the team Sales', changes: ['memberIds'] };
  },
  async archiveResource(catalog) {
    const { id } = await table(catalog, 'old');
    const changes = ['archived', 'archivedAt'];
    return { ask: `archiveResource(id: ${q(id)}) { id }`, says: 'deleted the table old', changes };
  },
  async archiveTeam(catalog) {
    const team = await catalog.team({ name: 'Past' });
    await catalog.resource({ teamIds: [team.id] });
    const ask = `archiveTeam(id: ${q(team.id)}) { id }`;
    return { ask, says: 'deleted the team Past', changes: ['archived'] };
  },
  async bookmarkResource(catalog) {
    const { id } = await table(catalog, 'liked');
    const ask = `bookmarkResource(id: ${q(id)}) { id }`;
    return { ask, says: 'bookmarked the table liked', changes: ['bookmarkedByIds'] };
  },
  async cancelJob(catalog) {
    const { job } = await enqueueJob(catalog.admin, { kind: 'nobody', title: 'Nothing to do' });
    const says = 'cancelled the job Nothing to do';
    return { ask: `cancelJob(id: ${q(job.id)}) { id }`, says, changes: ['state'] };
  },
  async createCustomProperty() {
    const ask = 'createCustomProperty(input: { name: "Tier", valueType: number }) { id }';
    const changes = ['name', 'entityTypes', 'valueType'];
    return { ask, says: 'created the custom property Tier', changes };
  },
  async createGroup() {
    const ask = 'createGroup(input: { name: "Owners" }) { id }';
    return { ask, says: 'created the group Owners', changes: ['name'] };
  },
  async createIntegration() {
    const ask = 'createIntegration(input: { name: "Files" }, type: "custom") { id }';
    return { ask, says: 'created the integration Files', changes: ['name', 'type'] };
  },
  async createLineage(catalog) {
    const [from, to] = [await table(catalog, 'upper'), await table(catalog, 'lower')];
    const ask = `createLineage(input: { fromId: ${q(from.id)}, toId: ${q(to.id)} }) { id }`;
    return { ask, says: 'drew the lineage from upper to lower', changes: ['lineage'] };
  },
  async embedLineage(catalog) {
    const ask = `embedLineage(input: { resourceId: ${q((await table(catalog, 'framed')).id)} }) { url }`;
    const says = 'made an address of the lineage of the table framed';
    return { ask, says, changes: ['expiresAt'] };
  },
  async createLineageFromQuery(catalog) {
    const [from, to] = [await table(catalog, 'traced'), await table(catalog, 'filled')];
    const sql = q(`insert into ${to.title} select id from ${from.title}`);
    const ask = `createLineageFromQuery(input: { sql: ${sql}, dialect: "postgres" }) { targetTable { name } }`;
    return { ask, says: 'added lineage to the table filled', changes: ['lineage'] };
  },
  async createMonitor(catalog) {
    const { targetId } = await monitor(catalog, 'First');
    const fields = `targetId: ${q(targetId)}, metricType: row_count, name: "Rows", conditionManualMin: 0`;
    const ask = `createMonitor(input: { ${fields} }) { id }`;
    const changes = ['name', 'conditionManualMin', 'targetId'];
    return { ask, says: 'created the monitor Rows', changes };
  },
  async createQuestion() {
    const ask = 'createQuestion(input: { title: "What is net?" }) { id }';
    return { ask, says: 'created the question What is net?', changes: ['title'] };
  },
  async createReply(catalog) {
    const question = await createQuestion(catalog.admin, { title: 'Why?' });
    const fields = `parentId: ${q(question.id)}, title: "So", definition: "Because.", acceptedAnswer: true`;
    const ask = `createReply(input: { ${fields} }) { id }`;
    return { ask, says: 'answered the question Why?', changes: ['answer'], parts: 2 };
  },
  async createResource() {
    const ask = 'createResource(kind: event_property, input: { title: "amount" }) { id }';
    return { ask, says: 'created the event property amount', changes: ['title'] };
  },
  async createTag() {
    const ask = 'createTag(input: { name: "Gold" }) { id }';
    return { ask, says: 'created the tag Gold', changes: ['name'] };
  },
  async createTeam() {
    const ask = 'createTeam(input: { name: "Data" }) { id }';
    return { ask, says: 'created the team Data', changes: ['name', 'memberIds'] };
  },
  async createServiceAccount() {
    const ask = 'createServiceAccount(input: { name: "Robot", role: editor }) { id }';
    const changes = ['email', 'firstName', 'role', 'isService'];
    return { ask, says: 'made the service account Robot with the role editor', changes };
  },
  async updateServiceAccount(catalog) {
    const { id } = await createServiceAccount(catalog.admin, { name: 'Robot' });
    const ask = `updateServiceAccount(id: ${q(id)}, input: { name: "Bender" }) { id }`;
    return { ask, says: 'updated the user Bender: first name', changes: ['firstName'] };
  },
  async createUser() {
    const ask = 'createUser(input: { email: "new@example.com", role: editor }) { id }';
    return { ask, says: 'created the user new@example.com', changes: ['email', 'role'] };
  },
  async inviteUser() {
    const ask = 'inviteUser(input: { email: "invited@example.com", role: editor }) { expiresAt }';
    return { ask, says: 'invited the user invited@example.com', changes: ['email', 'role'] };
  },
  async revokeInvitation(catalog) {
    const { user } = await inviteUser(catalog.admin, { email: 'uninvited@example.com' });
    const ask = `revokeInvitation(id: ${q(user.id)}) { id }`;
    return { ask, says: 'revoked the invitation of the user uninvited@example.com' };
  },
  async createWebhook() {
    const ask = `createWebhook(input: { name: "Relay", url: "https://a.test/x" }) { secret }`;
    return { ask, says: 'created the webhook Relay', changes: ['name', 'url'] };
  },
  async deactivateUser(catalog) {
    const { id } = await catalog.user({ email: 'gone@example.com' });
    const ask = `deactivateUser(id: ${q(id)}) { id }`;
    return { ask, says: 'deactivated the user gone@example.com', changes: ['archived'] };
  },
  async deleteCustomProperty(catalog) {
    const { id } = await catalog.property({ name: 'Useless' });
    const ask = `deleteCustomProperty(id: ${q(id)}) { id }`;
    return { ask, says: 'deleted the custom property Useless', changes: ['name'] };
  },
  async deleteGroup(catalog) {
    const { id } = await catalog.group({ name: 'Nobody' });
    await catalog.resource({ ownerGroupIds: [id] });
    const ask = `deleteGroup(id: ${q(id)}) { id }`;
    return { ask, says: 'deleted the group Nobody', changes: ['name'] };
  },
  async deleteIntegration(catalog) {
    const { id } = await source(catalog, 'Wrong');
    const ask = `deleteIntegration(id: ${q(id)}) { id }`;
    return { ask, says: 'deleted the integration Wrong', changes: ['name', 'credentials'] };
  },
  async deleteLineage(catalog) {
    const [from, to] = [await table(catalog, 'one'), await table(catalog, 'two')];
    const { id } = await createLineage(catalog.admin, { fromId: from.id, toId: to.id });
    const ask = `deleteLineage(id: ${q(id)})`;
    return { ask, says: 'deleted the lineage from one to two', changes: ['lineage'] };
  },
  async deleteMonitor(catalog) {
    const { id } = await monitor(catalog, 'Useless');
    const ask = `deleteMonitor(id: ${q(id)}) { id }`;
    return { ask, says: 'deleted the monitor Useless', changes: ['name', 'metricType'] };
  },
  async deleteTag(catalog) {
    const { id } = await catalog.tag({ name: 'Lead' });
    await catalog.resource({ tagIds: [id] });
    return {
      ask: `deleteTag(id: ${q(id)}) { id }`,
      says: 'deleted the tag Lead',
      changes: ['name'],
    };
  },
  async deleteWebhook(catalog) {
    const { webhook } = await createWebhook(catalog.admin, hook);
    const ask = `deleteWebhook(id: ${q(webhook.id)}) { id }`;
    return { ask, says: 'deleted the webhook Hook', changes: ['name', 'url'] };
  },
  async endSession(catalog) {
    await beginSession(catalog.as('viewer'), arrival, sessionLimits);
    const [session] = await listSessions(catalog.as('viewer'), sessionLimits);
    const ask = `endSession(id: ${q(session?.id ?? '')})`;
    return { ask, says: 'ended a session of viewer@example.com' };
  },
  async importArtifacts(catalog) {
    const { id } = await catalog.integration({ name: 'Project', type: 'dbt_core' });
    const ask = `importArtifacts(integrationId: ${q(id)}, manifest: ${q(manifest)}) { created }`;
    return { ask, says: 'ran an import into Project (Artifacts): ', changes: ['import'] };
  },
  async mergeResources(catalog) {
    const [keep, copy] = [await table(catalog, 'orders'), await table(catalog, 'copy')];
    const ask = `mergeResources(keep: ${q(keep.id)}, merge: ${q(copy.id)}) { id }`;
    return { ask, says: 'merged another resource into the table orders', changes: ['mergedFrom'] };
  },
  async setIntegrationAddresses(catalog) {
    const sheet = await catalog.integration({ name: 'Sheet' });
    const ask = `setIntegrationAddresses(id: ${q(sheet.id)}, addresses: []) { created }`;
    return { ask, says: 'ran an import into Sheet (Addresses): ', changes: ['import'] };
  },
  async importCsv(catalog) {
    const { id } = await catalog.integration({ name: 'Sheet' });
    const ask = `importCsv(integrationId: ${q(id)}, content: ${q(orders)}) { created }`;
    return { ask, says: 'ran an import into Sheet (CSV): ', changes: ['import'] };
  },
  async importJsonl(catalog) {
    const { id } = await catalog.integration({ name: 'Lines' });
    const keys = ['a', 'b', 'c'].map((key) => ({ entity_type: 'dashboard', databuilder_id: key }));
    const rows = keys.map((line) => JSON.stringify(line));
    const ask = `importJsonl(integrationId: ${q(id)}, resources: ${q(rows.join('\n'))}) { created }`;
    return { ask, says: 'ran an import into Lines (JSONL): ', changes: ['import'] };
  },
  async joinTeam(catalog) {
    const { id } = await catalog.team({ name: 'Open', removeMemberIds: [catalog.idOf('admin')] });
    const ask = `joinTeam(id: ${q(id)}) { id }`;
    return { ask, says: 'joined the team Open', changes: ['memberIds'] };
  },
  async leaveTeam(catalog) {
    const { id } = await catalog.team({ name: 'Left', removeMemberIds: [catalog.idOf('admin')] });
    await joinTeam(catalog.admin, id);
    return {
      ask: `leaveTeam(id: ${q(id)}) { id }`,
      says: 'left the team Left',
      changes: ['memberIds'],
    };
  },
  async markMeasurementNormal(catalog) {
    const { id: monitorId, workspaceId } = await monitor(catalog, 'Steady');
    const { id } = await catalog.database.prisma.measurement.create({
      data: { workspaceId, monitorId, value: 7 },
    });
    const ask = `markMeasurementNormal(id: ${q(id)}) { id }`;
    const says = 'marked a measurement of the monitor Steady as normal';
    return { ask, says, changes: ['markedNormal'] };
  },
  async muteMonitor(catalog) {
    const { id } = await monitor(catalog, 'Loud');
    const until = new Date(catalog.admin.now().getTime() + 3_600_000).toISOString();
    const ask = `muteMonitor(id: ${q(id)}, until: ${q(until)}) { id }`;
    return { ask, says: 'updated the monitor Loud: ', changes: ['mutedUntil'] };
  },
  async react(catalog) {
    const { id } = await createQuestion(catalog.admin, { title: 'Nice?' });
    const ask = `react(id: ${q(id)}, emoji: "👍") { id }`;
    return { ask, says: 'reacted to the question Nice?', changes: ['reaction'] };
  },
  async redeliverWebhook(catalog) {
    const { webhook } = await createWebhook(catalog.admin, hook);
    await testWebhook(catalog.admin, webhook.id);
    const { id } = await catalog.database.prisma.notification.findFirstOrThrow({
      where: { workspaceId: catalog.workspaceId, address: webhook.id },
    });
    const ask = `redeliverWebhook(deliveryId: ${q(id)}) { id }`;
    return { ask, says: 'had a message sent to the webhook Hook once more' };
  },
  async removeGroupMembers(catalog) {
    const userId = catalog.idOf('editor');
    const { id } = await catalog.group({ name: 'Few', memberIds: [userId] });
    const ask = `removeGroupMembers(id: ${q(id)}, userIds: [${q(userId)}]) { id }`;
    return { ask, says: 'updated the group Few: members', changes: ['memberIds'] };
  },
  async removeTeamMembers(catalog) {
    const userId = catalog.idOf('editor');
    const { id } = await catalog.team({ name: 'Small', addMemberIds: [userId] });
    const ask = `removeTeamMembers(id: ${q(id)}, userIds: [${q(userId)}]) { id }`;
    return { ask, says: 'removed a member from the team Small', changes: ['memberIds'] };
  },
  async replaceCustomProperty(catalog) {
    const { id } = await catalog.property({ name: 'Rank', description: 'From 1.' });
    const ask = `replaceCustomProperty(id: ${q(id)}, input: { name: "Place" }) { id }`;
    const says = 'updated the custom property Place: name and description';
    return { ask, says, changes: ['name', 'description'] };
  },
  async replaceLineageFromQuery(catalog) {
    const [from, to] = [await table(catalog, 'read'), await table(catalog, 'written')];
    const sql = q(`insert into ${to.title} select id from ${from.title}`);
    const ask = `replaceLineageFromQuery(input: { sql: ${sql}, dialect: "postgres" }) { targetTable { name } }`;
    const says = 'replaced the lineage of the table written by that of a query';
    return { ask, says, changes: ['lineage'] };
  },
  async restoreResource(catalog) {
    const { id } = await table(catalog, 'back');
    await archiveResource(catalog.admin, id);
    const ask = `restoreResource(id: ${q(id)}) { id }`;
    return { ask, says: 'restored the table back', changes: ['archived', 'archivedAt'] };
  },
  async rotateWebhookSecret(catalog) {
    const { webhook } = await createWebhook(catalog.admin, hook);
    const ask = `rotateWebhookSecret(id: ${q(webhook.id)}) { secret }`;
    return {
      ask,
      says: 'gave the webhook Hook a new secret',
      changes: ['previousUntil', 'secret'],
    };
  },
  async runMonitors(catalog) {
    const [one, two] = [await monitor(catalog, 'One'), await monitor(catalog, 'Two')];
    return { ask: `runMonitors(ids: [${q(one.id)}, ${q(two.id)}]) { id }`, says: 'ran 2 monitors' };
  },
  async setCustomProperties(catalog) {
    const property = await catalog.property({ name: 'Area' });
    const [one, two] = [await table(catalog, 'p1'), await table(catalog, 'p2')];
    const args = `resourceIds: [${q(one.id)}, ${q(two.id)}], properties: $properties`;
    const properties = { [property.id]: 'North' };
    const ask = `setCustomProperties(${args}) { id }`;
    const says = 'set custom properties of 2 resources';
    return { ask, says, changes: ['customProperties.Area'], parts: 2, properties };
  },
  async setCustomProperty(catalog) {
    const property = await catalog.property({ name: 'Level' });
    const { id } = await table(catalog, 'p3');
    const args = `id: ${q(property.id)}, resourceId: ${q(id)}, value: "High"`;
    const says = 'set custom properties of the table p3';
    return { ask: `setCustomProperty(${args}) { id }`, says, changes: ['customProperties.Level'] };
  },
  async signOutEverywhere(catalog) {
    await beginSession(catalog.as('viewer'), arrival, sessionLimits);
    const ask = `signOutEverywhere(userId: ${q(catalog.idOf('viewer'))})`;
    return { ask, says: 'signed viewer@example.com out everywhere (1 session)' };
  },
  async subscribeToResource(catalog) {
    const { id } = await table(catalog, 'news');
    const ask = `subscribeToResource(id: ${q(id)}) { id }`;
    return { ask, says: 'subscribed to the table news', changes: ['subscriberIds'] };
  },
  async testConnection(catalog) {
    const { id } = await source(catalog, 'Warehouse');
    const ask = `testConnection(integrationId: ${q(id)}) { ok }`;
    return { ask, says: 'tested the connection of the integration Warehouse', changes: ['ok'] };
  },
  async testMonitor(catalog) {
    const { targetId } = await monitor(catalog, 'Tried');
    const input = `{ targetId: ${q(targetId)}, metricType: row_count }`;
    const ask = `testMonitor(input: ${input}) { outcome }`;
    return { ask, says: 'tried a monitor on the table watched', changes: ['outcome'] };
  },
  async testWebhook(catalog) {
    const { webhook } = await createWebhook(catalog.admin, hook);
    const ask = `testWebhook(id: ${q(webhook.id)}) { ok }`;
    return { ask, says: 'sent a test to the webhook Hook', changes: ['outcome'] };
  },
  async triggerSync(catalog) {
    const { id } = await source(catalog, 'Lake');
    const ask = `triggerSync(integrationId: ${q(id)}) { id }`;
    return { ask, says: 'started a sync of the integration Lake' };
  },
  async updateCustomProperty(catalog) {
    const { id } = await catalog.property({ name: 'Cost' });
    const ask = `updateCustomProperty(id: ${q(id)}, input: { description: "In euros" }) { id }`;
    return { ask, says: 'updated the custom property Cost: description', changes: ['description'] };
  },
  async updateGroup(catalog) {
    const { id } = await catalog.group({ name: 'Old' });
    const ask = `updateGroup(id: ${q(id)}, input: { name: "New" }) { id }`;
    return { ask, says: 'updated the group New: name', changes: ['name'] };
  },
  async updateIncident(catalog) {
    const id = await incidentOf(catalog, await monitor(catalog, 'Rows of orders'));
    const input = '{ severity: high, comment: "I look at it." }';
    const ask = `updateIncident(id: ${q(id)}, input: ${input}) { id }`;
    const changes = ['severity', 'comment', 'status'];
    return { ask, says: 'updated the incident Too few rows: ', changes };
  },
  async updateIntegration(catalog) {
    const { id } = await source(catalog, 'Store');
    const input = '{ name: "Shop", credentials: { password: "a-new-password" } }';
    const ask = `updateIntegration(id: ${q(id)}, input: ${input}) { id }`;
    const says = 'updated the integration Shop: name and credentials';
    return { ask, says, changes: ['name', 'credentials'] };
  },
  async updateMonitor(catalog) {
    const { id } = await monitor(catalog, 'Nightly');
    const ask = `updateMonitor(id: ${q(id)}, input: { isEnabled: false }) { id }`;
    return { ask, says: 'updated the monitor Nightly: ', changes: ['isEnabled'] };
  },
  async updateWorkspaceSettings() {
    const ask = 'updateWorkspaceSettings(input: { holidayCountry: "US" }) { holidayCountry }';
    return {
      ask,
      says: 'updated the workspace Test: holiday country',
      changes: ['holidayCountry'],
    };
  },
  async updateQuestion(catalog) {
    const { id } = await createQuestion(catalog.admin, { title: 'When?' });
    const ask = `updateQuestion(id: ${q(id)}, input: { answer: "Daily." }) { id }`;
    return { ask, says: 'updated the question When?: ', changes: ['answer', 'questionStatus'] };
  },
  async updateReply(catalog) {
    const question = await createQuestion(catalog.admin, { title: 'How?' });
    const reply = await createReply(catalog.admin, { parentId: question.id, definition: 'So' });
    const input = '{ definition: "So, better.", acceptedAnswer: true }';
    const ask = `updateReply(id: ${q(reply.id)}, input: ${input}) { id }`;
    return { ask, says: 'answered the question How?', changes: ['answer'], parts: 2 };
  },
  async updateResource(catalog) {
    const { id } = await table(catalog, 'facts');
    const ask = `updateResource(id: ${q(id)}, input: { definition: "Facts.", pii: true }) { id }`;
    const says = 'updated the table facts: documentation and PII';
    return { ask, says, changes: ['definition', 'pii'] };
  },
  async updateResources(catalog) {
    const { id } = await table(catalog, 'many');
    const ask = `updateResources(ids: [${q(id)}], input: { pii: true }) { updated }`;
    return { ask, says: 'updated the table many: PII', changes: ['pii'] };
  },
  async updateResourcesFromCsv(catalog) {
    const { id } = await table(catalog, 'listed');
    const content = JSON.stringify(`id,pii\n${id},true\n`);
    const ask = `updateResourcesFromCsv(content: ${content}) { updated }`;
    return { ask, says: 'updated the table listed: PII', changes: ['pii'] };
  },
  async updateTag(catalog) {
    const { id } = await catalog.tag({ name: 'Silver' });
    const ask = `updateTag(id: ${q(id)}, input: { color: "#c0c0c0" }) { id }`;
    return { ask, says: 'updated the tag Silver: color', changes: ['color'] };
  },
  async updateTeam(catalog) {
    const { id } = await catalog.team({ name: 'Ops' });
    const ask = `updateTeam(id: ${q(id)}, input: { type: CLOSED }) { id }`;
    return { ask, says: 'updated the team Ops: type', changes: ['type'] };
  },
  async updateUser(catalog) {
    const { id } = await catalog.user({ email: 'rising@example.com', role: 'viewer' });
    const ask = `updateUser(id: ${q(id)}, input: { role: admin }) { id }`;
    const says = 'changed the role of the user rising@example.com from viewer to admin';
    return { ask, says, changes: ['role'] };
  },
  async updateWebhook(catalog) {
    const { webhook } = await createWebhook(catalog.admin, hook);
    const ask = `updateWebhook(id: ${q(webhook.id)}, input: { name: "Other" }) { id }`;
    return { ask, says: 'updated the webhook Other: name', changes: ['name'] };
  },
  async vote(catalog) {
    const { id } = await createQuestion(catalog.admin, { title: 'Better?' });
    const ask = `vote(id: ${q(id)}, value: 1) { id }`;
    return { ask, says: 'voted on the question Better?', changes: ['vote'] };
  },
};

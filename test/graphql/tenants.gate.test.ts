// Workspaces keep apart: ids of another one, tried on every field and mutation of the schema.

import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { createLineage } from '../../src/lineage/edge.ts';
import { createWindow } from '../../src/monitors/maintenance/maintenance-window.ts';
import { createMonitor } from '../../src/monitors/monitor.ts';
import { createRule } from '../../src/notifications/rule.ts';
import { createWebhook } from '../../src/notifications/webhooks/webhook.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { createQuestion, createReply } from '../../src/resources/questions/question.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { digest } from '../digest.ts';
import { sayCounted } from '../gates/counted.ts';
import { depthOf, requestOf } from './selection.ts';

const canary = 'canary-of-another-workspace';

/** One of everything, each with a word that must not be seen elsewhere; answers all of its ids. */
async function fill(catalog: Catalog): Promise<string[]> {
  const { admin, workspaceId, database } = catalog;
  const tag = await catalog.tag({ name: `${canary} tag` });
  const team = await catalog.team({ name: `${canary} team` });
  const user = await catalog.user({ email: `${canary}@example.com`, firstName: canary });
  const group = await catalog.group({ name: `${canary} group` });
  const property = await catalog.property({ name: `${canary} property` });
  const integration = await catalog.integration({ name: `${canary} integration` });
  const table = await catalog.resource({
    title: `${canary} table`,
    definition: canary,
    tagIds: [tag.id],
    teamIds: [team.id],
    ownerIds: [user.id],
    integrationId: integration.id,
  });
  await updateResource(admin, table.id, { definition: `${canary} again` });
  const other = await catalog.resource({ title: `${canary} other` });
  const question = await createQuestion(admin, { title: `${canary}?` });
  const reply = await createReply(admin, { parentId: question.id, definition: canary });
  const entry = await createLineage(admin, { fromId: table.id, toId: other.id });
  const monitor = await createMonitor(admin, {
    targetId: table.id,
    metricType: 'row_count',
    name: `${canary} monitor`,
  });
  const incident = await database.prisma.incident.create({
    data: {
      workspaceId,
      monitorId: monitor.id,
      targetId: table.id,
      name: canary,
      summary: canary,
      value: 1,
    },
  });
  const measurement = await database.prisma.measurement.create({
    data: { workspaceId, monitorId: monitor.id, incidentId: incident.id, value: 1 },
  });
  const job = await database.prisma.job.create({
    data: { workspaceId, kind: 'none', title: `${canary} job` },
  });
  const { webhook } = await createWebhook(admin, {
    ...{ name: `${canary} webhook`, url: `https://${canary}.invalid/` },
  });
  const window = await createWindow(admin, {
    ...{ name: `${canary} window`, monitorId: monitor.id },
    ...{ days: [6], fromTime: '22:00', untilTime: '23:00' },
  });
  const rule = await createRule(admin, {
    ...{ name: `${canary} rule`, webhookIds: [webhook.id] },
    ...{ userIds: [user.id], groupIds: [group.id] },
  });
  const shared = {
    event: 'incident_opened',
    content: { title: canary, text: canary, incident: incident.id },
  };
  const notification = (channel: string, address: string) =>
    database.prisma.notification.create({
      data: { ...shared, workspaceId, channel, address, dedupeKey: channel, body: canary },
    });
  const delivery = await notification('webhook', webhook.id);
  const message = await notification('inbox', catalog.idOf('admin'));
  const things = [tag, team, user, group, property, integration, table, other, question, reply];
  const others = [webhook, window, rule, delivery, message];
  return [...things, entry, monitor, incident, measurement, job, ...others].map(({ id }) => id);
}

/** A value for an argument: the foreign id wherever an id goes, something harmless elsewhere. */
function sampleOf(type: GraphQLInputType, id: string, wanted: Wanted, depth = 0): unknown {
  if (isNonNullType(type)) return sampleOf(type.ofType, id, wanted, depth);
  if (isListType(type)) return [sampleOf(type.ofType, id, wanted, depth)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => wanted(field, depth));
    return Object.fromEntries(
      fields.map((field) => [field.name, sampleOf(field.type, id, wanted, depth + 1)]),
    );
  }
  return (
    { ID: id, Int: 1, Float: 1, Boolean: true, DateTime: '2026-01-01T00:00:00Z' }[type.name] ?? 'x'
  );
}

type Wanted = (value: GraphQLArgument | GraphQLInputField, depth: number) => boolean;

/** What must be given, and whatever takes an id. */
const withIds: Wanted = ({ type }, depth) => {
  const named = getNamedType(type);
  if (isNonNullType(type) || named.name === 'ID') return true;
  return isInputObjectType(named) && depth === 0 && !named.name.endsWith('Filter');
};

/** What must be given alone: an id below may need others next to it. */
const needed: Wanted = ({ type }) => isNonNullType(type);

type Kind = 'query' | 'mutation';
type Field = GraphQLField<unknown, unknown>;

interface Request {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

/** Requests for a field: with what must be given, with its ids, and with each optional argument that takes an id. */
function requestsFor(kind: Kind, field: Field, id: string): Request[] {
  const always = field.args.filter((arg) => needed(arg, 0));
  const optional = field.args.filter((arg) => !always.includes(arg) && withIds(arg, 0));
  const request = (args: readonly GraphQLArgument[], wanted: Wanted) => ({
    query: requestOf(kind, field, args, depthOf(field)),
    variables: Object.fromEntries(args.map((arg) => [arg.name, sampleOf(arg.type, id, wanted)])),
  });
  return [
    request(always, needed),
    ...[always, ...optional.map((arg) => [...always, arg])].map((args) => request(args, withIds)),
  ];
}

/** All requests for a field with some ids, each once. */
function differentFor(kind: Kind, field: Field, ids: readonly string[]): Request[] {
  const requests = ids.flatMap((id) => requestsFor(kind, field, id));
  return [...new Map(requests.map((request) => [JSON.stringify(request), request])).values()];
}

const roots = { query: schema.getQueryType(), mutation: schema.getMutationType() } as const;
const fieldsOf = (kind: Kind): Field[] => Object.values(roots[kind]?.getFields() ?? {});

/** Ask for everything of a sort with ids of another workspace; how often. */
async function askAll(mine: Catalog, kind: Kind, ids: readonly string[]): Promise<number> {
  let asked = 0;
  for (const field of fieldsOf(kind)) {
    for (const { query, variables } of differentFor(kind, field, ids)) {
      const answer = await mine.graphql(query, variables);
      asked += 1;
      const codes = answer.errors?.map(({ extensions }) => extensions.code) ?? [];
      const said = `${query} ${JSON.stringify(answer.errors)}`;
      expect(JSON.stringify(answer), field.name).not.toContain(canary);
      expect(codes, said).not.toContain('INTERNAL_SERVER_ERROR');
      expect(codes, said).not.toContain('GRAPHQL_VALIDATION_FAILED');
      expect(said).not.toContain('This request costs');
    }
  }
  return asked;
}

/** The fields that show the owner of the ids the word, or they would show nothing of the walls. */
async function shownTo(owner: Catalog, kind: Kind, ids: readonly string[]): Promise<string[]> {
  const shown = new Set<string>();
  // What ends or takes away something comes last.
  const isLast = ({ name }: Field) => /^(archive|delete|deactivate|revoke|cancel|end)/.test(name);
  const fields = fieldsOf(kind).toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));
  for (const field of fields) {
    for (const { query, variables } of differentFor(kind, field, ids)) {
      const { data } = await owner.graphql(query, variables);
      if (!JSON.stringify(data ?? null).includes(canary)) continue;
      shown.add(field.name);
      break;
    }
  }
  return [...shown].sort();
}

test('no field or mutation reads or changes what another workspace holds', async () => {
  await using mine = await openCatalog();
  await using theirs = await mine.another();
  const ids = await fill(theirs);
  const before = await digest(theirs);
  const queries = await askAll(mine, 'query', ids);
  const mutations = await askAll(mine, 'mutation', ids);
  expect(Math.min(queries, mutations)).toBeGreaterThan(100);
  expect(await digest(theirs)).toEqual(before);
  expect(await shownTo(theirs, 'query', ids)).toEqual(
    expect.arrayContaining([
      ...['auditLogs', 'customProperty', 'group', 'impact', 'incident', 'integration', 'job'],
      ...['lineage', 'lineageChanges', 'lineageEntry', 'lineagePath', 'measurements', 'monitor'],
      ...['monitors', 'monitorsAsYaml', 'myNotifications', 'node', 'notificationRules'],
      'maintenanceWindows',
      ...['resource', 'resourceLogs', 'resources', 'tag', 'team', 'user', 'webhook', 'webhooks'],
    ]),
  );
  expect(await shownTo(theirs, 'mutation', ids)).toEqual(
    expect.arrayContaining([
      ...['archiveResource', 'bookmarkResource', 'createMonitor', 'deactivateUser', 'deleteTag'],
      ...['joinTeam', 'markMeasurementNormal', 'muteMonitor', 'restoreResource'],
      ...['rotateWebhookSecret', 'subscribeToResource', 'updateTag', 'updateUser'],
      ...['updateWebhook', 'viewResource', 'vote'],
    ]),
  );
  sayCounted(
    `${queries} queries and ${mutations} mutations with ids of another workspace, nothing of it read or changed`,
  );
}, 600_000);

/** A record of each kind that leads to others by ids, with some that somebody gives, past the program. */
async function leading(catalog: Catalog, of: Catalog): Promise<void> {
  const { prisma } = catalog.database;
  const name = `${canary} of ${catalog.workspaceId}`;
  const [tag, team, group, user] = [
    await of.tag({ name }),
    await of.team({ name }),
    await of.group({ name }),
    await of.user({ firstName: canary }),
  ];
  const collection = await of.resource({ kind: 'collection', title: canary });
  for (const kind of ['table', 'document', 'question'] as const) {
    const { id } = await catalog.resource({ kind, title: `leads on ${kind}` });
    const people = { ownerIds: [user.id], subscriberIds: [user.id], createdById: user.id };
    await prisma.resource.update({
      where: { workspaceId_id: { workspaceId: catalog.workspaceId, id } },
      data: {
        ...{ ...people, multiplayerLastModifiedBy: user.id, ownerGroupIds: [group.id] },
        ...{ collectionIds: [collection.id], tagIds: [tag.id], teamIds: [team.id] },
        ...(kind === 'document' ? { baseEntityId: collection.id } : {}),
        ...(kind === 'question' ? { answeredById: user.id, assignedToId: user.id } : {}),
      },
    });
  }
}

test('an id of another workspace on a record of its own leads nowhere', async () => {
  await using mine = await openCatalog();
  await using theirs = await mine.another();
  await leading(mine, theirs);
  await leading(theirs, theirs);
  const field = fieldsOf('query').find(({ name }) => name === 'resources');
  if (!field) throw new Error('There is no query `resources`.');
  const first = field.args.filter(({ name }) => name === 'first');
  const query = requestOf('query', field, first, 2);
  const leadingIn = async (catalog: Catalog) => {
    const { data, errors } = await catalog.graphql(query, { first: 20 });
    expect(errors).toBeUndefined();
    const nodes: Record<string, unknown>[] = data.resources.nodes;
    const records = nodes.filter(({ title }) => String(title).startsWith('leads on'));
    expect(records).toHaveLength(3);
    const fields = records
      .flatMap(Object.entries)
      .filter(([, value]) => JSON.stringify(value).includes(canary));
    return [...new Set(fields.map(([name]) => name))].sort();
  };
  expect(await leadingIn(mine)).toEqual([]);
  expect(await leadingIn(theirs)).toEqual([
    ...['answeredBy', 'assignedTo', 'baseEntity', 'collections', 'createdBy', 'lastModifiedBy'],
    ...['ownerGroups', 'owners', 'subscribers', 'tags', 'teams'],
  ]);
}, 60_000);

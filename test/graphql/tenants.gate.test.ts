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
import { createMonitor } from '../../src/monitors/monitor.ts';
import { createRule } from '../../src/notifications/rule.ts';
import { createWebhook } from '../../src/notifications/webhooks/webhook.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { createQuestion, createReply } from '../../src/resources/question.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { digest } from '../digest.ts';
import { requestOf } from './selection.ts';

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
    ...{ name: `${canary} webhook`, url: `https://${canary}.example.com/` },
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
  const others = [webhook, rule, delivery, message];
  return [...things, entry, monitor, incident, measurement, job, ...others].map(({ id }) => id);
}

/** A value for an argument: the foreign id wherever an id goes, something harmless elsewhere. */
function sampleOf(type: GraphQLInputType, id: string, depth = 0): unknown {
  if (isNonNullType(type)) return sampleOf(type.ofType, id, depth);
  if (isListType(type)) return [sampleOf(type.ofType, id, depth)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => wanted(field, depth));
    return Object.fromEntries(
      fields.map((field) => [field.name, sampleOf(field.type, id, depth + 1)]),
    );
  }
  return (
    { ID: id, Int: 1, Float: 1, Boolean: true, DateTime: '2026-01-01T00:00:00Z' }[type.name] ?? 'x'
  );
}

/** What must be given, and whatever takes an id. */
function wanted({ type }: GraphQLArgument | GraphQLInputField, depth = 0): boolean {
  const named = getNamedType(type);
  if (isNonNullType(type) || named.name === 'ID') return true;
  return isInputObjectType(named) && depth === 0 && !named.name.endsWith('Filter');
}

interface Request {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

/** Requests for a field: with what must be given, and with each optional argument that takes an id. */
function requestsFor(
  kind: 'query' | 'mutation',
  field: GraphQLField<unknown, unknown>,
  id: string,
): Request[] {
  const needed = field.args.filter(({ type }) => isNonNullType(type));
  const optional = field.args.filter((arg) => !needed.includes(arg) && wanted(arg));
  return [needed, ...optional.map((arg) => [...needed, arg])].map((args) => ({
    query: requestOf(kind, field, args, 2),
    variables: Object.fromEntries(args.map((arg) => [arg.name, sampleOf(arg.type, id)])),
  }));
}

test('no field or mutation reads or changes what another workspace holds', async () => {
  await using mine = await openCatalog();
  await using theirs = await mine.another();
  const ids = await fill(theirs);
  const before = await digest(theirs);
  const asked = { query: 0, mutation: 0 };
  const seenByOwner = new Set<string>();

  for (const [kind, type] of [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      const requests = ids.flatMap((id) => requestsFor(kind, field, id));
      const different = new Map(requests.map((request) => [JSON.stringify(request), request]));
      for (const { query, variables } of different.values()) {
        const answer = await mine.graphql(query, variables);
        asked[kind] += 1;
        const codes = answer.errors?.map(({ extensions }) => extensions.code) ?? [];
        expect(JSON.stringify(answer), field.name).not.toContain(canary);
        expect(codes, `${field.name}: ${JSON.stringify(answer.errors)}`).not.toContain(
          'INTERNAL_SERVER_ERROR',
        );
        expect(codes, `${query} ${JSON.stringify(answer.errors)}`).not.toContain(
          'GRAPHQL_VALIDATION_FAILED',
        );
        if (kind === 'mutation') continue;
        // The same request shows its owner the word, or it would show nothing of the walls.
        const own = await theirs.graphql(query, variables);
        if (JSON.stringify(own).includes(canary)) seenByOwner.add(field.name);
      }
    }
  }

  expect([...seenByOwner]).toEqual(
    expect.arrayContaining([
      'resource',
      'resources',
      'monitor',
      'monitors',
      'incident',
      'lineage',
      'webhooks',
      'myNotifications',
    ]),
  );
  expect(asked.query).toBeGreaterThan(100);
  expect(asked.mutation).toBeGreaterThan(100);
  expect(await digest(theirs)).toEqual(before);
}, 240_000);

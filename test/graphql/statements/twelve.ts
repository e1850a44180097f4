// A workspace with twelve of everything that lists show, each tied to others of its own.

import { randomUUID } from 'node:crypto';
import { kindNames } from '../../../src/resources/kind.ts';
import type { Catalog } from '../../catalog.ts';

/** How many of each there are. */
export const rowsOfEach = 12;

const each = <Row>(make: (n: number) => Row): Row[] =>
  Array.from({ length: rowsOfEach }, (_, n) => make(n));
const at = (n: number) => new Date(Date.UTC(2026, 0, 1 + n));

/** Ids of what `fillTwelve` made, that some root fields ask for. */
export interface Twelve {
  readonly tableIds: readonly string[];
  readonly monitorId: string;
  readonly integrationId: string;
  readonly userId: string;
}

/** Fill a workspace: what belongs to the n-th of something is the n-th of its sort. */
export async function fillTwelve(catalog: Catalog): Promise<Twelve> {
  const { database, workspaceId } = catalog;
  const { prisma } = database;
  const own = () => ({ workspaceId, id: randomUUID() });
  const me = catalog.idOf('admin');
  const users = each((n) => ({
    ...own(),
    ...{ email: `u${n}@example.com`, firstName: `U${n}`, lastName: '', role: 'editor' },
  }));
  await prisma.user.createMany({ data: users });
  const idAt = (things: readonly { id: string }[], n: number) =>
    things[n % things.length]?.id ?? '';
  const groups = each((n) => ({ ...own(), name: `g${n}`, memberIds: [idAt(users, n), me] }));
  await prisma.group.createMany({ data: groups });
  const teams = each((n) => ({ ...own(), name: `t${n}`, memberIds: [idAt(users, n), me] }));
  await prisma.team.createMany({ data: teams });
  const tags = each((n) => ({ ...own(), name: `tag ${n}` }));
  await prisma.tag.createMany({ data: tags });
  const integrations = each((n) => ({
    ...own(),
    ...{ name: `i${n}`, type: 'dbt_core', teamIds: [idAt(teams, n)] },
  }));
  await prisma.integration.createMany({ data: integrations });
  const collections = each((n) => ({
    ...own(),
    ...{ kind: 'collection', title: `zz c${n}`, titleFull: `zz c${n}`, published: true },
  }));
  const parents = kindNames
    .filter((kind) => kind !== 'collection')
    .flatMap((kind) =>
      each((n) => ({ ...own(), kind, title: `zz ${kind} ${n}`, titleFull: `zz ${kind} ${n}` })),
    );
  const ofKind = (kind: string) => parents.filter((one) => one.kind === kind);
  const parentKinds: Readonly<Record<string, string>> = {
    ...{ schema: 'database', table: 'schema', column: 'table', chart: 'dashboard' },
    ...{ dashboard: 'dashboard_group', event: 'category', event_property: 'event' },
    question_reply: 'question',
  };
  const tied = (n: number) => ({
    ...{ published: true, ownerIds: [idAt(users, n)], ownerGroupIds: [idAt(groups, n)] },
    ...{ collectionIds: [idAt(collections, n)], tagIds: [idAt(tags, n)] },
    ...{ teamIds: [idAt(teams, n)], subscriberIds: [idAt(users, n + 1), me] },
    ...{ bookmarkedByIds: [idAt(users, n), me], multiplayerIds: [idAt(users, n)] },
    ...{ multiplayerLastModifiedBy: idAt(users, n), createdById: idAt(users, n + 2) },
    ...{ integrationId: idAt(integrations, n), answeredById: idAt(users, n) },
    ...{ assignedToId: idAt(users, n + 1), sql: `select ${n} as one`, dialect: 'postgres' },
  });
  await prisma.resource.createMany({ data: collections.map((one, n) => ({ ...one, ...tied(n) })) });
  for (const kind of kindNames) {
    const data = ofKind(kind).map((one, n) => {
      const parentKind = parentKinds[kind];
      const parentId = parentKind === undefined ? null : idAt(ofKind(parentKind), n);
      return { ...one, ...tied(n), ...(parentId ? { parentId } : {}) };
    });
    await prisma.resource.createMany({ data });
  }
  const [tables, columns, terms] = [ofKind('table'), ofKind('column'), ofKind('glossary')];
  await fillAround(catalog, { users, integrations, tables, columns, terms });
  const monitors = await fillMonitors(catalog, { users, integrations, tables });
  await fillNotifications(catalog, { users, groups, teams, tags, tables, ...monitors });
  await prisma.job.createMany({
    data: each((n) => ({
      ...{ ...own(), kind: 'import', title: `job ${n}`, userId: idAt(users, n) },
      ...{ dedupeKey: `import:${idAt(integrations, n)}`, state: 'succeeded' },
    })),
  });
  await prisma.apiKey.createMany({
    data: each((n) => ({
      ...{ ...own(), name: `key ${n}`, prefix: `p${n}`, hash: randomUUID() },
      ...{ userId: idAt(users, n), scopes: ['IMPORT'], integrationId: idAt(integrations, n) },
    })),
  });
  return {
    tableIds: tables.map(({ id }) => id),
    monitorId: idAt(monitors.monitors, 0),
    integrationId: idAt(integrations, 0),
    userId: idAt(users, 0),
  };
}

type Things = readonly { readonly id: string }[];

const idOf = (things: Things, n: number) => things[n % things.length]?.id ?? '';

interface Around {
  readonly users: Things;
  readonly integrations: Things;
  readonly tables: Things;
  readonly columns: Things;
  readonly terms: Things;
}

/** Versions, uses, values, claims, tests, runs and lineage of the tables and columns. */
async function fillAround(catalog: Catalog, things: Around): Promise<void> {
  const { users, integrations, tables, columns, terms } = things;
  const { prisma } = catalog.database;
  const { workspaceId } = catalog;
  const own = () => ({ workspaceId, id: randomUUID() });
  await prisma.resourceVersion.createMany({
    data: each((n) => ({
      ...{ ...own(), resourceId: idOf(tables, n), version: 1, definition: `v${n}` },
      authorId: idOf(users, n),
    })),
  });
  await prisma.announcement.createMany({
    data: each((n) => ({
      ...{ ...own(), resourceId: idOf(tables, n), authorId: idOf(users, n), text: `a${n}` },
      startsAt: at(0),
    })),
  });
  await prisma.usageDay.createMany({
    data: each((n) => ({ workspaceId, resourceId: idOf(tables, n), day: at(n), internal: n })),
  });
  await prisma.recentView.createMany({
    data: each((n) => ({
      ...{ workspaceId, userId: catalog.idOf('admin'), resourceId: idOf(tables, n) },
      viewedAt: at(n),
    })),
  });
  const values = [
    ...each((n) => ({ valueType: 'user', of: idOf(users, n), on: tables })),
    ...each((n) => ({ valueType: 'resource', of: idOf(terms, n), on: tables })),
    ...each((n) => ({ valueType: 'resource', of: idOf(terms, n + 1), on: terms })),
  ].map((one, n) => ({ ...one, id: randomUUID(), n }));
  await prisma.customProperty.createMany({
    data: values.map(({ id, valueType, n }) => ({
      ...{ workspaceId, id, name: `property ${n}`, valueType, entityTypes: ['all'] },
    })),
  });
  await prisma.customPropertyValue.createMany({
    data: values.map(({ id, of, on, n }) => ({
      ...{ workspaceId, propertyId: id, resourceId: idOf(on, n), value: of },
    })),
  });
  await prisma.resourceClaim.createMany({
    data: each((n) => ({
      ...{ workspaceId, integrationId: idOf(integrations, n), key: `key ${n}` },
      ...{ resourceId: idOf(tables, n), rank: 3 },
    })),
  });
  const tests = each((n) => ({
    ...{ ...own(), integrationId: idOf(integrations, n), key: `test ${n}`, name: `test ${n}` },
    ...{ resourceId: idOf(tables, n), columnId: idOf(columns, n), status: 'fail' },
    lastRunAt: at(n),
  }));
  await prisma.dataTest.createMany({ data: tests });
  await prisma.runResult.createMany({
    data: each((n) => ({
      ...{ ...own(), integrationId: idOf(integrations, n), invocationId: `run ${n}` },
      ...{ nodeKey: `node ${n}`, resourceId: idOf(tables, n), dataTestId: idOf(tests, n) },
      ...{ status: 'error', completedAt: at(n) },
    })),
  });
  const edges = [
    ...each((n) => ({ sourceId: idOf(tables, n), targetId: idOf(tables, n + 1), level: 'TABLE' })),
    ...each((n) => ({
      ...{ sourceId: idOf(columns, n), targetId: idOf(columns, n + 1), level: 'COLUMN' },
    })),
  ];
  await prisma.lineageEdge.createMany({
    data: edges.map((edge, n) => ({
      ...{ ...own(), ...edge, origin: 'MANUAL', upstreamId: randomUUID() },
      ...{ createdById: idOf(users, n), integrationId: idOf(integrations, n) },
    })),
  });
}

interface Monitored {
  readonly users: Things;
  readonly integrations: Things;
  readonly tables: Things;
}

/** A monitor of each table, with more measurements than are asked for and an open incident, on which somebody comments. */
async function fillMonitors(catalog: Catalog, { users, integrations, tables }: Monitored) {
  const { prisma } = catalog.database;
  const own = () => ({ workspaceId: catalog.workspaceId, id: randomUUID() });
  const incidentIds = each(() => randomUUID());
  const measurementIds = each(() => randomUUID());
  const monitors = each((n) => ({
    ...{ ...own(), targetId: idOf(tables, n), metricType: 'row_count', name: `m${n}` },
    ...{ integrationId: idOf(integrations, n), createdById: idOf(users, n) },
    ...{ declaredById: idOf(integrations, n), declaredIn: 'models.yml' },
    ...{ lastIncidentId: incidentIds[n] ?? '', lastMeasurementId: measurementIds[n] ?? '' },
  }));
  await prisma.monitor.createMany({ data: monitors });
  const incidents = each((n) => ({
    ...{ ...own(), id: incidentIds[n] ?? '', monitorId: idOf(monitors, n) },
    ...{ targetId: idOf(tables, n), name: `incident ${n}`, summary: 's', value: n },
    assigneeId: idOf(users, n),
  }));
  await prisma.incident.createMany({ data: incidents });
  await prisma.incidentAction.createMany({
    data: each((n) => ({
      ...{ ...own(), incidentId: idOf(incidents, n), type: 'comment', userId: idOf(users, n) },
      comment: 'x',
    })),
  });
  // As many of each monitor: a list that goes on is counted by a statement, which those of two rows send as well.
  await prisma.measurement.createMany({
    data: monitors.flatMap(({ id, lastMeasurementId }, m) =>
      each((n) => ({
        ...{ id: n === 0 ? lastMeasurementId : randomUUID(), workspaceId: catalog.workspaceId },
        ...{ monitorId: id, incidentId: idOf(incidents, m), value: n },
      })),
    ),
  });
  return { monitors, incidents };
}

interface Notified {
  readonly users: Things;
  readonly groups: Things;
  readonly teams: Things;
  readonly tags: Things;
  readonly tables: Things;
  readonly incidents: Things;
}

/** Rules, webhooks with a delivery and an attempt each, and the admin's inbox. */
async function fillNotifications(catalog: Catalog, things: Notified): Promise<void> {
  const { users, groups, teams, tags, tables, incidents } = things;
  const { prisma } = catalog.database;
  const own = () => ({ workspaceId: catalog.workspaceId, id: randomUUID() });
  const webhooks = each((n) => ({
    ...{ ...own(), name: `w${n}`, url: 'https://example.com', secret: 'sealed' },
  }));
  await prisma.webhook.createMany({ data: webhooks });
  await prisma.notificationRule.createMany({
    data: each((n) => ({
      ...{ ...own(), name: `rule ${n}`, events: ['incident_opened'], upstream: true },
      ...{ resourceIds: [idOf(tables, n)], tagIds: [idOf(tags, n)], teamIds: [idOf(teams, n)] },
      ...{ webhookIds: [idOf(webhooks, n)], userIds: [idOf(users, n)] },
      ...{ groupIds: [idOf(groups, n)], emails: [`rule${n}@example.com`] },
    })),
  });
  const notifications = [
    ...each((n) => ({ n, channel: 'webhook', address: idOf(webhooks, n) })),
    ...each((n) => ({ n, channel: 'inbox', address: catalog.idOf('admin') })),
  ].map(({ n, ...one }) => ({
    ...{ ...own(), ...one, dedupeKey: randomUUID(), event: 'incident_opened' },
    ...{ incidentId: idOf(incidents, n), state: 'delivered' },
    content: {
      ...{ title: 't', text: 't', incident: { id: idOf(incidents, n) } },
      ...{ resource: { id: idOf(tables, n) } },
    },
  }));
  await prisma.notification.createMany({ data: notifications });
  await prisma.webhookAttempt.createMany({
    data: notifications
      .filter(({ channel }) => channel === 'webhook')
      .map(({ id }, n) => ({
        ...{ ...own(), notificationId: id, startedAt: at(n), durationMs: 1, status: 200 },
      })),
  });
}

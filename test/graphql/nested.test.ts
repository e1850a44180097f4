// Nested lists: those of all parents are read together, however many parents there are.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRule } from '../../src/notifications/rule.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

const parents = 30;
const events = ['incident_resolved', 'incident_opened', 'ping'];

const at = (n: number) => new Date(Date.UTC(2026, 0, 1 + n));

/** Tables, each with three of everything that hangs on one, and webhooks with three deliveries. */
async function fill({ database: { prisma }, workspaceId }: Catalog): Promise<void> {
  const each = <Row>(make: (n: number) => Row): Row[] =>
    Array.from({ length: parents }, (_, n) => make(n));
  const three = <Row>(of: readonly { id: string }[], make: (id: string, n: number) => Row): Row[] =>
    of.flatMap(({ id }) => [0, 1, 2].map((n) => make(id, n)));
  const own = () => ({ workspaceId, id: randomUUID() });
  const titled = (kind: string, title: string) => ({ kind, title, titleFull: title });
  const tables = each((n) => ({ ...own(), ...titled('table', `t${n}`) }));
  await prisma.resource.createMany({ data: tables });
  await prisma.resource.createMany({
    data: three(tables, (parentId, n) => ({ ...own(), parentId, ...titled('column', `c${n}`) })),
  });
  await prisma.resourceVersion.createMany({
    data: three(tables, (resourceId, n) => ({
      ...own(),
      ...{ resourceId, version: n + 1, definition: `Version ${n + 1} of ${resourceId}` },
    })),
  });
  await prisma.usageDay.createMany({
    data: three(tables, (resourceId, n) => ({ workspaceId, resourceId, day: at(n), internal: n })),
  });
  const monitors = tables.map(({ id: targetId }, n) => ({
    ...own(),
    ...{ targetId, metricType: 'row_count', name: `m${n}` },
  }));
  await prisma.monitor.createMany({ data: monitors });
  const incidents = monitors.flatMap(({ id: monitorId, targetId }) =>
    [0, 1, 2].map((n) => ({
      ...own(),
      ...{ monitorId, targetId, name: `of ${monitorId}`, summary: '', value: n, createdAt: at(n) },
      status: 'resolved',
    })),
  );
  await prisma.incident.createMany({ data: incidents });
  await prisma.measurement.createMany({
    data: incidents.map(({ id: incidentId, monitorId, value, createdAt }) => ({
      ...own(),
      ...{ monitorId, incidentId, value, createdAt },
    })),
  });
  const webhooks = each((n) => ({
    ...own(),
    ...{ name: `w${String(n).padStart(2, '0')}`, url: 'https://example.com', secret: 'sealed' },
  }));
  await prisma.webhook.createMany({ data: webhooks });
  await prisma.notification.createMany({
    data: three(webhooks, (address, n) => ({
      ...own(),
      ...{
        dedupeKey: randomUUID(),
        channel: 'webhook',
        address,
        event: events[n % events.length] ?? '',
        content: {},
      },
      createdAt: at(n),
    })),
  });
}

interface Nested {
  readonly name: string;
  /** Asks for so many parents, each with its two newest of three. */
  readonly query: (first: number) => string;
  /** The parents in an answer. */
  readonly parentsIn: (data: Record<string, unknown>) => unknown;
  /** What each parent has to have. */
  readonly expected: object;
  /** Statements for any number of parents. */
  readonly statements: number;
}

const ofTables = (field: string) => (first: number) =>
  `{ resources(first: ${first}, kinds: [table]) { nodes { id ${field} } } }`;
const ofMonitors = (field: string) => (first: number) =>
  `{ monitors(first: ${first}) { nodes { id ${field} } } }`;

const lists: readonly Nested[] = [
  {
    name: 'children, and how many there are,',
    query: ofTables('children(first: 2) { totalCount nodes { title parentId } }'),
    parentsIn: (data) => nodesIn(data.resources),
    expected: { children: { totalCount: 3, nodes: [{ title: 'c0' }, { title: 'c1' }] } },
    statements: 3,
  },
  {
    name: 'versions',
    query: ofTables('versions(first: 2) { totalCount nodes { version definition } }'),
    parentsIn: (data) => nodesIn(data.resources),
    expected: { versions: { totalCount: 3, nodes: [{ version: 3 }, { version: 2 }] } },
    statements: 3,
  },
  {
    name: 'days of use',
    query: ofTables('usageDays(days: 2) { day internal }'),
    parentsIn: (data) => nodesIn(data.resources),
    expected: {
      usageDays: [
        { day: '2026-01-03', internal: 2 },
        { day: '2026-01-02', internal: 1 },
      ],
    },
    statements: 2,
  },
  {
    name: 'measurements of monitors',
    query: ofMonitors('measurements(first: 2) { totalCount nodes { value monitorId } }'),
    parentsIn: (data) => nodesIn(data.monitors),
    expected: { measurements: { totalCount: 3, nodes: [{ value: 2 }, { value: 1 }] } },
    statements: 3,
  },
  {
    name: 'incidents of monitors, and their measurements,',
    query: ofMonitors(`incidents(first: 2) {
      totalCount nodes { value monitorId measurements(first: 2) { totalCount nodes { value } } } }`),
    parentsIn: (data) => nodesIn(data.monitors),
    expected: {
      incidents: {
        totalCount: 3,
        nodes: [
          { value: 2, measurements: { totalCount: 1, nodes: [{ value: 2 }] } },
          { value: 1, measurements: { totalCount: 1, nodes: [{ value: 1 }] } },
        ],
      },
    },
    // How many measurements there are, their page tells.
    statements: 4,
  },
];

function nodesIn(connection: unknown): unknown {
  return typeof connection === 'object' && connection !== null && 'nodes' in connection
    ? connection.nodes
    : undefined;
}

test('nested lists cost as many statements for thirty parents as for one', async () => {
  await using catalog = await openCatalog();
  await fill(catalog);
  for (const { name, query, parentsIn, expected, statements } of lists) {
    for (const first of [1, parents]) {
      const { value, statements: sent } = await catalog.counting(() =>
        catalog.graphql(query(first)),
      );
      expect(value.errors, name).toBeUndefined();
      expect(parentsIn(value.data), name).toMatchObject(Array(first).fill(expected));
      expect(withoutKeys(sent), `${name} of ${first}`).toHaveLength(statements);
    }
  }
  // No one has what is another's.
  const { data } = await catalog.graphql(
    ofTables('children(first: 2) { nodes { parentId } }')(parents),
  );
  for (const { id, children } of data.resources.nodes) {
    expect(children.nodes.map((child: { parentId: string }) => child.parentId)).toEqual([id, id]);
  }
});

test('whether a chat is connected is read once for the warnings of all rules', async () => {
  await using catalog = await openCatalog();
  for (const name of ['Desk', 'Report', 'Shop']) {
    await createRule(catalog.admin, { name, chatChannels: ['C1'] });
  }
  const query = '{ notificationRules(first: 10) { nodes { a: warnings b: warnings } } }';
  const { value, statements } = await catalog.counting(() => catalog.graphql(query));
  const warnings = [expect.stringMatching(/^No team chat is connected/)];
  expect(value.data.notificationRules.nodes).toEqual(Array(3).fill({ a: warnings, b: warnings }));
  const asked = statements.filter((sql) => sql.includes('from integration'));
  expect(asked).toHaveLength(1);
});

test('deliveries of all webhooks are read together', async () => {
  await using catalog = await openCatalog();
  await fill(catalog);
  const query = `{ webhooks { nodes { name deliveries(first: 2) { totalCount nodes { event } } } } }`;
  const { value, statements } = await catalog.counting(() => catalog.graphql(query));
  expect(value.data.webhooks.nodes).toHaveLength(parents);
  for (const { deliveries } of value.data.webhooks.nodes) {
    expect(deliveries).toEqual({
      totalCount: 3,
      nodes: [{ event: 'ping' }, { event: 'incident_opened' }],
    });
  }
  expect(withoutKeys(statements)).toHaveLength(3);
});

test('a page of each list goes on where its cursor says, and is refused where it is none', async () => {
  await using catalog = await openCatalog();
  await fill(catalog);
  const ask = (args: string) =>
    catalog.graphql(
      ofTables(`versions(${args}) { pageInfo { endCursor hasNextPage }
      nodes { version } }`)(3),
    );
  const { data } = await ask('first: 1');
  const { endCursor, hasNextPage } = data.resources.nodes[0].versions.pageInfo;
  expect(hasNextPage).toBe(true);
  const next = await ask(`first: 5, after: "${endCursor}"`);
  for (const { versions } of next.data.resources.nodes) {
    expect(versions.nodes).toEqual([{ version: 2 }, { version: 1 }]);
  }
  const refused = await ask('first: 5, after: "nonsense"');
  expect(refused.errors?.[0]?.extensions.code).toBe('BAD_REQUEST');
});

test('what a viewer may not see is in no nested list', async () => {
  await using catalog = await openCatalog();
  await fill(catalog);
  const { prisma } = catalog.database;
  const where = { workspaceId: catalog.workspaceId };
  await prisma.resource.updateMany({ where, data: { published: true } });
  const hidden = await prisma.monitor.findFirstOrThrow({ where: { ...where, name: 'm7' } });
  const asViewer = { as: 'viewer' } as const;
  const query = '{ monitors(first: 50) { nodes { name measurements { totalCount } } } }';
  const before = await catalog.graphql(query, {}, asViewer);
  expect(before.data.monitors.nodes).toHaveLength(parents);
  await prisma.resource.update({
    where: { workspaceId_id: { ...where, id: hidden.targetId } },
    data: { published: false },
  });
  const after = await catalog.graphql(query, {}, asViewer);
  expect(after.data.monitors.nodes).toHaveLength(parents - 1);
  const deliveries = await catalog.graphql(
    '{ webhooks { nodes { deliveries { totalCount } } } }',
    {},
    asViewer,
  );
  expect(deliveries.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
});

test('each of several changes in one request is answered with what is there after it', async () => {
  await using catalog = await openCatalog();
  const parent = await catalog.resource({ kind: 'schema', title: 'public' });
  const { id } = await catalog.resource({ title: 'orders', parentId: parent.id });
  const { data } = await catalog.graphql(
    `mutation ($id: ID!, $parent: ID!) {
      a: updateResource(id: $id, input: { title: "one" }) { parent { title }
        siblings: parent { children { nodes { title } } } usageDays { internal } }
      b: updateResource(id: $parent, input: { title: "sales" }) { children { nodes { title } } }
      c: updateResource(id: $id, input: { title: "two" }) { parent { title }
        siblings: parent { children { nodes { title } } } }
      d: viewResource(id: $id) { usageDays { internal } }
    }`,
    { id, parent: parent.id },
  );
  const children = (title: string) => ({ children: { nodes: [{ title }] } });
  expect(data.a).toMatchObject({ parent: { title: 'public' }, siblings: children('one') });
  expect(data.b).toEqual(children('one'));
  expect(data.c).toMatchObject({ parent: { title: 'sales' }, siblings: children('two') });
  expect([data.a.usageDays, data.d.usageDays]).toEqual([[], [{ internal: 1 }]]);
});

function withoutKeys(statements: readonly string[]): string[] {
  return statements.filter((text) => !/\bapi_key\b/.test(text));
}

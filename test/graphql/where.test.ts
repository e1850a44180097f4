// Typed filters and orders over the real server: each list, each order's cursors, and who may ask for what.

import { isEnumType, isInputObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { createQuestion } from '../../src/resources/questions/question.ts';
import { type Caller, type Catalog, openCatalog } from '../catalog.ts';

const at = (day: number) => new Date(Date.UTC(2026, 0, day));

/** A warehouse: a database with a schema with two tables, one of which has a column, and an incident each. */
async function fill(catalog: Catalog) {
  const { workspaceId, database } = catalog;
  const person = await catalog.user({
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
  });
  const tag = await catalog.tag({ name: 'finance' });
  const team = await catalog.team({ name: 'sales' });
  const integration = await catalog.integration({ name: 'warehouse' });
  const db = await catalog.resource({ kind: 'database', title: 'shop' });
  const inDb = await catalog.resource({ kind: 'schema', title: 'public', parentId: db.id });
  const orders = await catalog.resource({
    ...{ title: 'orders', parentId: inDb.id, ownerIds: [person.id], tagIds: [tag.id] },
    ...{ teamIds: [team.id], integrationId: integration.id, verified: true },
  });
  const users = await catalog.resource({ title: 'users', parentId: inDb.id });
  const total = await catalog.resource({ kind: 'column', title: 'total', parentId: orders.id });
  const elsewhere = await catalog.resource({ title: 'elsewhere' });
  const incidentOn = async (targetId: string, n: number, more: object) => {
    const name = `on ${n}`;
    const monitor = await database.prisma.monitor.create({
      data: {
        ...{ workspaceId, targetId, metricType: 'row_count', name: `monitor ${n}` },
        ...{ createdAt: at(n), integrationId: n === 1 ? integration.id : null },
      },
    });
    return database.prisma.incident.create({
      data: {
        workspaceId,
        monitorId: monitor.id,
        targetId,
        name,
        summary: '',
        value: n,
        createdAt: at(n),
        ...more,
      },
    });
  };
  await incidentOn(orders.id, 1, { severity: 'critical', assigneeId: person.id });
  await incidentOn(total.id, 2, { severity: 'low' });
  await incidentOn(users.id, 3, { severity: 'high', status: 'resolved', resolvedAt: at(4) });
  await incidentOn(elsewhere.id, 4, { severity: 'medium', status: 'acknowledged' });
  await createQuestion(catalog.admin, { title: 'why?', priority: 'High', assignedToId: person.id });
  await database.prisma.job.createMany({
    data: ['queued', 'failed'].map((state, n) => ({
      workspaceId,
      state,
      kind: 'nothing',
      title: `job ${n}`,
      createdAt: at(n + 1),
    })),
  });
  return { person, tag, team, integration, db, inDb, orders, users, total, elsewhere };
}

const list = (field: string, type: string, name: string) =>
  `query ($where: ${type}Where, $orderBy: [${type}OrderBy!], $first: Int, $after: String) {
    list: ${field}(where: $where, orderBy: $orderBy, first: $first, after: $after) {
      totalCount nodes { name: ${name} } pageInfo { endCursor hasNextPage } } }`;

const lists = {
  resources: list('resources', 'Resource', 'title'),
  incidents: list('incidents', 'Incident', 'name'),
  monitors: list('monitors', 'Monitor', 'name'),
  jobs: list('jobs', 'Job', 'title'),
  auditLogs: list('auditLogs', 'AuditLog', 'activityType'),
};

async function ask(catalog: Catalog, of: keyof typeof lists, variables: object, caller?: Caller) {
  const { data, errors } = await catalog.graphql(lists[of], variables, caller);
  expect(errors, JSON.stringify(variables)).toBeUndefined();
  const names: string[] = data.list.nodes.map(({ name }: { name: string }) => name);
  expect(data.list.totalCount).toBe(names.length);
  return names;
}

test('each list finds what a typed filter holds for', async () => {
  await using catalog = await openCatalog();
  const { person, db, inDb, orders, integration } = await fill(catalog);
  const titles = async (where: object) => (await ask(catalog, 'resources', { where })).sort();
  expect(await titles({ kind: { in: ['table'] } })).toEqual(['elsewhere', 'orders', 'users']);
  expect(
    await titles({ kind: { eq: 'table' }, owners: { some: { id: { eq: person.id } } } }),
  ).toEqual(['orders']);
  expect(await titles({ owners: { some: { email: { eq: 'ada@example.com' } } } })).toEqual([
    'orders',
  ]);
  expect(await titles({ owners: { some: { name: { contains: 'lovelace' } } } })).toEqual([
    'orders',
  ]);
  expect(await titles({ tags: { some: { name: { in: ['finance'] } } } })).toEqual(['orders']);
  expect(await titles({ teams: { some: { name: { eq: 'sales' } } }, verified: true })).toEqual([
    'orders',
  ]);
  expect(await titles({ within: db.id, kind: { in: ['table', 'column'] } })).toEqual([
    'orders',
    'total',
    'users',
  ]);
  expect(await titles({ within: orders.id })).toEqual(['orders', 'total']);
  expect(await titles({ parentId: { eq: inDb.id }, not: { owners: { isSet: true } } })).toEqual([
    'users',
  ]);
  expect(await titles({ integrationId: { eq: integration.id } })).toEqual(['orders']);
  expect(await titles({ updatedAt: { gte: at(1), lt: at(2) } })).toEqual([]);
  expect(
    await titles({ or: [{ title: { contains: 'ORD' } }, { title: { eq: 'users' } }] }),
  ).toEqual(['orders', 'users']);
  expect(
    await titles({ questionStatus: { eq: 'Unanswered' }, questionPriority: { in: ['High'] } }),
  ).toEqual(['why?']);
  expect(await titles({ assignedToId: { eq: person.id } })).toEqual(['why?']);

  const incidents = (where: object) => ask(catalog, 'incidents', { where });
  expect(await incidents({ status: { in: ['active', 'acknowledged'] } })).toEqual([
    'on 4',
    'on 2',
    'on 1',
  ]);
  expect(
    await incidents({ target: { within: db.id }, not: { status: { eq: 'resolved' } } }),
  ).toEqual(['on 2', 'on 1']);
  expect(await incidents({ severity: { in: ['critical', 'high'] } })).toEqual(['on 3', 'on 1']);
  expect(await incidents({ assigneeId: { eq: person.id } })).toEqual(['on 1']);
  expect(await incidents({ assigneeId: { isSet: false }, createdAt: { lt: at(3) } })).toEqual([
    'on 2',
  ]);
  expect(await incidents({ integrationId: { eq: integration.id } })).toEqual(['on 1']);
  expect(await incidents({ monitor: { name: { contains: 'MONITOR 4' } } })).toEqual(['on 4']);
  expect(await incidents({ target: { owners: { some: { id: { eq: person.id } } } } })).toEqual([
    'on 1',
  ]);

  const monitors = (where: object) => ask(catalog, 'monitors', { where });
  expect(await monitors({ name: { contains: 'Monitor 2' } })).toEqual(['monitor 2']);
  expect(
    await monitors({
      status: { eq: 'pending' },
      target: { teams: { some: { name: { eq: 'sales' } } } },
    }),
  ).toEqual(['monitor 1']);
  expect(await monitors({ target: { kind: { eq: 'column' } } })).toEqual(['monitor 2']);
  expect(await monitors({ metricType: { in: ['freshness'] } })).toEqual([]);

  expect(await ask(catalog, 'jobs', { where: { state: { in: ['failed'] } } })).toEqual(['job 1']);
  expect(
    await ask(catalog, 'auditLogs', {
      where: {
        performerId: { eq: catalog.idOf('admin') },
        activityType: { in: ['tag_created', 'team_created'] },
      },
    }),
  ).toEqual(['team_created', 'tag_created']);
});

test('deleted resources are found where the filter asks for them, and nowhere else', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource({ title: 'gone' });
  await catalog.graphql('mutation ($id: ID!) { archiveResource(id: $id) { id } }', { id });
  expect(await ask(catalog, 'resources', { where: { title: { eq: 'gone' } } })).toEqual([]);
  expect(
    await ask(catalog, 'resources', { where: { title: { eq: 'gone' }, archived: true } }),
  ).toEqual(['gone']);
});

/** Every field of the order of a list, in both directions. */
function ordersOf(type: string): Record<string, string>[] {
  const input = schema.getType(`${type}OrderBy`);
  if (!isInputObjectType(input)) throw new Error(`${type}OrderBy is no input.`);
  expect(input.isOneOf).toBe(true);
  return Object.values(input.getFields()).flatMap((field) => {
    const values = isEnumType(field.type) ? field.type.getValues().map(({ name }) => name) : [];
    return values.map((value) => ({ [field.name]: value }));
  });
}

test('a cursor goes on where the page ended, whatever the order', async () => {
  await using catalog = await openCatalog();
  await fill(catalog);
  let orders = 0;
  for (const [of, type] of [
    ['resources', 'Resource'],
    ['incidents', 'Incident'],
    ['monitors', 'Monitor'],
    ['jobs', 'Job'],
    ['auditLogs', 'AuditLog'],
  ] as const) {
    for (const order of ordersOf(type)) {
      const variables = { orderBy: [order] };
      const whole = await ask(catalog, of, { ...variables, first: 100 });
      const leafed: string[] = [];
      let after: string | null = null;
      do {
        const { data }: Awaited<ReturnType<typeof catalog.graphql>> = await catalog.graphql(
          lists[of],
          { ...variables, first: 2, after },
        );
        leafed.push(...data.list.nodes.map(({ name }: { name: string }) => name));
        after = data.list.pageInfo.hasNextPage ? data.list.pageInfo.endCursor : null;
      } while (after !== null);
      expect(leafed, `${of} ${JSON.stringify(order)}`).toEqual(whole);
      orders += 1;
    }
  }
  expect(orders).toBeGreaterThan(50);
});

test('orders are what their names say, and severities go by how bad they are', async () => {
  await using catalog = await openCatalog();
  await fill(catalog);
  expect(await ask(catalog, 'incidents', { orderBy: [{ severity: 'desc' }] })).toEqual([
    'on 1',
    'on 3',
    'on 4',
    'on 2',
  ]);
  expect(
    await ask(catalog, 'incidents', { orderBy: [{ resolvedAt: 'desc' }, { createdAt: 'asc' }] }),
  ).toEqual(['on 3', 'on 1', 'on 2', 'on 4']);
  expect(
    await ask(catalog, 'resources', {
      where: { kind: { eq: 'table' } },
      orderBy: [{ title: 'desc' }],
    }),
  ).toEqual(['users', 'orders', 'elsewhere']);
  const refused = await catalog.graphql(
    '{ resources(orderBy: [{ title: asc }], sort: [{ field: "title" }]) { totalCount } }',
  );
  expect(refused.errors?.[0]?.extensions).toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field: 'orderBy' }],
  });
});

test('a cursor of another order is refused, and no fault of the server', async () => {
  await using catalog = await openCatalog();
  await fill(catalog);
  const { data } = await catalog.graphql(lists.resources, {
    orderBy: [{ title: 'asc' }],
    first: 1,
  });
  const after = data.list.pageInfo.endCursor;
  for (const orderBy of [
    [{ updatedAt: 'asc' }],
    [{ totalUsage: 'asc' }],
    [{ title: 'asc' }, { updatedAt: 'asc' }],
    null,
  ]) {
    const { errors } = await catalog.graphql(lists.resources, { orderBy, after });
    expect(errors?.[0]?.extensions.code, JSON.stringify(orderBy)).toBe('BAD_REQUEST');
  }
  expect(catalog.unexpected).toEqual([]);
});

test('a typed filter finds nothing by what the viewer may not know of', async () => {
  await using catalog = await openCatalog();
  const { person, db, orders, team } = await fill(catalog);
  const secret = await catalog.team({ name: 'secret', type: 'CLOSED' });
  const hidden = await catalog.resource({ kind: 'collection', title: 'hidden', published: false });
  await updateResource(catalog.admin, orders.id, {
    teamIds: [team.id, secret.id],
    collectionIds: [hidden.id],
  });
  const counted = async (where: object, caller: Caller) =>
    (await ask(catalog, 'resources', { where }, caller)).length;
  const viewer = { as: 'viewer' } as const;
  for (const where of [
    { teams: { some: { name: { eq: 'secret' } } } },
    { teams: { some: { id: { eq: secret.id } } } },
    { collections: { some: { name: { eq: 'hidden' } } } },
    { collections: { isSet: true } },
  ]) {
    expect(
      [await counted(where, { as: 'editor' }), await counted(where, viewer)],
      JSON.stringify(where),
    ).toEqual([1, 0]);
  }
  expect(
    await counted({ teams: { none: { name: { eq: 'secret' } } }, title: { eq: 'orders' } }, viewer),
  ).toBe(1);
  await updateResource(catalog.admin, db.id, { published: false });
  expect(await counted({ within: db.id }, viewer)).toBe(0);
  // A guest finds no one but itself.
  const own = await catalog.team({ name: 'guests', addMemberIds: [catalog.idOf('guest')] });
  await updateResource(catalog.admin, orders.id, { teamIds: [own.id] });
  const guest = { as: 'guest' } as const;
  expect(await counted({ title: { eq: 'orders' } }, guest)).toBe(1);
  for (const where of [
    { owners: { some: { id: { eq: person.id } } } },
    { owners: { some: { email: { contains: 'ada' } } } },
    { owners: { isSet: true } },
  ]) {
    expect(await counted(where, guest), JSON.stringify(where)).toBe(0);
  }
  expect(
    await ask(catalog, 'incidents', { where: { assigneeId: { isSet: true } } }, guest),
  ).toEqual([]);
  expect(
    await ask(catalog, 'incidents', { where: { assigneeId: { eq: person.id } } }, guest),
  ).toEqual([]);
});

test('counts cost no rows: a page of none has its count, and whether there are any', async () => {
  await using catalog = await openCatalog();
  await fill(catalog);
  const query = `{ resources(first: 0, where: { kind: { eq: table } }) { totalCount nodes { id } pageInfo { hasNextPage endCursor } } }`;
  const { data } = await catalog.graphql(query);
  expect(data.resources).toEqual({
    totalCount: 3,
    nodes: [],
    pageInfo: { hasNextPage: true, endCursor: null },
  });
  const none = await catalog.graphql(
    '{ search(query: "orders", first: 0) { totalCount nodes { score } facets { owner { label count } } } }',
  );
  expect(none.data.search).toEqual({
    totalCount: 2,
    nodes: [],
    facets: { owner: [{ label: 'Ada Lovelace', count: 1 }] },
  });
});

test('lineage and data types are asked for, and lineage to what is hidden counts for nothing', async () => {
  await using catalog = await openCatalog();
  const caller = { as: 'viewer' } as const;
  const make = (title: string, published = true) =>
    catalog.resource({ kind: 'column', title, published, type: title === 'a' ? 'jsonb' : 'text' });
  const [a, b, hidden] = [await make('a'), await make('b'), await make('hidden', false)];
  for (const [fromId, toId] of [
    [a.id, b.id],
    [b.id, hidden.id],
  ]) {
    await catalog.graphql(
      `mutation { createLineage(input: { fromId: "${fromId}", toId: "${toId}" }) { id } }`,
    );
  }
  const titles = async (where: string, who?: Caller) => {
    const { data } = await catalog.graphql(
      `{ resources(where: { ${where} }, orderBy: [{ title: asc }]) { nodes { title } } }`,
      {},
      who,
    );
    return data.resources.nodes.map(({ title }: { title: string }) => title);
  };
  expect(await titles('hasDownstream: true')).toEqual(['a', 'b']);
  expect(await titles('hasUpstream: false')).toEqual(['a']);
  expect(await titles('hasDownstream: true', caller)).toEqual(['a']);
  expect(await titles('type: { contains: "JSON" }')).toEqual(['a']);
});

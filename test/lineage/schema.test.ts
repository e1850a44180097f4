import { expect, test } from 'vitest';
import { openCatalog } from '../catalog.ts';
import { grow } from './network.ts';

test('lineage is asked for in GraphQL with its defaults', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b b>c c>d d>e');
  const { data, errors } = await catalog.graphql(
    `query ($from: [ID!]!) {
      lineage(from: $from) {
        nodes { depth direction resource { id title kind ... on Table { nativeType } } }
        edges { id sourceId targetId isManual origin }
        truncated truncatedReason depthReached totalNodes hiddenNodes asOf
      }
    }`,
    { from: [network.id('a')] },
  );
  expect(errors).toBeUndefined();
  const { nodes, edges, ...rest } = data.lineage;
  expect(nodes).toHaveLength(4);
  expect(nodes[3]).toEqual({
    depth: 3,
    direction: 'DOWNSTREAM',
    resource: { id: network.id('d'), title: 'd', kind: 'table', nativeType: null },
  });
  expect(edges).toHaveLength(3);
  expect(edges[0]).toMatchObject({ isManual: true, origin: 'MANUAL' });
  expect(rest).toMatchObject({
    truncated: true,
    truncatedReason: 'depth: the lineage goes on beyond 3 steps.',
    depthReached: 3,
    totalNodes: 4,
    hiddenNodes: 0,
  });
});

test('a path is a list of resources, or null', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b b>c');
  const query = `query ($from: ID!, $to: ID!) { lineagePath(from: $from, to: $to) { title } }`;
  const ask = async (from: string, to: string) =>
    (await catalog.graphql(query, { from: network.id(from), to: network.id(to) })).data.lineagePath;
  expect(await ask('a', 'c')).toEqual([{ title: 'a' }, { title: 'b' }, { title: 'c' }]);
  expect(await ask('c', 'a')).toBeNull();
});

test('an edge is drawn, read, listed and deleted by mutations', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, '', { a: {}, b: {} });
  const [fromId, toId] = [network.id('a'), network.id('b')];
  const draw = `mutation ($input: LineageInput!) {
    createLineage(input: $input) { id direction isManual origin from { title } to { title } }
  }`;
  const drawn = await catalog.graphql(draw, { input: { fromId, toId } }, { as: 'editor' });
  expect(drawn.data.createLineage).toMatchObject({
    direction: 'DOWNSTREAM',
    isManual: true,
    origin: 'MANUAL',
    from: { title: 'a' },
    to: { title: 'b' },
  });
  const list = `query ($ids: [ID!]) {
    lineageEntries(fromIds: $ids, first: 10) { totalCount nodes { id direction } }
  }`;
  const listed = await catalog.graphql(list, { ids: [toId] });
  expect(listed.data.lineageEntries).toMatchObject({
    totalCount: 1,
    nodes: [{ direction: 'UPSTREAM' }],
  });
  const { id } = listed.data.lineageEntries.nodes[0];
  const one = 'query ($id: ID!) { lineageEntry(id: $id) { fromId toId } }';
  expect((await catalog.graphql(one, { id })).data.lineageEntry).toEqual({
    fromId: toId,
    toId: fromId,
  });
  const remove = 'mutation ($id: ID!) { deleteLineage(id: $id) }';
  const refused = await catalog.graphql(remove, { id }, { as: 'viewer' });
  expect(refused.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  expect((await catalog.graphql(remove, { id })).data).toEqual({ deleteLineage: id });
  const again = await catalog.graphql(remove, { id });
  expect(again.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  expect((await catalog.graphql(list, {})).data.lineageEntries.totalCount).toBe(0);
});

test('bad input is named, and no statement is sent for it', async () => {
  await using catalog = await openCatalog();
  const query = `query ($from: [ID!]!, $depth: Int) {
    lineage(from: $from, depth: $depth) { totalNodes }
  }`;
  const code = async (variables: object) =>
    (await catalog.graphql(query, variables)).errors?.[0]?.extensions;
  expect(await code({ from: ['nonsense'] })).toMatchObject({ code: 'NOT_FOUND' });
  expect(await code({ from: [] })).toMatchObject({ code: 'BAD_REQUEST' });
  const resource = await catalog.resource();
  expect(await code({ from: [resource.id], depth: 101 })).toMatchObject({ code: 'BAD_REQUEST' });
  const { data } = await catalog.graphql(query, { from: [resource.id], depth: null });
  expect(data.lineage).toEqual({ totalNodes: 1 });
});

test('the first hop of every row of a list costs two statements in all', async () => {
  await using catalog = await openCatalog();
  const query = `query ($first: Int) {
    resources(first: $first) { nodes { title upstream { title } downstream { title } } }
  }`;
  await grow(catalog, Array.from({ length: 30 }, (_, i) => `s${i}>t${i} t${i}>u`).join(' '));
  const count = async (first: number) => {
    const { value, statements } = await catalog.counting(() => catalog.graphql(query, { first }));
    expect(value.errors).toBeUndefined();
    expect(value.data.resources.nodes).toHaveLength(first);
    return statements.length;
  };
  // The first request of a key also looks the key up.
  await count(1);
  const few = await count(2);
  expect(await count(60)).toBe(few);
});

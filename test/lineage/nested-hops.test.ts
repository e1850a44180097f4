// Nested hops from the graph in memory: what the database answers hop by hop, in three statements however deep.

import { expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { downstreamOf, upstreamOf } from '../../src/lineage/hop.ts';
import { graphFigures } from '../../src/lineage/memory/kept.ts';
import { archiveResource } from '../../src/resources/editing/archive.ts';
import { openCatalog } from '../catalog.ts';
import { grow } from './network.ts';

const memory = { maxBytes: 64 * 1024 * 1024, waits: true };
const openWithMemory = () => openCatalog({ alone: true, lineageMemory: memory });

interface Tree {
  readonly title: string;
  readonly near: readonly Tree[];
}

/** What the database says of the hops from a resource, each another way. */
async function hops(ctx: Context, id: string, ways: readonly string[]): Promise<Tree['near']> {
  const [way, ...further] = ways;
  if (way === undefined) return [];
  const read = way === 'upstream' ? upstreamOf : downstreamOf;
  const next = (await read(ctx, [id])).get(id) ?? [];
  return Promise.all(
    next.map(async (one) => ({ title: one.title, near: await hops(ctx, one.id, further) })),
  );
}

/** The selection of such hops, in which each level of the answer is called `near`. */
function selection([way, ...further]: readonly string[]): string {
  return way === undefined ? '' : `near: ${way} { title ${selection(further)} }`;
}

/** An answer with an empty level where none was asked for. */
function whole(near: readonly Partial<Tree>[] = []): unknown {
  return near.map((one) => ({ title: one.title, near: whole(one.near) }));
}

test('hops are those of the database, by title, whoever asks and whichever way they go', async () => {
  await using catalog = await openWithMemory();
  const edges = 'a>b a>c a>s a>gone b>d c>d s>d d>a d>e t.k>u.k u.k>v.k b>c';
  const network = await grow(catalog, edges, { s: { published: false } });
  await network.draw('a>b', { origin: 'QUERY' });
  await archiveResource(catalog.admin, network.id('gone'));
  const shapes = [
    ['downstream'],
    ['downstream', 'downstream', 'downstream'],
    ['upstream', 'upstream'],
    ['downstream', 'upstream', 'downstream', 'downstream'],
  ];
  for (const role of ['admin', 'viewer'] as const) {
    for (const ways of shapes) {
      for (const name of ['a', 'd', 'e', 't', 't.k', 'v.k']) {
        const id = network.id(name);
        const query = `query ($id: ID!) { resource(id: $id) { ${selection(ways)} } }`;
        const { data } = await catalog.graphql(query, { id }, { as: role });
        const expected = await hops(catalog.as(role), id, ways);
        expect(whole(data.resource.near), `${role} ${name} ${ways}`).toEqual(expected);
      }
    }
  }
  expect(graphFigures(catalog.database).served).toBeGreaterThan(20);
});

test('however deep they go, a query of hops costs three statements', async () => {
  await using catalog = await openWithMemory();
  const network = await grow(catalog, 'a>b a>c b>d c>d d>e e>f');
  const query = `query ($id: ID!) { resource(id: $id) {
    ${selection(Array.from({ length: 5 }, () => 'downstream'))} } }`;
  const id = network.id('a');
  await catalog.graphql(query, { id });
  const { value, statements } = await catalog.counting(() => catalog.graphql(query, { id }));
  expect(value.errors).toBeUndefined();
  expect(JSON.stringify(value.data)).toContain('"f"');
  expect(statements).toHaveLength(3);
});

test('what a mutation draws is among the hops that its answer shows', async () => {
  await using catalog = await openWithMemory();
  const network = await grow(catalog, 'a>b', { c: {}, d: {} });
  const [from, c, d] = ['a', 'c', 'd'].map((name) => network.id(name));
  const query = 'query ($id: ID!) { resource(id: $id) { downstream { title } } }';
  await catalog.graphql(query, { id: from });
  const drawn = await catalog.graphql(
    `mutation ($from: ID!, $c: ID!, $d: ID!) {
      one: createLineage(input: { fromId: $from, toId: $c }) { from { downstream { title } } }
      other: createLineage(input: { fromId: $from, toId: $d }) { from { downstream { title } } }
    }`,
    { from, c, d },
  );
  expect(drawn.errors).toBeUndefined();
  const titles = (field: string) =>
    drawn.data[field].from.downstream.map(({ title }: { title: string }) => title);
  expect([titles('one'), titles('other')]).toEqual([
    ['b', 'c'],
    ['b', 'c', 'd'],
  ]);
});

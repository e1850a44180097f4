// The tools that public clients of the original product call: all of them, as those clients send them.

import { expect, test } from 'vitest';
import { openCatalog } from '../catalog.ts';
import { seed } from '../rest/seed.ts';

const catalog = await openCatalog();
const { params } = await seed(catalog);

const call = async (name: string, args: object | null = {}, caller = { as: 'admin' } as const) => {
  const body = { name, arguments: args };
  const answer = await catalog.rest('POST', '/ai/mcp/tools/call/', { body, caller });
  expect(answer.status).toBe(200);
  const [content] = answer.body.content;
  expect(content.type).toBe('text');
  return { isError: answer.body.isError, text: content.text };
};
const said = async (name: string, args: object = {}) => {
  const { isError, text } = await call(name, args);
  expect([isError, text]).toEqual([false, expect.any(String)]);
  return JSON.parse(text);
};

test('data and documentation are searched, page by page', async () => {
  const found = await said('search_data_assets', { query: 'orders', page: 1 });
  expect(found.results[0]).toMatchObject({ id: params.table_id, entity_type: 'table' });
  expect((await said('search_data_assets', { query: 'orders', page: 2 })).results).toEqual([]);
  const documents = await said('search_documentation', { query: 'Read me' });
  expect(documents.results.map(({ id }: { id: string }) => id)).toEqual([params.document_id]);
  expect((await said('search_documentation', { query: 'orders' })).results).toEqual([]);
});

test('a resource and its lineage are answered', async () => {
  const document = await said('retrieve_entity', { entity_id: params.document_id });
  expect(document).toMatchObject({ title: 'Read me', definition: '# Hello' });
  const table = await said('retrieve_entity', { entity_id: params.table_id });
  const named = expect.objectContaining({ id: expect.any(String), name: expect.any(String) });
  expect(table).toMatchObject({ parent: { title: 'public' }, tags: [named], owners: [named] });
  expect(table.columns).toContainEqual(expect.objectContaining({ id: params.column_id }));
  expect(table).toMatchObject({ owners_of: null, integration: { id: expect.any(String) } });
  // The column has no owner of its own: its table's are answered, and said to be that.
  const bare = await catalog.resource({ kind: 'column', parentId: params.table_id ?? '' });
  const column = await said('retrieve_entity', { entity_id: bare.id });
  expect(column).toMatchObject({ owners: table.owners, owners_of: { id: params.table_id } });
  const graph = await said('entity_lineage', { entity_id: params.table_id });
  expect(graph.nodes[0]).toMatchObject({ depth: 0, id: params.table_id });
  expect(graph.edges).toHaveLength(1);
  expect(graph.edges[0].from).toBe(params.table_id);
  const terms = await said('glossary');
  expect(terms.results.map(({ title }: { title: string }) => title)).toEqual(['Churn']);
});

test('what a tool refuses, and a tool that there is not, is answered as an error of the tool', async () => {
  const refusals = await Promise.all([
    call('run_sql', { query: 'select 1', integration_id: null }),
    call('drop_everything'),
    call('search_data_assets', {}),
    call('search_data_assets', { query: 'a', page: 0 }),
    call('retrieve_entity', { entity_id: 'no-such-id' }),
    call('entity_lineage', { entity_id: '0d9f1c1e-6f0b-4c39-9d8a-2f1f0f6b7a51' }),
  ]);
  expect(refusals.map(({ isError }) => isError)).toEqual(refusals.map(() => true));
  expect(refusals.map(({ text }) => text)).toEqual([
    expect.stringContaining('not enabled'),
    expect.stringContaining('search_data_assets'),
    expect.stringContaining('query: '),
    expect.stringContaining('page: '),
    expect.stringContaining('not found'),
    expect.stringContaining('not found'),
  ]);
});

test('it has the key check and the errors of REST, and shows no one more than they may see', async () => {
  const path = '/ai/mcp/tools/call/';
  const body = { name: 'glossary' };
  const stranger = await catalog.rest('POST', path, { body, caller: { key: null } });
  expect(stranger.status).toBe(401);
  expect((await catalog.rest('POST', path, { body: { tool: 'x' } })).status).toBe(400);
  expect((await catalog.rest('POST', path, { body: '{' })).status).toBe(400);
  const made = await catalog.rest('POST', '/document', {
    body: { title: 'Secret', published: false },
  });
  const hidden = { name: 'retrieve_entity', arguments: { entity_id: made.body.id } };
  const seen = await catalog.rest('POST', path, { body: hidden, caller: { as: 'viewer' } });
  expect(seen.body).toMatchObject({ isError: true, content: [{ text: 'Resource not found.' }] });
  expect(catalog.unexpected).toEqual([]);
});

import { execute, parse } from 'graphql';
import { expect, test } from 'vitest';
import { openSession } from '../../src/rest/executor.ts';
import { ask, openLibrary } from './operations/library/library.ts';

test('a query answers what graphql-js answers, also where arguments are absent', async () => {
  const library = openLibrary();
  const { id } = library.shelves.add({ title: 'A', loan: { to: 'Ann', days: 2 } });
  library.shelves.add({ title: 'B' });
  const calls: [string, Record<string, unknown>][] = [
    ['ListBooks', {}],
    ['ListBooks', { title: 'A', page: 1, page_size: 1 }],
    ['ListBooks', { lent: false, shelves: ['a'], kind: 'poetry', page_size: 5 }],
    ['ListBooks', { filter: { operator: 'exact', field: 'a', value: [null, { b: 1 }] } }],
    ['GetBook', { book_id: id }],
    ['ListItems', {}],
    ['BookLog', { book_id: id }],
    ['ListShelves', {}],
  ];
  for (const [name, variableValues] of calls) {
    const operation = library.operations.find((one) => one.name === name);
    if (!operation) throw new Error(`There is no ${name}.`);
    const session = await openSession(library.yoga, ask('GET', '/'), 'r');
    const { schema } = library;
    const contextValue = session.context;
    const asked = { schema, document: operation.executed, contextValue, variableValues };
    const { data } = await execute(asked);
    const roots = Object.values(data ?? {});
    // The fields of several roots make one record.
    const expected = roots.length === 1 ? roots[0] : Object.assign({}, ...roots);
    // The second run takes the plan that the first one made.
    for (let round = 0; round < 2; round += 1) {
      const answered = await session.run(operation, variableValues);
      expect(JSON.stringify(answered)).toBe(JSON.stringify(expected));
    }
  }
});

test('a page number without a value takes its default', async () => {
  const library = openLibrary();
  for (let n = 0; n < 60; n += 1) library.shelves.add({});
  for (let round = 0; round < 2; round += 1) {
    const page = await (await library.fetch(ask('GET', '/book/books'))).json();
    expect([page.meta.page, page.results.length, page.count]).toEqual([1, 50, 60]);
  }
});

test('what /graphql runs is not touched by the operations of REST', async () => {
  const library = openLibrary();
  library.shelves.add({ title: 'A' });
  await library.fetch(ask('GET', '/book/books'));
  const response = await library.yoga.fetch('http://library.test/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'query ListBooks { books { totalCount } }' }),
  });
  expect(await response.json()).toEqual({ data: { books: { totalCount: 1 } } });
});

test('every error of a resolver is masked, each time alike', async () => {
  const library = openLibrary();
  const headers = { authorization: 'Bearer reader-key' };
  for (let round = 0; round < 2; round += 1) {
    const forbidden = await library.fetch(ask('GET', '/log/audit', undefined, headers));
    expect(forbidden.status).toBe(403);
    const invalid = await library.fetch(ask('GET', '/book/books?page=0'));
    expect((await invalid.json()).errors).toEqual([{ field: 'page', message: 'It starts at 1.' }]);
    const crash = await library.fetch(ask('GET', '/book/books/crash'));
    expect(crash.status).toBe(500);
    expect(await crash.text()).not.toContain('hunter2');
  }
});

test('a session runs an operation in the context that it is given', async () => {
  const library = openLibrary();
  const request = ask('POST', '/', {}, { authorization: 'Bearer reader-key' });
  const session = await openSession(library.yoga, request, 'r');
  const operation = library.operations.find(({ name }) => name === 'CreateBook');
  if (!operation) throw new Error('There is no CreateBook.');
  const variables = { title: 'A' };
  await expect(session.run(operation, variables)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const librarian = { ...session.context, role: 'librarian' as const };
  await expect(session.run(operation, variables, librarian)).resolves.toMatchObject({ title: 'A' });
});

test('GraphQL’s own refusal of null is the client’s, and names the parameter', async () => {
  const library = openLibrary();
  const session = await openSession(library.yoga, ask('GET', '/'), 'r');
  const operation = library.operations.find(({ name }) => name === 'ListBooks');
  if (!operation) throw new Error('There is no ListBooks.');
  const document = parse('query Q($page: Int = 1) { books(page: $page) { totalCount } }');
  await expect(session.run({ ...operation, document }, { page: null })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field: 'page', message: 'must not be null' }],
  });
});

test('a null where the schema promises a value is our fault', async () => {
  const library = openLibrary();
  const { id } = library.shelves.add({ title: 'A' });
  Object.assign(library.shelves.find(id) ?? {}, { title: null });
  const operation = library.operations.find(({ name }) => name === 'GetBook');
  if (!operation) throw new Error('There is no GetBook.');
  const session = await openSession(library.yoga, ask('GET', '/'), 'r');
  await expect(session.run(operation, { book_id: id })).rejects.toMatchObject({
    code: 'INTERNAL_SERVER_ERROR',
    message: 'Something went wrong on the server.',
  });
  expect((await library.fetch(ask('GET', `/book/books/${id}`))).status).toBe(500);
  expect(library.shelves.errors.map(String)).toContainEqual(
    expect.stringContaining('Cannot return null for non-nullable field'),
  );
});

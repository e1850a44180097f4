import { expect, test } from 'vitest';
import { ask, openLibrary } from './operations/library/library.ts';

/** Add a book with this body: what the resolver got as its input, or the errors. */
async function input(body: unknown, query = '') {
  const library = openLibrary();
  const response = await library.fetch(ask('POST', `/book/books${query}`, body));
  const answer = await response.json();
  if (response.status === 201) return answer.received.input;
  expect(response.status).toBe(400);
  expect(library.shelves.books).toEqual([]);
  return answer.errors;
}

/** List the books with this query: what the resolver got, or the errors. */
async function listed(query: string) {
  const library = openLibrary();
  library.shelves.add({ title: 'A' });
  const response = await library.fetch(ask('GET', `/book/books?${query}`));
  const answer = await response.json();
  return response.status === 200 ? answer.results[0]?.received : answer.errors;
}

test('a body reaches the schema under its names, with its values as they are', async () => {
  const body = {
    title: 'A',
    kind: 'poetry',
    pages: 3,
    price: 2,
    lent: true,
    authors: [],
    details: { some_key: [1, null] },
    loan: { to: 'Ann' },
  };
  expect(await input(body)).toEqual({
    title: 'A',
    kind: 'poetry',
    pageCount: 3,
    price: 2,
    isLent: true,
    authors: [],
    details: { some_key: [1, null] },
    loan: { to: 'Ann' },
  });
});

test('what a body has besides the documented fields is left alone, and refused within one of them', async () => {
  const body = { title: 'A', entity_type: 5, titel: 'B', __proto__: 1, loan: { to: 'B' } };
  expect(await input(body)).toEqual({ title: 'A', loan: { to: 'B' } });
  expect(await input({ title: 'A', loan: { to: 'B', too: 1 } })).toEqual([
    { field: 'loan.too', message: 'There is no such member here. Did you mean loan.to?' },
  ]);
  expect(await input('{"title":"A","__proto__":{"shelf":"x"},"constructor":1}')).toEqual({
    title: 'A',
  });
});

test('a field of the wrong type is 400 and named, all of them at once', async () => {
  const body = {
    title: 7,
    shelf: 7,
    kind: 'prose',
    pages: 'many',
    price: 'cheap',
    lent: 'yes',
    authors: 'Ann',
    published_at: 'yesterday',
    loan: [],
  };
  expect(await input(body)).toEqual([
    { field: 'title', message: 'must be a string' },
    { field: 'shelf', message: 'must be an id, which is a string' },
    { field: 'kind', message: 'must be one of novel, poetry' },
    { field: 'pages', message: 'must be a whole number' },
    { field: 'price', message: 'must be a number' },
    { field: 'lent', message: 'must be true or false' },
    { field: 'authors', message: 'must be a list' },
    { field: 'published_at', message: 'must be a date-time such as 2024-05-01T12:00:00Z' },
    { field: 'loan', message: 'must be a JSON object' },
  ]);
});

test('a wrong value inside of a field is named with its place', async () => {
  expect(await input({ title: 'A', authors: ['Ann', null, 3], loan: { days: 1.5 } })).toEqual([
    { field: 'authors.1', message: 'must not be null' },
    { field: 'authors.2', message: 'must be a string' },
    { field: 'loan.to', message: 'is required' },
    { field: 'loan.days', message: 'must be a whole number' },
  ]);
});

test('a required field must be there and not be null', async () => {
  expect(await input({})).toEqual([{ field: 'title', message: 'is required' }]);
  expect(await input({ title: null })).toEqual([{ field: 'title', message: 'must not be null' }]);
  expect(await input('')).toEqual([{ field: 'title', message: 'is required' }]);
});

test('an empty id is no id; an empty string is a string', async () => {
  expect(await input({ title: '', shelf: '', notify_chat_channel: '' })).toEqual({
    title: '',
    shelfId: null,
    chatChannel: '',
  });
});

test('booleans and numbers may be text, in objects within the body as well', async () => {
  expect(await input({ title: 'A', lent: 'true', pages: '12' })).toEqual({
    title: 'A',
    isLent: true,
    pageCount: 12,
  });
  expect(await input({ title: 'A', lent: 'False', pages: '' })).toEqual({
    title: 'A',
    isLent: false,
    pageCount: null,
  });
  expect(await input({ title: 'A', price: '1.5', loan: { to: 'B', days: '7' } })).toEqual({
    title: 'A',
    price: 1.5,
    loan: { to: 'B', days: 7 },
  });
  expect(await input({ title: 'A', price: 'NaN', lent: 'yes' })).toEqual([
    { field: 'price', message: 'must be a number' },
    { field: 'lent', message: 'must be true or false' },
  ]);
  expect(await input({ title: 'A', pages: '1e3' })).toMatchObject([{ field: 'pages' }]);
});

test('another name of a field counts where its own is absent', async () => {
  const old = await input({ title: 'A', notify_slack_channel: 'C1' });
  expect(old).toEqual({ title: 'A', chatChannel: 'C1' });
  const both = await input({ title: 'A', notify_slack_channel: 'C1', notify_chat_channel: null });
  expect(both).toEqual({ title: 'A', chatChannel: null });
});

test('a parameter of the query is not read from the body', async () => {
  const library = openLibrary();
  const add = async (query: string) => {
    const body = { title: 'A', dry_run: true };
    const response = await library.fetch(ask('POST', `/book/books${query}`, body));
    return (await response.json()).received;
  };
  expect(await add('')).toEqual({ input: { title: 'A' } });
  expect(await add('?dry_run=true')).toEqual({ input: { title: 'A' }, dryRun: true });
});

test('text that can’t be stored is refused wherever it stands', async () => {
  const wrong = (field: string) => [{ field, message: 'must be Unicode text without U+0000' }];
  expect(await input({ title: 'a\0b' })).toEqual(wrong('title'));
  expect(await input('{"title":"\\ud800"}')).toEqual(wrong('title'));
  expect(await input({ title: 'A', details: { a: ['\0'] } })).toEqual(wrong('details'));
  expect(await input({ title: 'A', details: { '\0': 1 } })).toEqual(wrong('details'));
  expect(await listed('title=%00')).toEqual(wrong('title'));
  const library = openLibrary();
  expect((await library.fetch(ask('GET', '/book/books/%00'))).status).toBe(404);
  expect((await library.fetch(ask('DELETE', '/book/books/a%00b'))).status).toBe(404);
});

test('JSON nests 64 levels deep and no deeper', async () => {
  const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
  expect(await input(`{"title":"A","details":${nested(64)}}`)).toMatchObject({ title: 'A' });
  const deep = [{ field: 'details', message: 'At most 64 levels of nesting are allowed.' }];
  expect(await input(`{"title":"A","details":${nested(66)}}`)).toEqual(deep);
  expect(await input(`{"title":"A","details":${nested(4000)}}`)).toEqual(deep);
});

test('a list of wrong values names the first twenty', async () => {
  const errors = await input({ title: 'A', authors: Array.from({ length: 1000 }, () => 1) });
  expect(errors).toHaveLength(20);
});

test('query parameters are typed, and an empty one is absent', async () => {
  expect(await listed('kind=poetry&lent=True&published_after=2024-05-01T00:00:00Z')).toEqual({
    kind: 'poetry',
    lent: true,
    publishedAfter: '2024-05-01T00:00:00.000Z',
  });
  expect(await listed('kind=&lent=&page=&shelves=&title=')).toEqual({});
  expect(await listed('page=1.0')).toMatchObject([{ field: 'page' }]);
  expect(await listed('page=99999999999')).toMatchObject([{ field: 'page' }]);
  expect(await listed('page=0')).toMatchObject([{ field: 'page' }]);
  expect(await listed('kind=prose')).toEqual([
    { field: 'kind', message: 'must be one of novel, poetry' },
  ]);
});

test('of a parameter that is given twice the last counts', async () => {
  expect(await listed('page=7&page=1&lent=true&lent=false')).toEqual({ lent: false });
});

test('JSON in the query is parsed, and what is wrong in it has its place', async () => {
  const filter = (value: unknown) =>
    listed(
      `filter=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
    );
  expect(await filter({ operator: 'exact', field: 'a', value: { b: 1 } })).toEqual({
    filter: { operator: 'exact', field: 'a', value: { b: 1 } },
  });
  expect(await filter('{"operator":')).toEqual([
    { field: 'filter', message: 'must be a JSON object' },
  ]);
  expect(await filter({ operator: 'like' })).toEqual([
    { field: 'filter.operator', message: 'must be one of exact, contains' },
    { field: 'filter.field', message: 'is required' },
  ]);
});

test('parameters that no operation knows are each refused by name', async () => {
  const names = ['unknown', '__proto__', 'constructor', 'toString'];
  expect(await listed(names.map((name, n) => `${name}=${n}`).join('&'))).toEqual(
    names.map((field) => ({ field, message: 'There is no such parameter here.' })),
  );
});

// Searches that people keep: each their own, by name, as they were asked.

import { expect, test } from 'vitest';
import { saveSearch } from '../../../src/resources/search/saved/saved-search.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';

type Caller = 'admin' | 'editor' | 'viewer' | 'guest';

const fields = 'id name query kinds tagIds teamIds ownerIds integrationIds';
const save = (catalog: Catalog, input: object, as: Caller = 'viewer') =>
  catalog.graphql(
    `mutation ($input: SaveSearchInput!) { saveSearch(input: $input) { ${fields} } }`,
    { input },
    { as },
  );
const remove = (catalog: Catalog, id: string, as: Caller = 'viewer') =>
  catalog.graphql('mutation ($id: ID!) { deleteSavedSearch(id: $id) { name } }', { id }, { as });
const kept = async (catalog: Catalog, as: Caller = 'viewer') => {
  const { data } = await catalog.graphql(`{ viewer { savedSearches { ${fields} } } }`, {}, { as });
  return data.viewer.savedSearches;
};
const codeOf = ({ errors }: { errors?: readonly { extensions?: unknown }[] | undefined }) =>
  errors?.map(({ extensions }) => Reflect.get(Object(extensions), 'code'))[0];

test('are kept by name with all that narrows them, and one of the same name is replaced', async () => {
  await using catalog = await openCatalog();
  const tag = await catalog.tag();
  const narrowed = { query: 'orders is:verified', kinds: ['table', 'column'], tagIds: [tag.id] };
  await save(catalog, { name: 'Mine', ...narrowed });
  await save(catalog, { name: 'All', query: 'revenue' });
  const none = { kinds: [], tagIds: [], teamIds: [], ownerIds: [], integrationIds: [] };
  const [all, mine] = await kept(catalog);
  expect([all, mine]).toEqual([
    { id: all.id, name: 'All', query: 'revenue', ...none },
    { id: mine.id, name: 'Mine', ...none, ...narrowed },
  ]);
  await save(catalog, { name: 'Mine', query: 'refunds' });
  expect((await kept(catalog))[1]).toEqual({
    id: mine.id,
    name: 'Mine',
    query: 'refunds',
    ...none,
  });
});

test('are seen and deleted by no one else', async () => {
  await using catalog = await openCatalog();
  const { id } = (await save(catalog, { name: 'Mine', query: 'x' })).data.saveSearch;
  for (const as of ['admin', 'editor', 'guest'] as const) {
    expect(await kept(catalog, as)).toEqual([]);
    expect(codeOf(await remove(catalog, id, as))).toBe('NOT_FOUND');
  }
  await using theirs = await catalog.another();
  expect(codeOf(await remove(theirs, id))).toBe('NOT_FOUND');
  expect((await remove(catalog, id)).data.deleteSavedSearch).toEqual({ name: 'Mine' });
  expect(codeOf(await remove(catalog, id))).toBe('NOT_FOUND');
  expect(codeOf(await remove(catalog, 'x'))).toBe('NOT_FOUND');
  expect(catalog.unexpected).toEqual([]);
});

test('need a name, are narrowed by ids, and are a hundred at most, also when saved at once', async () => {
  await using catalog = await openCatalog();
  for (const wrong of [
    { name: ' ' },
    { name: 'a\u0000' },
    { name: 'x', query: 'y'.repeat(201) },
    { name: 'x', tagIds: ['no-id'] },
    { name: 'x', ownerIds: Array.from({ length: 51 }, () => catalog.idOf('admin')) },
  ]) {
    expect(codeOf(await save(catalog, wrong)), JSON.stringify(wrong).slice(0, 80)).toBe(
      'BAD_REQUEST',
    );
  }
  for (let n = 0; n < 95; n += 1) await saveSearch(catalog.as('viewer'), { name: `s${n}` });
  const more = await Promise.all(
    Array.from({ length: 10 }, (_, n) => save(catalog, { name: `more ${n}` })),
  );
  expect(more.map(codeOf).filter((code) => code === 'BAD_REQUEST')).toHaveLength(5);
  expect(await kept(catalog)).toHaveLength(100);
  expect(codeOf(await save(catalog, { name: 's1', query: 'again' }))).toBeUndefined();
  const same = await Promise.all(
    Array.from({ length: 4 }, () => save(catalog, { name: 'One' }, 'editor')),
  );
  expect(same.map(codeOf)).toEqual([undefined, undefined, undefined, undefined]);
  expect(await kept(catalog, 'editor')).toHaveLength(1);
  expect(catalog.unexpected).toEqual([]);
});

// What a message of changes says, and where it is cut.

import { expect, test } from 'vitest';
import {
  bodiesOf,
  type ChangedResource,
  type Noted,
  wordsFor,
} from '../../src/notifications/changes/wording.ts';

const place = (id: string): ChangedResource => ({
  ...{ id, kind: 'table', title: id, titleFull: `shop.${id}`, published: true },
  ...{ tagIds: [], teamIds: [], tableId: null, tableTitle: null },
  ...{ tableTagIds: [], tableTeamIds: [], tablePublished: false },
});
const noted = (resourceId: string, what: string, before: string | null = null): Noted => ({
  ...{ id: 1, resourceId, what, before, after: null, notedAt: new Date(0) },
  ...{ actorId: null, actorName: 'Ada', integrationId: null },
});
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`);
const placesOf = (ids: readonly string[]) => new Map(ids.map((id) => [id, place(id)]));

test('a message names 20 resources, and counts the others', () => {
  const words = (count: number) => {
    const ids = numbered(count);
    const all = ids.map((id) => noted(id, 'title'));
    return wordsFor(all, placesOf(ids), false);
  };
  const twenty = words(20);
  expect(twenty).toMatchObject({ title: '20 resources changed', resources: numbered(20) });
  expect(twenty.lines?.slice(-2)).toEqual(['shop.t19:', '- title']);
  const more = words(22);
  expect(more).toMatchObject({ title: '22 resources changed', resources: numbered(20) });
  expect(more.lines?.slice(-3)).toEqual(['shop.t19:', '- title', 'And 2 other resources.']);
});

test('ten lines are said of a resource, each once, and the others are counted', () => {
  const words = (count: number) => {
    const all = numbered(count).map((what) => noted('a', what));
    return wordsFor([...all, ...all], placesOf(['a']), true);
  };
  expect(words(10)).toMatchObject({ title: 'shop.a changed', text: 'This changed:' });
  expect(words(10).lines).toEqual(numbered(10).map((what) => `- ${what}, by Ada`));
  expect(words(12).lines?.slice(-2)).toEqual(['- t9, by Ada', '- and 2 more']);
});

test('what is gone by now is not told of', () => {
  const words = wordsFor([noted('a', 'title'), noted('b', 'title')], placesOf(['a']), true);
  expect(words).toMatchObject({ title: 'shop.a changed', resources: ['a'] });
});

test('a webhook gets a hundred changes in a request, fifty requests, and the number of the rest', () => {
  const bodies = (count: number) =>
    bodiesOf(Array(count).fill(noted('a', 'title')), placesOf(['a']), new Date(0)).map((body) => {
      const { data } = JSON.parse(body);
      return [data.changes.length, data.more];
    });
  expect(bodies(0)).toEqual([]);
  expect(bodies(100)).toEqual([[100, 0]]);
  expect(bodies(101)).toEqual([
    [100, 0],
    [1, 0],
  ]);
  expect(bodies(5_000)).toEqual(Array(50).fill([100, 0]));
  expect(bodies(5_003)).toEqual([...Array(49).fill([100, 0]), [100, 3]]);
});

// Keys in a tree, where a shelf is moved to, and ranges of rows.

import { expect, test } from 'vitest';
import { rangeOf } from '../../../src/explorer/browse/selection.ts';
import { aroundOf, moveOf } from '../../../src/explorer/shelf/shelf.ts';
import { stepBy, type TreeState } from '../../../src/explorer/tree/steps.ts';

const items: readonly TreeState[] = [
  { id: 'a', name: 'alpha', level: 1, isOpen: true },
  { id: 'b', name: 'beta', level: 2, isOpen: null },
  { id: 'c', name: 'also', level: 2, isOpen: false },
  { id: 'd', name: 'delta', level: 1, isOpen: false },
  { id: 'e', name: 'deep', level: 1, isOpen: false },
];

test.each([
  ['ArrowDown', 0, { to: 1 }],
  ['ArrowDown', 4, { to: 4 }],
  ['ArrowUp', 0, { to: 0 }],
  ['Home', 3, { to: 0 }],
  ['End', 0, { to: 4 }],
  ['ArrowRight', 0, { to: 1 }],
  ['ArrowRight', 1, {}],
  ['ArrowRight', 3, { open: ['d'] }],
  ['ArrowLeft', 0, { close: 'a' }],
  ['ArrowLeft', 2, { to: 0 }],
  ['ArrowLeft', 3, {}],
  ['*', 3, { open: ['d', 'e'] }],
  ['*', 1, { open: ['c'] }],
  ['d', 3, { to: 4 }],
  ['d', 4, { to: 3 }],
  ['z', 0, null],
  [' ', 0, null],
])('%s at %s does %s', (key, at, step) => {
  expect(stepBy(key, key, items, at)).toEqual(step);
});

test('several letters find a name from where one is', () => {
  expect(stepBy('l', 'al', items, 2)).toEqual({ to: 2 });
  expect(stepBy('e', 'dee', items, 3)).toEqual({ to: 4 });
});

test('a document leaves the collection that it is dragged from, and no other', () => {
  const document = { id: '1', kind: 'document', parentId: null };
  const collections = [{ id: 'x' }, { id: 'y' }];
  expect(moveOf({ ...document, collections }, { id: 'z', kind: 'collection' }, 'y')).toEqual({
    ...{ parentId: null, addCollectionIds: ['z'], removeCollectionIds: ['y'] },
  });
  expect(moveOf({ ...document, collections }, { id: '2', kind: 'document' }, 'x')).toEqual({
    ...{ parentId: '2', removeCollectionIds: ['x'] },
  });
  expect(moveOf({ ...document, parentId: '2', collections }, null, '2')).toEqual({
    ...{ parentId: null, removeCollectionIds: [] },
  });
  expect(
    moveOf(
      { ...document, kind: 'collection', collections: [] },
      { id: 'z', kind: 'collection' },
      null,
    ),
  ).toEqual({ parentId: 'z', removeCollectionIds: [] });
});

test('what a text lies in begins with the collection of the outermost', () => {
  const collection = { id: 'c', kind: 'collection', title: 'Finance' };
  const outer = { id: 'o', kind: 'document', title: 'Outer', collections: [collection] };
  expect(aroundOf({ collections: [], parent: outer }).map(({ id }) => id)).toEqual(['c', 'o']);
  expect(aroundOf({ collections: [] })).toEqual([]);
});

test('a range goes from the last row to this one, in either direction', () => {
  const order = ['a', 'b', 'c', 'd'];
  expect(rangeOf(order, 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(rangeOf(order, null, 'b')).toEqual(['b']);
  expect(rangeOf(order, 'gone', 'b')).toEqual(['b']);
});

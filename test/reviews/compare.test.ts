// What a review counts as a change of a model: values on each side of every comparison.

import { expect, test } from 'vitest';
import { compareModels, type Model, type ModelColumn } from '../../src/reviews/compare.ts';

const column = (given: Partial<ModelColumn> = {}): ModelColumn => ({
  ...{ name: 'total', type: 'integer', made: 'sum(orders.amount)' },
  ...given,
});

function model(given: Partial<Omit<Model, 'columns'>> = {}, columns = [column()]): Model {
  return {
    ...{ name: 'shop.main.revenue', nativeType: 'table', sql: 'select 1', isComplete: true },
    ...given,
    columns: new Map(columns.map((one) => [one.name.toLowerCase(), one])),
  };
}

function changeOf(before: Model, after: Model) {
  const { changed, unchanged } = compareModels(
    new Map([['revenue', before]]),
    new Map([['revenue', after]]),
  );
  return changed[0] ?? { unchanged };
}

test.each([
  ['a type in capitals', { type: 'INTEGER' }],
  ['a type that one side does not know', { type: null }],
  ['an origin that one side does not know', { made: null }],
  ['a name in capitals', { name: 'TOTAL' }],
])('%s is no change of a column, whichever side has it', (_, given) => {
  expect(changeOf(model(), model({}, [column(given)]))).toEqual({ unchanged: 1 });
  expect(changeOf(model({}, [column(given)]), model())).toEqual({ unchanged: 1 });
});

test('another type and another origin are changes of their own', () => {
  const after = model({}, [column({ type: 'text', made: 'max(orders.amount)' })]);
  expect(changeOf(model(), after)).toEqual({
    ...{ name: 'shop.main.revenue', reasons: [], added: [], removed: [] },
    changed: [
      { name: 'total', before: 'integer', after: 'text' },
      { name: 'total', before: 'sum(orders.amount)', after: 'max(orders.amount)' },
    ],
  });
  const sameType = model({}, [column({ made: 'max(orders.amount)' })]);
  expect(changeOf(model(), sameType)).toMatchObject({ changed: [{ after: 'max(orders.amount)' }] });
});

test('a column that is missing is removed only where the SQL names all of them', () => {
  const two = model({}, [column(), column({ name: 'Orders' })]);
  expect(changeOf(two, model())).toMatchObject({ added: [], removed: ['Orders'] });
  expect(changeOf(two, model({ isComplete: false }))).toEqual({ unchanged: 1 });
  expect(changeOf(model(), two)).toMatchObject({ added: ['Orders'], removed: [] });
});

test('another kind of table and other SQL are reasons, blanks at the ends of lines are none', () => {
  expect(changeOf(model(), model({ nativeType: 'view' }))).toMatchObject({
    reasons: ['table becomes view'],
  });
  expect(changeOf(model({ nativeType: null }), model())).toEqual({ unchanged: 1 });
  const changed = (before: string | null, after: string | null) =>
    changeOf(model({ sql: before }), model({ sql: after }));
  expect(changed('select 1\nfrom a', 'select 1\nfrom b')).toMatchObject({
    reasons: ['its SQL changed'],
  });
  expect(changed('select 1\nfrom a', '\nselect 1  \nfrom a\n\n')).toEqual({ unchanged: 1 });
  // Inside of a line they may be part of a text.
  expect(changed("select 'a b'", "select 'a  b'")).toMatchObject({ reasons: ['its SQL changed'] });
  expect(changed(null, 'select 1')).toEqual({ unchanged: 1 });
});

test('a model that one side alone has is added or removed with all of its columns', () => {
  const known = new Map([['revenue', model()]]);
  const none = new Map<string, Model>();
  const whole = { name: 'shop.main.revenue', reasons: [], changed: [] };
  expect(compareModels(none, known)).toEqual({
    ...{ removed: [], changed: [], unchanged: 0 },
    added: [{ ...whole, added: ['total'], removed: [] }],
  });
  expect(compareModels(known, none)).toEqual({
    ...{ added: [], changed: [], unchanged: 0 },
    removed: [{ ...whole, added: [], removed: ['total'] }],
  });
});

// Queries as they are meant: words, phrases, what must not be there, filters.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedOf } from '../../../src/resources/search/asked.ts';
import { wordsIn } from '../../../src/resources/search/word.ts';

const needed = (query: string) =>
  askedOf(query)
    .words.filter(({ isNeeded }) => isNeeded)
    .map(({ text }) => text);

test('words of questions are not asked for, unless there are no others', () => {
  expect(needed('which table has shipping parcels')).toEqual(['table', 'shipping', 'parcels']);
  expect(needed('who owns orders')).toEqual(['orders']);
  expect(askedOf('who owns orders').words.map(({ text }) => text)).toEqual(['owns', 'orders']);
  expect(needed('how is churn defined')).toEqual(['churn']);
  expect(needed('what is it')).toEqual(['what', 'is', 'it']);
  expect(needed('definition')).toEqual(['definition']);
});

test('words name kinds, also in the plural', () => {
  const [, dashboards] = askedOf('sales dashboards').words;
  expect(dashboards).toMatchObject({ text: 'dashboards', kinds: ['dashboard'] });
  expect(askedOf('views').words[0]).toMatchObject({ kinds: ['table'], nativeType: 'view' });
});

test('filters are read by any of their names, with several values, quoted, and with a minus', () => {
  expect(
    askedOf('tag:pii,core orders -Label:old owner:"Ada Lovelace" platform:dbt').filters,
  ).toEqual([
    { key: 'tag', values: ['pii', 'core'], isNot: false, text: 'tag:pii,core' },
    { key: 'tag', values: ['old'], isNot: true, text: '-Label:old' },
    { key: 'owner', values: ['Ada Lovelace'], isNot: false, text: 'owner:"Ada Lovelace"' },
    { key: 'source', values: ['dbt'], isNot: false, text: 'platform:dbt' },
  ]);
  expect(askedOf('tag:pii orders').phrase).toBe('orders');
});

test('what is no filter is words', () => {
  for (const query of ['http://x', 'orders.id:5', 'tag:', 'foo:bar', 'tag:""']) {
    expect(askedOf(query).filters, query).toEqual([]);
    expect(askedOf(query).words.length, query).toBeGreaterThan(0);
  }
});

test('quoted words stand together, those after a minus nowhere, and a minus within a word is none', () => {
  expect(askedOf('"order items" -staging -"raw data" order-items')).toMatchObject({
    phrases: [['order', 'items']],
    without: [['staging'], ['raw', 'data']],
    phrase: 'order-items',
  });
});

test('any text is understood somehow, and none of its words is lost', () => {
  const unit = fc.constantFrom(...'ab :"-,.\'&|!()<>*\\_é顧🚀', 'tag:', 'is:', ' the ', 'of');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), (query) => {
      const { words, phrases, without, filters } = askedOf(query);
      const all = [words, phrases, without, filters].reduce((sum, { length }) => sum + length, 0);
      expect(all > 0).toBe(wordsIn(query).length > 0);
    }),
    { numRuns: 3_000, seed: 2 },
  );
});

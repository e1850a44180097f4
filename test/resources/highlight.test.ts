import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedOf } from '../../src/resources/search/asked.ts';
import { highlightsOf } from '../../src/resources/search/highlight.ts';
import { soughtOf, spelledOtherwise } from '../../src/resources/search/sought.ts';

const none = { title: '', description: null, definition: '' };

const soughtIn = (phrase: string) => askedOf(phrase).words.map((word) => soughtOf(word, []));

function marked(text: string, phrase: string): string[] {
  const [highlight] = highlightsOf({ ...none, definition: text }, phrase, soughtIn(phrase));
  return highlight?.matches.map(({ start, end }) => highlight.text.slice(start, end)) ?? [];
}

test('each text in which a word occurs is shown, the title first', () => {
  const resource = { title: 'Orders', description: 'All of it.', definition: 'Some orders.' };
  const found = highlightsOf(resource, 'orders', soughtIn('orders'));
  expect(found).toEqual([
    { field: 'title', text: 'Orders', matches: [{ start: 0, end: 6 }] },
    { field: 'definition', text: 'Some orders.', matches: [{ start: 5, end: 11 }] },
  ]);
});

test('the phrase is marked whole, its words where they stand alone', () => {
  expect(marked('order items of an order, items', 'order items')).toEqual([
    'order items',
    'order',
    'items',
  ]);
});

test('a letter besides longer words is marked where it is a word, and not within others', () => {
  expect(marked('b_table of b cab', 'b table')).toEqual(['b', 'table', 'b']);
  expect(marked('a_table', 'a')).toEqual(['a', 'a']);
});

test('a word that was typed wrong marks what was meant', () => {
  const sought = soughtIn('fct ordres').map((one) =>
    one.word.text === 'ordres' ? spelledOtherwise(one, [['orders']]) : one,
  );
  const [highlight] = highlightsOf({ ...none, title: 'fct_orders' }, 'fct ordres', sought);
  const marks = highlight?.matches.map(({ start, end }) => highlight.text.slice(start, end));
  expect(marks).toEqual(['fct', 'orders']);
});

test('a long text is cut around the first match, between words', () => {
  const text = `${'lorem ipsum '.repeat(100)}needle ${'dolor sit '.repeat(100)}`;
  const [highlight] = highlightsOf({ ...none, definition: text }, 'needle', []);
  expect(highlight?.text).toMatch(/^…(lorem|ipsum).* needle dolor .*(dolor|sit)…$/);
  expect(highlight?.text.length).toBeLessThanOrEqual(202);
});

test('what looks like a pattern is text', () => {
  expect(marked('a.c abc (a+)+ $&', 'a.c')).toEqual(['a.c']);
  expect(marked('b.c (b+)+ $&', '(b+)+')).toEqual(['b', '(b+)+']);
  expect(marked('[x] \\d {2}', '\\d')).toEqual(['\\d']);
});

test('pieces of any text hold whole characters and matches that are in them', () => {
  const text = fc.string({ unit: 'binary', maxLength: 1_000 });
  const word = fc.string({ unit: 'binary', minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(text, word, text, (before, phrase, after) => {
      const definition = `${before}${phrase}${after}`;
      const found = highlightsOf({ ...none, definition }, phrase, []);
      expect(found).toHaveLength(1);
      for (const { text: piece, matches } of found) {
        expect(piece.isWellFormed()).toBe(true);
        expect(matches.length).toBeGreaterThan(0);
        for (const { start, end } of matches) {
          expect(piece.slice(start, end).toLowerCase()).toBe(phrase.toLowerCase());
        }
      }
    }),
    { numRuns: 300, seed: 11 },
  );
});

// Words as the database indexes them, and as queries are taken apart: what one calls a word the other does.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rows } from '../../../src/database/rows.ts';
import { Prisma } from '../../../src/generated/prisma/client.ts';
import { beginningsOf, lexemesOf, singular, wordsIn } from '../../../src/resources/search/word.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';

async function lexemesIn(catalog: Catalog, texts: readonly string[]): Promise<string[][]> {
  const found = await rows<{ words: string[] | null }>(
    catalog.admin,
    Prisma.sql`select tsvector_to_array(search_words(search_humps(t), 'A')) as words
      from unnest(${[...texts]}::text[]) with ordinality x(t, n) order by n`,
  );
  return found.map(({ words }) => words ?? []);
}

const cases = [
  ...['fct_orders', 'shop.public.orders', 'OrderDetails', 'HTTPServer', 'mfaMethod ipAddress'],
  ...['Überweisungen', 'cafe\u0301', 'İstanbul', 'Ёлка', 'ΟΔΟΣ', 'naïve_table', 'Łódź', 'straße'],
  ...['顧客マスタ', 'orders顧客2024', '한국어', '🚀 launch', "o'brien", '100%', 'a-b', 'x/y?z=1'],
  ...['v2', '30 day', 'abc123def', 'e@mail.org', '<tag>', 'a.b.c', 'back\\slash', 'tab\tnew\nline'],
];

test('each word of a text is a lexeme of its document', async () => {
  await using catalog = await openCatalog();
  const found = await lexemesIn(catalog, cases);
  for (const [n, text] of cases.entries()) {
    const words = wordsIn(text).flatMap(lexemesOf);
    expect(found[n], text).toEqual(expect.arrayContaining(words));
  }
});

test('letters, digits and signs in any order are taken apart alike', async () => {
  await using catalog = await openCatalog();
  const unit = fc.constantFrom(...'aBcDéΣж顧2 0_-./:,()"\'@+<>&#~%*!?\\|=$^`;[]{}');
  const texts = fc.sample(fc.string({ unit, maxLength: 12 }), { numRuns: 2_000, seed: 5 });
  const found = await lexemesIn(catalog, texts);
  for (const [n, text] of texts.entries()) {
    const words = wordsIn(text).flatMap(lexemesOf);
    const missing = words.filter((word) => !found[n]?.some((one) => one.startsWith(word)));
    expect(missing, text).toEqual([]);
  }
});

test.each([
  ['tables', 'table'],
  ['categories', 'category'],
  ['batches', 'batch'],
  ['status', 'status'],
  ['address', 'address'],
  ['ids', 'ids'],
])('the singular of %s is %s', (word, one) => {
  expect(singular(word)).toBe(one);
});

test.each([
  ['returned', ['return']],
  ['shipped', ['ship']],
  ['categories', ['category', 'categori']],
  ['customers', ['custom']],
  ['daily', ['daily', 'daili']],
  ['id', []],
  ['2024', []],
  ['顧客', []],
])('what is of the family of %s begins with %j', (word, beginnings) => {
  expect(beginningsOf(word)).toEqual(beginnings);
});

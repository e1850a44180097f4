// Titles in one line: what people give is refused, what sources say becomes one, whichever way it comes.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rows } from '../../src/database/rows.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { checkLine, lineOf, noneOfALine } from '../../src/text/text.ts';
import { openCatalog } from '../catalog.ts';
import { feedJsonl, resourcesOf } from '../integrations/imports/feed.ts';

/** A title that would be taken for two facts, with letters in another order, and with some that are not seen. */
const odd = 'orders\n\n- Verified\u202e\u0007\u200b';
const inOneLine = 'orders - Verified';

test('GraphQL and REST refuse such titles and names, and nothing is changed', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource({ title: 'orders' });
  const asked = await catalog.graphql(
    'mutation ($i: CreateQuestionInput!) { createQuestion(input: $i) { id } }',
    {
      i: { title: odd },
    },
  );
  expect(asked.errors?.[0]).toMatchObject({ extensions: { code: 'BAD_REQUEST' } });
  const requests = [
    ['POST', '/question/questions/', { title: odd }],
    ['PATCH', `/table/tables/${id}/`, { title: odd }],
    ['POST', '/tag/tags/', { name: 'a\u202eb' }],
  ] as const;
  for (const [method, path, body] of requests) {
    const { status, body: said } = await catalog.rest(method, path, { body });
    expect([path, status, JSON.stringify(said)]).toEqual([
      path,
      400,
      expect.stringContaining('Use one line'),
    ]);
  }
  expect([...(await resourcesOf(catalog)).keys()]).toEqual(['orders']);
});

test('what an import brings is titled in one line, keeps its key, and is the same the next time', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  await feedJsonl(catalog, integration, {
    resources: [
      { entity_type: 'table', databuilder_id: 'a', title: odd },
      { entity_type: 'document', databuilder_id: 'key\u2028of\u202ea document' },
    ],
  });
  const found = await rows<{ title: string; key: string }>(
    catalog.admin,
    Prisma.sql`select title, databuilder_id as key from resource
      where workspace_id = ${catalog.admin.workspaceId}::uuid order by databuilder_id`,
  );
  expect(found).toEqual([
    { key: 'a', title: inOneLine },
    { key: 'key\u2028of\u202ea document', title: 'key of a document' },
  ]);
  // The same again is no change.
  const again = await feedJsonl(catalog, integration, {
    resources: [{ entity_type: 'table', databuilder_id: 'a', title: odd }],
  });
  expect(again).toMatchObject({ updated: 0, created: 0 });
});

test('any text becomes a line that people could have given, and a line stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const line = lineOf(text.replaceAll('\0', ''));
      expect(checkLine('title', line)).toBe(line);
      expect(lineOf(line)).toBe(line);
    }),
  );
});

test('the database reads the characters that no line has as the program does', async () => {
  await using catalog = await openCatalog();
  const [{ codes } = { codes: [] }] = await rows<{ codes: number[] }>(
    catalog.admin,
    Prisma.sql`select array_agg(n order by n) as codes from generate_series(1, 65535) n
      where n not between 55296 and 57343 and chr(n) ~ ${noneOfALine}`,
  );
  const expected = Array.from({ length: 65_535 }, (_, at) => at + 1).filter((code) =>
    new RegExp(noneOfALine, 'u').test(String.fromCharCode(code)),
  );
  expect(codes).toEqual(expected);
  expect(expected.length).toBeGreaterThan(60);
});

// The JSONL files of a custom integration: what their lines say, and how what is wrong is named.

import { expect, test } from 'vitest';
import { readLineages, readResources } from '../../../src/integrations/readers/jsonl.ts';
import { inPieces, lineageOf, refusalOf, resourcesOf } from './reading.ts';

const limits = { maxBytes: 1_000_000 };
const lines = (...rows: unknown[]) =>
  rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n');
const resources = (...rows: unknown[]) =>
  readResources(inPieces('resources_file', lines(...rows)), limits);

test('a line names a resource with all its fields', async () => {
  const [resource] = await resourcesOf(
    resources({
      entity_type: 'column',
      databuilder_id: 'orders.total',
      parent_databuilder_id: 'orders',
      title: 'total',
      description: 'In €',
      definition: '# Total',
      external_updated_at: '2026-01-31T12:00:00+02:00',
      native_type: 'generated',
      sort_order: 3,
      type: 'numeric',
      is_pk: false,
      hidden: true,
      tags: ['money', ' gold '],
      owners: ['Ada@Example.com'],
      url: 'https://example.com/orders',
      external_usage: 12.5,
    }),
  );
  expect(resource).toEqual({
    line: 1,
    standing: 'named',
    kind: 'column',
    key: 'orders.total',
    parentKey: 'orders',
    title: 'total',
    description: 'In €',
    definition: '# Total',
    externalUpdatedAt: new Date('2026-01-31T10:00:00Z'),
    nativeType: 'generated',
    sortOrder: 3,
    type: 'numeric',
    isPk: false,
    hidden: true,
    tags: ['money', 'gold'],
    owners: ['ada@example.com'],
    url: 'https://example.com/orders',
    externalUsage: 12.5,
  });
});

test('an absent field says nothing, a null says that there is none', async () => {
  const [absent, none] = await resourcesOf(
    resources(
      { entity_type: 'query', databuilder_id: 'a' },
      { entity_type: 'query', databuilder_id: 'b', description: null, tags: null },
    ),
  );
  expect(absent?.description).toBeUndefined();
  expect(absent?.tags).toBeUndefined();
  expect(none).toMatchObject({ description: '', tags: [] });
});

test('a table without a parent implies the schema and database that it names', async () => {
  const table = (databuilder_id: string, place: object) => ({
    ...{ entity_type: 'table', databuilder_id, title: databuilder_id },
    ...place,
  });
  const read = await resourcesOf(
    resources(
      table('a', { database: 'shop', schema: 'public' }),
      table('b', { database: 'shop', schema: 'public' }),
      table('c', { schema: 'alone' }),
      table('d', { database: 'shop' }),
      table('e', { database: 'shop', schema: 'public', parent_databuilder_id: 's' }),
    ),
  );
  expect(read.map(({ key, standing, parentKey }) => [key, standing, parentKey])).toEqual([
    ['database:shop', 'implied', undefined],
    ['schema:shop.public', 'implied', 'database:shop'],
    ['a', 'named', 'schema:shop.public'],
    ['b', 'named', 'schema:shop.public'],
    ['schema:alone', 'implied', undefined],
    ['c', 'named', 'schema:alone'],
    ['d', 'named', undefined],
    ['e', 'named', 's'],
  ]);
});

const table = { entity_type: 'table', databuilder_id: 'a' };

test.each([
  ['{"entity_type": "table",}', 'column 25: is not JSON: expected a name in double quotes'],
  ['[1, 2]', 'must be a JSON object, not [1,2].'],
  ['{"databuilder_id": "a"}', 'entity_type is required.'],
  [{ entity_type: 'table' }, 'databuilder_id is required.'],
  [{ ...table, databuilder_id: ' ' }, 'databuilder_id is required.'],
  [{ ...table, entity_type: 'tabel' }, 'entity_type must be one of database, schema, table,'],
  [{ ...table, titel: 'x' }, '"titel" is not a field; allowed are entity_type, databuilder_id,'],
  [{ ...table, title: 7 }, 'title must be text, not 7.'],
  [{ ...table, title: 'x'.repeat(501) }, 'title is 501 characters long; at most 500 are allowed.'],
  [{ ...table, sort_order: 1.5 }, 'sort_order must be a whole number from 0 to 2147483647'],
  [{ ...table, sort_order: 2_147_483_648 }, 'sort_order must be a whole number'],
  [{ ...table, sort_order: -1 }, 'sort_order must be a number, 0 or more, not -1.'],
  [{ ...table, is_pk: 'true' }, 'is_pk must be true or false, not "true".'],
  [{ ...table, tags: 'gold' }, 'tags must be a list of texts, not "gold".'],
  [{ ...table, tags: [''] }, 'tags must hold texts of 1 to 500 characters, not "".'],
  [{ ...table, owners: [5] }, 'owners must hold texts of 1 to 500 characters, not 5.'],
  [{ ...table, url: 'javascript:alert(1)' }, 'url must be an http or https address'],
  [{ ...table, external_updated_at: 'yesterday' }, 'external_updated_at must be an ISO 8601'],
  [{ ...table, external_updated_at: '0000-01-01T00:00:00Z' }, 'external_updated_at must be an'],
  ['{"entity_type":"table","databuilder_id":"a\\u0000"}', 'column 43: is not JSON: text with the'],
  [`{"a":${'['.repeat(70)}`, 'is not JSON: nested deeper than 64 levels.'],
])('%j is refused with its line', async (row, message) => {
  const refusal = await refusalOf(resources(table, '', row));
  expect(refusal).toContain('resources_file, line 3');
  expect(refusal).toContain(message);
});

test('an array of objects is read as lines are, wherever its pieces end', async () => {
  const rows: Record<string, unknown>[] = [
    table,
    { ...table, databuilder_id: 'b', title: 'with "]}, [{" and \\' },
    table,
  ];
  for (const text of [
    JSON.stringify(rows),
    `\uFEFF\n ${JSON.stringify(rows, null, 2)}\n\n`,
    `[\n${rows.map((row) => JSON.stringify(row)).join(' ,\n')}\n]`,
    '[]',
  ]) {
    for (const size of [1, 3, 1000]) {
      const source = inPieces('resources_file', text, size);
      const read = await resourcesOf(readResources(source, { maxBytes: 1_000_000 }));
      const named = read.filter(({ standing }) => standing === 'named');
      expect(named.map(({ title }) => title)).toEqual(
        text === '[]' ? [] : rows.map(({ title }) => title),
      );
    }
  }
});

test.each([
  ['[{"a": 1}\n{"b": 2}]', 'line 1: "a" is not a field'],
  ['[TABLE\nTABLE]', 'line 2: needs a comma between two elements.'],
  ['[TABLE,\n,TABLE]', 'line 2: has a comma without an element before it.'],
  ['[TABLE,\nTABLE', 'line 2: is where the file ends, before the end of its array.'],
  ['[TABLE,\n7]', 'line 2: must be a JSON object, not 7.'],
  ['[TABLE]\nTABLE', 'line 2: goes on after the end of the array.'],
  ['[TABLE]\n]', 'line 2: goes on after the end of the array.'],
  ['[\n{\n"entity_type": table}]', 'line 3, column 16: is not JSON'],
  [`[\n"${'x'.repeat(300)}"]`, 'line 2: begins an element longer than 200 bytes'],
])('the array %j is refused', async (text, message) => {
  const content = text.replaceAll('TABLE', JSON.stringify(table));
  for (const size of [1, 1000]) {
    const source = inPieces('f', content, size);
    const read = readResources(source, { maxBytes: 1_000_000, maxLineBytes: 200 });
    expect(await refusalOf(read)).toContain(`f, ${message}`);
  }
});

const internal = (databuilder_id: string) => ({ internal_resource: { databuilder_id } });

function lineages(...rows: unknown[]) {
  const extraction = readLineages(inPieces('lineages_file', lines(...rows)), {
    ...limits,
    async tablesOf(sql, dialect) {
      if (dialect === 'klingon') return { ok: false, message: 'is unknown.', unknownDialect: true };
      if (!sql.startsWith('select')) {
        return { ok: false, message: 'cannot be read.', unknownDialect: false };
      }
      return { ok: true, tables: [{ table: 'a' }, { schema: 's', table: 'b' }], unread: [] };
    },
  });
  return { extraction };
}

test('a lineage line leads from each table of a query, and by key or name else', async () => {
  const external = { database: 'shop', schema: 'public', table: 'orders' };
  const query = { tables_from_query: { sql: 'select 1', dialect: 'postgres' } };
  const { extraction } = lineages(
    { from_identifier: internal('a'), to_identifier: { external_table: external } },
    {
      from_identifier: { external_column: { table: 'orders', column: 'id' } },
      to_identifier: internal('b'),
    },
    { from_identifier: query, to_identifier: internal('c') },
  );
  const read = await lineageOf(extraction);
  expect(read.map(({ line }) => line)).toEqual([1, 2, 3, 3]);
  expect(read[0]?.to).toMatchObject({ by: 'name', ...external });
  expect(read[1]?.from).toMatchObject({ by: 'name', table: 'orders', column: 'id' });
  expect(read[2]?.from).toMatchObject({ by: 'name', table: 'a' });
  expect(read[3]?.from).toMatchObject({ by: 'name', schema: 's', table: 'b' });
});

test('an end says its form by its type, or has an object of that name', async () => {
  const table = { cluster: 'k', database: 'shop', schema: 'public', table: 'orders' };
  const ends = [
    ['internal_resource', { databuilder_id: 'a' }],
    ['external_table', table],
    ['external_column', { ...table, column: 'id' }],
    ['tables_from_query', { sql: 'select 1', dialect: 'postgres' }],
  ] as const;
  for (const [type, fields] of ends) {
    const flat = { type, ...fields };
    const to =
      type === 'tables_from_query' ? { type: 'internal_resource', databuilder_id: 'c' } : flat;
    const { extraction } = lineages({ from_identifier: flat, to_identifier: to });
    const { type: form, ...rest } = to;
    const nested = lineages({
      from_identifier: { [type]: fields },
      to_identifier: { [form]: rest },
    });
    const read = await lineageOf(extraction);
    expect(read.length, type).toBeGreaterThan(0);
    expect(read, type).toEqual(await lineageOf(nested.extraction));
  }
});

test('a query that cannot be read makes no lineage, and is a problem that says where', async () => {
  const problemsOf = async (from_identifier: object) => {
    const { extraction } = lineages({ from_identifier, to_identifier: internal('c') });
    const pieces: unknown[] = [];
    for await (const piece of extraction) pieces.push(piece);
    return pieces;
  };
  expect(await problemsOf({ tables_from_query: { sql: 'selct' } })).toEqual([
    {
      is: 'problem',
      problem: 'lineages_file, line 1: from_identifier.tables_from_query.sql cannot be read.',
    },
  ]);
  expect(await problemsOf({ type: 'tables_from_query', sql: 'selct' })).toEqual([
    { is: 'problem', problem: 'lineages_file, line 1: from_identifier.sql cannot be read.' },
  ]);
});

test.each([
  [{ to_identifier: internal('a') }, 'from_identifier is required.'],
  [{ from_identifier: {}, to_identifier: internal('a') }, 'from_identifier needs a type, which'],
  [
    { from_identifier: { type: 'table', table: 't' } },
    'from_identifier.type must be one of internal',
  ],
  [{ from_identifier: { type: 7 } }, 'from_identifier.type must be text, not 7.'],
  [
    { from_identifier: { type: 'external_table', table: 't', ...internal('a') } },
    '"internal_resource" is not a field; allowed are type, cluster, database, schema, table.',
  ],
  [
    {
      from_identifier: internal('a'),
      to_identifier: { type: 'tables_from_query', sql: 'select 1' },
    },
    'to_identifier.type must be one of internal_resource, external_table, external_column.',
  ],
  [
    { from_identifier: { ...internal('a'), external_table: { table: 't' } } },
    'from_identifier must have exactly one of internal_resource, external_table,',
  ],
  [
    { from_identifier: internal('a'), to_identifier: { tables_from_query: { sql: 'select 1' } } },
    '"tables_from_query" is not a field; allowed are internal_resource, external_table,',
  ],
  [
    { from_identifier: { external_table: { schema: 's' } }, to_identifier: internal('a') },
    'from_identifier.external_table.table is required.',
  ],
  [
    { from_identifier: { internal_resource: { id: 'x' } }, to_identifier: internal('a') },
    '"id" is not a field; allowed are databuilder_id.',
  ],
  [
    {
      from_identifier: { tables_from_query: { sql: 'select 1', dialect: 'klingon' } },
      to_identifier: internal('a'),
    },
    'from_identifier.tables_from_query.dialect is unknown.',
  ],
  [{ from: 1 }, '"from" is not a field; allowed are from_identifier, to_identifier.'],
])('the lineage %j is refused with its line', async (row, message) => {
  const good = { from_identifier: internal('a'), to_identifier: internal('b') };
  const refusal = await refusalOf(lineages(good, row).extraction);
  expect(refusal).toBe(`lineages_file, line 2: ${refusal.slice('lineages_file, line 2: '.length)}`);
  expect(refusal).toContain(message);
});

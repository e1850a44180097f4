// The CSV file of a custom integration: what its rows say, and how what is wrong is named.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readCsv } from '../../../src/integrations/readers/csv.ts';
import { inPieces, refusalOf, resourcesOf } from './reading.ts';

const header = 'col_name,database,schema,name';
const read = (content: string | Buffer, size?: number) =>
  readCsv(inPieces('file', content, size), { maxBytes: 1_000_000 });

test('a row names a column, its table, and the schema and database that hold it', async () => {
  const content = `${header},col_type,col_description,description,is_view,last_updated_time,cluster
ID,shop,public,orders,bigint,The key,Every order,true,1700000000,eu
Total,shop,public,orders,"numeric(10,2)","In €, with ""tax""",,,None,eu
`;
  for (const size of [1, 3, 1000]) {
    const resources = await resourcesOf(read(content, size));
    expect(resources.map(({ kind, key }) => [kind, key])).toEqual([
      ['database', 'database:eu/shop'],
      ['schema', 'schema:eu/shop.public'],
      ['table', 'table:eu/shop.public.orders'],
      ['column', 'column:eu/shop.public.orders.id'],
      ['table', 'table:eu/shop.public.orders'],
      ['column', 'column:eu/shop.public.orders.total'],
    ]);
    expect(resources[2]).toMatchObject({
      parentKey: 'schema:eu/shop.public',
      title: 'orders',
      description: 'Every order',
      nativeType: 'view',
      externalUpdatedAt: new Date(1_700_000_000_000),
    });
    expect(resources[5]).toMatchObject({
      line: 3,
      parentKey: 'table:eu/shop.public.orders',
      title: 'total',
      type: 'numeric(10,2)',
      description: 'In €, with "tax"',
      sortOrder: 2,
    });
  }
});

test('the order of columns is the one given, under either name, or else that of the rows', async () => {
  const orders = async (content: string) =>
    (await resourcesOf(read(content))).flatMap(({ kind, sortOrder }) =>
      kind === 'column' ? [sortOrder] : [],
    );
  const rows = (...given: string[]) => given.map((n) => `a,d,s,t,${n}`).join('\n');
  expect(await orders(`${header},sort_order\n${rows('7', '3')}`)).toEqual([7, 3]);
  expect(await orders(`${header},col_sort_order\n${rows('7', '')}`)).toEqual([7, 1]);
  expect(await orders(`${header}\na,d,s,t\nb,d,s,t\na,d,s,u`)).toEqual([1, 2, 1]);
});

test('the header may have capitals, a byte order mark, spaces and another order', async () => {
  const content = '\uFEFF Name , SCHEMA,Database, Col_Name\norders,public,shop,id\n';
  const resources = await resourcesOf(read(content));
  expect(resources.at(-1)?.key).toBe('column:shop.public.orders.id');
});

test.each([';', '\t', '|', ','])(
  'fields may be separated by %j, said by a first line or not',
  async (by) => {
    const lines = [
      'Col_Name,database, schema ,name,col_description',
      '"a"",b",d,s,"t.u",',
      ',,',
      'c,d,s,t.u,x',
    ];
    const content = lines
      .filter((line) => line !== ',,')
      .join('\r\n')
      .replaceAll(/,(?!b")/g, by);
    for (const first of ['', `sep=${by}\r\n`, `"sep=${by}"\r\n`]) {
      for (const size of [1, 5, 1000]) {
        const resources = await resourcesOf(read(`\uFEFF${first}${content}`, size));
        const columns = resources.filter(({ kind }) => kind === 'column');
        const line = first === '' ? 2 : 3;
        expect(columns.map((one) => [one.title, one.description, one.key, one.line])).toEqual([
          ['a",b', '', 'column:d.s.t%2Eu.a",b', line],
          ['c', 'x', 'column:d.s.t%2Eu.c', line + 1],
        ]);
      }
    }
  },
);

test('UTF-16 with a byte order mark is read as UTF-8 is, packed or not', async () => {
  const content = `\uFEFF${header},col_description\nid,shop,größe,𝒪rders,"In €"\n`;
  const little = Buffer.from(content, 'utf16le');
  const big = Buffer.from(little).swap16();
  for (const bytes of [little, big, gzipSync(little), gzipSync(big)]) {
    for (const size of [1, 3, 1000]) {
      const column = (await resourcesOf(read(bytes, size))).at(-1);
      expect(column).toMatchObject({ key: 'column:shop.größe.𝒪rders.id', description: 'In €' });
    }
  }
  expect(await refusalOf(read(little.subarray(0, -1)))).toContain(
    'file: begins as UTF-16 and holds bytes that are none; save it as UTF-8.',
  );
});

test('two paths never share a key, whatever their names hold', async () => {
  const resources = await resourcesOf(read(`${header}\na,x/y,s%,t\na,x%2Fy,s,t\n`));
  const keys = resources.filter(({ kind }) => kind === 'schema').map(({ key }) => key);
  expect(keys).toEqual(['schema:x%2Fy.s%25', 'schema:x%252Fy.s']);
});

test.each([
  ['', 'file: is empty; its first line names the columns: col_name, database, schema, name,'],
  [
    'col_name,database,name\n',
    'file, line 1: schema is missing from the header; col_name, database, schema, name are required.',
  ],
  [`${header},colour\n`, 'file, line 1: "colour" is not a column; allowed are col_name,'],
  [`${header},name\n`, 'file, line 1: name stands twice in the header.'],
  [`${header}\na,d,s\n`, 'file, line 2: has 3 fields where the header has 4.'],
  [`${header}\na,d,s,t\na,d,s,t,u\n`, 'file, line 3: has 5 fields where the header has 4.'],
  [`${header}\na,d,s,t\n,d,s,t\n`, 'file, line 3: col_name is required.'],
  [`${header}\na,d,,t\n`, 'file, line 2: schema is required.'],
  [`sep=x\n${header}\n`, 'file, line 1: sep= must say a comma, a semicolon, a tab or a vertical'],
  [`sep=;\n${header}\na,d,s,t\n`, 'file, line 2: "col_name,database,schema,name" is not a column'],
  [
    `${header.replaceAll(',', ';')}\n\na;d;s\n`,
    'file, line 3: has 3 fields where the header has 4.',
  ],
  [`${header}\n\n"a\n",d,s,t\n"b,d,s,t\n`, 'file, line 5: opens a quote that is never closed.'],
  [`${header}\na,"d"x,s,t\n`, 'file, line 2: goes on after a closing quote'],
  [`${header}\na,d"x,s,t\n`, 'file, line 2: has a quote inside a field that does not start with'],
  [`${header},is_view\na,d,s,t,perhaps\n`, 'file, line 2: is_view must be true or false, not'],
  [
    `${header},last_updated_time\na,d,s,t,yesterday\n`,
    'file, line 2: last_updated_time must be seconds since 1970 (at most 253402300799) or None',
  ],
  [`${header},last_updated_time\na,d,s,t,1700000000000\n`, 'file, line 2: last_updated_time must'],
  [`${header},sort_order\na,d,s,t,-1\n`, 'file, line 2: sort_order must be a whole number from 0'],
  [`${header}\na,d,s,t\na,d,s,\u0000\n`, 'file, line 3: name contains the character U+0000'],
  [`${header}\n${'x'.repeat(501)},d,s,t\n`, 'file, line 2: col_name is 501 characters long'],
])('%j is refused', async (content, message) => {
  expect(await refusalOf(read(content))).toContain(message);
});

test('a row is found by the line on which it starts, however many it takes', async () => {
  const rows = [
    '"first\nand\nmore",d,s,t',
    'second,d,s,t',
    '"third\nand more",d,s,u',
    'fourth,d,s,u',
  ];
  const resources = await resourcesOf(read(`${header}\n${rows.join('\n')}\n`));
  const columns = resources.filter(({ kind }) => kind === 'column');
  expect(columns.map(({ line }) => line)).toEqual([2, 5, 6, 8]);
  const wrong = `${header},is_view\n"a\nb",d,s,t,\n"c\nd",d,s,t,perhaps\n`;
  expect(await refusalOf(read(wrong))).toContain('file, line 4: is_view must be true or false');
});

test('a stray quote does not swallow the rest of a large file', async () => {
  const content = `${header}\n"a,d,s,t\n${'b,d,s,t\n'.repeat(200_000)}`;
  const source = inPieces('file', content, 65_536);
  expect(await refusalOf(readCsv(source, { maxBytes: 10_000_000 }))).toBe(
    'file, line 2: is longer than 1000000 characters, the most a row may have.',
  );
});

test('bytes that are no UTF-8 are refused near their line', async () => {
  const content = Buffer.concat([Buffer.from(`${header}\na,d,s,`), Buffer.from([0xe9, 0x0a])]);
  expect(await refusalOf(read(content))).toBe(
    'file, line 2: this line, or one soon after it, is not UTF-8: save the file as UTF-8.',
  );
});

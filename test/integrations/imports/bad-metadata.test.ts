// CSV and JSONL files that are wrong: what is said about each, and that nothing is half done.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Integration } from '../../../src/generated/prisma/client.ts';
import { importCsv, importJsonl } from '../../../src/integrations/imports/sync.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { countedSource, digest, feedCsv, feedJsonl, leftovers, refusal } from './feed.ts';

const header = 'col_name,database,schema,name';

/** A workspace that holds something of everything a bad file could spoil. */
async function open() {
  const catalog = await openCatalog();
  const integration = await catalog.integration();
  await feedJsonl(catalog, integration, {
    resources: [
      { ...table('kept'), schema: 'public', database: 'shop', tags: ['kept'] },
      { entity_type: 'document', databuilder_id: 'outer', title: 'Outer' },
      { entity_type: 'document', databuilder_id: 'inner', parent_databuilder_id: 'outer' },
    ],
    lineages: [{ from_identifier: key('outer'), to_identifier: key('kept') }],
  });
  const before = await digest(catalog);
  return { catalog, integration, before };
}

const table = (databuilder_id: string) => ({ entity_type: 'table', databuilder_id });
const key = (databuilder_id: string) => ({ internal_resource: { databuilder_id } });

/** Feed one bad file after the other: each is refused in the same breath, and leaves all as it was. */
async function refuseAll<Content>(
  cases: readonly (readonly [Content, string, RegExp])[],
  feed: (catalog: Catalog, integration: Integration, content: Content) => Promise<unknown>,
) {
  const { catalog, integration, before } = await open();
  for (const [content, field, says] of cases) {
    const refused = await refusal(feed(catalog, integration, content));
    expect({ content, ...refused }).toEqual({
      content,
      code: 'BAD_REQUEST',
      field,
      message: expect.stringMatching(says),
    });
    expect({ content, left: await digest(catalog) }).toEqual({ content, left: before });
  }
  expect(await leftovers(catalog)).toEqual([]);
}

const row = (values: string) => `${header}\nok,shop,public,orders\n${values}`;

test('a CSV file that is wrong is refused with its line and column, and changes nothing', async () => {
  const long = 'x'.repeat(501);
  await refuseAll<string>(
    [
      [
        row('id,shop,public,"orders\nx,s,p,n'),
        'tables.csv',
        /^tables\.csv, line 3: .*never closed/,
      ],
      [row('id,shop,public,"or"ders'), 'tables.csv', /^tables\.csv, line 3: .*closing quote/],
      [row('id,shop,public,or"ders'), 'tables.csv', /^tables\.csv, line 3: .*quote inside a field/],
      [
        'col_name,database,name\nid,a,b',
        'schema',
        /line 1: schema is missing .*col_name, database/,
      ],
      [`${header},colour\n`, 'colour', /line 1: "colour" is not a column; .*col_type.*cluster/],
      [`${header},NAME\n`, 'name', /line 1: name stands twice/],
      ['', 'tables.csv', /^tables\.csv: is empty; .*col_name, database, schema, name/],
      [
        `sep=:\n${header}`,
        'tables.csv',
        /^tables\.csv, line 1: sep= must say a comma, a semicolon/,
      ],
      [row('id,,public,x'), 'database', /line 3: database is required/],
      [row('id,shop,public, '), 'name', /line 3: name is required/],
      [row('id,shop,public'), 'tables.csv', /line 3: has 3 fields where the header has 4/],
      [row('id,shop,public,x,y'), 'tables.csv', /line 3: has 5 fields where the header has 4/],
      [row('id,shop,public,a\u0000b'), 'name', /line 3: name contains the character U\+0000/],
      [row(`id,shop,public,${long}`), 'name', /line 3: name is 501 characters long; at most 500/],
      [`${header},is_view\nid,a,b,c,maybe`, 'is_view', /line 2: is_view must be true or false/],
      [
        `${header},last_updated_time\nid,a,b,c,yesterday`,
        'last_updated_time',
        /line 2: last_updated_time must be seconds since 1970 .* None, not "yesterday"/,
      ],
      [
        `${header},last_updated_time\nid,a,b,c,1700000000000`,
        'last_updated_time',
        /line 2: .*must be seconds/,
      ],
      [`${header},sort_order\nid,a,b,c,1.5`, 'sort_order', /line 2: .*whole number/],
      [`${header},col_sort_order\nid,a,b,c,-1`, 'col_sort_order', /line 2: .*whole number/],
    ],
    feedCsv,
  );
});

test('names that together are longer than a key may be are refused by their field', async () => {
  // Random, and of letters of three bytes: nothing makes them shorter.
  const name = () =>
    Array.from({ length: 450 }, () =>
      String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000)),
    ).join('');
  await refuseAll<string>(
    [
      [row(`id,shop,${name()},${name()}`), 'name', /^tables\.csv, line 3: name makes \d+ bytes/],
      [
        row(`${name()},shop,public,${name()}`),
        'col_name',
        /^tables\.csv, line 3: col_name makes \d+ bytes .* at most 2500/,
      ],
    ],
    feedCsv,
  );
});

test('bytes that are no text, or a broken archive, are refused', async () => {
  const good = gzipSync(`${header}\n${'id,shop,public,orders\n'.repeat(1_000)}`);
  const spoiled = Buffer.from(good);
  spoiled.fill(0xff, 40, 60);
  await refuseAll<Buffer>(
    [
      [Buffer.from([...Buffer.from(row('id,shop,public,')), 0xc3, 0x28]), 'upload', /UTF-8/],
      // Half of a surrogate pair, as some programs write it.
      [Buffer.from([...Buffer.from(row('id,shop,public,')), 0xed, 0xa0, 0x80]), 'upload', /UTF-8/],
      [spoiled, 'upload', /^upload: is not a readable gzip archive/],
      [good.subarray(0, good.length - 12), 'upload', /^upload: is not a readable gzip archive/],
      [good.subarray(0, 5), 'upload', /^upload: is not a readable gzip archive/],
    ],
    (catalog, { id }, bytes) =>
      importCsv(catalog.admin, id, countedSource('upload', [bytes]).source),
  );
});

const first = JSON.stringify(table('a'));
const second = (text: string | object) =>
  `${first}\n${typeof text === 'string' ? text : JSON.stringify(text)}`;
const tables = (fields: object) => second({ ...table('b'), ...fields });

test('a resource line that is wrong is refused with its line and field, and changes nothing', async () => {
  const deep = `${'['.repeat(70)}${']'.repeat(70)}`;
  const file = 'resources.jsonl';
  await refuseAll<string>(
    [
      [second('{"entity_type": table}'), file, /^resources\.jsonl, line 2, column 17: is not JSON/],
      [second('{"entity_type": "table"'), file, /line 2, column 24: .*found the end/],
      [second("{'entity_type': 1}"), file, /line 2, column 2: is not JSON/],
      [second('{"a": 1,}'), file, /line 2, column 9: is not JSON/],
      [second('{} {}'), file, /line 2, column 4: is not JSON/],
      [second('[1]'), file, /line 2: must be a JSON object, not \[1\]/],
      [second('null'), file, /line 2: must be a JSON object, not null/],
      [second(`{"title": ${deep}}`), file, /line 2, column \d+: .*deeper than 64 levels/],
      [second('{"title": "a\\u0000b"}'), file, /line 2, column 13: .*U\+0000/],
      [second('{"title": "\\ud800"}'), file, /line 2, column 12: .*half of a surrogate/],
      [second('{"\\udfff": 1}'), file, /line 2, column 3: .*half of a surrogate/],
      [
        tables({ colour: 1 }),
        'colour',
        /line 2: "colour" is not a field; .*title, .*external_usage/,
      ],
      [second('{"__proto__": {}}'), '__proto__', /line 2: "__proto__" is not a field/],
      [second({ databuilder_id: 'b' }), 'entity_type', /line 2: entity_type is required/],
      [second({ entity_type: 'table' }), 'databuilder_id', /line 2: databuilder_id is required/],
      [tables({ databuilder_id: ' ' }), 'databuilder_id', /line 2: databuilder_id is required/],
      [tables({ databuilder_id: 'k'.repeat(501) }), 'databuilder_id', /at most 500/],
      [tables({ entity_type: 'tabel' }), 'entity_type', /must be one of database, .*not "tabel"/],
      [tables({ entity_type: 'toString' }), 'entity_type', /must be one of database/],
      [tables({ title: 5 }), 'title', /line 2: title must be text, not 5/],
      [tables({ sort_order: -1 }), 'sort_order', /line 2: sort_order must be a number, 0 or more/],
      [tables({ sort_order: 1.5 }), 'sort_order', /whole number/],
      [tables({ sort_order: 3e9 }), 'sort_order', /whole number from 0 to 2147483647/],
      [tables({ is_pk: 'yes' }), 'is_pk', /line 2: is_pk must be true or false, not "yes"/],
      [tables({ hidden: 0 }), 'hidden', /line 2: hidden must be true or false/],
      [tables({ tags: 'kpi' }), 'tags', /line 2: tags must be a list of texts, not "kpi"/],
      [tables({ tags: [''] }), 'tags', /line 2: tags must hold texts of 1 to 500/],
      [tables({ tags: Array(101).fill('x') }), 'tags', /101 entries; at most 100/],
      [tables({ owners: 'ann' }), 'owners', /line 2: owners must be a list of texts, not "ann"/],
      [tables({ url: 'javascript:alert(1)' }), 'url', /line 2: url must be an http or https/],
      [tables({ external_updated_at: 'today' }), 'external_updated_at', /ISO 8601 .*not "today"/],
      [tables({ external_usage: -1 }), 'external_usage', /0 or more/],
      [
        tables({ parent_databuilder_id: 'nobody' }),
        'parent_databuilder_id',
        /line 2: parent_databuilder_id names "nobody", which is neither/,
      ],
      [
        tables({ parent_databuilder_id: 'outer' }),
        'parent_databuilder_id',
        /line 2: .*is a document, which cannot hold a table; only a schema can/,
      ],
      [
        tables({ parent_databuilder_id: 'a' }),
        'parent_databuilder_id',
        /line 2: .*is a table, which cannot hold a table/,
      ],
    ],
    (catalog, integration, resources) => feedJsonl(catalog, integration, { resources }),
  );
});

const document = (databuilder_id: string, parent_databuilder_id?: string) =>
  JSON.stringify({ entity_type: 'document', databuilder_id, parent_databuilder_id });

test('parents in a circle, also one through the catalog, or too deep, are refused', async () => {
  const chain = Array.from({ length: 70 }, (_, i) =>
    document(`d${i}`, i > 0 ? `d${i - 1}` : undefined),
  );
  const parent = 'parent_databuilder_id';
  await refuseAll<string[]>(
    [
      [[first, document('x', 'x')], parent, /line 2: .*circle of parents: "x" lies in "x"/],
      [
        [document('x', 'y'), document('y', 'z'), document('z', 'x')],
        parent,
        /resources\.jsonl, line [123]: .*circle of parents: ("[xyz]" lies in ){3}"[xyz]"/,
      ],
      // It is reached from outside, too: the circle is named, not the way to it.
      [
        [document('tail', 'x'), document('x', 'y'), document('y', 'x')],
        parent,
        /line [23]: .*circle of parents: "[xy]" lies in "[xy]" lies in "[xy]"/,
      ],
      [[document('outer', 'inner')], parent, /line 1: .*circle of parents/],
      [chain, parent, /line \d+: .*deeper than 64 levels/],
    ],
    (on, into, lines) => feedJsonl(on, into, { resources: lines.join('\n') }, { stale: false }),
  );
});

test('a lineage line that is wrong is refused with its line and field, and changes nothing', async () => {
  const good = { from_identifier: key('outer'), to_identifier: key('inner') };
  const line = (more: object) => `${JSON.stringify(good)}\n${JSON.stringify({ ...good, ...more })}`;
  const from = (from_identifier: unknown) => line({ from_identifier });
  await refuseAll<string>(
    [
      [from(undefined), 'from_identifier', /^lineages\.jsonl, line 2: from_identifier is required/],
      [line({ to_identifier: null }), 'to_identifier', /line 2: to_identifier is required/],
      [line({ how: 1 }), 'how', /line 2: "how" is not a field; .*from_identifier, to_identifier/],
      [from('outer'), 'from_identifier', /must be a JSON object, not "outer"/],
      [
        from({}),
        'from_identifier',
        /needs a type, which is one of internal_resource, .*tables_from_query/,
      ],
      [
        from({ ...key('outer'), external_table: { table: 'kept' } }),
        'from_identifier',
        /exactly one of/,
      ],
      [from({ table: 'kept' }), 'table', /"table" is not a field; allowed are internal_resource/],
      [
        line({ to_identifier: { tables_from_query: { sql: 'select 1' } } }),
        'tables_from_query',
        /is not a field; allowed are internal_resource, external_table, external_column\./,
      ],
      [
        from({ internal_resource: { id: 'x' } }),
        'id',
        /"id" is not a field; allowed are databuilder_id/,
      ],
      [
        from({ external_table: { schema: 'public' } }),
        'from_identifier.external_table.table',
        /is required/,
      ],
      [
        from({ external_column: { table: 'kept' } }),
        'from_identifier.external_column.column',
        /is required/,
      ],
      [
        from({ tables_from_query: { sql: 5 } }),
        'from_identifier.tables_from_query.sql',
        /must be text, not 5/,
      ],
      [
        from({ tables_from_query: { sql: 'select 1', dialect: 'klingon' } }),
        'from_identifier.tables_from_query.dialect',
        /line 2: .*dialect/,
      ],
    ],
    (catalog, integration, lineages) => feedJsonl(catalog, integration, { lineages }),
  );
});

test('a bad file of lineages undoes the good file of resources that came with it', async () => {
  await refuseAll<string>(
    [['{}', 'from_identifier', /^lineages\.jsonl, line 1: from_identifier is required/]],
    (catalog, integration, lineages) =>
      feedJsonl(catalog, integration, { resources: [table('new')], lineages }),
  );
});

test('after all that was refused, a good file is taken as ever', async () => {
  const { catalog, integration } = await open();
  await refusal(feedJsonl(catalog, integration, { resources: '{' }));
  const source = countedSource('resources.jsonl', [Buffer.from(first)]).source;
  const made = await importJsonl(catalog.admin, integration.id, { resources: source });
  expect(made).toMatchObject({ created: 1, staled: 5 });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertMany, type Target, updateMany } from '../../src/database/bulk.ts';
import { acrossWorkspaces } from '../../src/database/outside.ts';
import { rows } from '../../src/database/rows.ts';
import { openTestDatabase, type TestDatabase } from '../database.ts';
import { onServer } from '../server.ts';

const target: Target = {
  table: 'sample',
  columns: { id: 'int4', title: 'text', tags: 'text[]', extra: 'jsonb', at: 'timestamptz' },
};

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
  await onServer(
    opened.url,
    `create table sample (id int primary key, title text, tags text[], extra jsonb,
       at timestamptz)`,
  );
});
afterAll(() => opened[Symbol.asyncDispose]());

function connection() {
  return acrossWorkspaces(opened.database);
}

const at = new Date('2026-01-02T03:04:05.678Z');

test('rows come back as they were written, whatever characters they hold', async () => {
  const awkward = 'a "quoted" \\ back{slash}, NULL, null\n\t🌊 \u2028';
  const given = [
    { id: 1, title: awkward, tags: [awkward, '', 'x,y'], extra: { a: [1, awkward] }, at },
    { id: 2, title: '', tags: [], extra: [], at: null },
    { id: 3, title: null, tags: null, extra: null, at },
    { id: 4, title: 'NULL', tags: ['NULL', null], extra: 'text', at },
  ];
  await insertMany(connection(), target, given);
  const found = await rows(
    connection(),
    'select id, title, tags, extra, at from sample order by id',
  );
  expect(found).toEqual(given);
});

test('a row that is there already is left out where its index is named', async () => {
  const row = { id: 20, title: 'first', tags: [], extra: {}, at };
  const options = { unlessIn: '(id)', returning: ['id', 'title'] };
  const insert = (...given: object[]) =>
    insertMany(
      connection(),
      target,
      given.map((one) => ({ ...row, ...one })),
      options,
    );
  expect(await insert({})).toEqual([{ id: 20, title: 'first' }]);
  expect(await insert({ title: 'second' }, { id: 21 })).toEqual([{ id: 21, title: 'first' }]);
  expect(await rows(connection(), 'select title from sample where id = 20')).toEqual([
    { title: 'first' },
  ]);
});

test('a conflict no one spoke of is an error, and nothing of the batch is written', async () => {
  const row = { id: 30, title: '', tags: [], extra: {}, at };
  await insertMany(connection(), target, [row]);
  await expect(insertMany(connection(), target, [{ ...row, id: 31 }, row])).rejects.toThrow(
    'duplicate key',
  );
  expect(await rows(connection(), 'select id from sample where id = 31')).toEqual([]);
});

test('rows are written in batches of a thousand, one statement each', async () => {
  const ids = Array.from({ length: 2_001 }, (_, i) => 1_000 + i);
  const many = ids.map((id) => ({ id, title: `${id}`, tags: [], extra: {}, at }));
  const statements: string[] = [];
  const stop = opened.database.onStatement((text) => statements.push(text));
  const written = await insertMany(connection(), target, many, { returning: ['id'] });
  stop();
  expect(written).toEqual(ids.map((id) => ({ id })));
  expect(statements).toHaveLength(3);
});

test('an update changes the rows that differ and no others', async () => {
  const columns = { id: 'int4', title: 'text' };
  const given = [1000, 1001, 1002, 9999].map((id) => ({
    id,
    title: id === 1001 ? 'new' : `${id}`,
  }));
  const read = () =>
    rows<{ id: number; title: string; written: string }>(
      connection(),
      'select id, title, xmin::text as written from sample where id in (1000, 1001, 1002, 9999) order by id',
    );
  const before = await read();
  await updateMany(connection(), { table: 'sample', columns }, ['id'], given);
  const after = await read();
  expect(after.map(({ title }) => title)).toEqual(['1000', 'new', '1002']);
  expect(after.map(({ written }, i) => written !== before[i]?.written)).toEqual([
    false,
    true,
    false,
  ]);
});

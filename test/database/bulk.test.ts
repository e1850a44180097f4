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
       at timestamptz, touched int not null default 0)`,
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

test('a conflicting row is updated only where it differs', async () => {
  const row = { id: 10, title: 'ten', tags: ['a'], extra: { b: 1 }, at };
  const conflict = {
    on: '(id)',
    update: ['title', 'tags', 'extra', 'at'],
    set: 'touched = t.touched + 1',
  };
  const returning = ['id'];
  const write = (...given: object[]) =>
    insertMany<{ id: number }>(
      connection(),
      target,
      given.map((g) => ({ ...row, ...g })),
      {
        conflict,
        returning,
      },
    );
  expect(await write({})).toEqual([{ id: 10, inserted: true }]);
  expect(await write({})).toEqual([]);
  expect(await write({ tags: ['a', 'b'] }, { id: 11 })).toEqual([
    { id: 10, inserted: false },
    { id: 11, inserted: true },
  ]);
  const [after] = await rows(connection(), 'select tags, touched from sample where id = 10');
  expect(after).toEqual({ tags: ['a', 'b'], touched: 1 });
});

test('a conflict without columns to update leaves the row alone', async () => {
  const row = { id: 20, title: 'first', tags: [], extra: {}, at };
  const options = { conflict: { on: '(id)', update: [] } };
  await insertMany(connection(), target, [row], options);
  expect(await insertMany(connection(), target, [{ ...row, title: 'second' }], options)).toEqual(
    [],
  );
  expect(await rows(connection(), 'select title from sample where id = 20')).toEqual([
    { title: 'first' },
  ]);
});

test('a conflict nobody spoke of is an error, and nothing of the batch is written', async () => {
  const row = { id: 30, title: '', tags: [], extra: {}, at };
  await insertMany(connection(), target, [row]);
  await expect(insertMany(connection(), target, [{ ...row, id: 31 }, row])).rejects.toThrow(
    'duplicate key',
  );
  expect(await rows(connection(), 'select id from sample where id = 31')).toEqual([]);
});

test('rows are written in batches, one statement each', async () => {
  async function* many() {
    for (let id = 1000; id < 1025; id += 1) yield { id, title: `${id}`, tags: [], extra: {}, at };
  }
  const statements: string[] = [];
  const stop = opened.database.onStatement((text) => statements.push(text));
  const written = await insertMany(connection(), target, many(), { batchSize: 10 });
  stop();
  expect(written).toHaveLength(25);
  expect(statements).toHaveLength(3);
});

test('an update changes the rows that differ and no others', async () => {
  const columns = { id: 'int4', title: 'text' };
  const given = [1000, 1001, 1002, 9999].map((id) => ({
    id,
    title: id === 1001 ? 'new' : `${id}`,
  }));
  const changed = await updateMany(connection(), { table: 'sample', columns }, ['id'], given, {
    set: 'touched = t.touched + 1',
  });
  expect(changed).toBe(1);
  expect(
    await rows(connection(), 'select id, title from sample where touched = 1 and id >= 1000'),
  ).toEqual([{ id: 1001, title: 'new' }]);
});

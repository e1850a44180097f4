import { createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { serverViewer } from '../../src/auth/viewer.ts';
import { type Context, contextFor } from '../../src/context.ts';
import { breaksConnection, failureOf } from '../../src/database/failure.ts';
import { rows } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import { unavailable } from '../../src/errors.ts';
import { openTestDatabase, type TestDatabase } from '../database.ts';

let opened: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  opened = await openTestDatabase();
  ctx = contextFor(opened.database, serverViewer('00000000-0000-4000-8000-000000000001'));
  await opened.database.prisma.setting.create({ data: { name: 'taken', value: '' } });
});
afterAll(() => opened[Symbol.asyncDispose]());

/** What the server says where it ends a session, or can't be reached. */
function refusal(code: string, syscall?: string): Error {
  const error = Object.assign(new pg.DatabaseError('no', 2, 'error'), { code });
  return syscall === undefined ? error : Object.assign(new Error(code), { code, syscall });
}

/** What a client is told of a failure: our code, or null for a fault of ours. */
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'it worked',
    (error) => failureOf(error)?.code ?? null,
  );

const taken = { data: { name: 'taken', value: '' } };
const noSuchUser = {
  data: {
    workspaceId: '00000000-0000-4000-8000-000000000009',
    email: 'a@example.org',
  },
};

test.each<[string, string | null, () => Promise<unknown>]>([
  [
    'a name that is taken, by Prisma',
    'CONFLICT',
    () => opened.database.prisma.setting.create(taken),
  ],
  [
    'a name that is taken, by our own SQL',
    'CONFLICT',
    () => rows(ctx, `insert into setting values ('taken', '')`),
  ],
  [
    'a name that is taken, in a transaction',
    'CONFLICT',
    () => transaction(ctx, (tx) => tx.db.setting.create(taken)),
  ],
  ['a reference to what is gone', 'CONFLICT', () => opened.database.prisma.user.create(noSuchUser)],
  [
    'a row that was deleted meanwhile',
    'CONFLICT',
    () => opened.database.prisma.setting.update({ where: { name: 'gone' }, data: { value: '' } }),
  ],
  ['a number out of range', 'BAD_REQUEST', () => rows(ctx, 'select $1::int4', ['99999999999'])],
  ['a zero character', 'BAD_REQUEST', () => rows(ctx, 'select $1::text as t', ['a\u0000b'])],
  [
    'a zero character, by Prisma',
    'BAD_REQUEST',
    () => opened.database.prisma.setting.create({ data: { name: 'a\u0000b', value: '' } }),
  ],
  ['text that is no uuid', 'BAD_REQUEST', () => rows(ctx, 'select $1::uuid', ['x'])],
  ['a mistake in a statement', null, () => rows(ctx, 'selct')],
  ['a mistake in the program', null, () => Promise.reject(new TypeError('x is undefined'))],
  ['what is not an error at all', null, () => Promise.reject('text')],
])('%s is %s to a client', async (_, code, work) => {
  expect(await codeOf(work())).toBe(code);
});

test.each(['57P01', '57P02', '57P03', '57P04', '57P05', '25P03', '25P04', '25006', '08006'])(
  'a session that the server ended with %s is not there for a moment, and is not used again',
  (code) => {
    expect(failureOf(refusal(code))?.code).toBe('UNAVAILABLE');
    expect(breaksConnection(refusal(code))).toBe(true);
  },
);

test.each(['ENOENT', 'EAGAIN', 'EMFILE', 'ENFILE'])(
  '%s is the database being away where it is connected to',
  (code) => {
    const wrapped = new Error('outer', { cause: refusal(code, 'connect') });
    expect(failureOf(wrapped)?.code).toBe('UNAVAILABLE');
    expect(failureOf(refusal(code, 'open'))).toBeNull();
  },
);

test.each(['ECONNREFUSED', 'ECONNABORTED', 'EHOSTDOWN'])(
  '%s is the database being away',
  (code) => {
    expect(failureOf(refusal(code, 'connect'))?.code).toBe('UNAVAILABLE');
  },
);

test('a connection that no one answers is the database being away', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  const port = await freePort();
  await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve));
  const client = new pg.Client({ host: '127.0.0.1', port, connectionTimeoutMillis: 50 });
  client.on('error', () => {});
  try {
    const error = await failing(client.connect());
    expect(failureOf(error)?.code, String(error)).toBe('UNAVAILABLE');
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});

test('an error of ours is found under whatever wraps it', () => {
  const own = unavailable('Try again.');
  expect(failureOf(new Error('outer', { cause: new Error('inner', { cause: own }) }))).toBe(own);
});

test('a chain of causes without an end is not followed forever', () => {
  const error = new Error('round');
  error.cause = error;
  expect(failureOf(error)).toBeNull();
});

test.each([
  'select 1 / 0',
  'select nonsense',
  `insert into setting values ('taken', '')`,
  'select pg_cancel_backend(pg_backend_pid()), pg_sleep(5)',
])('a connection can be used again after %s', async (sql) => {
  const client = await opened.database.pool.connect();
  const error = await failing(client.query(sql));
  expect(error).toBeInstanceOf(pg.DatabaseError);
  expect(breaksConnection(error)).toBe(false);
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  client.release();
});

test('a connection that the server ended can not be used again', async () => {
  const server = new pg.Client({ connectionString: opened.url });
  server.on('error', () => {});
  await server.connect();
  const client = await opened.database.pool.connect();
  const { rows: found } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const sleeping = failing(client.query('select pg_sleep(30)'));
  await server.query('select pg_terminate_backend($1)', [found[0]?.pid]);
  expect(breaksConnection(await sleeping)).toBe(true);
  expect(breaksConnection(await failing(client.query('select 1')))).toBe(true);
  client.release(true);
  await server.end();
});

test('a connection on which nothing can be written is not handed out again', async () => {
  await using one = await openTestDatabase({ maxConnections: 1 });
  const { database } = one;
  const on = contextFor(database, serverViewer('00000000-0000-4000-8000-000000000001'));
  const write = () =>
    transaction(on, (tx) => tx.db.setting.create({ data: { name: 'n', value: '' } }));
  const becomeStandby = async () => {
    const client = await database.pool.connect();
    await client.query('set default_transaction_read_only = on');
    client.release();
  };
  await becomeStandby();
  expect(await codeOf(write())).toBe('UNAVAILABLE');
  expect(await codeOf(write())).toBe('it worked');
  await becomeStandby();
  expect(await codeOf(rows(on, `insert into setting values ('m', '')`))).toBe('UNAVAILABLE');
  expect(await codeOf(rows(on, `insert into setting values ('m', '')`))).toBe('it worked');
});

function failing(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error) => error,
  );
}

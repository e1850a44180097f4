// What a person is told when the start finds no room, or a database does not let it in.

import { afterAll, expect, test } from 'vitest';
import { awaitServer } from '../../src/database/await-server.ts';
import { databaseFailure, startFailure } from '../../src/process/start-failure.ts';
import { startMariaDb } from '../servers.ts';

test('a copy for which there is no room names the file that was to be written', () => {
  const settings = { HOST: '127.0.0.1', PORT: 4000, DATA_DIR: '/data' };
  const full = Object.assign(new Error('ENOSPC: no space left on device, copyfile'), {
    ...{ code: 'ENOSPC', syscall: 'copyfile' },
    ...{ path: '/program/template/pg_wal/1', dest: '/data/postgres.new/pg_wal/1' },
  });
  expect(startFailure(new Error('The database stopped.', { cause: full }), settings)).toBe(
    "DATA_DIR can't be used: /data/postgres.new/pg_wal/1 finds no room left on its disk. " +
      'Make room and start again.',
  );
});

test('a database that does not let it in is named with the setting that led there', () => {
  const error = Object.assign(new Error('password authentication failed for user "me"'), {
    code: '28P01',
  });
  const url = 'postgresql://me:secret@db:6000/shop';
  expect(databaseFailure(error, { url, setting: 'DATABASE_DIRECT_URL' })).toMatchObject({
    message:
      `The database at db:6000 (DATABASE_DIRECT_URL) can't be used: ${error.message}. ` +
      'Check the user me and the password in DATABASE_DIRECT_URL.',
  });
  expect(databaseFailure(error, undefined)).toBe(error);
});

const mariaDb = await startMariaDb();
afterAll(() => mariaDb?.[Symbol.asyncDispose]());

test.skipIf(!mariaDb)('an address that leads to another kind of database says so', async () => {
  const place = {
    url: `postgresql://me@127.0.0.1:${mariaDb?.port}/shop`,
    setting: 'DATABASE_URL',
  } as const;
  const error: unknown = await awaitServer(place).catch((thrown: unknown) => thrown);
  expect(startFailure(databaseFailure(error, place), null)).toContain(
    'What answers there is no PostgreSQL server; correct DATABASE_URL.',
  );
});

test('a limit of the address space is named, with what to do', () => {
  const message =
    'WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance';
  expect(startFailure(new RangeError(message), null)).toMatch(
    /^The address space of the process is limited to \w+ bytes \(ulimit -v\).* Lift that limit/,
  );
});

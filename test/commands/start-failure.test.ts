// What a person is told when the start finds no room.

import { expect, test } from 'vitest';
import { startFailure } from '../../src/start-failure.ts';

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

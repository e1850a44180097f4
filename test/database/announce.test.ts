// What is announced is heard after its commit, in every process, and never when it is undone.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { announce } from '../../src/database/announce.ts';
import { listen, notifyHere } from '../../src/database/listen.ts';
import { openDatabase } from '../../src/database/open.ts';
import { transaction } from '../../src/database/transaction.ts';
import { openCatalog } from '../catalog.ts';

type Heard = readonly string[] | null;

/** Resolves once something that fits was heard. */
async function until(heard: readonly Heard[], fits: (ids: Heard) => boolean): Promise<void> {
  while (!heard.some(fits)) await sleep(10);
}

const names = (id: string) => (ids: Heard) => ids?.includes(id) ?? false;

test('a change is heard after its commit, and one that is undone never', async () => {
  await using catalog = await openCatalog();
  const heard: Heard[] = [];
  const stop = listen(catalog.database, 'resource', (ids) => heard.push(ids));
  await until(heard, (ids) => ids === null);
  const undone = transaction(catalog.admin, async (tx) => {
    await announce(tx, 'resource', ['undone']);
    throw new Error('Changed my mind.');
  });
  await expect(undone).rejects.toThrow('Changed my mind.');
  await transaction(catalog.admin, async (tx) => {
    await announce(tx, 'resource', ['one', 'two']);
    await tx.db.setting.count();
    expect(heard.some(names('one'))).toBe(false);
  });
  await until(heard, names('two'));
  await announce(catalog.admin, 'job', ['another topic']);
  await announce(catalog.admin, 'resource');
  await announce(catalog.admin, 'resource', ['last']);
  await until(heard, names('last'));
  stop();
  expect(heard.filter((ids) => ids !== null)).toEqual([['one', 'two'], ['last']]);
  expect(heard.at(-2)).toBeNull();
});

test('many ids come in parts, very many as "anything"', async () => {
  await using catalog = await openCatalog();
  const heard: Heard[] = [];
  const stop = listen(catalog.database, 'resource', (ids) => heard.push(ids));
  await until(heard, (ids) => ids === null);
  const ids = Array.from({ length: 1_001 }, (_, i) => `${String(i).padStart(36, '0')}`);
  await announce(catalog.admin, 'resource', ids);
  await until(heard, names(ids.at(-1) ?? ''));
  expect(heard.flatMap((part) => part ?? []).sort()).toEqual(ids);
  heard.length = 0;
  await announce(
    catalog.admin,
    'resource',
    Array.from({ length: 5_000 }, (_, i) => `${i}`),
  );
  await announce(catalog.admin, 'resource', ['end']);
  await until(heard, names('end'));
  stop();
  expect(heard.filter((part) => !names('end')(part))).toEqual([null]);
});

test('nobody is told after having stopped', async () => {
  await using catalog = await openCatalog();
  const heard: Heard[] = [];
  const others: Heard[] = [];
  const stop = listen(catalog.database, 'job', (ids) => heard.push(ids));
  const stopOther = listen(catalog.database, 'job', (ids) => others.push(ids));
  await until(others, (ids) => ids === null);
  notifyHere(catalog.database, 'job', ['here']);
  stop();
  heard.length = 0;
  await announce(catalog.admin, 'job', ['later']);
  await until(others, names('later'));
  stopOther();
  expect(others.filter((ids) => ids !== null)).toEqual([['here'], ['later']]);
  expect(heard).toEqual([]);
});

test('another process hears it, also after its connection broke', async () => {
  await using catalog = await openCatalog();
  const other = await openDatabase({ databaseUrl: catalog.url, migrations: null });
  const heard: Heard[] = [];
  const stop = listen(other, 'resource', (ids) => heard.push(ids));
  await until(heard, (ids) => ids === null);
  await announce(catalog.admin, 'resource', ['first']);
  await until(heard, names('first'));

  heard.length = 0;
  await catalog.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'headwater listen' and datname = current_database()`,
  );
  // What changed while nobody listened is covered by being told that anything may have changed.
  await until(heard, (ids) => ids === null);
  while (!heard.some(names('second'))) {
    await announce(catalog.admin, 'resource', ['second']);
    await sleep(50);
  }
  stop();
  await other.close();
});

test('where announcements do not arrive, everyone looks for themselves', async () => {
  await using catalog = await openCatalog();
  // NOTIFY stays within its database: listening in another one is as deaf as through a pooler.
  const elsewhere = new URL(catalog.url);
  elsewhere.pathname = '/postgres';
  const deaf = await openDatabase({
    databaseUrl: catalog.url,
    directUrl: elsewhere.href,
    migrations: null,
  });
  const heard: Heard[] = [];
  const stop = listen(deaf, 'resource', (ids) => heard.push(ids));
  await announce(catalog.admin, 'resource', ['never heard']);
  while (heard.length < 6) await sleep(50);
  stop();
  await deaf.close();
  expect(heard.every((ids) => ids === null)).toBe(true);
});

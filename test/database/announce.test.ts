// What is announced arrives after its commit, in every process, and never when it is undone.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { announce } from '../../src/database/announce.ts';
import { listen, notifyHere } from '../../src/database/listen.ts';
import { openDatabase } from '../../src/database/open.ts';
import { transaction } from '../../src/database/transaction.ts';
import { openCatalog } from '../catalog.ts';
import { openProxy } from './proxy.ts';

type Ids = readonly string[] | null;

/** Resolves once something that fits was received. */
async function until(received: readonly Ids[], fits: (ids: Ids) => boolean): Promise<void> {
  while (!received.some(fits)) await sleep(10);
}

const names = (id: string) => (ids: Ids) => ids?.includes(id) ?? false;

test('a change arrives after its commit, and one that is undone never', async () => {
  await using catalog = await openCatalog();
  const received: Ids[] = [];
  const stop = listen(catalog.database, 'resource', (ids) => received.push(ids));
  await until(received, (ids) => ids === null);
  const undone = transaction(catalog.admin, async (tx) => {
    await announce(tx, 'resource', ['undone']);
    throw new Error('Changed my mind.');
  });
  await expect(undone).rejects.toThrow('Changed my mind.');
  await transaction(catalog.admin, async (tx) => {
    await announce(tx, 'resource', ['one', 'two']);
    await tx.db.setting.count();
    expect(received.some(names('one'))).toBe(false);
  });
  await until(received, names('two'));
  await announce(catalog.admin, 'job', ['another topic']);
  await announce(catalog.admin, 'resource');
  await announce(catalog.admin, 'resource', ['last']);
  await until(received, names('last'));
  stop();
  expect(received.filter((ids) => ids !== null)).toEqual([['one', 'two'], ['last']]);
  expect(received.at(-2)).toBeNull();
});

test('many ids come in parts, very many as "anything"', async () => {
  await using catalog = await openCatalog();
  const received: Ids[] = [];
  const stop = listen(catalog.database, 'resource', (ids) => received.push(ids));
  await until(received, (ids) => ids === null);
  const ids = Array.from({ length: 1_001 }, (_, i) => `${String(i).padStart(36, '0')}`);
  await announce(catalog.admin, 'resource', ids);
  await until(received, names(ids.at(-1) ?? ''));
  expect(received.flatMap((part) => part ?? []).sort()).toEqual(ids);
  received.length = 0;
  await announce(
    catalog.admin,
    'resource',
    Array.from({ length: 5_000 }, (_, i) => `${i}`),
  );
  await announce(catalog.admin, 'resource', ['end']);
  await until(received, names('end'));
  stop();
  expect(received.filter((part) => !names('end')(part))).toEqual([null]);
});

test('no one is notified after having stopped', async () => {
  await using catalog = await openCatalog();
  const received: Ids[] = [];
  const others: Ids[] = [];
  const stop = listen(catalog.database, 'job', (ids) => received.push(ids));
  const stopOther = listen(catalog.database, 'job', (ids) => others.push(ids));
  await until(others, (ids) => ids === null);
  notifyHere(catalog.database, 'job', ['here']);
  stop();
  received.length = 0;
  await announce(catalog.admin, 'job', ['later']);
  await until(others, names('later'));
  stopOther();
  expect(others.filter((ids) => ids !== null)).toEqual([['here'], ['later']]);
  expect(received).toEqual([]);
});

test('another process receives it, also after its connection broke', async () => {
  await using catalog = await openCatalog();
  const other = await openDatabase({ databaseUrl: catalog.url, migrations: null });
  const received: Ids[] = [];
  const stop = listen(other, 'resource', (ids) => received.push(ids));
  await until(received, (ids) => ids === null);
  await announce(catalog.admin, 'resource', ['first']);
  await until(received, names('first'));

  received.length = 0;
  await catalog.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'headwater listen' and datname = current_database()`,
  );
  // What changed while no one listened is covered by the word that anything may have changed.
  await until(received, (ids) => ids === null);
  while (!received.some(names('second'))) {
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
  const received: Ids[] = [];
  const stop = listen(deaf, 'resource', (ids) => received.push(ids));
  await announce(catalog.admin, 'resource', ['never received']);
  while (received.length < 6) await sleep(50);
  stop();
  await deaf.close();
  expect(received.every((ids) => ids === null)).toBe(true);
});

test('a connection that goes deaf later, though it answers, is replaced', async () => {
  await using catalog = await openCatalog();
  await using proxy = await openProxy(catalog.url);
  const databaseUrl = catalog.url;
  const other = await openDatabase({ databaseUrl, directUrl: proxy.url, migrations: null });
  const received: Ids[] = [];
  const stop = listen(other, 'resource', (ids) => received.push(ids));
  await until(received, (ids) => ids === null);
  await announce(catalog.admin, 'resource', ['first']);
  await until(received, names('first'));
  proxy.deafen();
  received.length = 0;
  await announce(catalog.admin, 'resource', ['not delivered']);
  // What was lost is covered by the word that anything may have changed.
  await until(received, (ids) => ids === null);
  while (!received.some(names('second'))) {
    await announce(catalog.admin, 'resource', ['second']);
    await sleep(50);
  }
  expect(received.some(names('not delivered'))).toBe(false);
  stop();
  await other.close();
});

// A start waits for a server that comes up late, and doesn't for one that will never let it in.

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { awaitServer, serverOf } from '../../src/database/await-server.ts';
import { type Cluster, openCluster } from '../cluster.ts';
import { openProxy } from './proxy.ts';

let cluster: Cluster | null = null;
let notices: string[] = [];
const at = (url: string) => ({ url, setting: 'DATABASE_URL' }) as const;
const onNotice = (message: string) => notices.push(message);
beforeAll(async () => {
  cluster = await openCluster(['host all guarded 127.0.0.1/32 scram-sha-256']);
});
beforeEach(() => {
  notices = [];
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
});

/** Run with a server of its own; skipped where none is installed. */
const withCluster = (title: string, work: (cluster: Cluster) => Promise<void>) =>
  test(title, async ({ skip }) => {
    if (!cluster) return skip('No PostgreSQL server is installed here.');
    await work(cluster);
  });

describe('waiting for a server', () => {
  withCluster('that is started late', async (cluster) => {
    const { port, url } = cluster;
    const waiting = awaitServer(at(url), { onNotice });
    await sleep(1_500);
    cluster.launch();
    await waiting;
    await cluster.stop();
    const [first, ...others] = notices;
    expect(first).toBe(
      `The database at 127.0.0.1:${port} (DATABASE_URL) does not answer; trying again: nothing listens there.`,
    );
    // One line for a reason, however often it is tried.
    expect(others.length).toBeLessThan(3);
    expect(new Set(notices).size).toBe(notices.length);
  });

  withCluster('that recovers and takes no connections yet', async (cluster) => {
    writeFileSync(join(cluster.data, 'standby.signal'), '');
    cluster.launch(['hot_standby=off']);
    const waiting = awaitServer(at(cluster.url), { onNotice });
    await expect.poll(() => notices.join(), { timeout: 10_000 }).toContain('it is starting up');
    cluster.promote();
    await waiting;
    await cluster.stop();
  });

  withCluster('that has no connection left', async (cluster) => {
    cluster.launch(['max_connections=4', 'superuser_reserved_connections=0', 'max_wal_senders=0']);
    await cluster.answers();
    const others = Array.from({ length: 4 }, () => {
      const other = new pg.Client(cluster.url);
      other.on('error', () => {});
      return other;
    });
    for (const other of others) await other.connect();
    const waiting = awaitServer(at(cluster.url), { onNotice });
    await expect.poll(() => notices.join()).toContain('it has no connection left');
    await others[0]?.end();
    await waiting;
    for (const other of others.slice(1)) await other.end();
    await cluster.stop();
  });

  withCluster('that swallows everything at first', async (cluster) => {
    cluster.launch();
    await cluster.answers();
    await using proxy = await openProxy(cluster.url);
    proxy.swallow();
    const waiting = awaitServer(at(proxy.url), { onNotice, limitMs: 30_000 });
    await sleep(1_000);
    proxy.cut();
    proxy.resume();
    await waiting;
    expect(notices.join()).toContain('the connection was closed');
    await cluster.stop();
  });

  withCluster('ends at once for what no waiting helps', async (cluster) => {
    cluster.launch();
    await cluster.answers();
    await cluster.run(`create role guarded login password 'right'`);
    const { port } = cluster;
    const refusals = [
      [`postgresql://guarded:wrong@127.0.0.1:${port}/postgres`, '28P01'],
      [`postgresql://nobody@127.0.0.1:${port}/postgres`, '28000'],
      [`postgresql://owner@127.0.0.1:${port}/nothing`, '3D000'],
    ] as const;
    for (const [url, code] of refusals) {
      await expect(awaitServer(at(url), { onNotice })).rejects.toMatchObject({ code });
    }
    const noPassword = `postgresql://guarded@127.0.0.1:${port}/postgres`;
    await expect(awaitServer(at(noPassword), { onNotice })).rejects.toThrow('SASL');
    // None was tried a second time.
    expect(notices).toEqual([]);
    await cluster.stop();
  });
});

test('a server that never comes is given up with its address, not its password', async () => {
  const port = await freePort();
  const url = `postgresql://me:secret@127.0.0.1:${port}/x`;
  const began = performance.now();
  await expect(awaitServer(at(url), { onNotice, limitMs: 1_500 })).rejects.toThrow(
    `The database at 127.0.0.1:${port} (DATABASE_URL) did not answer within 1.5 s: nothing listens there. Start it, or correct DATABASE_URL.`,
  );
  expect(performance.now() - began).toBeGreaterThan(1_000);
  expect(notices.join()).not.toContain('secret');
});

test('a host whose name is not known is waited for as well', async () => {
  const url = 'postgresql://me@database.invalid/x';
  const given = awaitServer(at(url), { onNotice, limitMs: 500 });
  await expect(given).rejects.toThrow(/database\.invalid:5432 .* name of its host/);
});

test('a pooler that lacks its server is waited for, and says why', async () => {
  const said = 'server login has been failing, try again later (server_login_retry)';
  const fields = ['SFATAL', 'VFATAL', 'C08P01', `M${said}`].map((field) => `${field}\0`).join('');
  const pooler = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      const answer = Buffer.from(`E0000${fields}\0`);
      answer.writeInt32BE(answer.length - 1, 1);
      socket.end(answer);
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => pooler.listen(port, '127.0.0.1', resolve));
  const place = {
    url: `postgresql://me@127.0.0.1:${port}/x`,
    setting: 'DATABASE_DIRECT_URL',
  } as const;
  await expect(awaitServer(place, { onNotice, limitMs: 500 })).rejects.toThrow(
    `The database at 127.0.0.1:${port} (DATABASE_DIRECT_URL) did not answer within 0.5 s: it says "${said}". ` +
      'Start it, or correct DATABASE_DIRECT_URL.',
  );
  await new Promise((resolve) => pooler.close(resolve));
});

test('a stop ends the waiting', async () => {
  const stop = new AbortController();
  const url = `postgresql://me@127.0.0.1:${await freePort()}/x`;
  const waiting = awaitServer(at(url), { onNotice, signal: stop.signal });
  setTimeout(() => stop.abort(), 300);
  await expect(waiting).rejects.toThrow('abort');
});

test('an address says which server, user and database it means', () => {
  const of = (url: string) => serverOf(url);
  expect(of('postgresql://me:secret@db:6000/shop')).toEqual({
    name: 'db:6000',
    user: 'me',
    database: 'shop',
  });
  expect(of('postgresql://me@[::1]/shop').name).toBe('[::1]:5432');
  expect(of('postgresql://me@/shop?host=/run/pg').name).toBe('/run/pg/.s.PGSQL.5432');
});

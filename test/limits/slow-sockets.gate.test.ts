// Clients that send slowly: cut within 15 s, whatever they are slow with, and no one else notices.

import { connect } from 'node:net';
import { expect, test } from 'vitest';
import {
  faultsOf,
  heldOf,
  lateOf,
  runSlowSockets,
  type SlowReport,
  slowInWords,
} from '../../gates/slow-sockets/run.ts';
import { beSlow, waysOf } from '../../gates/slow-sockets/socket.ts';
import { openCatalog } from '../catalog.ts';
import { serveApp } from '../serve.ts';
import { clientOf } from './client.ts';

test('slow headers and bodies are cut, with a key and without, and others are served', async () => {
  await using catalog = await openCatalog({ alone: true });
  await using served = await serveApp(await catalog.app(), { keepAliveMs: 10_000 });
  const key = catalog.keyOf('viewer');
  // Loading REST is no client's slowness.
  await clientOf(served.base, key).rest('GET', '/tag');
  const report: SlowReport = await runSlowSockets({
    ...{ address: served.base, key, otherKey: catalog.keyOf('admin') },
    ...{ sockets: 2 * waysOf(key).length, patienceMs: 20_000 },
  });
  expect(heldOf(report), slowInWords(report)).toEqual([]);
  expect(faultsOf(report)).toEqual([]);
  const asked = [...report.others.values()].map(({ count }) => count);
  expect(Math.min(...asked)).toBeGreaterThan(5);
  for (const { way, status } of report.fates) {
    const isAnswered = /body/.test(way.name);
    // Who showed no key to REST is not waited for at all.
    const expected = /REST.*without/.test(way.name) ? 401 : 408;
    if (isAnswered) expect(status, way.name).toBe(expected);
  }
  expect(catalog.unexpected).toEqual([]);
});

test('the gate misses its bar where a client is not refused, or `/healthz` waits', () => {
  const [way] = waysOf('');
  if (!way) throw new Error('There is no way of being slow.');
  const timing = (max: number) => ({ count: 9, p50: 2, p99: 9, max });
  const others = (max: number) => new Map([['/healthz', timing(max)]]);
  const closed = { way, closedMs: 9_000, status: 408 };
  const well: SlowReport = { fates: [closed], others: others(200), failures: [] };
  expect([...faultsOf(well), ...lateOf(well)]).toEqual([]);
  expect(lateOf({ ...well, others: others(201) })).toEqual(['/healthz took 201 ms']);
  expect(lateOf({ ...well, fates: [{ ...closed, closedMs: 15_001 }] })).toHaveLength(1);
  expect(faultsOf({ ...well, others: new Map() })).toHaveLength(1);
  for (const status of [null, 200, 500]) {
    expect(faultsOf({ ...well, fates: [{ ...closed, status }] })).toHaveLength(1);
  }
});

test('of those who show no key there are half at most: the oldest goes when another comes', async () => {
  await using catalog = await openCatalog({ alone: true });
  await using served = await serveApp(await catalog.app(), { maxConnections: 10 });
  const admin = clientOf(served.base, catalog.keyOf('admin'));
  const port = Number(new URL(served.base).port);
  const [nothing] = waysOf('');
  if (!nothing) throw new Error('There is no way of being slow.');
  const first = Array.from({ length: 5 }, () => beSlow(port, nothing, 4_000));
  expect((await admin.graphql('{ viewer { id } }')).status).toBe(200);
  const next = Array.from({ length: 3 }, () => beSlow(port, nothing, 3_000));
  const fates = await Promise.all([...first, ...next]);
  expect(fates.slice(0, 3).every(({ closedMs }) => closedMs !== null)).toBe(true);
  expect(fates.slice(5).map(({ closedMs }) => closedMs)).toEqual([null, null, null]);
  expect((await admin.rest('GET', '/tag')).status).toBe(200);
});

test('a client that takes nothing of its answer is given up', async () => {
  await using catalog = await openCatalog({ alone: true });
  await using served = await serveApp(await catalog.app(), { readingMs: 3_000 });
  const { workspaceId } = catalog;
  await catalog.database.prisma.resource.createMany({
    data: Array.from({ length: 1_000 }, (_, n) => ({
      ...{ workspaceId, kind: 'table', title: `t${n}`, titleFull: `t${n}` },
      definition: 'x'.repeat(20_000),
    })),
  });
  const query = JSON.stringify({ query: '{ resources(first: 1000) { nodes { definition } } }' });
  const socket = connect(Number(new URL(served.base).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  const head = [
    'POST /graphql HTTP/1.1',
    ...['Host: a', 'Content-Type: application/json', `Content-Length: ${query.length}`],
    `Authorization: Bearer ${catalog.keyOf('admin')}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${query}`);
  await expect.poll(() => served.connections()).toBe(1);
  const began = performance.now();
  await expect.poll(() => served.connections(), { timeout: 30_000, interval: 100 }).toBe(0);
  expect(performance.now() - began).toBeGreaterThan(2_500);
  socket.destroy();
});

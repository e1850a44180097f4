// What /metrics tells: of requests, of this process, and of the database that all processes share.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sealWhatIsDue } from '../../src/audit/seal.ts';
import { openHttpServer } from '../../src/http/server.ts';
import { enqueueJob } from '../../src/jobs/job.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { listening } from '../http/listening.ts';
import { serveApp } from '../serve.ts';
import { addressOf, onServer } from '../server.ts';

/** Figures by their name and labels, as they are written. */
type Figures = ReadonlyMap<string, number>;

async function scrape(base: string): Promise<Figures> {
  const response = await fetch(`${base}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split('\n').filter((line) => /^headwater/.test(line));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))] as const;
    }),
  );
}

const ask = (catalog: Catalog, base: string, path: string, body?: string) =>
  fetch(base + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${catalog.keyOf('admin')}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    ...(body === undefined ? {} : { body }),
  }).then((response) => response.text());

const requests = (part: string, operation: string, outcome: string) =>
  `headwater_requests_total{part="${part}",operation="${operation}",outcome="${outcome}"}`;

test('requests are counted by what they ask for and how they ended', async () => {
  await using catalog = await openCatalog({ alone: true });
  const base = await catalog.listen();
  const absent = '00000000-0000-4000-8000-000000000000';
  const query = (text: string) => ask(catalog, base, '/graphql', JSON.stringify({ query: text }));
  await ask(catalog, base, '/api/v1/tag/tags');
  await ask(catalog, base, '/api/v1/tag/tags/');
  await ask(catalog, base, `/api/v1/tag/tags/${absent}`);
  await ask(catalog, base, '/api/v1/made/up');
  await ask(catalog, base, '/made/up');
  await query('query Invented { viewer { id } }');
  await query('query AlsoInvented { viewer { id } }');
  await query('{ viewer { id } tags(first: 1) { nodes { id } } }');
  await query(`mutation { archiveTeam(id: "${absent}") { id } }`);
  await query('{');
  await ask(catalog, base, '/');
  const found = await scrape(base);
  const tags = 'GET /api/v1/tag';
  expect(found.get(requests('rest', tags, 'ok'))).toBe(2);
  expect(found.get(requests('rest', `${tags}/:tag_id`, 'refused'))).toBe(1);
  expect(found.get(requests('rest', '(unknown)', 'refused'))).toBe(1);
  expect(found.get(requests('other', '(unknown)', 'refused'))).toBe(1);
  expect(found.get(requests('graphql', 'query viewer', 'ok'))).toBe(2);
  expect(found.get(requests('graphql', 'query (several)', 'ok'))).toBe(1);
  expect(found.get(requests('graphql', 'mutation archiveTeam', 'refused'))).toBe(1);
  expect(found.get(requests('graphql', '(unknown)', 'refused'))).toBe(1);
  expect(found.get(requests('site', '(files)', 'ok'))).toBe(1);
  expect(found.get('headwater_errors_total{part="graphql",code="NOT_FOUND"}')).toBe(1);
  expect(found.get('headwater_errors_total{part="graphql",code="BAD_REQUEST"}')).toBe(1);
  expect(found.get('headwater_errors_total{part="rest",code="NOT_FOUND"}')).toBe(2);
  const took = found.get(`headwater_request_seconds_total{part="rest",operation="${tags}"}`);
  expect(took).toBeGreaterThan(0);
  // Nothing that a client can make up is a label.
  expect([...found.keys()].join('\n')).not.toMatch(/invented|made|00000000/i);
});

test('a fault is one, and so is a GraphQL answer of 200 that holds one', async () => {
  await using catalog = await openCatalog({ alone: true });
  const base = await catalog.listen();
  await onServer(catalog.url, 'alter table tag rename to gone');
  await ask(catalog, base, '/api/v1/tag/tags');
  await ask(catalog, base, '/graphql', '{"query":"{ tags(first: 1) { nodes { id } } }"}');
  const found = await scrape(base);
  expect(found.get(requests('rest', 'GET /api/v1/tag', 'failed'))).toBe(1);
  expect(found.get(requests('graphql', 'query tags', 'failed'))).toBe(1);
  expect(found.get('headwater_errors_total{part="graphql",code="INTERNAL_SERVER_ERROR"}')).toBe(1);
  expect(catalog.unexpected).toHaveLength(2);
});

test('what agents call is counted by tool, with the faults in answers of 200', async () => {
  await using catalog = await openCatalog({ alone: true });
  const base = await catalog.listen();
  const call = async (name: string, given: object) => {
    const params = { name, arguments: given };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const response = await fetch(`${base}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${catalog.keyOf('admin')}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(message),
    });
    expect(response.status).toBe(200);
    return response.text();
  };
  await call('tags', {});
  expect(await call('get_resource', {})).toContain('isError');
  await call('get_resource', { id: '00000000-0000-4000-8000-000000000000' });
  await call('invented', {});
  await onServer(catalog.url, 'alter table tag rename to gone');
  expect(await call('tags', {})).toContain('Something went wrong');
  const found = await scrape(base);
  const tool = (name: string) => `mcp tools/call ${name}`;
  expect(found.get(requests('mcp', tool('tags'), 'ok'))).toBe(1);
  expect(found.get(requests('mcp', tool('tags'), 'failed'))).toBe(1);
  expect(found.get(requests('mcp', tool('get_resource'), 'refused'))).toBe(2);
  expect(found.get(requests('mcp', 'mcp tools/call', 'refused'))).toBe(1);
  expect(found.get('headwater_errors_total{part="mcp",code="INTERNAL_SERVER_ERROR"}')).toBe(1);
  expect(found.get('headwater_errors_total{part="mcp",code="NOT_FOUND"}')).toBe(1);
  expect(found.get('headwater_errors_total{part="mcp",code="BAD_REQUEST"}')).toBe(2);
  expect([...found.keys()].join('\n')).not.toContain('invented');
  expect(catalog.unexpected).toHaveLength(1);
});

test('jobs, monitors and the outbox are reported as they are in the database', async () => {
  await using catalog = await openCatalog({ alone: true });
  const base = await catalog.listen();
  const { admin, workspaceId } = catalog;
  const job = { kind: 'metrics test', title: 'A test' };
  await enqueueJob(admin, job);
  await enqueueJob(admin, { ...job, delaySeconds: 3_600 });
  const table = await catalog.resource();
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const monitor = { workspaceId, targetId: table.id, metricType: 'row_count', name: 'rows' };
  await admin.database.prisma.monitor.createMany({
    data: [
      { ...monitor, nextRunAt: minutesAgo(10) },
      { ...monitor, nextRunAt: minutesAgo(0.1) },
      { ...monitor, nextRunAt: minutesAgo(-10) },
      { ...monitor, nextRunAt: null, isEnabled: false, status: 'disabled' },
    ],
  });
  const notification = {
    workspaceId,
    event: 'incident_opened',
    address: 'a@example.com',
    content: {},
  };
  await admin.database.prisma.notification.createMany({
    data: [
      { ...notification, channel: 'email', dedupeKey: '1', createdAt: minutesAgo(5) },
      { ...notification, channel: 'email', dedupeKey: '2' },
      { ...notification, channel: 'email', dedupeKey: '3', state: 'delivered' },
    ],
  });
  const hook = { workspaceId, name: 'hook', url: 'https://example.com', secret: '' };
  await admin.database.prisma.webhook.createMany({
    data: [{ ...hook }, { ...hook, pausedUntil: minutesAgo(-5) }, { ...hook, isEnabled: false }],
  });
  const found = await scrape(base);
  expect(found.get('headwater_jobs{kind="metrics test",state="queued"}')).toBe(1);
  expect(found.get('headwater_jobs{kind="metrics test",state="waiting"}')).toBe(1);
  const oldest = 'headwater_job_oldest_seconds{kind="metrics test",state="queued"}';
  expect(found.get(oldest)).toBeGreaterThan(0);
  expect(found.get(oldest)).toBeLessThan(60);
  expect(found.get('headwater_monitors{status="pending"}')).toBe(3);
  expect(found.get('headwater_monitors{status="disabled"}')).toBe(1);
  expect(found.get('headwater_monitors_due')).toBe(2);
  expect(found.get('headwater_monitors_late')).toBe(1);
  expect(found.get('headwater_monitor_lateness_seconds')).toBeCloseTo(600, -1.5);
  expect(found.get('headwater_incidents_open')).toBe(0);
  expect(found.get('headwater_outbox{channel="email"}')).toBe(2);
  const waits = found.get('headwater_outbox_oldest_seconds{channel="email"}');
  expect(waits).toBeCloseTo(300, -1.5);
  for (const state of ['enabled', 'paused', 'disabled']) {
    expect(found.get(`headwater_webhooks{state="${state}"}`), state).toBe(1);
  }
  for (const field of ['title', 'document']) {
    expect(found.get(`headwater_search_index_bytes{field="${field}"}`), field).toBeGreaterThan(0);
    expect(found.get(`headwater_search_index_valid{field="${field}"}`), field).toBe(1);
  }
  expect(found.has('headwater_table_rows{table="resource"}')).toBe(true);
  expect(found.get('headwater_database_bytes')).toBeGreaterThan(1_000_000);
  expect(found.get('headwater_database_up')).toBe(1);
  expect([...found.keys()].find((name) => name.startsWith('headwater_build_info'))).toMatch(
    /version="\d+\.\d+\.\d+.*",node="v\d+.*",role="all"/,
  );
});

test('entries of the audit log are reported until they are sealed', async () => {
  await using catalog = await openCatalog({ alone: true });
  const base = await catalog.listen();
  const minutes = 90;
  await catalog.database.prisma.auditLog.create({
    data: {
      workspaceId: catalog.workspaceId,
      activityType: 'tag_created',
      performerType: 'SYSTEM',
      createdAt: new Date(Date.now() - minutes * 60_000),
    },
  });
  const unsealed = await scrape(base);
  expect(unsealed.get('headwater_audit_unsealed')).toBeGreaterThanOrEqual(1);
  const age = unsealed.get('headwater_audit_unsealed_oldest_seconds');
  expect(age).toBeCloseTo(minutes * 60, -1.5);
  await sealWhatIsDue(catalog.database);
  // What was read is reported again for 5 s.
  const ageNow = async () => (await scrape(base)).get('headwater_audit_unsealed_oldest_seconds');
  await expect.poll(ageNow, { timeout: 10_000 }).toBe(0);
  expect((await scrape(base)).get('headwater_audit_unsealed')).toBe(0);
});

test('connections, statements and runs of jobs are those of this process', async () => {
  await using catalog = await openCatalog({ alone: true });
  const base = await catalog.listen();
  const { database, surroundings, admin } = catalog;
  const kind = 'metrics test';
  const worker = startWorker({
    database,
    surroundings,
    handlers: {
      [kind]: async ({ job }) => {
        if (job.title === 'bad') throw new Error('It fails.');
      },
    },
    onError: () => {},
  });
  await enqueueJob(admin, { kind, title: 'good' });
  await enqueueJob(admin, { kind, title: 'bad', maxAttempts: 1 });
  await expect
    .poll(() => database.prisma.job.count({ where: { state: { in: ['succeeded', 'failed'] } } }))
    .toBe(2);
  await worker.stop();
  const before = database.figures.statements;
  const found = await scrape(base);
  expect(found.get(`headwater_job_runs_total{kind="${kind}",end="succeeded"}`)).toBe(1);
  expect(found.get(`headwater_job_runs_total{kind="${kind}",end="failed"}`)).toBe(1);
  expect(found.get('headwater_database_connections{state="max"}')).toBe(5);
  const busy = found.get('headwater_database_connections{state="busy"}') ?? -1;
  const idle = found.get('headwater_database_connections{state="idle"}') ?? -1;
  expect(busy + idle).toBe(database.pool.totalCount);
  expect(found.get('headwater_database_waiting')).toBe(0);
  expect(found.get('headwater_database_places{of="imports",state="max"}')).toBe(2);
  expect(found.get('headwater_database_statements_total')).toBeGreaterThan(before);
  expect(found.get('headwater_database_statement_seconds_total')).toBeGreaterThan(0);
});

test('subscriptions are counted while they are open', async () => {
  await using catalog = await openCatalog({ alone: true });
  const base = await catalog.listen();
  const leaving = new AbortController();
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      authorization: `Bearer ${catalog.keyOf('admin')}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ query: 'subscription { incidentChanged { id } }' }),
  });
  expect(response.status).toBe(200);
  expect((await scrape(base)).get('headwater_subscriptions')).toBe(1);
  leaving.abort();
  await expect
    .poll(async () => (await scrape(base)).get('headwater_subscriptions'), { timeout: 10_000 })
    .toBe(0);
});

test('a subscription that ends is counted, and no slow request', async () => {
  await using catalog = await openCatalog({ alone: true });
  await catalog.app({ SUBSCRIPTION_SECONDS: '1' });
  const base = await catalog.listen();
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${catalog.keyOf('admin')}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ query: 'subscription { incidentChanged { id } }' }),
  });
  await response.text();
  const found = await scrape(base);
  expect(found.get(requests('graphql', 'subscription incidentChanged', 'ok'))).toBe(1);
  const took =
    'headwater_request_seconds_total{part="graphql",operation="subscription incidentChanged"}';
  expect(found.get(took)).toBeGreaterThan(0.5);
  const timed = [...found.keys()].filter((name) => /duration_seconds_count.*graphql/.test(name));
  expect(timed).toEqual([]);
});

test('where the database does not answer, nothing is reported of it but that', async () => {
  await using catalog = await openCatalog({ alone: true });
  const base = await catalog.listen();
  const name = new URL(catalog.url).pathname.slice(1);
  const server = addressOf(catalog.url, 'postgres');
  await onServer(server, `alter database ${name} allow_connections false`);
  await onServer(
    server,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
  await sleep(100);
  const down = await scrape(base);
  expect(down.get('headwater_database_up')).toBe(0);
  expect([...down.keys()].filter((one) => /^headwater_(jobs|monitors|outbox)/.test(one))).toEqual(
    [],
  );
  expect(down.get('headwater_database_connections{state="max"}')).toBe(5);
  await onServer(server, `alter database ${name} allow_connections true`);
  await expect
    .poll(async () => (await scrape(base)).get('headwater_database_up'), { timeout: 15_000 })
    .toBe(1);
});

test('what comes before the program, and what is no request, is counted as well', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { handle, metrics } = await catalog.app();
  const http = openHttpServer();
  await using served = await listening(http);
  const base = `http://127.0.0.1:${served.port}`;
  for (const path of ['/healthz', '/readyz', '/graphql']) await (await fetch(base + path)).text();
  http.begin(handle, metrics.observe);
  await (await fetch(`${base}/healthz`)).text();
  const socket = connect(served.port, '127.0.0.1').end('hello\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /);
  const found = await scrape(base);
  expect(found.get(requests('other', '/healthz', 'ok'))).toBe(2);
  // It says what it was asked for.
  expect(found.get(requests('other', '/readyz', 'ok'))).toBe(1);
  expect(found.get(requests('other', '(unknown)', 'failed'))).toBe(1);
  expect(found.get(requests('other', '(malformed)', 'refused'))).toBe(1);
  expect(found.get('headwater_errors_total{part="other",code="UNAVAILABLE"}')).toBe(1);
});

test('connections are counted, and those that are not let go on', async () => {
  await using catalog = await openCatalog({ alone: true });
  await using served = await serveApp(await catalog.app(), { maxConnections: 4 });
  const open = async () => {
    const socket = connect(served.port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  const closed = (reason: string) => `headwater_connections_closed_total{reason="${reason}"}`;
  const idle = [await open(), await open()];
  // The scrape is a third that shows no key: the oldest is closed.
  const first = await scrape(served.base);
  expect(first.get('headwater_connections')).toBeGreaterThanOrEqual(2);
  expect(first.get(closed('unknown'))).toBe(1);
  expect(first.has(closed('full'))).toBe(false);
  for (const socket of idle) socket.destroy();
  // Who shows a key keeps the connection, until others need its place.
  const kept: Socket[] = [];
  const key = `Authorization: Bearer ${catalog.keyOf('admin')}`;
  const isServed = async (request: string, ...headers: string[]) => {
    const socket = await open();
    socket.write([`${request} HTTP/1.1`, 'Host: a', key, ...headers, '', ''].join('\r\n'));
    kept.push(socket);
    const isAnswered = await new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true)).once('close', () => resolve(false));
      // What is under way is not answered.
      if (request.startsWith('POST')) void sleep(200).then(() => resolve(!socket.closed));
    });
    // The key is looked up besides the answer.
    await sleep(100);
    return isAnswered;
  };
  const nobody = async () => {
    for (const socket of kept.splice(0)) socket.destroy();
    await expect.poll(() => served.connections()).toBeLessThan(2);
  };
  for (let n = 0; n < 5; n += 1) expect(await isServed('GET /healthz')).toBe(true);
  await nobody();
  const second = await scrape(served.base);
  expect(second.get(closed('idle'))).toBeGreaterThanOrEqual(1);
  expect(second.has(closed('full'))).toBe(false);
  // Where a request is under way on each of them, the next one is not let in.
  await nobody();
  while (kept.length < 6 && (await isServed('POST /graphql', 'Content-Length: 10')));
  expect(kept.length).toBeLessThanOrEqual(5);
  await nobody();
  expect((await scrape(served.base)).get(closed('full'))).toBe(1);
});

// Traces, as a receiver of OpenTelemetry's protocol gets them from a server that runs.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../database.ts';
import { startScript } from '../started.ts';
import { type ReceivedSpan, readSpans } from './otlp.ts';

interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Paths and headers of what was sent. */
  readonly requests: readonly { path: string | undefined; secret: unknown }[];
}

/** A receiver on the loopback that keeps what it is sent. */
async function openReceiver(): Promise<Receiver> {
  const spans: ReceivedSpan[] = [];
  const requests: { path: string | undefined; secret: unknown }[] = [];
  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    requests.push({ path: request.url, secret: request.headers['x-receiver-key'] });
    spans.push(...readSpans(body));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Traced extends AsyncDisposable {
  readonly base: string;
  readonly output: () => string;
  ask(path: string, headers?: object, body?: object): Promise<Response>;
  /** Stop it, which sends what has not been sent. */
  stop(): Promise<number | null>;
}

/** A server that runs with settings of OpenTelemetry. */
async function startTraced(settings: Readonly<Record<string, string>>): Promise<Traced> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-traces-'));
  const opened = await openTestDatabase();
  const started = startScript('start.mjs', {
    DATA_DIR: dataDir,
    DATABASE_URL: opened.url,
    ...settings,
  });
  const base = await started.ready();
  const key = await started.key();
  return {
    base,
    output: started.output,
    ask: (path, headers = {}, body) =>
      fetch(base + path, {
        method: body ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json',
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    stop: () => started.stop(),
    async [Symbol.asyncDispose]() {
      await started.stop('SIGKILL');
      await opened[Symbol.asyncDispose]();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

test('a request is a span of its client, and its statements are spans of it', async () => {
  await using receiver = await openReceiver();
  await using server = await startTraced({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-receiver-key=letmein',
    OTEL_SERVICE_NAME: 'catalog-in-test',
  });
  const traceId = randomBytes(16).toString('hex');
  const parentId = randomBytes(8).toString('hex');
  const made = await server.ask(
    '/api/v1/tag/tags',
    { traceparent: `00-${traceId}-${parentId}-01`, 'x-request-id': 'mine' },
    { name: 'not-to-be-sent' },
  );
  expect(made.status).toBe(201);
  const query = { query: 'query Missing { archived: resource(id: "x") { id } }' };
  await server.ask('/graphql', {}, query);
  await server.ask('/healthz');
  await server.ask('/metrics');
  expect(await server.stop()).toBe(0);

  const { spans, requests } = receiver;
  expect(requests[0]).toEqual({ path: '/v1/traces', secret: 'letmein' });
  const request = spans.find(({ name }) => name === 'POST /api/v1/tag');
  expect(request).toMatchObject({
    traceId,
    parentId,
    kind: 'server',
    isError: false,
    resource: { 'service.name': 'catalog-in-test', 'service.version': expect.any(String) },
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/v1/tag',
      'http.response.status_code': 201,
      'headwater.request.id': 'mine',
    },
  });
  const statements = spans.filter((span) => span.parentId === request?.spanId);
  expect(statements.length).toBeGreaterThan(3);
  for (const { kind, traceId: of, attributes, began, ended } of statements) {
    expect(kind).toBe('client');
    expect(of).toBe(traceId);
    expect(attributes['db.system.name']).toBe('postgresql');
    expect(ended).toBeGreaterThanOrEqual(began);
    expect(Math.abs(began - Date.now() * 1e6)).toBeLessThan(120e9);
  }
  const texts = statements.map(({ attributes }) => String(attributes['db.query.text']));
  expect(texts.some((text) => /insert into .*\btag\b/i.test(text))).toBe(true);
  expect(JSON.stringify(spans)).not.toContain('not-to-be-sent');

  const asked = spans.find(({ name }) => name === 'query resource');
  expect(asked?.traceId).not.toBe(traceId);
  expect(asked?.parentId).toBe('');
  expect(asked?.attributes['graphql.operation.name']).toBe('query Missing');
  // What balancers and scrapers ask for is not traced.
  const faces = spans.filter(({ kind }) => kind === 'server').map(({ name }) => name);
  expect(faces.toSorted()).toEqual(['POST /api/v1/tag', 'query resource']);
});

test('the sampler of the settings decides, and a client that records is followed', async () => {
  await using receiver = await openReceiver();
  await using server = await startTraced({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/own/path`,
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
  });
  await server.ask('/api/v1/tag/tags');
  const traceId = randomBytes(16).toString('hex');
  await server.ask('/api/v1/tag/tags', { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  await server.ask('/api/v1/tag/tags', { traceparent: `00-${traceId}-00f067aa0ba902b8-00` });
  expect(await server.stop()).toBe(0);
  const faces = receiver.spans.filter(({ kind }) => kind === 'server');
  expect(faces.map(({ parentId }) => parentId)).toEqual(['00f067aa0ba902b7']);
  expect(receiver.requests.every(({ path }) => path === '/own/path')).toBe(true);
});

test('a receiver that does not answer is reported, and keeps nothing from being served', async () => {
  await using server = await startTraced({
    // Nothing listens on the port of the discard protocol.
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
  });
  expect((await server.ask('/api/v1/tag/tags')).status).toBe(200);
  await expect.poll(server.output, { timeout: 15_000 }).toMatch(/"msg":"Traces: .*ECONNREFUSED/);
  expect((await server.ask('/api/v1/tag/tags')).status).toBe(200);
  expect(await server.stop()).toBe(0);
});

test.each([
  ['without an endpoint', {}],
  ['with OTEL_SDK_DISABLED', { OTEL_SDK_DISABLED: 'true' }],
  ['with OTEL_TRACES_EXPORTER=none', { OTEL_TRACES_EXPORTER: 'none' }],
])('%s nothing is sent', async (_, settings) => {
  await using receiver = await openReceiver();
  const endpoint = Object.keys(settings).length > 0;
  await using server = await startTraced({
    ...(endpoint ? { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url } : {}),
    ...settings,
  });
  await server.ask('/api/v1/tag/tags');
  expect(await server.stop()).toBe(0);
  expect(receiver.requests).toEqual([]);
});

test('nothing of it is loaded until there is an endpoint', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-loaded-'));
  try {
    const hook = join(folder, 'hook.cjs');
    const count = `Object.keys(require('node:module')._cache)
      .filter((name) => /@opentelemetry.(sdk|exporter|otlp)/.test(name)).length`;
    writeFileSync(hook, `process.on('exit', () => console.log('loaded: ' + ${count}));`);
    const loadedWith = async (settings: Readonly<Record<string, string>>) => {
      await using server = await startTraced({ NODE_OPTIONS: `--require=${hook}`, ...settings });
      await server.ask('/api/v1/tag/tags');
      expect(await server.stop()).toBe(0);
      return Number(/loaded: (\d+)/.exec(server.output())?.[1]);
    };
    expect(await loadedWith({})).toBe(0);
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    expect(await loadedWith(endpoint)).toBeGreaterThan(10);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a protocol that is not spoken ends the start with what is', async () => {
  const started = startScript('start.mjs', {
    DATA_DIR: join(tmpdir(), 'headwater-traces-none'),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
  });
  expect(await started.ended).toBe(1);
  expect(started.output()).toContain('Traces are sent as http/protobuf');
});

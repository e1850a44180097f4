// The log of a server that runs: a line for each request, and the request's name on every other line.

import { randomUUID } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openTestDatabase, type TestDatabase } from '../database.ts';
import { root } from '../house/sources.ts';
import { fieldsMissing } from '../rest/page.ts';
import { onServer } from '../server.ts';
import { type Started, startScript } from '../started.ts';

/** Levels as pino writes them. */
const level = { debug: 20, info: 30, warn: 40, error: 50 } as const;

const dataDir = mkdtempSync(join(tmpdir(), 'headwater-log-'));
let opened: TestDatabase;
let started: Started;
let base: string;
let key: string;

beforeAll(async () => {
  opened = await openTestDatabase();
  started = startScript('start.mjs', {
    DATA_DIR: dataDir,
    DATABASE_URL: opened.url,
    LOG_LEVEL: 'debug',
    SLOW_STATEMENT_MS: '300',
  });
  base = await started.ready();
  key = await started.key();
}, 60_000);
afterAll(async () => {
  await started.stop();
  await opened[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true, force: true });
});

type Line = Readonly<Record<string, unknown>>;

/** The lines about a request, as soon as there are so many. */
async function linesOf(id: string, count = 1): Promise<Line[]> {
  const find = () =>
    started
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{') && line.includes(`"${id}"`))
      .map((line): Line => JSON.parse(line));
  await expect.poll(() => find().length, { timeout: 10_000 }).toBeGreaterThanOrEqual(count);
  return find();
}

interface Asked {
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ask under a name of its own; the name, and the answer. */
async function ask(path: string, { method = 'GET', body, headers = {} }: Asked = {}) {
  const id = randomUUID();
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-request-id': id,
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { id, status: response.status, text: await response.text() };
}

const graphql = (query: string, headers = {}) =>
  ask('/graphql', { method: 'POST', body: { query }, headers });

test('a REST request is a line: its route, who asked, what it took', async () => {
  const made = await ask('/api/v1/tag/tags', { method: 'POST', body: { name: 'one' } });
  const { id: tagId } = JSON.parse(made.text);
  const { id } = await ask(`/api/v1/tag/tags/${tagId}?_=secret`);
  const lines = await linesOf(id);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    level: level.info,
    request_id: id,
    method: 'GET',
    operation: 'GET /api/v1/tag/:tag_id',
    status: 200,
    ms: expect.any(Number),
    statements: expect.any(Number),
    user: expect.stringMatching(/^[\da-f-]{36}$/),
    key: expect.stringMatching(/^[\da-f-]{36}$/),
    msg: 'GET /api/v1/tag/:tag_id 200',
  });
  expect(lines[0]?.statements).toBeGreaterThan(0);
  // The page about operations shows such a line.
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const shown = JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? '');
  expect(fieldsMissing(shown, lines[0])).toEqual([]);
  expect(
    fieldsMissing(lines[0], shown).filter((name) => !/^\.(?:pid|hostname)$/.test(name)),
  ).toEqual([]);
  // Neither ids nor what was asked with them.
  expect(JSON.stringify(lines)).not.toContain(tagId);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('the line counts the rows that the database answered', async () => {
  for (let n = 0; n < 10; n += 1) {
    await ask('/api/v1/tag/tags', { method: 'POST', body: { name: `counted ${n}` } });
  }
  const rowsOf = async (first: number) => {
    const { id } = await graphql(`{ tags(first: ${first}) { nodes { id } } }`);
    return Number((await linesOf(id))[0]?.rows);
  };
  // The first of them may look up the key as well.
  await rowsOf(1);
  expect((await rowsOf(9)) - (await rowsOf(2))).toBe(7);
});

test('a GraphQL request is a line: its name, or what it asks for, and the codes of its errors', async () => {
  const named = await graphql('query Mine { viewer { id } }');
  expect(await linesOf(named.id)).toMatchObject([
    { operation: 'query Mine', status: 200, method: 'POST' },
  ]);
  const nameless = await graphql('mutation { archiveTeam(id: "x") { id } }');
  expect(await linesOf(nameless.id)).toMatchObject([
    { operation: 'mutation archiveTeam', status: 200, errors: { NOT_FOUND: 1 } },
  ]);
  const broken = await graphql('{');
  expect(await linesOf(broken.id)).toMatchObject([
    { operation: 'POST /graphql', errors: { BAD_REQUEST: 1 } },
  ]);
});

test('who shows no key that works is no one', async () => {
  const { id } = await ask('/api/v1/tag/tags', { headers: { authorization: 'Bearer no' } });
  const lines = await linesOf(id);
  expect(lines).toMatchObject([{ status: 401, user: null, key: null }]);
  expect(lines[0]?.errors).toEqual({ UNAUTHENTICATED: 1 });
});

test('a key that was revoked is no one, and named', async () => {
  const query = 'mutation { createApiKey(input: { name: "short-lived" }) { key apiKey { id } } }';
  const { createApiKey: made } = JSON.parse((await graphql(query)).text).data;
  await graphql(`mutation { revokeApiKey(id: "${made.apiKey.id}") { id } }`);
  const { id } = await graphql('{ viewer { id } }', { authorization: `Bearer ${made.key}` });
  const [line] = await linesOf(id);
  expect(line).toMatchObject({
    user: null,
    key: made.apiKey.id,
    errors: { UNAUTHENTICATED: 1 },
  });
});

test('a path that is none of ours is named, and not its query', async () => {
  const { id } = await ask('/wp-login.php?password=secret');
  const lines = await linesOf(id);
  expect(lines).toMatchObject([{ operation: 'GET /wp-login.php', status: 404 }]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test.each(['/healthz', '/readyz', '/metrics'])(
  '%s is shown to those who debug alone',
  async (path) => {
    const { id } = await ask(path);
    expect(await linesOf(id)).toMatchObject([{ level: level.debug, operation: path }]);
  },
);

test('the trace that a client is part of is on the line', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
  const { id } = await ask('/api/v1/tag/tags', { headers: { traceparent } });
  expect(await linesOf(id)).toMatchObject([{ trace_id: traceId }]);
});

test('a slow statement is reported without its values, and in which request', async () => {
  const locking = onServer(
    opened.url,
    'do $$ begin lock table tag in access exclusive mode; perform pg_sleep(1.2); end $$',
  );
  await sleep(300);
  const name = 'not-to-be-logged';
  const made = await ask('/api/v1/tag/tags', { method: 'POST', body: { name } });
  await locking;
  expect(made.status).toBe(201);
  const lines = await linesOf(made.id, 2);
  const slow = lines.find((line) => line.level === level.warn);
  expect(slow).toMatchObject({ msg: 'A statement was slow.', statement: expect.any(String) });
  expect(slow?.statement).toMatch(/\btag\b/);
  expect(slow?.ms).toBeGreaterThan(300);
  expect(lines.find((line) => line.level === level.info)?.database_ms).toBeGreaterThan(300);
  expect(started.output()).not.toContain(name);
});

test('a client that does not wait for its answer is reported', async () => {
  const locking = onServer(
    opened.url,
    'do $$ begin lock table tag in access exclusive mode; perform pg_sleep(0.8); end $$',
  );
  await sleep(200);
  const id = randomUUID();
  const headers = { authorization: `Bearer ${key}`, 'x-request-id': id };
  const sending = send(`${base}/api/v1/tag/tags`, { headers }).end();
  sending.on('error', () => {});
  await sleep(200);
  sending.destroy();
  await locking;
  const lines = await linesOf(id);
  const answer = lines.find((line) => line.level === level.info);
  expect(answer).toMatchObject({
    cut: true,
    status: null,
    msg: expect.stringMatching(/not answered/),
  });
});

test.each(['fatal', 'trace', 'verbose'])(
  'the level %s, at which nothing would be added, is none',
  (given) => {
    expect(() => readConfig({ LOG_LEVEL: given })).toThrow(/LOG_LEVEL.*silent.*error.*debug/s);
  },
);

test('a fault of ours is logged with the request that met it, over REST and GraphQL', async () => {
  await onServer(opened.url, 'alter table tag rename to gone');
  try {
    const rest = await ask('/api/v1/tag/tags');
    expect(rest.status).toBe(500);
    expect(JSON.parse(rest.text).request_id).toBe(rest.id);
    expect(rest.text).not.toContain('relation');
    const lines = await linesOf(rest.id, 2);
    expect(lines.find((line) => line.level === level.error)).toMatchObject({
      request_id: rest.id,
      operation: 'GET /api/v1/tag',
      user: expect.stringMatching(/^[\da-f-]{36}$/),
      err: { message: expect.stringContaining('tag') },
    });
    expect(lines.find((line) => line.level === level.info)).toMatchObject({
      status: 500,
      errors: { INTERNAL_SERVER_ERROR: 1 },
    });
    const query = await graphql('query Tags { tags(first: 1) { nodes { id } } }');
    expect(JSON.parse(query.text).errors[0].extensions).toMatchObject({
      code: 'INTERNAL_SERVER_ERROR',
      request_id: query.id,
    });
    const ofQuery = await linesOf(query.id, 2);
    expect(ofQuery.find((line) => line.level === level.error)).toMatchObject({
      request_id: query.id,
      operation: 'query Tags',
    });
  } finally {
    await onServer(opened.url, 'alter table gone rename to tag');
  }
});

test('a log for which there is no room costs its lines, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-log-'));
  const full = openSync('/dev/full', 'w');
  const env = { DATA_DIR: folder, DATABASE_URL: opened.url, LOG_LEVEL: 'info' };
  const server = startScript('start.mjs', env, [], full);
  closeSync(full);
  try {
    const address = await server.ready();
    for (let n = 0; n < 3; n += 1) expect((await fetch(`${address}/api/v1/tag`)).status).toBe(401);
    const figures = await (await fetch(`${address}/metrics`)).text();
    expect(figures).toMatch(/^headwater_log_lines_dropped_total [1-9]/m);
    expect(await server.stop()).toBe(0);
  } finally {
    await server.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});

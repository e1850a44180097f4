import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { clusterName } from '../../src/database/server/cluster.ts';
import { openTestDatabase } from '../database.ts';
import { type Started, startProgram, startScript } from '../started.ts';

// The build and `npm start`, as a person runs them.

vi.setConfig({ testTimeout: 120_000 });

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Longer than a connection to the database is waited for, on a busy machine too. */
const silentMs = 8_000;

function run(script: string, env: Record<string, string> = {}): Started {
  const started = startScript(script, { DATA_DIR: dataDir, ...env });
  runs.push(started);
  return started;
}

const stop = (started: Started) => started.stop();

let dataDir: string;
let runs: Started[] = [];
beforeAll(async () => {
  dataDir = tmpdir();
  expect(await run('build.mjs').ended).toBe(0);
}, 300_000);
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'headwater-start-'));
  runs = [];
});
afterEach(async () => {
  for (const started of runs) await started.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});
afterAll(() => {
  runs = [];
});

/** A database of its own on the server of the tests, where there is one; else the data folder's. */
async function withDatabase(work: (env: Record<string, string>) => Promise<void>): Promise<void> {
  if (!process.env.DATABASE_URL) return work({});
  await using opened = await openTestDatabase();
  await work({ DATABASE_URL: opened.url ?? '' });
}

async function ask(address: string, key: string, query: string): Promise<unknown> {
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

test('a build with nothing new says nothing and writes nothing', async () => {
  const written = () =>
    ['dist/main.cjs', 'dist/template/PG_VERSION', 'src/generated/prisma/client.ts'].map(
      (file) => statSync(join(root, file)).mtimeMs,
    );
  const before = written();
  const again = run('build.mjs');
  expect(await again.ended).toBe(0);
  expect(again.output()).toBe('');
  expect(written()).toEqual(before);
});

test('the first start makes a key and a database, the second keeps both', async () => {
  await withDatabase(async (env) => {
    const first = run('start.mjs', env);
    const address = await first.ready();
    const key = await first.key();
    expect(first.output()).toContain(`${address}/graphql`);
    expect(first.output()).toContain(`${address}/api/v1`);
    const made = await ask(
      address,
      key,
      'mutation { createTag(input: { name: "kept" }) { name } }',
    );
    expect(made).toEqual({ data: { createTag: { name: 'kept' } } });
    // Whatever was answered counts, however the process ends.
    expect(await first.stop('SIGKILL')).toBeNull();

    expect(first.output()).not.toContain('ROLE=api');

    const second = run('start.mjs', { ...env, ROLE: 'api' });
    const found = await ask(await second.ready(), key, '{ tags(first: 10) { nodes { name } } }');
    expect(found).toEqual({ data: { tags: { nodes: [{ name: 'kept' }] } } });
    expect(await second.key()).toBe(key);
    expect(second.output()).toContain('to make another: npm run key');
    expect(second.output()).toContain(
      'the seals of the audit log are left to processes with ROLE=',
    );
    expect(await stop(second)).toBe(0);
  });
});

test('the log names the file of the key, not the key, and a setting with a typo', async () => {
  await withDatabase(async (env) => {
    const started = run('start.mjs', { ...env, DATADIR: '/nowhere' });
    await started.ready();
    expect(started.output()).toContain(
      'The setting DATADIR is not known and has no effect. Did you mean DATA_DIR?',
    );
    expect(started.output()).toContain(`in the file ${join(dataDir, 'admin-api-key')}`);
    expect(started.output()).not.toContain('hwk_');
  });
});

test('a packaged server that keeps its first connections waiting is tried again', async () => {
  const started = run('start.mjs');
  const soon = { timeout: 60_000, interval: 1 };
  // It stands still until its database server does.
  await vi.waitUntil(() => postmaster() !== null, soon);
  started.child.kill('SIGSTOP');
  const { pid } = await vi.waitUntil(() => postmaster('ready'), soon);
  process.kill(pid, 'SIGSTOP');
  started.child.kill('SIGCONT');
  await sleep(silentMs);
  process.kill(pid, 'SIGCONT');
  const address = await started.ready();
  expect(await ask(address, await started.key(), '{ viewer { role } }')).toEqual({
    data: { viewer: { role: 'admin' } },
  });
  expect(await stop(started)).toBe(0);
});

/** The process of the packaged server, as soon as it says that it is in a state. */
function postmaster(state = ''): { readonly pid: number } | null {
  try {
    const file = join(dataDir, clusterName, 'postmaster.pid');
    const [pid, ...lines] = readFileSync(file, 'utf8').split('\n');
    return lines[6]?.startsWith(state) ? { pid: Number(pid) } : null;
  } catch {
    return null;
  }
}

test('a start that fails for its port makes no key, and the next one does', async () => {
  await withDatabase(async (env) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const bound = server.address();
    const port = typeof bound === 'object' ? String(bound?.port) : '';
    const first = run('start.mjs', { ...env, PORT: port });
    expect(await first.ended).toBe(1);
    expect(first.output()).toContain(`Port ${port} on 127.0.0.1 is taken; set PORT`);
    expect(readdirSync(dataDir)).toEqual([]);
    await new Promise((resolve) => server.close(resolve));

    const second = run('start.mjs', { ...env, PORT: port });
    const address = await second.ready();
    const answer = await ask(address, await second.key(), '{ viewer { __typename } }');
    expect(answer).toMatchObject({ data: { viewer: {} } });
  });
});

test('a terminal is shown the key, another one at each start until one was used', async ({
  skip,
}) => {
  if (!terminal) return skip();
  await withDatabase(async (env) => {
    const keys: string[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      const started = inTerminal({ ...env, DATA_DIR: dataDir });
      await started.ready();
      await expect.poll(started.output).toContain('(shown only now)');
      keys.push(/hwk_\w+/.exec(started.output())?.[0] ?? '');
      if (turn === 0) expect(await started.stop()).toBe(0);
      else {
        const address = await started.ready();
        const [lost = '', shown = ''] = keys;
        expect(shown).not.toBe(lost);
        const query = '{ viewer { __typename } }';
        expect(await ask(address, lost, query)).toMatchObject({ data: { viewer: {} } });
        const refused = await ask(address, shown, query);
        expect(refused).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
        expect(await started.stop()).toBe(0);
      }
    }
    expect(readdirSync(dataDir)).not.toContain('admin-api-key');
  });
});

test('until it is ready it answers at once that it is not', async () => {
  await withDatabase(async (env) => {
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const started = run('start.mjs', { ...env, PORT: String(port) });
    const seen = new Map<string, Set<number>>();
    const paths = ['/healthz', '/readyz', '/graphql', '/api/v1/tag/tags', '/'];
    let isOver = false;
    const ready = started.ready().finally(() => {
      isOver = true;
    });
    while (!isOver) {
      for (const path of paths) {
        const response = await fetch(base + path).catch(() => null);
        if (response === null) continue;
        const text = await response.text();
        const statuses = seen.get(path) ?? new Set();
        seen.set(path, statuses.add(response.status));
        if (response.status !== 503) continue;
        expect(text).toContain('starting');
        expect(response.headers.get('retry-after')).toBe('2');
      }
    }
    await ready;
    expect([...(seen.get('/healthz') ?? [])]).toEqual([200]);
    for (const path of paths.slice(1)) expect(seen.get(path)).toContain(503);
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
  });
});

test('the built program finds the files that lie next to its code', async () => {
  const address = await run('start.mjs').ready();
  for (const [path, type] of [
    ['/readyz', 'application/json'],
    ['/graphql', 'text/html'],
    ['/api/v1/docs', 'text/html'],
    ['/api/v1/openapi.json', 'application/json'],
  ] as const) {
    const response = await fetch(`${address}${path}`, { headers: { accept: type } });
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get('content-type')).toContain(type);
  }
});

test('a second process on the same folder is refused and told who has it', async () => {
  const first = run('start.mjs');
  await first.ready();
  const second = run('start.mjs');
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`in use by process ${first.child.pid} on ${hostname()}`);
  expect(await stop(first)).toBe(0);
});

test('a setting that cannot be used ends the start with what is allowed', async () => {
  const broken = run('start.mjs', {
    ...{ PORT: 'http', LOG_LEVEL: 'loud', SESSION_HOURS: '0', DATABASE_POOL: '501' },
    ...{
      LOG_LEVLE: 'info',
      TRUST_PROXY: 'maybe',
      MAX_BODY_BYTES: '2000.5',
      ADMIN_API_KEY: 'canary',
    },
  });
  expect(await broken.ended).toBe(1);
  for (const line of [
    'PORT="http": it is a whole number from 0 to 65535',
    'LOG_LEVEL="loud": it is one of silent, error, warn, info, debug',
    'SESSION_HOURS="0": it is a whole number from 1 to 8760',
    'DATABASE_POOL="501": it is a whole number from 3 to 500',
    'TRUST_PROXY="maybe": it is one of true, false, 1, 0, yes, no',
    'MAX_BODY_BYTES="2000.5": it is a whole number',
    'The setting LOG_LEVLE is not known and has no effect. Did you mean LOG_LEVEL?',
    'ADMIN_API_KEY=(not shown): it is 16 to 200 visible ASCII characters without spaces',
  ]) {
    expect(broken.output()).toContain(`  ${line}`);
  }
  expect(broken.output()).not.toContain('canary');
});

test.each([
  [{ SIGN_IN_FILE: 'absent.yaml' }, "SIGN_IN_FILE: absent.yaml can't be read as YAML: ENOENT"],
  [{ SIGN_IN_FILE: 'package.json' }, "SIGN_IN_FILE: package.json can't be used:\n    providers: "],
  [
    { PERSISTED_OPERATIONS: 'absent.json' },
    "PERSISTED_OPERATIONS: absent.json can't be read as JSON: ENOENT",
  ],
  [
    { ALLOW_PRIVATE_HOSTS: '10.0.0.0/99' },
    'ALLOW_PRIVATE_HOSTS: "10.0.0.0/99" is not a CIDR range',
  ],
])('%j ends the start before anything is made or opened', async (settings, says) => {
  const DATA_DIR = join(dataDir, 'new');
  const broken = run('start.mjs', { DATA_DIR, PUBLIC_UR: 'https://h.example.com', ...settings });
  expect(await broken.ended).toBe(1);
  expect(broken.output()).toContain(`Some settings cannot be used:\n  ${says}`);
  expect(broken.output()).toContain('Did you mean PUBLIC_URL?');
  expect(readdirSync(dataDir)).toEqual([]);
});

/** A pseudo-terminal, by the program `script` of util-linux. */
const terminal = ((): boolean => {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    console.warn('Skipped: what a terminal is shown. It needs `script` of util-linux.');
    return false;
  }
})();

function inTerminal(env: Record<string, string>): Started {
  const command = `exec ${process.execPath} scripts/start.mjs`;
  const started = startProgram('script', ['-qefc', command, '/dev/null'], env);
  runs.push(started);
  return started;
}

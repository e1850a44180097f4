// `npm run key`, as a person who has lost every key runs it.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Started, startScript } from '../started.ts';

let dataDir: string;
let runs: Started[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'headwater-key-'));
});
afterEach(async () => {
  for (const started of runs) await started.stop('SIGKILL');
  runs = [];
  rmSync(dataDir, { recursive: true, force: true });
});

function run(script: string, args: readonly string[] = []): Started {
  const started = startScript(script, { DATA_DIR: dataDir }, args);
  runs.push(started);
  return started;
}

/** What the command printed where a program would read it, and all that it said; its exit code. */
async function key(...args: string[]) {
  const started = run('command.mjs', ['key', ...args]);
  let printed = '';
  started.child.stdout?.on('data', (data) => {
    printed += data;
  });
  const code = await started.ended;
  return { code, printed, said: started.output() };
}

async function roleOf(base: string, key: string): Promise<unknown> {
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key.trim()}` },
    body: JSON.stringify({ query: '{ viewer { role } }' }),
  });
  return response.json();
}

test('a key is made while the server runs, and while it does not', async () => {
  const admin = { data: { viewer: { role: 'admin' } } };
  const server = run('start.mjs');
  const base = await server.ready();
  const during = await key('--email', 'me@example.com');
  expect(during).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/^hwk_\w{22}_\w{36}\n$/),
  });
  expect(during.said).toContain('A key of me@example.com, a new admin of the workspace Headwater');
  expect(await roleOf(base, during.printed)).toMatchObject(admin);
  const second = await key('--email', 'me@example.com');
  expect(second.said).toContain('A key of me@example.com, an admin of the workspace Headwater');
  expect(await server.stop()).toBe(0);

  const after = await key('--email', 'other@example.com');
  const again = run('start.mjs');
  expect(await roleOf(await again.ready(), after.printed)).toMatchObject(admin);
  expect(await again.stop()).toBe(0);
  const wrong = await key('--email', 'nobody');
  expect(wrong).toMatchObject({ code: 1, printed: '' });
  expect(wrong.said).toContain('Use an email address, not "nobody".');
});

test('where there is no database none is made: a key of it would open nothing', async () => {
  const nowhere = join(dataDir, 'data');
  const started = startScript('command.mjs', { DATA_DIR: nowhere }, [
    'key',
    '--email',
    'a@b.example',
  ]);
  runs.push(started);
  expect(await started.ended).toBe(1);
  // What a build says may come before.
  expect(started.output()).toContain(
    `There is no database in ${nowhere} yet. Set DATA_DIR or DATABASE_URL as the server has it, or start ` +
      'Headwater once.',
  );
  expect(readdirSync(dataDir)).toEqual([]);
});

test('it says how it is used, and what it can not use', async () => {
  const help = await key('--help');
  expect(help).toMatchObject({ code: 0, printed: expect.stringContaining('--promote') });
  const missing = await key();
  expect(missing).toMatchObject({ code: 2, printed: '' });
  expect(missing.said).toContain('--email is missing.');
  const unknown = await key('--emial', 'me@example.com');
  expect(unknown).toMatchObject({ code: 2, printed: '' });
  expect(unknown.said).toContain("Unknown option '--emial'");
});

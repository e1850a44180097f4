// `npm run audit:verify`, as an auditor runs it: on the packaged database and on a server, whole and broken.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { packagedUrl } from '../../src/database/attach.ts';
import { makeDatabase } from '../database/backups/databases.ts';
import { onServer } from '../server.ts';
import { type Started, startScript } from '../started.ts';

vi.setConfig({ testTimeout: 240_000 });

const key = 'an-admin-key-of-this-test';
let dataDir: string;
let runs: Started[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'headwater-audit-'));
});
afterEach(async () => {
  for (const started of runs) await started.stop('SIGKILL');
  runs = [];
  rmSync(dataDir, { recursive: true, force: true });
});

type Settings = Readonly<Record<string, string>>;

function run(script: string, settings: Settings, args: readonly string[] = []): Started {
  const started = startScript(script, { DATA_DIR: dataDir, ...settings }, args);
  runs.push(started);
  return started;
}

async function verify(settings: Settings, ...args: readonly string[]) {
  const started = run('command.mjs', settings, ['audit-verify', ...args]);
  const code = await started.ended;
  return { code, said: started.output().trim() };
}

async function createTag(base: string, name: string): Promise<void> {
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({
      query: 'mutation ($name: String!) { createTag(input: { name: $name }) { id } }',
      variables: { name },
    }),
  });
  expect(await response.json()).toMatchObject({ data: { createTag: {} } });
}

/** Change the fourth entry, as somebody with access to the database could. */
async function tamper(url: string): Promise<void> {
  await onServer(
    url,
    `begin; alter table audit_log disable trigger audit_log_kept;
      update audit_log set performer_id = gen_random_uuid() where sequence = 4;
      alter table audit_log enable always trigger audit_log_kept; commit`,
  );
}

/** What was exported is verified where there is neither a server nor a database. */
async function verifyFiles(base: string, head: string): Promise<void> {
  const nowhere = {
    DATA_DIR: join(dataDir, 'nowhere'),
    DATABASE_URL: 'postgresql://127.0.0.1:1/x',
  };
  const response = await fetch(`${base}/api/v1/activity_log/audit_logs/export`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await response.text();
  const file = join(dataDir, 'export.ndjson');
  writeFileSync(file, text);
  const found = await verify(nowhere, '--file', file, '--head', head);
  expect(found.code).toBe(0);
  expect(found.said).toMatch(
    new RegExp(
      `^Workspace [0-9a-f-]{36}: entries 1 to 5; head ${head}\\.\nThe entries are as they were sealed\\.$`,
    ),
  );
  writeFileSync(file, text.replace('created the tag two', 'created the tag 2'));
  const changed = await verify(nowhere, '--file', file);
  expect(changed.code).toBe(1);
  expect(changed.said).toMatch(
    /\nLine 4, entry 4 of the workspace [0-9a-f-]{36}, was changed after it was sealed, or its link was\.$/,
  );
  writeFileSync(file, text.split('\n').slice(0, 3).join('\n'));
  const cut = await verify(nowhere, '--file', file, '--head', head);
  expect(cut.said).toContain(`The file does not hold the head ${head}: its end was cut off`);
  const none = await verify(nowhere, '--file', join(dataDir, 'no-file'));
  expect([none.code, none.said]).toEqual([1, expect.stringContaining('no-file')]);
}

const whole =
  /^Headwater: (\d) entries sealed, (\d) not sealed yet.*; head (\w+)\.\nThe audit log is as it was written\.$/;

async function look(settings: Settings, url: () => string): Promise<void> {
  const server = run('start.mjs', { ADMIN_API_KEY: key, LOG_LEVEL: 'warn', ...settings });
  const base = await server.ready();
  for (const name of ['one', 'two', 'three']) await createTag(base, name);
  const head = await vi.waitFor(
    async () => {
      const found = await verify(settings);
      expect(found).toMatchObject({ code: 0, said: expect.stringMatching(whole) });
      const [, sealed, unsealed, hash = ''] = whole.exec(found.said) ?? [];
      // The first two say what the start made.
      expect([sealed, unsealed]).toEqual(['5', '0']);
      return hash;
    },
    { timeout: 60_000, interval: 500 },
  );
  expect(await verify(settings, '--head', head)).toMatchObject({ code: 0 });
  // Each of several is looked for, in whatever order they come.
  const strange = 'a'.repeat(64);
  for (const heads of [[strange], [strange, head], [head, strange]]) {
    const other = await verify(settings, ...heads.flatMap((one) => ['--head', one]));
    expect(other.code).toBe(1);
    expect(other.said).toContain(`The log does not hold the head ${strange}: its end was cut off`);
  }

  if (!settings.DATABASE_URL) await verifyFiles(base, head);
  await tamper(url());
  expect(await server.stop()).toBe(0);
  const broken = await verify(settings);
  expect(broken.code).toBe(1);
  expect(broken.said).toMatch(
    /\nEntry 4 \([0-9a-f-]{36}, "Admin created the tag two"\) of the workspace Headwater was changed after it was sealed, or its seal was\.$/,
  );
}

test('it reports on the packaged database whether the log is as it was written', async () => {
  await look({}, () => packagedUrl(dataDir));
});

test('it reports on a server whether the log is as it was written', async () => {
  await using target = await makeDatabase();
  await look({ DATABASE_URL: target.url }, () => target.url);
});

test('it says how it is used, and what it can not use', async () => {
  const help = await verify({}, '--help');
  expect(help).toMatchObject({ code: 0, said: expect.stringContaining('--head HASH') });
  const wrong = await verify({}, '--head', 'abc');
  expect(wrong.code).toBe(2);
  expect(wrong.said).toMatch(/^--head takes the 64 hexadecimal digits[^\n]*\n\nUsage: /);
  // An empty log that is made for it would be whole.
  const nowhere = await verify({ DATA_DIR: join(dataDir, 'data') });
  expect(nowhere.code).toBe(1);
  expect(nowhere.said).toMatch(
    /^There is no database in .*data yet\. Set DATA_DIR or DATABASE_URL/,
  );
  expect(readdirSync(dataDir)).toEqual([]);
  const away = await verify({ DATABASE_URL: 'postgresql://127.0.0.1:1/x' });
  expect(away.code).toBe(1);
});

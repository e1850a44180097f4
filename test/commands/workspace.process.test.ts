// `npm run workspace`, as an operator runs it while the server serves: made, listed, renamed, handed out and deleted.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeDatabase } from '../database/backups/databases.ts';
import { onServer } from '../server.ts';
import { type Started, startScript } from '../started.ts';

vi.setConfig({ testTimeout: 300_000 });

const key = 'an-admin-key-of-this-test';
/** Processes remember keys for some seconds, and those that are refused. */
const within = { timeout: 60_000 };
let dataDir: string;
let runs: Started[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'headwater-workspace-'));
});
afterEach(async () => {
  for (const started of runs) await started.stop('SIGKILL');
  runs = [];
  rmSync(dataDir, { recursive: true, force: true });
});

function run(url: string, script: string, args: readonly string[] = []): Started {
  const settings = { DATA_DIR: dataDir, DATABASE_URL: url, ADMIN_API_KEY: key };
  const started = startScript(script, settings, args);
  runs.push(started);
  return started;
}

async function command(url: string, name: string, ...args: string[]) {
  const started = run(url, 'command.mjs', [name, ...args]);
  let printed = '';
  started.child.stdout?.on('data', (data) => {
    printed += data;
  });
  const code = await started.ended;
  return { code, printed: printed.trim(), said: started.output().trim() };
}

async function ask(base: string, key: string, query: string) {
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

/** Tables in which a workspace has rows, with how many. */
async function rowsOf(url: string, id: string): Promise<Record<string, number>> {
  const tables = await onServer<{ name: string }>(
    url,
    `select table_name::text as name from information_schema.columns
      where table_schema = 'public' and column_name = 'workspace_id' order by 1`,
  );
  const counted: Record<string, number> = {};
  for (const { name } of tables) {
    const [found] = await onServer<{ n: number }>(
      url,
      `select count(*)::integer as n from "${name}" where workspace_id = '${id}'`,
    );
    if (found && found.n > 0) counted[name] = found.n;
  }
  return counted;
}

test('a workspace is made, renamed, handed out alone and deleted while another one is worked in', async () => {
  await using target = await makeDatabase();
  await using elsewhere = await makeDatabase();
  const { url } = target;
  const workspace = (...args: string[]) => command(url, 'workspace', ...args);
  const server = run(url, 'start.mjs', ['--demo']);
  const base = await server.ready();

  const made = await workspace('create', 'Lab', '--email', 'lab@example.com');
  expect(made).toMatchObject({ code: 0, printed: expect.stringMatching(/^hwk_\w{22}_\w{36}$/) });
  const tag = await ask(
    base,
    made.printed,
    'mutation { createTag(input: { name: "ours" }) { id } }',
  );
  expect(tag.errors).toBeUndefined();
  const teams = await ask(base, made.printed, '{ teams { nodes { name } } }');
  expect(teams.data.teams.nodes).toEqual([{ name: 'General' }]);

  const again = await workspace('create', 'lab', '--email', 'lab@example.com');
  expect(again.code).toBe(1);
  expect(again.said).toContain('There is a workspace Lab already: choose another name.');
  expect(await workspace('rename', 'Lab', 'headwater')).toMatchObject({ code: 1 });
  const renamed = await workspace('rename', 'Lab', 'Laboratory');
  expect(renamed.printed).toMatch(/^Lab \([0-9a-f-]{36}\) is called Laboratory now\.$/);

  const listed = await workspace('list');
  const line = /^([0-9a-f-]{36}) {2}Headwater: \d+ users, (\d+) resources, (\d+) monitors, /m;
  const [, id = '', resources, monitors] = line.exec(listed.printed) ?? [];
  expect(Number(resources)).toBeGreaterThan(100);
  expect(Number(monitors)).toBeGreaterThan(0);
  expect(listed.printed).toMatch(
    / {2}Laboratory: 1 users, 0 resources, 0 monitors, 0 writes in a minute, \d+ MB of the database$/m,
  );

  const limited = await workspace('limit', 'Laboratory', '--resources', '0', '--storage-mb', '50');
  expect(limited.printed).toMatch(
    /^Laboratory has 0 of 0 resources, .*\d+ of 50 MB of the database\.$/,
  );
  const file = join(dataDir, 'headwater.tar');
  const exported = await workspace('export', 'Headwater', file);
  expect(exported.printed).toContain(`Exported Headwater (${id})`);
  expect(await workspace('export', 'Nowhere', join(dataDir, 'no.tar'))).toMatchObject({
    code: 1,
    said: expect.stringContaining('Give the id of one of these: Headwater ('),
  });
  expect(await command(elsewhere.url, 'restore', file)).toMatchObject({ code: 0 });
  const there = await command(elsewhere.url, 'workspace', 'list');
  const [known] = /^.* monitors,/.exec(
    listed.printed.split('\n').find((one) => one.startsWith(id)) ?? '',
  ) ?? [''];
  expect(there.printed).toMatch(known);
  expect((await command(elsewhere.url, 'audit-verify')).code).toBe(0);
  const tags = await onServer<{ name: string }>(
    elsewhere.url,
    `select name from tag where name = 'ours'`,
  );
  expect(tags).toEqual([]);
  // What signs for the workspaces of the server stays there: the first key is a new one.
  const settings = await onServer<{ name: string }>(elsewhere.url, 'select name from setting');
  expect(settings.map(({ name }) => name)).not.toContain('api_key_pepper');
  const first = await command(elsewhere.url, 'key', '--email', 'admin@localhost');
  expect(first).toMatchObject({ code: 0, printed: expect.stringMatching(/^hwk_/) });

  const unsure = await workspace('delete', 'Headwater');
  expect([unsure.code, unsure.said]).toEqual([2, expect.stringContaining('Add --yes')]);
  const gone = await workspace('delete', 'Headwater', '--yes');
  expect(gone.printed).toBe(`Deleted the workspace Headwater (${id}).`);
  expect(await rowsOf(url, id)).toEqual({});
  expect((await workspace('list')).printed).toMatch(/^[0-9a-f-]{36} {2}Laboratory: /);
  // What others have is as it was, and the audit log of theirs is whole and closed again.
  const kept = await ask(base, made.printed, '{ tags { nodes { name } } }');
  expect(kept.data.tags.nodes).toEqual([{ name: 'ours' }]);
  expect((await command(url, 'audit-verify')).code).toBe(0);
  await expect(onServer(url, 'delete from audit_log')).rejects.toThrow(/are kept as they are/);
});

test('a workspace is deleted and given back with its ids, keys and log, next to another one', async () => {
  await using target = await makeDatabase();
  const { url } = target;
  const workspace = (...args: string[]) => command(url, 'workspace', ...args);
  const base = await run(url, 'start.mjs').ready();
  const { printed: lab } = await workspace('create', 'Lab', '--email', 'lab@example.com');
  const tag = await ask(base, lab, 'mutation { createTag(input: { name: "ours" }) { id } }');
  const question =
    '{ tags { nodes { id name } } auditLogs { nodes { id sequence activityType } } }';
  const before = await ask(base, lab, question);
  expect(before.data.tags.nodes).toEqual([{ id: tag.data.createTag.id, name: 'ours' }]);

  const file = join(dataDir, 'lab.tar');
  expect((await workspace('export', 'Lab', file)).code).toBe(0);
  expect((await workspace('delete', 'Lab', '--yes')).code).toBe(0);
  await expect
    .poll(async () => (await ask(base, lab, question)).errors?.[0].extensions.code, within)
    .toBe('UNAUTHENTICATED');
  // In the time without it others write on, and the numbers of their entries with them.
  await ask(base, key, 'mutation { createTag(input: { name: "of others" }) { id } }');
  const taken = await workspace('import', file, '--name', 'Lab again');
  expect(taken.code, taken.said).toBe(0);
  expect(taken.printed).toMatch(/^Imported Lab again \([0-9a-f-]{36}\), \d+ tables, \d+ rows/);
  expect(taken.printed).toMatch(/Its audit log is as it was sealed: \d+ entries/);

  await expect
    .poll(() => ask(base, lab, question).then(({ errors }) => errors), within)
    .toBeUndefined();
  const after = await ask(base, lab, question);
  expect(after.data.tags).toEqual(before.data.tags);
  const [entry, ...entries] = after.data.auditLogs.nodes;
  expect(entries).toEqual(before.data.auditLogs.nodes);
  expect(entry.activityType).toBe('workspace_imported');
  const again = await ask(base, lab, 'mutation { createTag(input: { name: "new" }) { id } }');
  expect(again.errors).toBeUndefined();
});

test('it says how it is used', async () => {
  const nowhere = 'postgresql://127.0.0.1:1/x';
  const help = await command(nowhere, 'workspace', '--help');
  expect(help).toMatchObject({ code: 0, said: expect.stringContaining('rename NAME NEW') });
  for (const [args, says] of [
    [[], 'Say what to do: list, create, rename, limit, export, import or delete.'],
    [['create', 'x'], '--email is missing.'],
    [['rename', 'x'], 'rename is written: rename NAME NEW.'],
    [['list', 'x'], 'list is written: list.'],
    [['limit', 'x'], 'Give a limit: --resources, --monitors, --writes-per-minute or --storage-mb.'],
    [['limit', 'x', '--resources=-1'], '--resources is a whole number'],
    [['limit', 'x', '--storage-mb', 'much'], '--storage-mb is a whole number'],
  ] as const) {
    const wrong = await command(nowhere, 'workspace', ...args);
    expect([wrong.code, wrong.said]).toEqual([2, expect.stringContaining(says)]);
  }
});

// A command line that a person signs in by a page: it gets a key of theirs, and no one else can read it.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { waiting } from '../explorer/demo.ts';
import { expectAccessible, openSite } from '../explorer/visit.ts';
import { root } from '../house/sources.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

interface Running {
  readonly child: ChildProcess;
  /** The page that it asks a person to open, without the origin, and the code that it shows. */
  readonly asked: Promise<{ readonly path: string; readonly compared: string }>;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string }>;
}

describe.skipIf(!hasBrowser('Signing in a command line'))('in a browser', () => {
  const site = openSite();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'headwater-login-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  function start(...args: readonly string[]): Running {
    const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: folder, BROWSER: 'none' };
    const program = join(root, 'bin/headwater.mjs');
    const child = spawn(process.execPath, [program, ...args], { env });
    let said = '';
    let out = '';
    const asked = new Promise<{ path: string; compared: string }>((resolve) => {
      child.stderr.on('data', (data) => {
        said += data;
        const [, compared] = /shows (\S+):/.exec(said) ?? [];
        const [, path] = /(\/command-line\S+)\n/.exec(said) ?? [];
        if (compared && path) resolve({ path, compared });
      });
    });
    child.stdout.on('data', (data) => {
      out += data;
    });
    const ended = new Promise<{ code: number | null; out: string }>((resolve) => {
      child.once('close', (code) => resolve({ code, out }));
    });
    return { child, asked, ended };
  }

  test('what a person allows is sent to the computer that asked, and works there', async () => {
    const { asked, ended } = start('login', site.base, '--browser');
    const { path, compared } = await asked;
    await using visited = await site.open({ path });
    const { page, problems } = visited;
    await page.getByText(compared).waitFor(waiting);
    await expectAccessible(page);
    await page.getByLabel('Import into sources').check();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('link', { name: 'Send to this computer' }).click();
    await page.getByText('You are signed in.').waitFor(waiting);
    expect(await ended).toMatchObject({
      code: 0,
      out: expect.stringContaining('(admin), kept in'),
    });
    const { code, out } = await start('doctor').ended;
    expect([code, out]).toEqual([0, expect.stringContaining('(admin)')]);
    const [key] = await site.catalog.database.prisma.apiKey.findMany({
      where: { workspaceId: site.catalog.workspaceId, name: { startsWith: 'Command line on ' } },
    });
    expect(key?.scopes).toEqual(['READ', 'WRITE', 'IMPORT']);
    expect(problems).toEqual([]);
  });

  test('a code that is pasted is opened by the command that it was made for alone', async () => {
    const [one, other] = [
      start('login', site.base, '--browser'),
      start('login', site.base, '--browser'),
    ];
    const { path } = await one.asked;
    await other.asked;
    await using visited = await site.open({ path });
    const { page } = visited;
    await page.getByRole('button', { name: 'Allow' }).click();
    const code = await page.getByRole('status').locator('code').innerText();
    expect(code).not.toContain('hwk_');
    other.child.stdin?.write(`${code}\n`);
    one.child.stdin?.write(`something else\n${code}\n`);
    expect((await one.ended).code).toBe(0);
    const hasRefused = new Promise((resolve) => {
      other.child.stderr?.on(
        'data',
        (data) => String(data).includes('not a code') && resolve(true),
      );
    });
    other.child.stdin?.write(`${code}\n`);
    expect(await hasRefused).toBe(true);
    expect(other.child.exitCode).toBeNull();
    other.child.kill();
    await other.ended;
  });

  test('an address without a recipient asks for nothing', async () => {
    for (const path of ['/command-line', '/command-line?to=AAAA&name=x&port=1']) {
      await using visited = await site.open({ path });
      await visited.page
        .getByRole('heading', { name: 'This address is incomplete' })
        .waitFor(waiting);
    }
  });
});

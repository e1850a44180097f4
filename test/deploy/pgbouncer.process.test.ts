// PgBouncer with the settings of `deploy/`: it takes them, and Headwater works behind it.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { openTestDatabase } from '../database.ts';
import { root } from '../house/sources.ts';
import { openPlace } from '../servers.ts';
import { startScript } from '../started.ts';

const program = '/usr/sbin/pgbouncer';

test('Headwater starts and serves behind the pooler of the compose file', async ({ skip }) => {
  if (!existsSync(program)) return skip('It needs PgBouncer.');
  await using opened = await openTestDatabase();
  const server = new URL(opened.url);
  const place = openPlace('deploy-pgbouncer');
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-deploy-'));
  const port = await freePort();
  const password = 'f00dfeed';
  const users = join(place.folder, 'userlist.txt');
  // Only where things are is another: names of hosts, ports and files.
  const settings = readFileSync(join(root, 'deploy/pgbouncer/pgbouncer.ini'), 'utf8')
    .replace(
      'host=postgres port=5432 dbname=headwater',
      `host=${server.hostname} port=${server.port} dbname=${server.pathname.slice(1)} user=${server.username}`,
    )
    .replace('listen_addr = 0.0.0.0', 'listen_addr = 127.0.0.1')
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('/run/pgbouncer/userlist.txt', users);
  const file = join(place.folder, 'pgbouncer.ini');
  writeFileSync(file, settings, { mode: 0o644 });
  writeFileSync(users, `"headwater" "${password}"\n`, { mode: 0o644 });
  const pooler = spawn(program, ['-q', file], { ...place.owner, stdio: 'ignore' });
  const ended = new Promise((resolve) => pooler.once('exit', resolve));
  const url = `postgresql://headwater:${password}@127.0.0.1:${port}/headwater`;
  const started = startScript('start.mjs', {
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: opened.url,
    ROLE: 'api',
  });
  try {
    const base = await started.ready();
    const headers = {
      authorization: `Bearer ${await started.key()}`,
      'content-type': 'application/json',
    };
    const made = await fetch(`${base}/api/v1/tag`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'pooled' }),
    });
    expect(made.status).toBe(201);
    const found = await fetch(`${base}/api/v1/tag`, { headers });
    expect(await found.text()).toContain('"pooled"');
    // It asks for the password.
    const wrong = new pg.Client({ connectionString: url.replace(password, 'wrong') });
    wrong.on('error', () => {});
    await expect(wrong.connect()).rejects.toThrow();
    expect(await started.stop()).toBe(0);
  } finally {
    await started.stop('SIGKILL');
    pooler.kill('SIGINT');
    await ended;
    for (const folder of [place.folder, dataDir]) rmSync(folder, { recursive: true, force: true });
  }
});

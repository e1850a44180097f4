// Looking inside of the database, by the command that its page shows.

import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { root } from '../house/sources.ts';
import { startScript } from '../started.ts';

vi.setConfig({ testTimeout: 180_000 });

const hasPsql = ((): boolean => {
  try {
    execFileSync('bash', ['-c', 'command -v psql']);
    return true;
  } catch {
    console.warn('Skipped: the command that looks inside of the database. It needs psql.');
    return false;
  }
})();

test.skipIf(!hasPsql)('psql shows the rows of every workspace', async () => {
  const page = readFileSync(join(root, 'docs/database.md'), 'utf8');
  const [, command = ''] = /```sh\n(psql .*)\n```/.exec(page) ?? [];
  expect(command).toContain('npm run -s db:url');
  const folder = mkdtempSync(join(tmpdir(), 'headwater-psql-'));
  const { DATABASE_URL: _, ...inherited } = process.env;
  const started = startScript('start.mjs', { DATA_DIR: folder });
  try {
    await started.ready();
    const asked = `${command} -At -c 'select email from user_account'`;
    const env = { ...inherited, DATA_DIR: folder };
    const { stdout } = await promisify(execFile)('bash', ['-c', asked], { env, cwd: root });
    expect(stdout).toMatch(/^\S+@\S+\n$/);
  } finally {
    await started.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});

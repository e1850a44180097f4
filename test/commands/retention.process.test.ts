// `npm run retention`, as an operator runs it: counted first, then deleted.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeDatabase } from '../database/backups/databases.ts';
import { onServer } from '../server.ts';
import { type Started, startScript } from '../started.ts';

vi.setConfig({ testTimeout: 120_000 });

let dataDir: string;
let runs: Started[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'headwater-retention-'));
});
afterEach(async () => {
  for (const started of runs) await started.stop('SIGKILL');
  runs = [];
  rmSync(dataDir, { recursive: true, force: true });
});

type Settings = Readonly<Record<string, string>>;

async function retention(settings: Settings, ...args: readonly string[]) {
  const started = startScript('command.mjs', { DATA_DIR: dataDir, ...settings }, [
    'retention',
    ...args,
  ]);
  runs.push(started);
  const code = await started.ended;
  return { code, said: started.output().trim().split('\n') };
}

test('jobs that ended long ago are counted, then deleted, by the days that are set', async () => {
  await using target = await makeDatabase(join(import.meta.dirname, '../../prisma/migrations'));
  await onServer(
    target.url,
    `with w as (insert into workspace (name) values ('Headwater') returning id)
      insert into job (workspace_id, kind, title, state, completed_at)
      select w.id, 'import', 'Long ago', 'succeeded', now() - make_interval(days => days)
        from w, unnest(array[10, 31, 400]) days`,
  );
  const settings = { DATABASE_URL: target.url, RETENTION_JOBS_DAYS: '30' };
  const line = (what: string) => `RETENTION_JOBS_DAYS=${what}`;
  for (const _ of ['once', 'again']) {
    const counted = await retention(settings, '--dry-run');
    expect(counted.code).toBe(0);
    expect(counted.said).toContain(line('30: jobs that ended, 2 to delete'));
  }
  const forEver = await retention({ ...settings, RETENTION_JOBS_DAYS: '0' });
  expect(forEver.said).toContain(line('0: jobs that ended, kept for ever'));
  expect((await retention(settings)).said).toContain(line('30: jobs that ended, 2 deleted'));
  expect((await retention(settings)).said).toContain(line('30: jobs that ended, 0 deleted'));
  const wrong = await retention(settings, '--dry');
  expect([wrong.code, wrong.said.join('\n')]).toEqual([2, expect.stringContaining("'--dry'")]);
});

// A server whose connections to the database are ended again and again goes on, and loses nothing.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { keepBusy, lostOf } from '../busy.ts';
import { openCluster } from '../cluster.ts';
import { startScript } from '../started.ts';

const forMs = 10_000;
const everyMs = 300;
const key = 'terminated-terminated';

test('ending its connections under load costs no more than the requests under way', async ({
  skip,
}) => {
  await using cluster = await openCluster();
  if (!cluster) return skip('No PostgreSQL server is installed here.');
  cluster.launch();
  await cluster.answers();
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-terminated-'));
  const started = startScript('start.mjs', {
    DATA_DIR: dataDir,
    DATABASE_URL: cluster.url,
    ADMIN_API_KEY: key,
  });
  try {
    const busy = await keepBusy(await started.ready(), key);
    expect(await busy.receives()).toBe(true);
    let ended = 0;
    for (const until = performance.now() + forMs; performance.now() < until; ) {
      const gone = await cluster.run(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name like 'headwater%'`,
      );
      ended += gone.length;
      await sleep(everyMs);
    }
    expect(await busy.receives()).toBe(true);
    await busy.stop();
    const { noted } = busy;
    expect(noted.surprises).toEqual([]);
    const said = started.output().split('\n');
    expect(said.filter((line) => /Warning|unexpectedly/.test(line))).toEqual([]);
    expect(ended).toBeGreaterThan(20);
    expect(noted.tags.length).toBeGreaterThan(20);
    expect(await lostOf(noted, cluster.url)).toEqual([]);
    expect(started.child.exitCode).toBeNull();
    expect(await started.stop()).toBe(0);
  } finally {
    await started.stop('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
});

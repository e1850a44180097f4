// A small run of the gate of restarts: two servers on one database, in turn under load, and no one notices.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runRolling } from '../../gates/rolling/run.ts';
import { openTestDatabase } from '../database.ts';

test('servers on one database are restarted in turn without a failed request', async () => {
  await using opened = await openTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-rolling-'));
  try {
    const report = await runRolling({
      ...{ databaseUrl: opened.url, dataDir },
      ...{ requests: 400, rounds: 2 },
    });
    expect(report.failures).toEqual([]);
    expect(report.answered).toBeGreaterThan(400);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

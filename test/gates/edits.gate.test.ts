// A small run of the gate of edits: people and imports at one thing at once, over HTTP.

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inWords, runRaces } from '../../gates/edits/run.ts';
import { openCatalog } from '../catalog.ts';
import { openTestDatabase } from '../database.ts';
import { startProgram } from '../started.ts';

test('of sixty races, with imports besides and after them, nothing that was acknowledged is lost', async () => {
  await using catalog = await openCatalog({ alone: true });
  const address = await catalog.listen();
  const report = await runRaces({ address, key: catalog.keyOf('admin'), races: 60, seed: 7 });
  const wrong = report.results.flatMap(({ race, failures, lost }) =>
    [...failures, ...lost].map((what) => `${race}: ${what}`),
  );
  expect([wrong, report.failedImports]).toEqual([[], []]);
  expect(report.imports).toBeGreaterThan(2);
  for (const { acknowledged } of report.results) expect(acknowledged).toBeGreaterThan(0);
  expect(catalog.unexpected).toEqual([]);
});

test('without the locks the same races lose a lot: they would notice', async () => {
  await using empty = await openTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-races-'));
  const key = `gate-${randomUUID()}`;
  const sources = ['--import', './gates/without.mjs', '--import', 'tsx', 'src/main.ts'];
  const settings = {
    WITHOUT: 'locks',
    DATABASE_URL: empty.url,
    DATA_DIR: dataDir,
    ADMIN_API_KEY: key,
  };
  const server = startProgram(process.execPath, sources, { ...settings, LOG_LEVEL: 'silent' });
  try {
    const address = await server.ready();
    const report = await runRaces({ address, key, races: 60, seed: 7, imports: false });
    const lost = report.results.filter((result) => result.lost.length > 0);
    expect([inWords(report), lost.length > 3]).toEqual([expect.any(String), true]);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

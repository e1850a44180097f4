import fs, { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { DurableNodeFS, startParameters } from '../../src/database/durable.ts';
import { openDatabase } from '../../src/database/open.ts';
import { templateFolder } from '../template.ts';
import { startProgram } from './program.ts';

// Whole databases are made and processes started here, several times a test.
vi.setConfig({ testTimeout: 120_000 });

let template: string;
beforeAll(async () => {
  template = await templateFolder();
}, 120_000);

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'headwater-durability-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('a database killed under writes has every write it acknowledged, and none by half', async () => {
  let first = 0;
  for (const writes of [30, 1, 60]) {
    const writer = startProgram('./writer.ts', [dataDir, template, String(first)]);
    await writer.line(`wrote ${first + writes}`);
    await writer.kill();
    const acknowledged = writer.lines.filter((line) => line.startsWith('wrote ')).length;

    const database = await openDatabase({ dataDir, template });
    const { rows } = await database.pool.query<{ a: number[]; b: number[] }>(
      `select (select array_agg(n order by n) from pair_a where n >= $1) as a,
              (select array_agg(n order by n) from pair_b where n >= $1) as b`,
      [first],
    );
    await database.close();
    const { a, b } = rows[0] ?? { a: [], b: [] };
    expect(b).toEqual(a);
    // One more may have been written and not yet been told of.
    expect(a.length - acknowledged).toBeOneOf([0, 1]);
    expect(a).toEqual(Array.from({ length: a.length }, (_, index) => first + index));
    first += a.length;
  }
});

test('full durability flushes every commit to the disk, relaxed none', async () => {
  const fsyncSync = fs.fsyncSync;
  let flushes = 0;
  fs.fsyncSync = (descriptor) => {
    flushes += 1;
    fsyncSync(descriptor);
  };
  syncBuiltinESMExports();
  try {
    expect(await flushesOf('full', () => flushes)).toBeGreaterThanOrEqual(10);
    expect(await flushesOf('relaxed', () => flushes)).toBe(0);
  } finally {
    fs.fsyncSync = fsyncSync;
    syncBuiltinESMExports();
  }
});

/** How often ten commits flush, in this thread, where it can be counted. */
async function flushesOf(durability: 'full' | 'relaxed', count: () => number): Promise<number> {
  const copy = join(dataDir, durability);
  fs.cpSync(template, copy, { recursive: true });
  const files = durability === 'full' ? new DurableNodeFS(copy) : new NodeFS(copy);
  const database = await PGlite.create({
    fs: files,
    startParams: startParameters(durability, 'folder'),
  });
  const before = count();
  for (let n = 0; n < 10; n += 1) {
    await database.exec(`insert into setting (name, value) values ('${n}', '')`);
  }
  const flushes = count() - before;
  await database.close();
  return flushes;
}

test('a start that is killed half-way leaves nothing that looks like a database', async () => {
  const writer = startProgram('./writer.ts', [dataDir, template, '0']);
  while (!existsSync(join(dataDir, 'database.new'))) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await writer.kill();
  expect(existsSync(join(dataDir, 'database'))).toBe(false);

  const database = await openDatabase({ dataDir, template });
  expect(await database.prisma.setting.count()).toBe(0);
  await database.close();
  expect(existsSync(join(dataDir, 'database.new'))).toBe(false);
});

test('a second process is refused while the database is open, and let in after', async () => {
  const database = await openDatabase({ dataDir, durability: 'relaxed', template });
  await database.prisma.setting.create({ data: { name: 'a', value: 'kept' } });
  await expect(openDatabase({ dataDir, template })).rejects.toThrow(
    `in use by process ${process.pid}`,
  );
  await database.close();
  const again = await openDatabase({ dataDir, durability: 'relaxed', template });
  expect(await again.prisma.setting.findMany()).toEqual([{ name: 'a', value: 'kept' }]);
  await again.close();
});

// A backup that is made while others write: one moment, for which no one waits.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp } from '../../../src/database/backups/backup.ts';
import type { Manifest } from '../../../src/database/backups/manifest.ts';
import { migrate, migrationsFolder } from '../../../src/database/migrations/migrate.ts';
import { createLineage } from '../../../src/lineage/edge.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { sayCounted } from '../../gates/counted.ts';
import { onServer } from '../../server.ts';
import { backUpToMemory, digestsOf, makeDatabase, restoreFrom } from './databases.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog({ alone: true });
  // More than lies ready between what is read and what is taken, in a table between the others.
  const logs = randomBytes(24_000_000).toString('base64');
  await onServer(
    catalog.url,
    `insert into job (workspace_id, kind, title, state, logs) values ($1, 'x', 'x', 'succeeded', $2)`,
    [catalog.workspaceId, logs],
  );
});
afterAll(() => catalog[Symbol.asyncDispose]());

/** Make a backup that waits in its middle until something is done. */
async function backUpAround(
  work: () => Promise<void>,
): Promise<{ file: Buffer; manifest: Manifest }> {
  const pieces: Uint8Array[] = [];
  let working: Promise<void> | undefined;
  const manifest = await backUp(catalog.url, {
    async save(bytes) {
      for await (const piece of bytes) {
        pieces.push(piece);
        working ??= work();
        await working;
      }
    },
  });
  return { file: Buffer.concat(pieces), manifest };
}

interface Writers {
  /** How many writes are done. */
  count(): number;
  stop(): Promise<void>;
}

/** Write with several connections: each makes a table, then lineage to it from its last one, and so on. */
function startWriters(number: number): Writers {
  let done = 0;
  let stopping = false;
  const writer = async (name: string) => {
    let last: string | undefined;
    for (let n = 0; !stopping; n += 1) {
      const { id } = await catalog.resource({ title: `${name} ${n}` });
      if (last) await createLineage(catalog.admin, { fromId: last, toId: id });
      last = id;
      done += 1;
    }
  };
  const writing = Promise.all(Array.from({ length: number }, (_, n) => writer(`writer${n}`)));
  return {
    count: () => done,
    async stop() {
      stopping = true;
      await writing;
    },
  };
}

/** By writer: its tables, the numbers in their titles, their audit entries, and the edges between. */
const written = `select split_part(title, ' ', 1) as writer, count(*)::int as tables,
    max(split_part(title, ' ', 2)::int) + 1 as numbered,
    sum((select count(*) from audit_log a
      where a.workspace_id = r.workspace_id and a.resource_id = r.id and a.activity_type = 'table_created'))::int as audited,
    sum((select count(*) from lineage_edge e
      where e.workspace_id = r.workspace_id and e.target_id = r.id and e.valid_to is null))::int as edges
  from resource r where title like 'writer%' group by 1 order by 1`;

interface Written {
  readonly tables: number;
  readonly numbered: number;
  readonly audited: number;
  readonly edges: number;
}

test('what each of four writers wrote is there to one point, and whole', async () => {
  const writers = startWriters(4);
  await sleep(500);
  let during = 0;
  const { file } = await backUpAround(async () => {
    const before = writers.count();
    await sleep(2_000);
    during = writers.count() - before;
  });
  await writers.stop();
  // No one waited for the backup.
  expect(during).toBeGreaterThan(10);

  await using target = await makeDatabase();
  await restoreFrom(file, target.url);
  const states = await onServer<Written>(target.url, written);
  expect(states).toHaveLength(4);
  for (const { tables, numbered, audited, edges } of states) {
    expect({ numbered, audited }).toEqual({ numbered: tables, audited: tables });
    // The lineage of the last table is written after it.
    expect([tables - 1, tables - 2]).toContain(edges);
  }
  const now = await onServer<Written>(catalog.url, written);
  const sum = (all: Written[]) => all.reduce((total, { tables }) => total + tables, 0);
  expect(sum(now) - sum(states)).toBeGreaterThan(10);
  sayCounted(
    `${sum(states)} tables of four writers in a backup, ${sum(now) - sum(states)} written since it began`,
  );
});

test('two backups at once are the same, where no one writes', async () => {
  let second: Manifest | undefined;
  const first = await backUpAround(async () => {
    second = (await backUpToMemory(catalog.url)).manifest;
  });
  expect(second?.contents).toEqual(first.manifest.contents);
});

test('a migration waits for the backup, and no one waits for the migration', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-migrations-'));
  cpSync(migrationsFolder, folder, { recursive: true });
  mkdirSync(join(folder, '2999_later'));
  const sql = 'alter table resource add column later int default 1';
  writeFileSync(join(folder, '2999_later/migration.sql'), sql);
  let migrating: Promise<string[]> | undefined;
  let migrated = false;
  const writers = startWriters(2);
  const { manifest } = await backUpAround(async () => {
    migrating = migrate(catalog.database, folder).finally(() => {
      migrated = true;
    });
    await sleep(500);
    const before = writers.count();
    await sleep(1_000);
    // Two that were just being made may have been past the point where they would wait.
    expect(writers.count() - before).toBeGreaterThan(2);
    expect(migrated).toBe(false);
  });
  await writers.stop();
  expect(await migrating).toEqual(['2999_later']);
  expect(manifest.migrations.map(({ name }) => name)).not.toContain('2999_later');
  const resource = manifest.tables.find(({ name }) => name === 'resource');
  expect(resource?.columns).not.toContain('later');
  expect(resource?.columns).toContain('title');
  await onServer(catalog.url, 'alter table resource drop column later');
  await onServer(
    catalog.url,
    `delete from "_prisma_migrations" where migration_name = '2999_later'`,
  );
  rmSync(folder, { recursive: true });
});

test('tables that come and go in the meantime, of imports or made by hand, do no harm', async () => {
  await using source = await openCatalog({ alone: true });
  let stopping = false;
  const churn = async (name: string) => {
    while (!stopping) {
      await onServer(source.url, `create table ${name} as select 1 as a`);
      await onServer(source.url, `drop table ${name}`);
      await sleep(5);
    }
  };
  await onServer(source.url, 'create schema if not exists headwater_scratch');
  const churning = Promise.all([churn('headwater_scratch.one'), churn('by_hand')]);
  const files: Buffer[] = [];
  for (let n = 0; n < 20; n += 1) files.push((await backUpToMemory(source.url)).file);
  stopping = true;
  await churning;
  await using target = await makeDatabase();
  await restoreFrom(files.at(-1) ?? Buffer.alloc(0), target.url);
  expect(await digestsOf(target.url)).toEqual(await digestsOf(source.url));
});

const program = `import pg from 'pg';
  const [url, name] = process.argv.slice(1);
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  await client.query(\`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where application_name = $1 and datname = current_database()\`, [name]);
  await client.end();`;

/** End the sessions of that name in one database; nothing else happens in this process in the meantime. */
function terminate(url: string, name: string): void {
  execFileSync(process.execPath, ['--input-type=module', '-e', program, url, name]);
}

test('a connection that breaks ends the backup with a sentence, and not the process', async () => {
  const broken = backUpAround(async () => terminate(catalog.url, 'headwater backup'));
  await expect(broken).rejects.toThrow(/^The table \w+ can't be read: .*onnection.*\.$/);
});

test('a connection that breaks ends the restore, and nothing is there', async () => {
  const { file } = await backUpToMemory(catalog.url);
  for (const at of ['resource', 'resource_pkey', 'statistics']) {
    await using target = await makeDatabase();
    let isOver = false;
    const broken = restoreFrom(file, target.url, {
      onProgress({ step }) {
        if (step !== at || isOver) return;
        isOver = true;
        terminate(target.url, 'headwater restore');
      },
    });
    await expect(broken).rejects.toThrow(/onnection/);
    expect(isOver).toBe(true);
    expect(await digestsOf(target.url)).toEqual({});
  }
});

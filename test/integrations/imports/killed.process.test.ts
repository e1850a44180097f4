// Imports that end before their end: killed, cancelled, or left by their client.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ServerContext } from '../../../src/context.ts';
import type { Database } from '../../../src/database/database.ts';
import { dropLeftovers } from '../../../src/integrations/imports/staging/leftovers.ts';
import { importCsv, importJsonl } from '../../../src/integrations/imports/sync.ts';
import { textSource } from '../../../src/integrations/readers/source.ts';
import { cancelJob, listJobs } from '../../../src/jobs/job.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { startProgram } from '../../database/program.ts';
import { openTestDatabase } from '../../database.ts';

/** A database that processes come and go on. */
async function openPlace() {
  const opened = await openTestDatabase();
  return {
    url: opened.url,
    during: <T>(work: (database: Database) => Promise<T>): Promise<T> => work(opened.database),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

test('a process killed in any step leaves the catalog as it was, and the next import succeeds', async () => {
  await using place = await openPlace();
  const [workspaceId, integrationId] = [randomUUID(), randomUUID()];
  const where = { workspaceId };
  await place.during(async ({ prisma }) => {
    await prisma.workspace.create({ data: { id: workspaceId, name: 'Test' } });
    const data = { workspaceId, id: integrationId, name: 'Test', type: 'custom' };
    await prisma.integration.create({ data });
  });
  const program = (step = '') =>
    startProgram('../integrations/imports/importer.ts', [
      place.url,
      workspaceId,
      integrationId,
      step,
    ]);
  for (const step of ['reading lineage', 'writing resources', 'writing lineage']) {
    const killed = program(step);
    await killed.line(`step: ${step}`);
    await killed.kill();
    await place.during(async (database) => {
      const { prisma } = database;
      expect(await prisma.resource.count({ where })).toBe(0);
      expect(await prisma.lineageEdge.count({ where })).toBe(0);
      expect(await prisma.auditLog.count({ where })).toBe(0);
      // The dead process's job is taken for lost when its lease has run out.
      await prisma.job.updateMany({ where, data: { leaseUntil: new Date(0) } });
      // The next import would drop what is left as well; in one round it does.
      if (step !== 'writing lineage') expect(await dropLeftovers(database)).toBe(1);
    });
  }
  expect(await program().ended).toBe(0);
  await place.during(async ({ prisma, pool }) => {
    expect(await prisma.resource.count({ where })).toBe(500);
    expect(await prisma.lineageEdge.count({ where })).toBe(499);
    const jobs = await prisma.job.findMany({ where, orderBy: { createdAt: 'asc' } });
    expect(jobs.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed', 'succeeded']);
    const says = 'The server stopped before the import had ended; nothing was changed.';
    expect(jobs[0]?.lastError).toContain(says);
    const left = await pool.query(
      `select from information_schema.tables where table_schema = 'headwater_scratch'`,
    );
    expect(left.rowCount).toBe(0);
  });
}, 120_000);

/** A source whose last line comes when it is let go on. */
function held(content: string) {
  let goOn = () => {};
  const wait = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const bytes = (async function* () {
    yield Buffer.from(content);
    await wait;
  })();
  return { source: { file: 'file', bytes }, goOn: () => goOn() };
}

const csv = 'col_name,database,schema,name\nid,shop,public,orders\n';

async function jobOf(catalog: Catalog) {
  for (let tries = 0; tries < 100; tries++) {
    const [job] = (await listJobs(catalog.admin, { kind: 'import' }, {})).nodes;
    if (job) return job;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('There is no job.');
}

const count = ({ database, workspaceId }: Catalog) =>
  database.prisma.resource.count({ where: { workspaceId } });

test('an import is a job with its log, its counts and its end', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration({ name: 'Warehouse' });
  await importCsv(catalog.admin, id, textSource('file', csv));
  expect(await jobOf(catalog)).toMatchObject({
    kind: 'import',
    title: 'CSV import into Warehouse',
    state: 'succeeded',
    userId: catalog.idOf('admin'),
    logs: 'Resources: 4 created, 0 updated, 0 stale, 0 unchanged.\n',
    result: { created: 4, updated: 0, staled: 0, unchanged: 0 },
  });
  const entry = await catalog.database.prisma.auditLog.findFirstOrThrow({
    where: { workspaceId: catalog.workspaceId, activityType: 'integration_synced' },
  });
  expect(entry).toMatchObject({ resourceId: id, performerId: catalog.idOf('admin') });
});

test('an import that fails is a failed job that says why', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  await expect(importCsv(catalog.admin, id, textSource('file', 'x'))).rejects.toThrow();
  const { state, lastError, logs } = await jobOf(catalog);
  expect(state).toBe('failed');
  expect(lastError).toMatch(/^file, line 1: "x" is not a column/);
  expect(logs).toContain(lastError);
});

test('a second sync of an integration is refused while one is in progress, of another it is not', async () => {
  await using catalog = await openCatalog();
  const [one, other] = [await catalog.integration(), await catalog.integration()];
  const { source, goOn } = held(csv);
  const first = importCsv(catalog.admin, one.id, source);
  await jobOf(catalog);
  await expect(importCsv(catalog.admin, one.id, textSource('file', csv))).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'A sync of this integration is in progress.',
  });
  await importCsv(catalog.admin, other.id, textSource('file', csv));
  goOn();
  expect(await first).toMatchObject({ created: 4 });
  await importCsv(catalog.admin, one.id, textSource('file', csv));
});

test('an import that somebody cancels changes nothing', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const { source, goOn } = held(csv);
  const importing = importCsv(catalog.admin, id, source).catch((error: unknown) => error);
  const { id: jobId } = await jobOf(catalog);
  await cancelJob(catalog.admin, jobId);
  // The request to stop is seen when the lease is next renewed.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  goOn();
  expect(await importing).toMatchObject({ code: 'CONFLICT' });
  expect((await jobOf(catalog)).state).toBe('cancelled');
  expect(await count(catalog)).toBe(0);
});

test('an import whose client went away changes nothing', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const leaving = new AbortController();
  const ctx: ServerContext = { ...catalog.admin, signal: leaving.signal };
  const { source, goOn } = held('{"entity_type":"query","databuilder_id":"a"}\n');
  const importing = importJsonl(ctx, id, { resources: source }).catch((error: unknown) => error);
  await jobOf(catalog);
  leaving.abort(new Error('The client went away.'));
  goOn();
  expect(await importing).toBeInstanceOf(Error);
  expect((await jobOf(catalog)).state).toBe('failed');
  expect(await count(catalog)).toBe(0);
});

// What is due becomes jobs: each instant once, no matter who looks, and as the schedule says.

import { expect, test } from 'vitest';
import { z } from 'zod';
import { acrossWorkspaces } from '../../../src/database/outside.ts';
import { rows } from '../../../src/database/rows.ts';
import { Prisma } from '../../../src/generated/prisma/client.ts';
import { createMonitor, getMonitor } from '../../../src/monitors/monitor.ts';
import {
  nextInstantAfter,
  runJob,
  spreadMs,
  startDueMonitors,
} from '../../../src/monitors/runs/due.ts';
import { CADENCES, jitterMs, nextRunAt } from '../../../src/monitors/schedule.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';

async function monitors(catalog: Catalog, count: number) {
  const table = await catalog.resource();
  const made = [];
  for (let i = 0; i < count; i += 1) {
    const input = { targetId: table.id, metricType: 'row_count', name: `monitor ${i}` };
    made.push(await createMonitor(catalog.admin, input));
  }
  return made;
}

const makeDue = (catalog: Catalog, at: Date) =>
  catalog.database.prisma.monitor.updateMany({ data: { nextRunAt: at } });

function jobsOf(catalog: Catalog) {
  return catalog.database.prisma.job.findMany({ where: { kind: runJob } });
}

test('due monitors get one job however many look, and their next instant', async () => {
  await using catalog = await openCatalog({ alone: true });
  const made = await monitors(catalog, 5);
  const instant = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  await makeDue(catalog, instant);
  const db = acrossWorkspaces(catalog.database);
  const answers = await Promise.all(Array.from({ length: 4 }, () => startDueMonitors(db)));
  const jobs = await jobsOf(catalog);
  expect(jobs).toHaveLength(1);
  const ids = made.map(({ id }) => id).sort();
  expect(jobs[0]?.payload).toEqual({ monitors: ids, scheduled: true });
  const jitter = jitterMs(ids[0] ?? '', spreadMs);
  const late = (jobs[0]?.runAt.getTime() ?? 0) - instant.getTime();
  expect(Math.abs(late - jitter)).toBeLessThanOrEqual(1);
  const next = nextRunAt({ cadence: 'daily', frequency: 1, hour: 0, day: 0 }, new Date());
  for (const { id } of made) {
    expect(await getMonitor(catalog.admin, id)).toMatchObject({ nextRunAt: next });
  }
  expect(answers).toContainEqual(next);
  await startDueMonitors(db);
  expect(await jobsOf(catalog)).toHaveLength(1);
});

test('the monitors of a table share a job, however many are due and however many look', async () => {
  await using catalog = await openCatalog({ alone: true });
  const tableOf = new Map<string, string>();
  for (let n = 0; n < 30; n += 1) {
    const table = await catalog.resource();
    const column = await catalog.resource({ kind: 'column', parentId: table.id });
    const { id: _, ...row } = await createMonitor(catalog.admin, {
      ...{ targetId: n % 2 === 0 ? table.id : column.id, metricType: 'unique_percentage' },
      ...(n % 2 === 0 ? { metricType: 'row_count' } : {}),
    });
    tableOf.set(row.targetId, table.id).set(column.id, table.id);
    const copies = [...Array(9)].map((_, i) => ({ ...row, name: `copy ${i}` }));
    const data = copies.map((copy) => ({
      ...copy,
      metricConfig: copy.metricConfig ?? {},
      targetId: copy.name === 'copy 0' ? column.id : copy.targetId,
    }));
    await catalog.database.prisma.monitor.createMany({ data });
  }
  await makeDue(catalog, new Date(Date.now() - 60_000));
  const db = acrossWorkspaces(catalog.database);
  await Promise.all(Array.from({ length: 4 }, () => startDueMonitors(db)));
  const due = await catalog.database.prisma.monitor.findMany();
  const targetOf = new Map(due.map(({ id, targetId }) => [id, targetId]));
  const jobsOfTable = new Map<string, Set<string>>();
  const started: string[] = [];
  for (const { id, payload } of await jobsOf(catalog)) {
    const { monitors } = z.object({ monitors: z.array(z.string()) }).parse(payload);
    started.push(...monitors);
    for (const monitor of monitors) {
      const table = tableOf.get(targetOf.get(monitor) ?? '') ?? '';
      jobsOfTable.set(table, (jobsOfTable.get(table) ?? new Set()).add(id));
    }
  }
  expect(started.sort()).toEqual([...targetOf.keys()].sort());
  expect(jobsOfTable.size).toBe(30);
  expect([...jobsOfTable.values()].filter(({ size }) => size > 1)).toEqual([]);
});

test('paused monitors and those of the future get none', async () => {
  await using catalog = await openCatalog({ alone: true });
  await monitors(catalog, 2);
  await makeDue(catalog, new Date(Date.now() + 60_000));
  const db = acrossWorkspaces(catalog.database);
  await startDueMonitors(db);
  await makeDue(catalog, new Date(Date.now() - 60_000));
  await catalog.database.prisma.monitor.updateMany({ data: { isEnabled: false } });
  expect(await startDueMonitors(db)).toBeNull();
  expect(await jobsOf(catalog)).toHaveLength(0);
});

test('the next instant in SQL is the one in code, for every cadence and many moments', async () => {
  await using catalog = await openCatalog();
  const { admin } = catalog;
  let seed = 7;
  const random = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * n);
  };
  const cases = CADENCES.flatMap((cadence) =>
    Array.from({ length: 50 }, (_, i) => ({
      schedule: {
        cadence,
        frequency: 1 + random(168),
        hour: random(24),
        day: cadence === 'monthly' ? 1 + random(28) : random(7),
      },
      // Instants themselves, midnights and ends of months among them.
      at: i % 5 === 0 ? Date.UTC(2026, random(24), 1 + random(28), random(24)) : random(4e9) * 1e3,
    })),
  );
  const found = await rows<{ next: Date }>(
    admin,
    Prisma.sql`select ${nextInstantAfter(Prisma.sql`m.at`)} as next
      from unnest(${cases.map((c) => c.schedule.cadence)}::text[],
        ${cases.map((c) => c.schedule.frequency)}::int[], ${cases.map((c) => c.schedule.hour)}::int[],
        ${cases.map((c) => c.schedule.day)}::int[],
        ${cases.map((c) => new Date(c.at).toISOString())}::timestamptz[]) with ordinality
        m(schedule_cadence, schedule_frequency, schedule_hour, schedule_day, at, n) order by n`,
  );
  for (const [i, { schedule, at }] of cases.entries()) {
    expect(found[i]?.next, JSON.stringify({ schedule, at })).toEqual(
      nextRunAt(schedule, new Date(at)),
    );
  }
});

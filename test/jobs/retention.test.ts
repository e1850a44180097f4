// What is older than the settings say is deleted, and nothing else.

import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { acrossWorkspaces } from '../../src/database/outside.ts';
import { createLineage, deleteLineage } from '../../src/lineage/edge.ts';
import { createMonitor } from '../../src/monitors/monitor.ts';
import { type RetentionSettings, retain } from '../../src/retain.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

const day = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * day);
/** Everything is kept for ever, but for what a test sets. */
const forEver = Object.fromEntries(
  Object.keys(readConfig({})).flatMap((name) =>
    name.startsWith('RETENTION_') ? [[name, '0']] : [],
  ),
);

function settings(set: Readonly<Record<string, string>>): RetentionSettings {
  return readConfig({ ...forEver, ...set });
}

/** What is deleted, or would be: by the names of the settings, where it is anything. */
async function run(catalog: Catalog, set: Readonly<Record<string, string>>, dryRun = false) {
  const found: Record<string, number> = {};
  const db = acrossWorkspaces(catalog.database);
  for await (const { setting, count } of retain(db, settings(set), { dryRun })) {
    if (count > 0) found[setting] = count;
  }
  return found;
}

async function monitorOf(catalog: Catalog): Promise<{ id: string; targetId: string }> {
  const { id: targetId } = await catalog.resource();
  const { id } = await createMonitor(catalog.admin, { targetId, metricType: 'row_count' });
  return { id, targetId };
}

test('measurements are thinned to the last of each day, and deleted later; the newest 500 are kept', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { database, workspaceId } = catalog;
  const { id: monitorId } = await monitorOf(catalog);
  const { id: young } = await monitorOf(catalog);
  const at = (days: number, hour: number) => {
    const midnight = Math.floor((Date.now() - days * day) / day) * day;
    return new Date(midnight + hour * 3_600_000);
  };
  const add = (id: string, times: readonly Date[]) =>
    database.prisma.measurement.createMany({
      data: times.map((createdAt) => ({ workspaceId, monitorId: id, createdAt, value: 1 })),
    });
  await add(
    monitorId,
    Array.from({ length: 500 }, (_, i) => new Date(Date.now() - i * 1_000)),
  );
  await add(monitorId, [at(11, 1), at(11, 5), at(11, 23), at(12, 0), at(41, 3), at(60, 3)]);
  await add(young, [at(11, 1), at(11, 5), at(60, 3)]);
  const set = { RETENTION_MEASUREMENTS_DAYS: '10' };
  expect(await run(catalog, set, true)).toEqual({ RETENTION_MEASUREMENTS_DAYS: 4 });
  expect(await run(catalog, set)).toEqual({ RETENTION_MEASUREMENTS_DAYS: 4 });
  expect(await run(catalog, set)).toEqual({});
  const kept = await database.prisma.measurement.findMany({
    where: { workspaceId, monitorId, createdAt: { lt: ago(2) } },
    orderBy: { createdAt: 'asc' },
  });
  expect(kept.map(({ createdAt }) => createdAt)).toEqual([at(12, 0), at(11, 23)]);
  expect(
    await database.prisma.measurement.count({ where: { workspaceId, monitorId: young } }),
  ).toBe(3);
});

test('incidents that were resolved go with their actions, but not the last of a monitor; their values stay', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { database, workspaceId } = catalog;
  const { id: monitorId, targetId } = await monitorOf(catalog);
  const open = async (resolvedAt: Date | null) => {
    const status = resolvedAt === null ? 'active' : 'resolved';
    const data = { workspaceId, monitorId, targetId, name: 'x', summary: 'x', value: 1 };
    const { id } = await database.prisma.incident.create({
      data: { ...data, status, resolvedAt, createdAt: ago(50) },
    });
    await database.prisma.incidentAction.create({
      data: { workspaceId, incidentId: id, type: 'comment' },
    });
    await database.prisma.measurement.create({
      data: { workspaceId, monitorId, incidentId: id, value: 1, createdAt: ago(50) },
    });
    return id;
  };
  const old = await open(ago(20));
  const [recent, standing, last] = [await open(ago(5)), await open(null), await open(ago(20))];
  await database.prisma.monitor.update({
    where: { workspaceId_id: { workspaceId, id: monitorId } },
    data: { lastIncidentId: last },
  });
  const set = { RETENTION_INCIDENTS_DAYS: '10' };
  expect(await run(catalog, set, true)).toEqual({ RETENTION_INCIDENTS_DAYS: 1 });
  expect(await run(catalog, set)).toEqual({ RETENTION_INCIDENTS_DAYS: 1 });
  const left = await database.prisma.incident.findMany({ where: { workspaceId } });
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set([recent, standing, last]));
  const actions = await database.prisma.incidentAction.count({ where: { incidentId: old } });
  expect(actions).toBe(0);
  expect(await database.prisma.measurement.count({ where: { workspaceId } })).toBe(4);
});

test('lineage that ended goes, and pictures say since when they are whole; what holds is not touched', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin, database, workspaceId } = catalog;
  const [a, b, c] = [await catalog.resource(), await catalog.resource(), await catalog.resource()];
  const { id } = await createLineage(admin, { fromId: a.id, toId: b.id });
  await createLineage(admin, { fromId: b.id, toId: c.id });
  await deleteLineage(admin, id);
  await database.prisma.lineageEdge.updateMany({
    where: { workspaceId, id },
    data: { validFrom: ago(40), validTo: ago(30) },
  });
  const picture = () =>
    catalog.graphql(
      `query ($from: [ID!]!) { lineage(from: $from) { historyBegins edges { source { id } } } }`,
      { from: [b.id] },
    );
  const before = await picture();
  expect(before.data).toMatchObject({ lineage: { historyBegins: null } });
  const set = { RETENTION_ENDED_LINEAGE_DAYS: '31' };
  expect(await run(catalog, set)).toEqual({});
  expect((await picture()).data).toMatchObject({ lineage: { historyBegins: null } });
  const log = () =>
    database.prisma.lineageLog.count({ where: { workspaceId, what: { not: 'epoch' } } });
  const logged = await log();
  const less = { RETENTION_ENDED_LINEAGE_DAYS: '10' };
  expect(await run(catalog, less, true)).toEqual({ RETENTION_ENDED_LINEAGE_DAYS: 1 });
  expect(await run(catalog, less)).toEqual({ RETENTION_ENDED_LINEAGE_DAYS: 1 });
  // The graph in memory needs not to know.
  expect(await log()).toBe(logged);
  const after = await picture();
  const begins = new Date(String(after.data?.lineage.historyBegins)).getTime();
  expect(Math.abs(begins - ago(10).getTime())).toBeLessThan(day / 2);
  expect(after.data).toMatchObject({ lineage: { edges: [{ source: { id: b.id } }] } });
  // Who keeps it for longer later doesn't get it back.
  await run(catalog, set);
  expect((await picture()).data?.lineage.historyBegins).toBe(after.data?.lineage.historyBegins);
});

test('of a text the newest twenty versions are kept, however old; days of usage and sessions go by age', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { database, workspaceId, admin } = catalog;
  const { id: resourceId } = await catalog.resource();
  await database.prisma.resourceVersion.createMany({
    data: Array.from({ length: 25 }, (_, i) => ({
      ...{ workspaceId, resourceId, version: i + 1, definition: `${i}`, createdAt: ago(100) },
    })),
  });
  await database.prisma.usageDay.createMany({
    data: [5, 15].map((days) => ({ workspaceId, resourceId, day: ago(days), internal: 1 })),
  });
  const session = { workspaceId, userId: admin.viewer.id, method: 'link' };
  await database.prisma.webSession.createMany({
    data: [
      { ...session, hash: 'ended', lastUsedAt: ago(1), endedAt: ago(20) },
      { ...session, hash: 'unused', lastUsedAt: ago(20) },
      { ...session, hash: 'used', createdAt: ago(20), lastUsedAt: ago(1) },
    ],
  });
  const set = {
    ...{ RETENTION_VERSIONS_DAYS: '10', RETENTION_USAGE_DAYS: '10' },
    RETENTION_SESSIONS_DAYS: '10',
  };
  const gone = { RETENTION_VERSIONS_DAYS: 5, RETENTION_USAGE_DAYS: 1, RETENTION_SESSIONS_DAYS: 2 };
  expect(await run(catalog, set, true)).toEqual(gone);
  expect(await run(catalog, set)).toEqual(gone);
  const versions = await database.prisma.resourceVersion.findMany({ where: { workspaceId } });
  expect(Math.min(...versions.map(({ version }) => version))).toBe(6);
  expect(await run(catalog, {})).toEqual({});
});

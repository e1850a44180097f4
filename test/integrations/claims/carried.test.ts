// What people and monitors did with a table goes along when it is merged, by hand or as a source says where it lies.

import { expect, test } from 'vitest';
import { sealWhatIsDue } from '../../../src/audit/seal.ts';
import { setIntegrationAddresses } from '../../../src/integrations/addresses/set-addresses.ts';
import { mergeResources } from '../../../src/integrations/claims/merge-resources.ts';
import { createIntegration } from '../../../src/integrations/integration.ts';
import { createMonitor } from '../../../src/monitors/monitor.ts';
import { updateResource } from '../../../src/resources/editing/edit.ts';
import { bookmark, subscribe } from '../../../src/resources/usage.ts';
import { verify } from '../../audit/sealed-log.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { schemaOf } from '../imports/bakery.ts';
import { feedCsv, feedProject } from '../imports/feed.ts';

const csv = 'database,schema,name,col_name,col_type\nwh,core,users,id,NUMBER';

/** A project with one model, a monitor of which it declares. */
const manifest = {
  metadata: {
    dbt_schema_version: schemaOf('manifest', 12),
    generated_at: '2026-03-01T06:00:00.000000Z',
    ...{ invocation_id: 'p', project_name: 'p', adapter_type: 'duckdb' },
  },
  nodes: {
    'model.p.users': {
      ...{ name: 'users', alias: 'users', schema: 'core', database: 'wh', package_name: 'p' },
      ...{ resource_type: 'model', original_file_path: 'models/users.sql' },
      columns: { id: { name: 'id', description: 'Id', data_type: 'bigint', tags: [], meta: {} } },
      config: {
        ...{ materialized: 'table', tags: [] },
        meta: { headwater: { monitors: [{ name: 'Rows', metric_type: 'row_count' }] } },
      },
      depends_on: { macros: [], nodes: [] },
    },
  },
  ...{ sources: {}, exposures: {}, metrics: {}, semantic_models: {}, groups: {} },
};

/** Two sources with one table each, of which a project makes the second, and may have it measured. */
async function openTwo() {
  const catalog = await openCatalog({ alone: true });
  const one = await catalog.integration({ name: 'One' });
  const credentials = { path: 'wh.duckdb' };
  const two = await createIntegration(catalog.admin, { name: 'Two', type: 'duckdb', credentials });
  const project = await catalog.integration({ name: 'Project', type: 'dbt_core' });
  await feedCsv(catalog, one, csv);
  await feedCsv(catalog, two, csv);
  await setIntegrationAddresses(catalog.admin, project.id, [
    { database: 'wh', address: `integration:${two.id}` },
  ]);
  await feedProject(catalog, project, { manifest });
  const of = async (integrationId: string, kind: 'table' | 'column') =>
    catalog.database.prisma.resource.findFirstOrThrow({
      where: { workspaceId: catalog.workspaceId, integrationId, kind },
    });
  return { catalog, one, two, project, of };
}

const day = new Date('2026-03-01');

/** Fill the two tables with what people and jobs leave on them. */
async function use(catalog: Catalog, kept: string, gone: string, column: string, testedBy: string) {
  const { admin, workspaceId } = catalog;
  const { prisma } = catalog.database;
  await updateResource(admin, gone, { definition: 'First' });
  await updateResource(admin, gone, { definition: 'Second' });
  await bookmark(catalog.as('viewer'), gone, true);
  await subscribe(catalog.as('editor'), gone, true);
  await bookmark(catalog.as('editor'), kept, true);
  await prisma.usageDay.createMany({
    data: [
      { workspaceId, resourceId: kept, day, internal: 2, external: 10 },
      { workspaceId, resourceId: gone, day, internal: 3, external: 5 },
      { workspaceId, resourceId: gone, day: new Date('2026-03-02'), internal: 1, external: 0 },
    ],
  });
  await prisma.dataTest.create({
    data: {
      ...{ workspaceId, integrationId: testedBy, key: 'unique', name: 'unique', status: 'fail' },
      ...{ resourceId: gone, columnId: column, failures: 3, lastRunAt: day },
    },
  });
  await prisma.runResult.create({
    data: {
      ...{ workspaceId, integrationId: testedBy, invocationId: 'run', nodeKey: 'users' },
      ...{ resourceId: gone, status: 'success', executionSeconds: 4, completedAt: day },
    },
  });
  const byHand = await createMonitor(admin, {
    ...{ targetId: gone, metricType: 'row_count', name: 'By hand' },
  });
  const declared = await prisma.monitor.findFirstOrThrow({
    where: { workspaceId, targetId: gone, declaredById: { not: null } },
  });
  for (const { id: monitorId } of [byHand, declared]) {
    const incident = await prisma.incident.create({
      data: {
        ...{ workspaceId, monitorId, targetId: gone, name: 'Rows', summary: 'Too few', value: 1 },
      },
    });
    await prisma.measurement.createMany({
      data: [
        { workspaceId, monitorId, value: 10 },
        { workspaceId, monitorId, value: 1, incidentId: incident.id },
      ],
    });
  }
  return { byHand: byHand.id, declared: declared.id };
}

test.each(['by hand', 'as its source says where it lies'])(
  'all that hangs on a table goes along when it is merged %s',
  async (how) => {
    const { catalog, one, two, project, of } = await openTwo();
    const { admin, workspaceId } = catalog;
    const { prisma } = catalog.database;
    const [kept, gone] = [await of(one.id, 'table'), await of(two.id, 'table')];
    const column = await of(one.id, 'column');
    const monitors = await use(catalog, kept.id, gone.id, (await of(two.id, 'column')).id, two.id);
    expect(await sealWhatIsDue(catalog.database)).toBeGreaterThan(0);

    if (how === 'by hand') await mergeResources(admin, { keep: kept.id, merge: gone.id });
    else
      await setIntegrationAddresses(admin, two.id, [
        { database: '*', address: `integration:${one.id}` },
      ]);

    const looked = async () => ({
      incidents: await prisma.incident.findMany({
        where: { workspaceId },
        select: { monitorId: true, targetId: true, status: true },
      }),
      monitors: await prisma.monitor.findMany({
        where: { workspaceId },
        select: { id: true, targetId: true, declaredById: true, undeclaredAt: true },
        orderBy: { createdAt: 'asc' },
      }),
      measured: await prisma.measurement.count({
        where: { workspaceId, monitorId: { in: [monitors.byHand, monitors.declared] } },
      }),
      usage: (
        await prisma.usageDay.findMany({ where: { workspaceId }, orderBy: { day: 'asc' } })
      ).map(({ resourceId, internal, external }) => [resourceId, internal, external]),
      tests: await prisma.dataTest.findMany({
        where: { workspaceId },
        select: { resourceId: true, columnId: true, status: true, failures: true },
      }),
      runs: await prisma.runResult.findMany({
        where: { workspaceId, invocationId: 'run' },
        select: { resourceId: true },
      }),
      versions: (
        await prisma.resourceVersion.findMany({
          where: { workspaceId, resourceId: kept.id },
          orderBy: { version: 'asc' },
        })
      ).map(({ definition }) => definition),
    });
    const found = await looked();
    expect(found).toMatchObject({
      incidents: [
        { targetId: kept.id, status: 'active' },
        { targetId: kept.id, status: 'active' },
      ],
      measured: 4,
      usage: [
        [kept.id, 5, 15],
        [kept.id, 1, 0],
      ],
      tests: [{ resourceId: kept.id, columnId: column.id, status: 'fail', failures: 3 }],
      runs: [{ resourceId: kept.id }],
    });
    const onKept = { targetId: kept.id, undeclaredAt: null };
    expect(found.monitors).toEqual([
      { id: monitors.declared, declaredById: project.id, ...onKept },
      { id: monitors.byHand, declaredById: null, ...onKept },
    ]);
    expect(found.versions).toEqual(expect.arrayContaining(['First', 'Second']));
    const now = await prisma.resource.findFirstOrThrow({ where: { workspaceId, id: kept.id } });
    expect(now.definition).toBe('Second');
    expect(now.subscriberIds).toEqual([catalog.idOf('editor')]);
    expect(now.bookmarkedByIds.toSorted()).toEqual(
      [catalog.idOf('viewer'), catalog.idOf('editor')].toSorted(),
    );
    expect(await sealWhatIsDue(catalog.database)).toBeGreaterThan(0);
    expect((await verify(catalog.database)).brokenCount).toBe(0);

    // The project, uploaded again, declares the same monitor.
    expect(await feedProject(catalog, project, { manifest })).toMatchObject({
      created: 0,
      staled: 0,
    });
    expect(await feedCsv(catalog, one, csv)).toMatchObject({ created: 0, updated: 0, staled: 0 });
    expect(await looked()).toEqual(found);
  },
);

import { expect, test } from 'vitest';
import { openCatalog } from '../catalog.ts';

test('resources are listed by what watches them and their columns, and what that says', async () => {
  await using catalog = await openCatalog();
  const { workspaceId } = catalog;
  const { prisma } = catalog.database;
  const project = await catalog.integration({ type: 'dbt_core' });
  const [plain, watched, odd, tested] = await Promise.all(
    ['plain', 'watched', 'odd', 'tested'].map((title) => catalog.resource({ title })),
  );
  if (!plain || !watched || !odd || !tested) throw new Error('No tables were made.');
  const column = await catalog.resource({ kind: 'column', title: 'id', parentId: odd.id });
  const monitorOf = (targetId: string) =>
    prisma.monitor.create({
      data: { workspaceId, targetId, metricType: 'row_count', name: 'Rows' },
    });
  await monitorOf(watched.id);
  const { id: monitorId } = await monitorOf(column.id);
  const about = { name: 'Too few rows', summary: 'Odd', value: 1 };
  await prisma.incident.create({ data: { workspaceId, monitorId, targetId: column.id, ...about } });
  for (const [key, status] of [
    ['a', 'fail'],
    ['b', 'pass'],
  ] as const) {
    const resourceId = status === 'fail' ? tested.id : plain.id;
    await prisma.dataTest.create({
      data: { workspaceId, integrationId: project.id, key, name: key, resourceId, status },
    });
  }
  const list = async (where: string) => {
    const { data, errors } = await catalog.graphql(
      `{ resources(kinds: [table], where: { ${where} }, orderBy: [{ title: asc }]) { totalCount nodes { title } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.resources.totalCount).toBe(data.resources.nodes.length);
    return data.resources.nodes.map(({ title }: { title: string }) => title);
  };
  expect(await list('hasMonitor: true')).toEqual(['odd', 'watched']);
  expect(await list('hasMonitor: false')).toEqual(['plain', 'tested']);
  expect(await list('hasOpenIncident: true')).toEqual(['odd']);
  expect(await list('hasFailingTest: true')).toEqual(['tested']);
  expect(await list('hasMonitor: true, not: { hasOpenIncident: true }')).toEqual(['watched']);
});

// Schema changes as incidents: one for each table, until its columns are back or somebody expects them.

import { describe, expect, test } from 'vitest';
import { triggerSync } from '../../../src/integrations/syncs/live-sync.ts';
import { listIncidents } from '../../../src/monitors/incidents/incident.ts';
import { updateIncident } from '../../../src/monitors/incidents/incident-change.ts';
import { createWindow } from '../../../src/monitors/maintenance/maintenance-window.ts';
import { createMonitor, getMonitor } from '../../../src/monitors/monitor.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { workOff } from '../../notifications/work-off.ts';
import { type Engine, engineNames, enginesOf, runNow } from '../scans/engines.ts';

const engines = enginesOf();

/** The sources, with what adds a column of numbers and what makes it one of texts. */
const asText = {
  postgres: 'alter table orders alter amount type text',
  mariadb: 'alter table orders modify amount text',
  duckdb: 'alter table orders alter amount type text',
} as const;

async function sync(catalog: Catalog, source: string): Promise<void> {
  await triggerSync(catalog.admin, source);
  await workOff(catalog);
}

const incidentsOf = async (catalog: Catalog, monitorId: string) =>
  (await listIncidents(catalog.admin, { monitorId }, { first: 50 })).nodes;

async function shopOf(engine: Engine) {
  for (const table of ['orders', 'items', 'tmp_load']) {
    await engine.run(`drop table if exists ${table}`);
    await engine.run(`create table ${table} (id int, amount int, note varchar(20), left_over int)`);
  }
  const catalog = await openCatalog({ alone: true });
  const source = await engine.connect(catalog);
  await sync(catalog, source);
  const { id } = await catalog.database.prisma.resource.findFirstOrThrow({
    where: { workspaceId: catalog.workspaceId, kind: 'schema', title: engine.schema },
  });
  return { catalog, source, schemaId: id };
}

describe.each(engineNames)('on %s', (name) => {
  test('each table whose columns are gone or have another type has an incident that names them', async ({
    skip,
  }) => {
    const engine = engines.get(name) ?? skip('It is not installed.');
    const { catalog, source, schemaId } = await shopOf(engine);
    await using _ = catalog;
    const monitor = await createMonitor(catalog.admin, {
      ...{ targetId: schemaId, metricType: 'schema_changes', name: 'Columns' },
      metricConfig: { exclude: ['tmp_*'] },
    });
    await workOff(catalog);
    const run = async () => {
      await sync(catalog, source);
      return runNow(catalog, [monitor.id]);
    };
    // New columns and tables are nothing wrong.
    await engine.run('alter table orders add column extra int');
    await engine.run('create table if not exists later (id int)');
    expect(await run()).toMatchObject({ measured: 1, outOfRange: 0 });

    await engine.run('alter table orders drop column note');
    await engine.run(asText[name]);
    await engine.run('alter table items drop column left_over');
    await engine.run('alter table tmp_load drop column note');
    expect(await run()).toMatchObject({ measured: 1, outOfRange: 1 });
    const open = await incidentsOf(catalog, monitor.id);
    const summaries = Object.fromEntries(open.map(({ name, summary }) => [name, summary]));
    expect(summaries).toEqual({
      'Columns: orders': expect.stringMatching(
        /^Column gone: note\. Type changed: amount from int\w*(\(\d+\))? to (text|varchar)\.$/i,
      ),
      'Columns: items': 'Column gone: left_over.',
    });
    const orders = open.find(({ name }) => name.endsWith('orders'));
    const { data } = await catalog.graphql(
      `query ($id: ID!) { incident(id: $id) { target { title } value monitor { status
        lastMeasurement { value incidentMetadata } } } }`,
      { id: orders?.id },
    );
    expect(data.incident).toEqual({
      ...{ target: { title: 'orders' }, value: 2 },
      monitor: {
        status: 'incident',
        lastMeasurement: { value: 2, incidentMetadata: 'Changed: items, orders.' },
      },
    });

    // Nothing new: no other incident, and those that are open stay.
    await run();
    expect(await incidentsOf(catalog, monitor.id)).toHaveLength(2);

    // Columns that are back end one; a person's word ends the other, and is remembered.
    await engine.run('alter table items add column left_over int');
    await run();
    const items = open.find(({ name }) => name.endsWith('items'));
    expect(
      (await incidentsOf(catalog, monitor.id)).find(({ id }) => id === items?.id),
    ).toMatchObject({ status: 'resolved', resolveReason: 'recovered' });
    await updateIncident(catalog.admin, orders?.id ?? '', {
      ...{ status: 'resolved', resolveReason: 'expected' },
    });
    expect(await run()).toMatchObject({ measured: 1, outOfRange: 0 });
    expect(await incidentsOf(catalog, monitor.id)).toHaveLength(2);
    expect((await getMonitor(catalog.admin, monitor.id)).status).toBe('normal');
    // The next change of it is a new one.
    await engine.run('alter table orders drop column extra');
    await run();
    const last = (await incidentsOf(catalog, monitor.id)).find(({ status }) => status === 'active');
    expect(last?.summary).toBe('Column gone: extra.');
  }, 120_000);
});

test('within a maintenance window columns go without an incident, and are missed after it', async () => {
  await using catalog = await openCatalog();
  const { admin, database, workspaceId } = catalog;
  const source = await catalog.integration({ type: 'postgres' });
  const table = await catalog.resource({ title: 'orders' });
  const column = await catalog.resource({ kind: 'column', parentId: table.id, title: 'amount' });
  await database.prisma.resource.updateMany({
    where: { workspaceId, id: { in: [table.id, column.id] } },
    data: { integrationId: source.id },
  });
  const monitor = await createMonitor(admin, { targetId: table.id, metricType: 'schema_changes' });
  await runNow(catalog, [monitor.id]);
  await database.prisma.resource.updateMany({ where: { id: column.id }, data: { stale: true } });
  const window = {
    startsAt: new Date(Date.now() - 3_600_000),
    endsAt: new Date(Date.now() + 60_000),
  };
  await createWindow(admin, { name: 'Migration', ...window });
  expect(await runNow(catalog, [monitor.id])).toMatchObject({ measured: 1, outOfRange: 0 });
  catalog.setTime(new Date(Date.now() + 120_000));
  expect(await runNow(catalog, [monitor.id])).toMatchObject({ measured: 1, outOfRange: 1 });
  expect(await incidentsOf(catalog, monitor.id)).toMatchObject([
    { summary: 'Column gone: amount.', targetId: table.id },
  ]);
});

test('one run opens fifty incidents, and the next ones the rest', async () => {
  await using catalog = await openCatalog();
  const { admin, database, workspaceId } = catalog;
  const source = await catalog.integration({ type: 'postgres' });
  const schema = await catalog.resource({ kind: 'schema', title: 'public' });
  for (let n = 0; n < 60; n += 1) {
    const table = await catalog.resource({ title: `t${n}`, parentId: schema.id });
    await catalog.resource({ kind: 'column', parentId: table.id, title: 'amount' });
  }
  await database.prisma.resource.updateMany({
    where: { workspaceId },
    data: { integrationId: source.id },
  });
  const monitor = await createMonitor(admin, { targetId: schema.id, metricType: 'schema_changes' });
  await runNow(catalog, [monitor.id]);
  await database.prisma.resource.updateMany({
    where: { workspaceId, kind: 'column' },
    data: { stale: true },
  });
  await runNow(catalog, [monitor.id]);
  const count = () => database.prisma.incident.count({ where: { workspaceId } });
  expect(await count()).toBe(50);
  expect((await getMonitor(admin, monitor.id)).lastWarning).toMatch(/^10 more tables changed/);
  await runNow(catalog, [monitor.id]);
  expect(await count()).toBe(60);
  expect((await getMonitor(admin, monitor.id)).lastWarning).toBe('');
});

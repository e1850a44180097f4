// Checks of rows count those that fail them, on real sources, and say what is wrong with what they are made with.

import { describe, expect, test } from 'vitest';
import { updateIntegration } from '../../../src/integrations/integration.ts';
import { listIncidents } from '../../../src/monitors/incidents/incident.ts';
import { updateIncident } from '../../../src/monitors/incidents/incident-change.ts';
import { createMonitor, getMonitor } from '../../../src/monitors/monitor.ts';
import { openCatalog } from '../../catalog.ts';
import { engineNames, enginesOf, runNow, tableOf } from './engines.ts';

const engines = enginesOf(async (engine) => {
  await engine.run('create table customers (id int, email varchar(40))');
  await engine.run(
    "insert into customers values (1, 'a@example.com'), (2, 'b@example.com'), (2, null)",
  );
  await engine.run(
    'create table orders (id int, customer_id int, status varchar(20), code varchar(20))',
  );
  await engine.run(
    `insert into orders values
    (1, 1, 'paid', 'A-1'), (2, 2, 'Paid', 'B-2'), (3, 9, 'it''s', 'C3'), (4, null, null, null),
    (5, 1, 'open', 'x\\1'), (5, 1, 'open', 'a-9')`.replaceAll(
      '\\',
      engine.name === 'mariadb' ? '\\\\' : '\\',
    ),
  );
});

const types = {
  postgres: {
    id: 'integer',
    customer_id: 'integer',
    status: 'text',
    code: 'character varying(20)',
  },
  mariadb: { id: 'int(11)', customer_id: 'int(11)', status: 'varchar(20)', code: 'varchar(20)' },
  duckdb: { id: 'INTEGER', customer_id: 'INTEGER', status: 'VARCHAR', code: 'VARCHAR' },
};

describe.each(engineNames)('on %s', (name) => {
  test('what fails a check is counted, and more than none opens an incident', async ({ skip }) => {
    const engine = engines.get(name) ?? skip('It is not installed.');
    await using catalog = await openCatalog();
    const source = await engine.connect(catalog);
    const orders = await tableOf(catalog, engine, source, 'orders', types[name]);
    const { id } = types[name];
    const customers = await tableOf(catalog, engine, source, 'customers', { id });
    const at = (column: string) => orders.columns.get(column) ?? '';
    const make = async (targetId: string, metricType: string, metricConfig: object) =>
      (await createMonitor(catalog.admin, { targetId, metricType, metricConfig })).id;
    const refers = { references: customers.columns.get('id') };
    const made: [string, number][] = [
      // Letters of each case are told apart, and no value is no fault.
      [await make(at('status'), 'accepted_values', { values: ['paid', 'open', "it's"] }), 1],
      [await make(at('status'), 'accepted_values', { values: ['paid'], where: 'id < 4' }), 2],
      [await make(at('code'), 'accepted_values', { values: ['x\\1', 'A-1', 'B-2', 'C3'] }), 1],
      [await make(at('code'), 'pattern', { pattern: '^[A-Z]-[0-9]+$' }), 3],
      [await make(at('customer_id'), 'references', refers), 1],
      [await make(orders.id, 'unique_key', { key_columns: ['id'] }), 2],
      [await make(orders.id, 'unique_key', { key_columns: ['id', 'code'] }), 0],
      [
        await make(orders.id, 'unique_key', { key_columns: ['status'], where: 'id in (1, 3, 4)' }),
        0,
      ],
    ];
    const ids = made.map(([monitor]) => monitor);
    expect(await runNow(catalog, ids)).toMatchObject({
      measured: made.length,
      failed: 0,
      outOfRange: 6,
    });
    for (const [monitor, failing] of made) {
      const { lastMeasurementValue, status, conditionManualMax } = await getMonitor(
        catalog.admin,
        monitor,
      );
      expect([lastMeasurementValue, status, conditionManualMax]).toEqual([
        failing,
        failing === 0 ? 'normal' : 'incident',
        0,
      ]);
    }
    const { nodes } = await listIncidents(catalog.admin, { monitorId: ids[3] }, { first: 1 });
    expect(nodes[0]?.summary).toBe('3 is above 0, the highest value allowed.');
  });
});

test('rows that fail are kept sealed where that is allowed, shown to who may, and gone with the incident', async ({
  skip,
}) => {
  const engine = engines.get('postgres') ?? skip('It is not installed.');
  await using catalog = await openCatalog();
  const source = await engine.connect(catalog);
  const orders = await tableOf(catalog, engine, source, 'orders', types.postgres);
  const { id } = await createMonitor(catalog.admin, {
    targetId: orders.columns.get('status') ?? '',
    metricType: 'accepted_values',
    metricConfig: { values: ['paid', 'Paid', 'open'] },
  });
  const incident = async () => (await getMonitor(catalog.admin, id)).lastIncidentId ?? '';
  const ask = `query ($id: ID!) { incident(id: $id) { failingRows { columns rows } } }`;
  const seen = async (as: 'admin' | 'editor') => {
    const { data } = await catalog.graphql(ask, { id: await incident() }, { as });
    return data?.incident.failingRows;
  };
  const { prisma } = catalog.database;
  const kept = () => prisma.failingRows.findMany({ where: { workspaceId: catalog.workspaceId } });
  await runNow(catalog, [id]);
  expect([await seen('admin'), await kept()]).toEqual([null, []]);

  await updateIntegration(catalog.admin, source, { keepsFailingRows: true });
  await runNow(catalog, [id]);
  expect(await seen('admin')).toEqual({
    columns: ['code', 'customer_id', 'id', 'status'],
    rows: [['C3', '9', '3', "it's"]],
  });
  expect(await seen('editor')).toBeNull();
  expect(await kept()).toHaveLength(1);
  expect(JSON.stringify(await kept())).not.toContain("it's");
  // Backups leave out what is unlogged.
  const { rows } = await catalog.owner.query(
    "select relpersistence from pg_class where oid = 'failing_rows'::regclass",
  );
  expect(rows).toEqual([{ relpersistence: 'u' }]);

  await updateIncident(catalog.admin, await incident(), { status: 'resolved' });
  expect(await kept()).toEqual([]);
});

test('a check without what it checks, or with that of another, is refused by field', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource({ title: 'orders' });
  const column = await catalog.resource({ kind: 'column', parentId: table.id, type: 'text' });
  const make = (targetId: string, metricType: string, metricConfig: object) =>
    createMonitor(catalog.admin, { targetId, metricType, metricConfig });
  const wrong: [string, string, object, string][] = [
    [column.id, 'accepted_values', {}, 'values'],
    [column.id, 'accepted_values', { values: [] }, 'values'],
    [column.id, 'accepted_values', { values: 'paid' }, 'values'],
    [column.id, 'accepted_values', { values: ['paid'], pattern: '^a' }, 'pattern'],
    [column.id, 'pattern', {}, 'pattern'],
    [column.id, 'references', { references: 'nothing' }, 'references'],
    [column.id, 'references', { references: table.id }, 'references'],
    [table.id, 'unique_key', {}, 'key_columns'],
    [table.id, 'row_count', { key_columns: ['id'] }, 'key_columns'],
    [column.id, 'pattern', { pattern: 'a', dimension: 'status' }, 'dimension'],
  ];
  for (const [target, metric, config, field] of wrong) {
    await expect(make(target, metric, config), JSON.stringify(config)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      fields: [
        expect.objectContaining({ field: expect.stringContaining(`metric_config.${field}`) }),
      ],
    });
  }
});

test('failing tests of a project open an incident like anything else', async () => {
  await using catalog = await openCatalog();
  const { prisma } = catalog.database;
  const integration = await catalog.integration({ type: 'dbt_core' });
  const table = await catalog.resource({ title: 'orders' });
  const { id } = await createMonitor(catalog.admin, {
    ...{ targetId: table.id, metricType: 'failing_tests' },
  });
  expect(await runNow(catalog, [id])).toMatchObject({
    failed: 1,
    lines: [expect.stringContaining('No test of it has run.'), expect.anything()],
  });
  const put = (key: string, status: string) =>
    prisma.dataTest.create({
      data: {
        ...{ workspaceId: catalog.workspaceId, integrationId: integration.id, key, name: key },
        ...{ resourceId: table.id, status, lastRunAt: new Date(), testKind: 'generic' },
      },
    });
  for (const [key, status] of [
    ['unique_id', 'pass'],
    ['not_null_id', 'fail'],
    ['accepted', 'error'],
  ] as const) {
    await put(key, status);
  }
  expect(await runNow(catalog, [id])).toMatchObject({ measured: 1, outOfRange: 1 });
  expect(await getMonitor(catalog.admin, id)).toMatchObject({
    ...{ lastMeasurementValue: 2, status: 'incident' },
  });
});

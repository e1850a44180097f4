// Monitors that a project declares in `meta`: made, changed and dropped by its imports, all or nothing.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { setIntegrationAddresses } from '../../../src/integrations/addresses/set-addresses.ts';
import { openConnector } from '../../../src/integrations/connectors/open.ts';
import { deleteIntegration } from '../../../src/integrations/delete-integration.ts';
import { createIntegration } from '../../../src/integrations/integration.ts';
import {
  declarationSchema,
  readDeclaration,
} from '../../../src/monitors/declarations/declaration.ts';
import { createMonitor, deleteMonitor } from '../../../src/monitors/monitor.ts';
import { runAndKeep } from '../../../src/monitors/runs/run.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { digest, feedCsv } from '../../integrations/imports/feed.ts';
import { manifest as shopManifest } from '../../integrations/readers/project.ts';

const duckdb = await import('@duckdb/node-api').catch(() => null);
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-declared-'));
  if (!duckdb) return;
  const instance = await duckdb.DuckDBInstance.create(join(folder, 'warehouse.duckdb'));
  const connection = await instance.connect();
  await connection.run(`create schema analytics; create schema raw;
    create table analytics.fct_orders as select i as order_id, 'DE' as country from range(7) t(i);
    create table raw.orders as select i as id from range(9) t(i); checkpoint`);
  connection.closeSync();
  instance.closeSync();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const tables = `database,schema,name,col_name,col_type
warehouse,analytics,fct_orders,order_id,bigint
warehouse,analytics,fct_orders,country,varchar
warehouse,analytics,fct_orders,amount,bigint
warehouse,raw,orders,id,bigint`;

/** A catalog with a project, and with a warehouse that can be measured and holds its tables. */
async function openShop() {
  const catalog = await openCatalog();
  await catalog.app({ FILES_DIR: folder });
  const project = await catalog.integration({ type: 'dbt_core', name: 'The project' });
  const credentials = { path: 'warehouse.duckdb' };
  const source = { name: 'The warehouse', type: 'duckdb', credentials };
  const warehouse = await createIntegration(catalog.admin, source);
  await feedCsv(catalog, warehouse, tables);
  return { catalog, project, warehouse };
}

type Declared = readonly object[];
/** What is declared, by node; below a column where the key says one. */
type Declarations = Readonly<Record<string, Declared>>;

const orders = 'model.shop.orders';
const rawOrders = 'source.shop.app.raw_orders';

/** The manifest of the shop, with monitors declared. */
function manifestWith(declarations: Declarations, version = 12): string {
  const { nodes, sources, ...rest } = shopManifest(version);
  const whole: Record<string, Record<string, object>> = { nodes, sources };
  for (const [place, monitors] of Object.entries(declarations)) {
    const [key = '', column] = place.split('#');
    const section = key.startsWith('source.') ? 'sources' : 'nodes';
    const node: Record<string, unknown> = { ...whole[section]?.[key] };
    const said = { meta: { headwater: { monitors } } };
    if (column) node.columns = { ...Object(node.columns), [column]: { name: column, ...said } };
    else if (version >= 12) node.config = { ...Object(node.config), ...said };
    else Object.assign(node, said);
    whole[section] = { ...whole[section], [key]: node };
  }
  return JSON.stringify({ ...rest, ...whole }, null, 1);
}

function upload(
  { catalog, project }: { catalog: Catalog; project: { id: string } },
  manifest: string,
  query = '',
) {
  const body = new FormData();
  body.append('manifest', new Blob([manifest]), 'manifest.json');
  return catalog.rest('POST', `/integration/dbt/${project.id}/upload_artifacts/${query}`, { body });
}

const rowsMonitor = { name: 'Rows', metric_type: 'row_count' };

async function monitorsOf({ database, workspaceId }: Catalog) {
  const found = await database.prisma.monitor.findMany({
    where: { workspaceId },
    orderBy: [{ declaredIn: 'asc' }, { name: 'asc' }],
    include: { target: true },
  });
  return found;
}

/** What the log of the latest import says of monitors. */
async function logOf({ database, workspaceId }: Catalog): Promise<string> {
  const job = await database.prisma.job.findFirstOrThrow({
    where: { workspaceId, kind: 'import' },
    orderBy: { createdAt: 'desc' },
  });
  return job.logs;
}

test('what is declared is made on the warehouse`s table, once, and reported', async () => {
  const shop = await openShop();
  const { catalog, project, warehouse } = shop;
  const full = {
    ...{ name: 'Late', metric_type: 'freshness', schedule: { cadence: 'hourly', frequency: 6 } },
    ...{ metric_config: { timestamp_column: 'order_id' }, condition_manual_max: 7200 },
    ...{ notify_chat_channel: 'C1', is_enabled: false },
  };
  const calendar = { time_zone: 'Europe/Berlin', holiday_country: 'DE' };
  const manifest = manifestWith({
    [orders]: [
      rowsMonitor,
      full,
      { ...rowsMonitor, name: 'Nulls', column: 'AMOUNT', metric_type: 'mean' },
    ],
    [`${orders}#Country`]: [{ name: 'Nulls', metric_type: 'null_percentage' }],
    [rawOrders]: [{ ...rowsMonitor, ...calendar, condition_auto_sensitivity: 8 }],
  });
  const dry = await upload(shop, manifest, '?dry_run=true');
  const counted = { created: 5, updated: 0, removed: 0, unchanged: 0, waiting: 0 };
  expect([dry.status, dry.body.monitors]).toEqual([200, counted]);
  expect(await monitorsOf(catalog)).toEqual([]);

  expect((await upload(shop, manifest)).status).toBe(204);
  const made = await monitorsOf(catalog);
  const declaredBy = { declaredById: project.id, integrationId: warehouse.id, undeclaredAt: null };
  expect(made.map(({ declaredIn, target, name }) => [declaredIn, target.title, name])).toEqual([
    [orders, 'fct_orders', 'Late'],
    [orders, 'fct_orders', 'Rows'],
    [`${orders}.amount`, 'amount', 'Nulls'],
    [`${orders}.country`, 'country', 'Nulls'],
    [rawOrders, 'orders', 'Rows'],
  ]);
  for (const monitor of made) expect(monitor).toMatchObject(declaredBy);
  expect(made[0]).toMatchObject({
    ...{ metricConfig: { timestamp_column: 'order_id' }, scheduleFrequency: 6, frequency: 6 },
    ...{ conditionAutoSensitivity: null, conditionManualMax: 7200, notifyChatChannel: 'C1' },
    ...{ isEnabled: false, status: 'disabled', nextRunAt: null },
  });
  const plain = { timeZone: null, holidayCountry: null };
  expect(made[1]).toMatchObject({ conditionAutoSensitivity: 5, status: 'pending', ...plain });
  expect(made[4]).toMatchObject({ timeZone: 'Europe/Berlin', holidayCountry: 'DE' });
  expect(made[1]?.nextRunAt).not.toBeNull();
  expect(await logOf(catalog)).toContain('Monitors: 5 created');

  // A second import has nothing to do, and leaves no trace but its own.
  const before = await digest(catalog);
  expect((await upload(shop, manifest)).status).toBe(204);
  expect(await monitorsOf(catalog)).toEqual(made);
  const after = await digest(catalog);
  expect({ ...after, audit_log: '', integration: '' }).toEqual({
    ...before,
    ...{ audit_log: '', integration: '' },
  });
  expect(await logOf(catalog)).toContain('5 unchanged');
  const { workspaceId } = catalog;
  const entries = await catalog.database.prisma.auditLog.groupBy({
    ...{ by: ['activityType'], where: { workspaceId, resourceType: 'monitor' }, _count: true },
  });
  expect(entries).toEqual([{ activityType: 'monitor_created', _count: 5 }]);
  // An import is one entry, of which those of what it declares are parts.
  const whole = await catalog.database.prisma.auditLog.findMany({
    where: { workspaceId, activityType: 'integration_synced', resourceId: project.id },
    orderBy: { sequence: 'asc' },
  });
  const parts = await catalog.database.prisma.auditLog.findMany({
    where: { workspaceId, resourceType: 'monitor' },
  });
  expect(parts.map(({ parentId }) => parentId)).toEqual(Array(5).fill(whole[0]?.id));
  expect(whole.map(({ parentId }) => parentId)).toEqual([null, null]);
});

test('a declared monitor runs on the source of the warehouse`s table', async ({ skip }) => {
  if (!duckdb) skip();
  const shop = await openShop();
  const { catalog } = shop;
  await upload(shop, manifestWith({ [orders]: [rowsMonitor], [rawOrders]: [rowsMonitor] }));
  const ids = (await monitorsOf(catalog)).map(({ id }) => id);
  const origin = { jobId: null, scheduled: false, fence: async () => {} };
  const watch = { log() {}, progress() {} };
  const kept = await runAndKeep(catalog.admin, ids, openConnector, origin, watch);
  expect(kept).toEqual({ measured: 2, outOfRange: 0, failed: 0 });
  const values = (await monitorsOf(catalog)).map((monitor) => monitor.lastMeasurementValue);
  expect(values).toEqual([7, 9]);

  // What was learned stays when only the range changes, and is forgotten with the metric.
  const sharper = [{ ...rowsMonitor, condition_auto_sensitivity: 9, time_zone: 'Asia/Tokyo' }];
  const other = [{ ...rowsMonitor, metric_config: { where: 'id > 3' } }];
  const changed = manifestWith({ [orders]: sharper, [rawOrders]: other });
  expect((await upload(shop, changed, '?dry_run=true')).body.monitors.updated).toBe(2);
  await upload(shop, changed);
  const [one, two] = await monitorsOf(catalog);
  expect(one).toMatchObject({ conditionAutoSensitivity: 9, learnsFrom: null, status: 'learning' });
  expect(two?.learnsFrom).not.toBeNull();

  // What is out of range opens an incident, which ends with the declaration.
  await upload(shop, manifestWith({ [orders]: [{ ...rowsMonitor, condition_manual_max: 6 }] }));
  await runAndKeep(catalog.admin, ids, openConnector, origin, watch);
  const incidents = () =>
    catalog.database.prisma.incident.findMany({ where: { workspaceId: catalog.workspaceId } });
  expect(await incidents()).toMatchObject([{ monitorId: one?.id, status: 'active' }]);
  await upload(shop, manifestWith({}));
  expect(await incidents()).toMatchObject([{ monitorId: one?.id, status: 'resolved' }]);
});

test('what is no longer declared is disabled, and goes on when it is declared again', async () => {
  const shop = await openShop();
  const { catalog } = shop;
  const both = manifestWith({ [orders]: [rowsMonitor, { ...rowsMonitor, name: 'Again' }] });
  await upload(shop, both);
  const [before] = await monitorsOf(catalog);
  const { targetId = '', id = '' } = before ?? {};
  await createMonitor(catalog.admin, { targetId, metricType: 'row_count', name: 'By hand' });
  const fewer = manifestWith({ [orders]: [rowsMonitor] });

  await upload(shop, fewer, '?stale=false');
  expect((await monitorsOf(catalog)).every(({ isEnabled }) => isEnabled)).toBe(true);

  await upload(shop, fewer);
  expect(await logOf(catalog)).toContain('1 removed');
  const state = async () =>
    Object.fromEntries((await monitorsOf(catalog)).map((one) => [one.name, one.status]));
  expect(await state()).toEqual({ Again: 'disabled', Rows: 'pending', 'By hand': 'pending' });
  // It is none of the current ones, and people may do with it as they like.
  const { data } = await catalog.graphql(
    '{ monitorsAsYaml monitors { nodes { name undeclaredAt } } }',
  );
  expect(data.monitorsAsYaml).not.toContain('Again');
  const shown = data.monitors.nodes.find(({ name }: { name: string }) => name === 'Again');
  expect(shown.undeclaredAt).not.toBeNull();

  await upload(shop, both);
  expect((await monitorsOf(catalog)).find((one) => one.id === id)).toMatchObject({
    ...{ name: 'Again', isEnabled: true, status: 'pending', undeclaredAt: null },
  });
  expect(await state()).toMatchObject({ 'By hand': 'pending' });

  await upload(shop, fewer);
  await deleteMonitor(catalog.admin, id);
  expect(await state()).toEqual({ Rows: 'pending', 'By hand': 'pending' });
});

test('a declared monitor is changed where it is declared, and nowhere else', async () => {
  const shop = await openShop();
  const { catalog, project } = shop;
  await upload(
    shop,
    manifestWith({ [orders]: [rowsMonitor, { ...rowsMonitor, name: 'Dropped' }] }),
  );
  const rename = `mutation Rename($id: ID!) {
    updateMonitor(id: $id, input: { name: "Mine" }) { name declaredIn }
  }`;
  const [dropped, { id } = { id: '' }] = await monitorsOf(catalog);
  const refused = await catalog.graphql(rename, { id });
  expect(refused.errors?.[0]).toMatchObject({
    message: expect.stringContaining(`declared in ${orders}`),
    extensions: { code: 'CONFLICT' },
  });
  const path = `/monitor/monitors/${id}`;
  expect((await catalog.rest('DELETE', path)).status).toBe(409);
  expect((await monitorsOf(catalog)).map(({ name }) => name)).toEqual(['Dropped', 'Rows']);

  // One that the project dropped becomes the property of who changes it, and stays that.
  await upload(shop, manifestWith({ [orders]: [rowsMonitor] }));
  const renamed = await catalog.graphql(rename, { id: dropped?.id });
  expect(renamed.data.updateMonitor).toEqual({ name: 'Mine', declaredIn: null });
  await upload(shop, manifestWith({ [orders]: [rowsMonitor, { ...rowsMonitor, name: 'Mine' }] }));
  expect(await logOf(catalog)).toContain('a person made one of that name');
  const mine = (await monitorsOf(catalog)).filter(({ name }) => name === 'Mine');
  expect(mine).toMatchObject([{ id: dropped?.id, isEnabled: false, declaredById: null }]);

  await deleteIntegration(catalog.admin, project.id);
  const left = await monitorsOf(catalog);
  expect(left.map(({ declaredById }) => declaredById)).toEqual([null, null]);
  expect((await catalog.rest('DELETE', path)).status).toBe(204);
});

test('all that is wrong is reported at once, with its place, and nothing is done', async () => {
  const shop = await openShop();
  const { catalog } = shop;
  await upload(shop, manifestWith({ [orders]: [rowsMonitor] }));
  const before = await digest(catalog);
  const wrong = manifestWith({
    [orders]: [
      { name: 'Metric', metric_type: 'rows' },
      { ...rowsMonitor, sensitivity: 3 },
      { ...rowsMonitor, schedule: { cadence: 'hourly', frequency: 900 } },
      { ...rowsMonitor, metric_config: { where: 'a > 1) or (1 = 1' } },
      rowsMonitor,
      rowsMonitor,
      { name: 'Column', metric_type: 'mean', column: 'nowhere' },
      { ...rowsMonitor, name: 'Range', condition_manual_min: 9, condition_manual_max: 3 },
      { ...rowsMonitor, name: 'Clocks', time_zone: 'Mars/Olympus', holiday_country: 'XX' },
    ],
    [`${orders}#Country`]: [{ name: 'Mean', metric_type: 'mean' }],
  });
  for (const query of ['', '?dry_run=true']) {
    const { status, body } = await upload(shop, wrong, query);
    expect(status).toBe(400);
    const list = `nodes.${orders}.config.meta.headwater.monitors`;
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      `nodes.${orders}.columns.Country.meta.headwater.monitors.0.metric_type`,
      `${list}.0.metric_type`,
      `${list}.1.sensitivity`,
      `${list}.2.schedule.frequency`,
      `${list}.3.metric_config.where`,
      `${list}.5.name`,
      `${list}.6.column`,
      `${list}.7.condition_manual_min`,
      `${list}.8.holiday_country`,
      `${list}.8.time_zone`,
    ]);
    for (const { message } of body.errors) expect(message).toMatch(/^manifest, line \d+: nodes\./);
    expect(body.detail).toContain('9 more problems');
  }
  const after = await digest(catalog);
  expect(after).toEqual(before);

  const notAList = JSON.parse(manifestWith({ [orders]: [] }));
  for (const headwater of ['yes', { monitor: [] }, { monitors: { name: 'x' } }]) {
    notAList.nodes[orders].config.meta = { headwater };
    expect((await upload(shop, JSON.stringify(notAList))).status).toBe(400);
  }
  const long = manifestWith({ [orders]: [{ ...rowsMonitor, ['x'.repeat(50_000)]: 1 }] });
  expect((await upload(shop, long)).text.length).toBeLessThan(5_000);
  const endless = manifestWith({ [orders]: Array.from({ length: 10_001 }, () => rowsMonitor) });
  expect((await upload(shop, endless)).body.detail).toContain('10000 are the most');
  const many = manifestWith({ [orders]: Array.from({ length: 80 }, () => ({ name: '' })) });
  expect((await upload(shop, many)).body.errors).toHaveLength(50);
  expect(await digest(catalog)).toEqual(before);
});

test('a monitor whose table no source can be asked for waits until there is one', async () => {
  const catalog = await openCatalog();
  await catalog.app();
  const project = await catalog.integration({ type: 'dbt_core' });
  const shop = { catalog, project };
  // What uploaded run results say can be measured without any source.
  const duration = { name: 'Duration', metric_type: 'job_duration' };
  const manifest = manifestWith({ [orders]: [rowsMonitor, duration] }, 9);
  const dry = await upload(shop, manifest, '?dry_run=true');
  expect(dry.body.monitors).toMatchObject({ created: 1, waiting: 1 });
  await upload(shop, manifest);
  expect((await monitorsOf(catalog)).map(({ name }) => name)).toEqual(['Duration']);
  expect(await logOf(catalog)).toContain(`1 monitors wait until the source`);

  const source = { name: 'Later', type: 'duckdb', credentials: { path: 'warehouse.duckdb' } };
  const warehouse = await createIntegration(catalog.admin, source);
  await feedCsv(catalog, warehouse, tables);
  await upload(shop, manifest);
  const made = await monitorsOf(catalog);
  // The one that was there moved to the warehouse's table.
  expect(made.map(({ name, integrationId }) => [name, integrationId])).toEqual([
    ['Duration', warehouse.id],
    ['Rows', warehouse.id],
  ]);
  const before = await digest(catalog);
  await upload(shop, manifest);
  expect((await digest(catalog)).monitor).toBe(before.monitor);
});

test('an open incident goes to another table with its monitor, and shows when', async () => {
  const catalog = await openCatalog();
  await catalog.app();
  const { database, workspaceId } = catalog;
  const shop = { catalog, project: await catalog.integration({ type: 'dbt_core' }) };
  const manifest = manifestWith({
    [orders]: [{ name: 'Duration', metric_type: 'job_duration' }],
  });
  // Two sources have the table: until somebody says which is meant, the project's is another one.
  const later = await catalog.integration();
  for (const source of [later, await catalog.integration()]) await feedCsv(catalog, source, tables);
  await upload(shop, manifest);
  const [{ id: monitorId, targetId } = { id: '', targetId: '' }] = await monitorsOf(catalog);
  const data = { workspaceId, monitorId, targetId, name: 'Slow', value: 9, summary: '9 s.' };
  const open = await database.prisma.incident.create({
    data: { ...data, updatedAt: new Date('2026-01-01T00:00:00Z') },
  });
  const before = new Date();
  await setIntegrationAddresses(catalog.admin, shop.project.id, [
    { database: '*', address: `integration:${later.id}` },
  ]);

  const [moved] = await monitorsOf(catalog);
  expect(moved?.targetId).not.toBe(targetId);
  const { id } = open;
  const after = await database.prisma.incident.findFirstOrThrow({ where: { workspaceId, id } });
  expect(after).toMatchObject({ targetId: moved?.targetId, version: open.version + 1 });
  expect(after.updatedAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
});

test('what is written as YAML, put into the project, makes the same monitors', async () => {
  const shop = await openShop();
  const { catalog, warehouse } = shop;
  const { prisma } = catalog.database;
  const where = { workspaceId: catalog.workspaceId };
  const table = await prisma.resource.findFirstOrThrow({
    where: { ...where, title: 'fct_orders' },
  });
  const amount = await prisma.resource.findFirstOrThrow({ where: { ...where, title: 'amount' } });
  await createMonitor(catalog.admin, {
    ...{ targetId: table.id, metricType: 'custom_sql', name: 'Odd: "one"', isEnabled: false },
    ...{ metricConfig: { query_select: 'select 1\n-- two\n' }, schedule: { cadence: 'weekly' } },
    ...{ conditionAutoSensitivity: null, conditionManualMin: -0.5, notifyChatChannel: 'C2' },
  });
  await createMonitor(catalog.admin, {
    ...{ targetId: amount.id, metricType: 'max', metricConfig: { where: 'order_id > 2' } },
    ...{ schedule: { cadence: 'monthly', day: 3, hour: 4 }, conditionAutoSensitivity: 7 },
    ...{ timeZone: 'Asia/Tokyo', holidayCountry: 'JP' },
  });
  const asked = async () => {
    const { data } = await catalog.graphql(
      'query Yaml($id: ID) { monitorsAsYaml(integrationId: $id) }',
      { id: warehouse.id },
    );
    return data.monitorsAsYaml;
  };
  const yaml = await asked();
  const [{ monitors }] = parse(yaml).tables;
  for (const { id } of await monitorsOf(catalog)) await deleteMonitor(catalog.admin, id);
  expect(parse(await asked()).tables).toEqual([]);

  await upload(shop, manifestWith({ [orders]: monitors }));
  expect(await asked()).toBe(yaml);
  expect((await monitorsOf(catalog)).every(({ declaredIn }) => declaredIn !== null)).toBe(true);
});

test('the JSON Schema in the documentation is what is read', async () => {
  const path = new URL('../../../docs/monitors-as-code.schema.json', import.meta.url);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(declarationSchema());
  const example = await readFile(
    new URL('../../../docs/monitors-as-code.md', import.meta.url),
    'utf8',
  );
  const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(example) ?? [];
  const [model] = parse(yaml).models;
  const lists = [model, ...model.columns].map(({ config }) => config.meta.headwater);
  for (const list of lists) {
    const { monitors, problems } = readDeclaration('example', list);
    expect([problems, monitors.length]).toEqual([[], list.monitors.length]);
  }
});

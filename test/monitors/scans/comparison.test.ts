// Comparison of two queries, of one source and of two: by difference, by ratio, by key.

import { describe, expect, test } from 'vitest';
import { updateIntegration } from '../../../src/integrations/integration.ts';
import { listIncidents } from '../../../src/monitors/incidents/incident.ts';
import { readSegments } from '../../../src/monitors/learning/segments.ts';
import { listMeasurements } from '../../../src/monitors/measurement.ts';
import { createMonitor, getMonitor } from '../../../src/monitors/monitor.ts';
import { createTriedMonitor } from '../../../src/monitors/runs/trial.ts';
import { compareRows, sameOf } from '../../../src/monitors/scans/compared-rows.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { type Engine, engineNames, enginesOf, runNow, tableOf } from './engines.ts';

const engines = enginesOf();

/** The same rows in each source but for what a test changes: an amount with decimals, a time, a text or none. */
const rows = (table: string, more = '') => `insert into ${table} values
  (1, 10.50, '2026-03-01 10:00:00', 'new'), (2, 20, '2026-03-01 00:00:00', null), (3, 0.1, '2026-03-02 11:30:00', 'o''k')${more}`;

async function fill(engine: Engine, table: string, more = '') {
  await engine.run(`drop table if exists ${table}`);
  await engine.run(
    `create table ${table} (id int, amount decimal(10, 2), made timestamp null, note varchar(20))`,
  );
  await engine.run(rows(table, more));
}

const wanted = 'id, amount, made, note';

/** A comparison on a source with itself, or with another one. */
async function comparisonOf(catalog: Catalog, engine: Engine, config: object) {
  const source = await engine.connect(catalog);
  const table = await tableOf(catalog, engine, source, 'orders', {});
  const given = { conditionAutoSensitivity: null, conditionManualMin: -1, conditionManualMax: 1 };
  const byKeys = Reflect.get(config, 'compare_by') === 'keys';
  return createTriedMonitor(catalog.admin, {
    ...{ targetId: table.id, metricType: 'comparison', metricConfig: config },
    ...(byKeys ? {} : given),
  });
}

async function latest(catalog: Catalog, monitorId: string) {
  const { nodes } = await listMeasurements(catalog.admin, { monitorId }, { first: 1 });
  return readSegments(nodes[0]?.segments).map(({ value }) => value);
}

describe.each(engineNames)('on %s', (name) => {
  test('two numbers of one source are compared by difference and by ratio', async ({ skip }) => {
    const engine = engines.get(name) ?? skip('It is not installed.');
    await fill(engine, 'orders', ", (4, 1, '2026-03-03 00:00:00', 'x')");
    await fill(engine, 'copied');
    await using catalog = await openCatalog();
    const config = {
      query_select: 'select count(*) from orders -- all',
      other_query: 'select count(*) from copied;',
    };
    const difference = await comparisonOf(catalog, engine, { ...config, compare_by: 'difference' });
    expect(await runNow(catalog, [difference.id])).toMatchObject({ measured: 1, outOfRange: 0 });
    const value = async (id: string) => (await getMonitor(catalog.admin, id)).lastMeasurementValue;
    expect(await value(difference.id)).toBe(1);
    const ratio = await createMonitor(catalog.admin, {
      ...{ targetId: difference.targetId, metricType: 'comparison' },
      metricConfig: { ...config, compare_by: 'ratio' },
    });
    await runNow(catalog, [ratio.id]);
    expect(await value(ratio.id)).toBeCloseTo(4 / 3, 12);
    await engine.run('delete from copied');
    await runNow(catalog, [ratio.id, difference.id]);
    expect((await getMonitor(catalog.admin, ratio.id)).lastErrorMessage).toBe(
      'The second query answers 0, and nothing is in a ratio to that.',
    );
    expect(await value(difference.id)).toBe(4);
  }, 240_000);

  test.each(engineNames)(
    'rows are compared by key with those of %s',
    async (otherName) => {
      const [engine, other] = [engines.get(name), engines.get(otherName)];
      if (!engine || !other) return;
      await fill(engine, 'orders');
      await fill(other, 'copied');
      await using catalog = await openCatalog();
      const second = await other.connect(catalog);
      const monitor = await comparisonOf(catalog, engine, {
        ...{ compare_by: 'keys', key_columns: ['id'], other_integration: second },
        query_select: `select ${wanted} from orders`,
        other_query: `select ${wanted} from copied`,
      });
      expect(await runNow(catalog, [monitor.id])).toMatchObject({ measured: 1, outOfRange: 0 });
      expect(await latest(catalog, monitor.id)).toEqual([0, 0, 0]);

      await other.run(
        "update copied set amount = 10.51 where id = 1; update copied set note = 'x' where id = 2",
      );
      await other.run("insert into copied values (5, 1, '2026-03-03 00:00:00', 'x')");
      await other.run('delete from copied where id = 3');
      expect(await runNow(catalog, [monitor.id])).toMatchObject({ measured: 1, outOfRange: 1 });
      expect(await latest(catalog, monitor.id)).toEqual([1, 1, 2]);
      const { nodes } = await listIncidents(catalog.admin, { monitorId: monitor.id }, { first: 5 });
      expect(nodes).toHaveLength(1);
      expect(nodes[0]?.summary).toMatch(
        /^rows that differ: 2 is above 0, the highest value allowed\./,
      );
      expect(nodes[0]?.summary).toContain('rows that the second query lacks');

      await other.run("insert into copied values (5, 1, '2026-03-03 00:00:00', 'x')");
      await runNow(catalog, [monitor.id]);
      expect((await getMonitor(catalog.admin, monitor.id)).lastErrorMessage).toBe(
        'The key of the second query is not unique; more columns may make it so.',
      );
    },
    240_000,
  );
});

test('what a comparison lacks, or has too much of, is refused by its name', async () => {
  await using catalog = await openCatalog();
  const source = await catalog.integration({ type: 'postgres' });
  const other = await catalog.integration({ type: 'postgres' });
  const { id: targetId } = await catalog.resource({ title: 'orders' });
  await catalog.database.prisma.resource.updateMany({
    where: { id: targetId },
    data: { integrationId: source.id },
  });
  const make = async (config: object, metricType = 'comparison', ctx = catalog.admin) => {
    const metricConfig = { query_select: 'select 1', other_query: 'select 1', ...config };
    return createMonitor(ctx, { targetId, metricType, metricConfig });
  };
  const difference = { compare_by: 'difference' };
  await expect(make({})).rejects.toThrow(/^metric_config.compare_by: Use one of difference, ratio/);
  await expect(make({ compare_by: 'sum' })).rejects.toThrow(/not "sum"/);
  await expect(make({ ...difference, other_query: ' ' })).rejects.toThrow(/SQL of both queries/);
  await expect(make({ compare_by: 'keys' })).rejects.toThrow(/^metric_config.key_columns: Name/);
  await expect(make({ ...difference, key_columns: ['id'] })).rejects.toThrow(
    /Only a comparison by/,
  );
  await expect(make({ ...difference, where: 'true' })).rejects.toThrow(
    /^metric_config.where: A query/,
  );
  await expect(make(difference, 'custom_sql')).rejects.toThrow(/Only comparison takes this/);
  await expect(make({ ...difference, other_query: 'select 1); drop table x; --' })).rejects.toThrow(
    /^metric_config.other_query: /,
  );
  const nowhere = '00000000-0000-4000-8000-000000000000';
  for (const id of [nowhere, 'x']) {
    await expect(make({ ...difference, other_integration: id })).rejects.toThrow(
      /^metric_config.other_integration: /,
    );
  }
  // Who may write SQL for one source may not for the other.
  const editor = catalog.as('editor');
  await updateIntegration(catalog.admin, source.id, { sqlWriterIds: [editor.viewer.id] });
  expect(await make(difference, 'comparison', editor)).toMatchObject({ metricType: 'comparison' });
  await expect(
    make({ ...difference, other_integration: other.id }, 'comparison', editor),
  ).rejects.toThrow(/permission to write SQL for this source/);
});

test('values are the same that sources write in different ways, and no others', async () => {
  expect(['12.50', '12.5', 12.5].map(sameOf)).toEqual(['12.5', '12.5', '12.5']);
  expect(['12.00', 12n, '007', '1e3', true, null].map(sameOf)).toEqual([
    '12',
    '12',
    '007',
    '1e3',
    '1',
    null,
  ]);
  const times = [
    '2026-03-01T10:00:00.000Z',
    '2026-03-01 10:00:00+00',
    new Date('2026-03-01T10:00Z'),
  ];
  expect(new Set(times.map(sameOf))).toEqual(new Set(['2026-03-01 10:00:00']));
  expect(['2026-03-01 00:00:00', '2026-03-01'].map(sameOf)).toEqual(['2026-03-01', '2026-03-01']);
  expect(sameOf('2026-03-01 10:00:00+02')).toBe('2026-03-01 10:00:00+02');
  expect(await compareRows(1, [[1, 1, 'a']], [[1, 1]])).toEqual({
    error: 'The queries answer 2 and 1 columns: they have to be the same.',
  });
  const many = Array.from({ length: 100_001 }, (_, n) => [n, n]);
  expect(await compareRows(1, many, [])).toEqual({
    error: 'The first query answers more than 100,000 rows; narrow both.',
  });
});

// The freshness of a table by a query of one's own, on real sources.

import { describe, expect, test } from 'vitest';
import { createMonitor, getMonitor } from '../../../src/monitors/monitor.ts';
import { createTriedMonitor, testMonitor } from '../../../src/monitors/runs/trial.ts';
import { openCatalog } from '../../catalog.ts';
import { engineNames, enginesOf, runNow, tableOf } from './engines.ts';

const HOUR = 3_600_000;
const engines = enginesOf();
const loaded = new Date('2026-03-01T10:00:00Z');

describe.each(engineNames)('on %s', (name) => {
  test('the newest time is what the query answers, and what is no time is refused', async ({
    skip,
  }) => {
    const engine = engines.get(name) ?? skip('It is not installed.');
    await engine.run('create table orders (id int)');
    await engine.run('create table loads (name varchar(20), ended timestamp null)');
    await engine.run(
      "insert into loads values ('orders', '2026-03-01 10:00:00'), ('others', '2026-03-01 12:00:00')",
    );
    await using catalog = await openCatalog();
    const { admin } = catalog;
    const source = await engine.connect(catalog);
    const table = await tableOf(catalog, engine, source, 'orders', {});
    const queried = (query: string) => ({
      ...{ targetId: table.id, metricType: 'freshness', metricConfig: { query_select: query } },
    });
    catalog.setTime(new Date(loaded.getTime() + 2 * HOUR));
    const query = "select max(ended) from loads where name = 'orders' -- those of this table";
    const { id } = await createTriedMonitor(admin, {
      ...{ ...queried(query), conditionAutoSensitivity: null, conditionManualMax: 10_000 },
    });
    expect(await runNow(catalog, [id])).toMatchObject({ measured: 1, outOfRange: 0 });
    expect((await getMonitor(admin, id)).lastMeasurementValue).toBe(7_200);
    catalog.setTime(new Date(loaded.getTime() + 3 * HOUR));
    expect(await runNow(catalog, [id])).toMatchObject({ measured: 1, outOfRange: 1 });

    const none = await testMonitor(admin, queried('select max(ended) from loads where 1 = 0'));
    expect(none).toMatchObject({ outcome: 'FAILED', message: 'The metric returned no value.' });
    const many = await testMonitor(admin, queried('select ended from loads'));
    expect(many.outcome).not.toBe('MEASURED');
    await expect(createTriedMonitor(admin, queried('select ended from elsewhere'))).rejects.toThrow(
      /^metric_config.query_select: /,
    );
  }, 60_000);
});

test('a query of freshness is of a table, and narrowed by nothing', async () => {
  await using catalog = await openCatalog();
  const { admin } = catalog;
  const { id: tableId } = await catalog.resource({ title: 'orders' });
  const column = await catalog.resource({ kind: 'column', parentId: tableId, title: 'at' });
  const make = (targetId: string, more: object) =>
    createMonitor(admin, {
      ...{ targetId, metricType: 'freshness' },
      metricConfig: { query_select: 'select now()', ...more },
    });
  await expect(make(column.id, {})).rejects.toThrow(/freshness of a table/);
  for (const more of [{ where: 'true' }, { timestamp_column: 'at' }, { dimension: 'at' }]) {
    await expect(make(tableId, more)).rejects.toThrow('A query says itself what it is about');
  }
});

// A monitor's past as a chart shows it: in a range of time, thinned without losing what stands out.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Catalog, openCatalog } from '../catalog.ts';

const start = Date.UTC(2026, 0, 1);
const at = (minute: number) => new Date(start + minute * 60_000);

/** A monitor with measurements a minute apart; those with a range are out of it where they say so. */
async function monitor(
  catalog: Catalog,
  values: readonly { value: number; upperThreshold?: number }[],
) {
  const { workspaceId, database } = catalog;
  const { id: targetId } = await catalog.resource();
  const { id } = await database.prisma.monitor.create({
    data: { workspaceId, targetId, metricType: 'row_count', name: 'm' },
  });
  await database.prisma.measurement.createMany({
    data: values.map((one, n) => ({
      ...{ workspaceId, monitorId: id, id: randomUUID(), createdAt: at(n), lowerThreshold: -1_000 },
      ...{ upperThreshold: 1_000, ...one },
    })),
  });
  return id;
}

const query = `query ($id: ID!, $from: DateTime!, $to: DateTime, $points: Int) { monitor(id: $id) {
  series(from: $from, to: $to, points: $points) { totalCount isThinned points { createdAt value } } } }`;

const waves = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ value: Math.round(100 * Math.sin(i / 7)) }));

test('all measurements of the time are there where they fit, and none of another time', async () => {
  await using catalog = await openCatalog();
  const id = await monitor(catalog, waves(50));
  const { data } = await catalog.graphql(query, { id, from: at(10), to: at(30), points: 20 });
  const { totalCount, isThinned, points } = data.monitor.series;
  expect([totalCount, isThinned]).toEqual([20, false]);
  expect(points.map((point: { createdAt: string }) => point.createdAt)).toEqual(
    Array.from({ length: 20 }, (_, n) => at(10 + n).toISOString()),
  );
});

test('a thinned series keeps the ends, the extremes and what was out of range of each bucket', async () => {
  await using catalog = await openCatalog();
  const values = waves(1_000);
  // Out of its range, and neither an extreme nor at the end of its bucket.
  const odd = 503;
  values[odd] = { value: 42, ...{ upperThreshold: 41 } };
  const id = await monitor(catalog, values);
  const { data } = await catalog.graphql(query, { id, from: at(0), to: at(1_000), points: 50 });
  const { totalCount, isThinned, points } = data.monitor.series;
  expect([totalCount, isThinned]).toEqual([1_000, true]);
  expect(points.length).toBeLessThanOrEqual(50);
  const shown = new Map(
    points.map((point: { createdAt: string; value: number }) => [point.createdAt, point.value]),
  );
  // Each is one that was measured.
  for (const [time, value] of shown) {
    expect(values[(Date.parse(String(time)) - start) / 60_000]?.value).toBe(value);
  }
  for (let bucket = 0; bucket < 10; bucket += 1) {
    const own = values.slice(bucket * 100, bucket * 100 + 100).map(({ value }) => value);
    const kept = [...shown].filter(
      ([time]) => Math.floor((Date.parse(String(time)) - start) / 6_000_000) === bucket,
    );
    const numbers = kept.map(([, value]) => Number(value));
    expect([Math.min(...numbers), Math.max(...numbers)]).toEqual([
      Math.min(...own),
      Math.max(...own),
    ]);
    expect(shown.has(at(bucket * 100).toISOString())).toBe(true);
    expect(shown.has(at(bucket * 100 + 99).toISOString())).toBe(true);
  }
  expect(shown.has(at(odd).toISOString())).toBe(true);
  expect(shown.has(at(odd + 1).toISOString())).toBe(false);
});

test('the series of all monitors of a list are read in one statement', async () => {
  await using catalog = await openCatalog();
  for (let n = 0; n < 3; n += 1) await monitor(catalog, waves(30 + n));
  const { value, statements } = await catalog.counting(() =>
    catalog.graphql(
      `{ monitors { nodes { series(from: "2026-01-01T00:00:00Z", points: 10) { totalCount points { value } } } } }`,
    ),
  );
  const series = value.data.monitors.nodes.map(
    (one: { series: { totalCount: number } }) => one.series,
  );
  expect(series.map(({ totalCount }: { totalCount: number }) => totalCount).sort()).toEqual([
    30, 31, 32,
  ]);
  for (const { points } of series) expect(points.length).toBeLessThanOrEqual(10);
  expect(statements.filter((text) => !/\bapi_key\b/.test(text))).toHaveLength(2);
});

test('a time that ends before it begins, and too many points, are refused besides the rest', async () => {
  await using catalog = await openCatalog();
  const id = await monitor(catalog, waves(3));
  for (const [given, field] of [
    [{ from: at(2), to: at(1) }, 'from'],
    [{ from: at(2), to: at(2) }, 'from'],
    [{ from: at(1), points: 2_001 }, 'points'],
    [{ from: at(1), points: 9 }, 'points'],
  ] as const) {
    const { errors } = await catalog.graphql(query, { id, ...given });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST', fields: [{ field }] });
  }
  const empty = await catalog.graphql(query, { id, from: at(100), to: at(101) });
  expect(empty.data.monitor.series).toEqual({ totalCount: 0, isThinned: false, points: [] });
});

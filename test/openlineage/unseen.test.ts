// The end of lineage that runs no longer show: after so many days and so many runs, and never with one of the two alone.

import { expect, test } from 'vitest';
import { rows } from '../../src/database/rows.ts';
import { runUnseen } from '../../src/openlineage/drain/end-unseen.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { edgesOf, reportAndDrain, serverOf } from './drained.ts';
import type { Event } from './events.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();

const run = (n: number, output: string): Event => ({
  ...{ eventTime: day(n), eventType: 'COMPLETE', job: { namespace: 'a', name: 'j' } },
  run: { runId: `run ${n}` },
  inputs: [{ namespace: 'here', name: 'x.a' }],
  outputs: [{ namespace: 'here', name: output }],
});

async function unseenAt(catalog: Catalog, at: string): Promise<string[]> {
  const ctx = { ...serverOf(catalog), now: () => new Date(at) };
  await runUnseen({ ctx });
  return (await edgesOf(catalog)).map(({ edge }) => edge);
}

test('an edge ends when it is unseen for 30 days and 20 runs', async () => {
  await using catalog = await openCatalog();
  const later = Array.from({ length: 19 }, (_, n) => run(n + 1, 'x.new'));
  await reportAndDrain(catalog, [run(0, 'x.old'), ...later]);
  const both = ['x.a -> x.new', 'x.a -> x.old'];
  // The days are over, but one run is missing.
  expect(await unseenAt(catalog, day(32))).toEqual(both);
  await reportAndDrain(catalog, [run(20, 'x.new')]);
  // There were runs enough, but not the days.
  expect(await unseenAt(catalog, day(29))).toEqual(both);
  expect(await unseenAt(catalog, day(31))).toEqual(['x.a -> x.new']);
  // It is seen again.
  await reportAndDrain(catalog, [run(33, 'x.old')]);
  expect((await edgesOf(catalog)).map(({ edge }) => edge)).toEqual(both);
}, 90_000);

test('runs go after 90 days; what comes of one after two weeks changes no lineage', async () => {
  await using catalog = await openCatalog();
  await reportAndDrain(catalog, [run(0, 'x.b')]);
  expect(await unseenAt(catalog, day(20))).toEqual(['x.a -> x.b']);
  await reportAndDrain(catalog, [{ ...run(0, 'x.c'), eventType: 'FAIL' }]);
  expect((await edgesOf(catalog)).map(({ edge }) => edge)).toEqual(['x.a -> x.b']);
  await unseenAt(catalog, day(100));
  const left = await rows(catalog.admin, 'select 1 from openlineage_run where workspace_id = $1', [
    catalog.workspaceId,
  ]);
  expect(left).toEqual([]);
  expect((await edgesOf(catalog)).map(({ edge }) => edge)).toEqual(['x.a -> x.b']);
}, 60_000);

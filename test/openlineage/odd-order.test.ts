// Events of one run that come in an odd order, each in a request of its own: the same graph, and the same states of runs.

import { expect, test } from 'vitest';
import { openCatalog } from '../catalog.ts';
import { drain, edgesOf, graphOf, report, reportAndDrain } from './drained.ts';
import type { Event } from './events.ts';

const warehouse = 'postgres://db.example.com:5432';
const schemaURL = 'https://openlineage.io/spec/2-0-2/OpenLineage.json';
const common = { producer: 'https://example.com/producer', schemaURL };
const table = (name: string, fields: readonly string[] = []) => ({
  ...{ namespace: warehouse, name: `shop.public.${name}` },
  ...(fields.length > 0 && {
    facets: { schema: { fields: fields.map((field) => ({ name: field, type: 'text' })) } },
  }),
});
const job = { namespace: 'shop', name: 'load' };
const run = (eventType: string, minute: number, more: object = {}, runId = 'one'): Event => ({
  ...common,
  ...{ eventType, eventTime: `2026-03-01T10:0${minute}:00Z`, job, run: { runId } },
  ...more,
});
const reads = { inputs: [table('orders', ['id', 'amount'])] };
const writes = { outputs: [table('daily', ['id', 'total'])] };
const columnLineage = {
  fields: {
    total: {
      inputFields: [{ namespace: warehouse, name: 'shop.public.orders', field: 'amount' }],
    },
  },
};

const start = run('START', 0, reads);
const running = run('RUNNING', 2, { ...reads, outputs: [{ ...table('daily') }] });
const complete = run('COMPLETE', 5, {
  outputs: [{ ...writes.outputs[0], facets: { ...writes.outputs[0]?.facets, columnLineage } }],
});
const failedStart = run('START', 6, reads, 'two');
const failed = run('FAIL', 8, writes, 'two');
/** What a dataset, and a job, are said to be, apart from any run. */
const datasetEvent: Event = {
  ...{ ...common, eventTime: '2026-03-01T09:00:00Z' },
  dataset: { ...table('daily'), facets: { documentation: { description: 'Orders by day.' } } },
};
const jobEvent: Event = {
  ...{ ...common, eventTime: '2026-03-01T09:30:00Z', inputs: [table('people')] },
  ...{ job: { namespace: 'shop', name: 'declared' }, outputs: [table('archive')] },
};

const inOrder = [
  ...[datasetEvent, jobEvent, start, running, complete, failedStart, failed],
] as const;
const orders: Readonly<Record<string, readonly Event[]>> = {
  'COMPLETE before START': [
    ...[datasetEvent, jobEvent, complete, start, running, failed, failedStart],
  ],
  'RUNNING after COMPLETE': [
    ...[datasetEvent, jobEvent, start, complete, running, failedStart, failed],
  ],
  'a dataset before any job, and a job after its run': [
    ...[datasetEvent, failed, complete, running, start, failedStart, jobEvent],
  ],
  'a dataset and a job after all runs': [
    ...[start, failedStart, running, failed, complete, jobEvent, datasetEvent],
  ],
  'the last first': [...inOrder].reverse(),
  'each twice': [...inOrder, ...inOrder].sort((one, other) =>
    JSON.stringify(one).localeCompare(JSON.stringify(other)),
  ),
};

async function inOrderGraph() {
  await using catalog = await openCatalog();
  await reportAndDrain(catalog, inOrder);
  return { graph: await graphOf(catalog), edges: await edgesOf(catalog) };
}

test('in order the two runs have their states, and the dataset its words', async () => {
  const { graph, edges } = await inOrderGraph();
  expect(edges.map(({ edge, implied }) => [edge, implied])).toEqual([
    ['shop.public.orders -> shop.public.daily', true],
    ['shop.public.orders.amount -> shop.public.daily.total', false],
    ['shop.public.people -> shop.public.archive', false],
  ]);
  expect(graph.runs).toMatchObject([
    { job: 'declared', run_id: '', state: 'stated', ended_at: null },
    {
      ...{ run_id: 'one', state: 'completed', started_at: new Date('2026-03-01T10:00:00Z') },
      ended_at: new Date('2026-03-01T10:05:00Z'),
    },
    {
      ...{ run_id: 'two', state: 'failed', started_at: new Date('2026-03-01T10:06:00Z') },
      ended_at: new Date('2026-03-01T10:08:00Z'),
    },
  ]);
  expect(graph.resources).toContainEqual(
    expect.objectContaining({
      ...{ kind: 'table', title_full: 'shop.public.daily', description: 'Orders by day.' },
    }),
  );
}, 60_000);

test.each(Object.entries(orders))(
  '%s: one event a request gives the graph of all in order, drained after each or at the end',
  async (_, events) => {
    const { graph } = await inOrderGraph();
    await using oneByOne = await openCatalog();
    for (const event of events) await reportAndDrain(oneByOne, [event]);
    expect(await graphOf(oneByOne)).toEqual(graph);
    await using atTheEnd = await openCatalog();
    for (const event of events) await report(atTheEnd, [event]);
    await drain(atTheEnd);
    expect(await graphOf(atTheEnd)).toEqual(graph);
  },
  240_000,
);

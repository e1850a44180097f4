// Jobs, their runs, and who wrote a table last, as people see them.

import { expect, test } from 'vitest';
import { openCatalog } from '../catalog.ts';
import { reportAndDrain } from './drained.ts';
import { shopEvents } from './events.ts';

test('a job says its runs, a table who wrote it last, an edge how often it was seen', async () => {
  await using catalog = await openCatalog();
  await reportAndDrain(catalog, shopEvents);
  const { data, errors } = await catalog.graphql(
    `{
      jobs: resources(kinds: [job], where: { title: { eq: "extract.orders" } }) {
        nodes { ... on PipelineJob {
          title nativeType definition parent { title }
          lastRun { state startedAt endedAt nominalStart }
          runs(first: 2) { totalCount nodes { runId } }
        } }
      }
      broken: resources(kinds: [job], where: { title: { eq: "broken" } }) {
        nodes { ... on PipelineJob { runs { nodes { state error } } } }
      }
      child: resources(kinds: [job], where: { title: { eq: "child" } }) { nodes { parent { title } } }
      tables: resources(kinds: [table], where: { title: { eq: "per_customer" } }) {
        nodes { ... on Table { lastWrite { job { title } run { state } } dataTests { name } } }
      }
      openLineage { waiting namespaces { namespace isPlaced eventsToday } refused { message } }
    }`,
  );
  expect(errors).toBeUndefined();
  expect(data.jobs.nodes).toEqual([
    {
      ...{ title: 'extract.orders', nativeType: 'airflow task' },
      ...{ definition: 'Copies orders out of the till.', parent: { title: 'extract' } },
      lastRun: {
        ...{ state: 'completed', startedAt: '2026-01-03T01:00:00.000Z' },
        ...{ endedAt: '2026-01-03T01:05:00.123Z', nominalStart: '2026-01-03T00:00:00.000Z' },
      },
      runs: {
        totalCount: 3,
        nodes: [{ runId: 'extract.orders 2026-01-03' }, { runId: 'extract.orders 2026-01-02' }],
      },
    },
  ]);
  expect(data.broken.nodes[0].runs.nodes).toEqual([
    { state: 'aborted', error: null },
    { state: 'failed', error: 'The disk is full.' },
  ]);
  expect(data.child.nodes).toEqual([{ parent: { title: 'parent without a run' } }]);
  expect(data.tables.nodes).toEqual([
    {
      lastWrite: { job: { title: 'app.execute_insert' }, run: { state: 'completed' } },
      dataTests: [],
    },
  ]);
  const { waiting, namespaces, refused } = data.openLineage;
  expect([waiting, refused]).toEqual([0, []]);
  const named = new Map(namespaces.map((one: { namespace: string }) => [one.namespace, one]));
  expect(named.get('postgres://db.example.com:5432')).toMatchObject({ isPlaced: true });
  expect(named.get('free words')).toMatchObject({ isPlaced: false });
  expect(named.get('airflow')).toMatchObject({ eventsToday: 10 });
}, 90_000);

test('an edge says in how many runs it was seen', async () => {
  await using catalog = await openCatalog();
  await reportAndDrain(catalog, shopEvents.slice(0, 6));
  const { data } = await catalog.graphql(
    `{ resources(kinds: [table], where: { title: { eq: "orders" } }) { nodes { id titleFull } } }`,
  );
  const [{ id }] = data.resources.nodes;
  const answer = await catalog.graphql(
    `query ($id: ID!) { lineage(from: [$id], depth: 1) { edges { origin seenRuns lastSeenAt } } }`,
    { id },
  );
  expect(answer.data.lineage.edges).toEqual([
    { origin: 'RUN', seenRuns: 3, lastSeenAt: '2026-01-03T01:05:00.123Z' },
  ]);
}, 60_000);

test('what a run said of its failure is for those who may read integrations', async () => {
  await using catalog = await openCatalog();
  await reportAndDrain(catalog, shopEvents);
  const asked = `{ resources(kinds: [job], where: { title: { eq: "broken" } }) {
    nodes { ... on PipelineJob { runs { nodes { error } } } } } openLineage { waiting } }`;
  const { data, errors } = await catalog.graphql(asked, {}, { as: 'viewer' });
  expect(JSON.stringify(data)).not.toContain('disk');
  expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
}, 60_000);

// What hangs on an integration: its resources, jobs, monitors and the latest sync.

import { expect, test } from 'vitest';
import { createMonitor } from '../../src/monitors/monitor.ts';
import { openCatalog } from '../catalog.ts';

test('an integration knows its resources, monitors, jobs and its latest sync', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const table = await catalog.resource({ title: 'made by hand', integrationId: id });
  await catalog.resource({ title: 'elsewhere' });
  await createMonitor(catalog.admin, { targetId: table.id, metricType: 'row_count', name: 'Rows' });
  const query = `query ($id: ID!) {
    integration(id: $id) {
      resources(where: { kind: { eq: table } }) { totalCount nodes { title } }
      monitors { totalCount nodes { name } }
      jobs { totalCount nodes { id kind } }
      lastSync { id kind state }
    }
  }`;
  const asked = async () => (await catalog.graphql(query, { id })).data.integration;
  expect(await asked()).toEqual({
    resources: { totalCount: 1, nodes: [{ title: 'made by hand' }] },
    monitors: { totalCount: 1, nodes: [{ name: 'Rows' }] },
    jobs: { totalCount: 0, nodes: [] },
    lastSync: null,
  });
  const form = new FormData();
  form.set('file', new Blob(['database,schema,name,col_name\nshop,public,orders,id\n']), 'f.csv');
  const path = `/integration/integrations/${id}/import_metadata`;
  await catalog.rest('POST', path, { body: form });
  const after = await asked();
  expect(after.resources.nodes).toContainEqual({ title: 'orders' });
  expect(after.lastSync).toMatchObject({ kind: 'import', state: 'succeeded' });
  expect(after.jobs.nodes).toContainEqual({ id: after.lastSync.id, kind: 'import' });
});

// Who may write SQL that a source runs: admins, and those whom the integration names.

import { expect, test } from 'vitest';
import { updateIntegration } from '../../src/integrations/integration.ts';
import { createMonitor, updateMonitor } from '../../src/monitors/monitor.ts';
import { testMonitor } from '../../src/monitors/runs/trial.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

const sql = { metricConfig: { where: 'id > 3' } };
const query = { metricType: 'custom_sql', metricConfig: { query_select: 'select 1' } };
const forbidden = { code: 'FORBIDDEN' };

/** A table of an integration without a source: SQL that is let through is not run. */
async function tableOf(catalog: Catalog) {
  const integration = await catalog.integration();
  const { id } = await catalog.resource({ integrationId: integration.id });
  return { integration, rowCount: { targetId: id, metricType: 'row_count' }, targetId: id };
}

test('an editor writes no SQL for a source unless an admin lets them, and an admin does', async () => {
  await using catalog = await openCatalog();
  const { rowCount, targetId } = await tableOf(catalog);
  const editor = catalog.as('editor');
  for (const input of [
    { ...rowCount, ...sql },
    { targetId, ...query },
  ]) {
    await expect(createMonitor(editor, input)).rejects.toMatchObject(forbidden);
    await expect(testMonitor(editor, input)).rejects.toMatchObject(forbidden);
    expect(await createMonitor(catalog.admin, input)).toMatchObject({ targetId });
  }
  const plain = await createMonitor(editor, rowCount);
  await expect(updateMonitor(editor, plain.id, sql)).rejects.toMatchObject(forbidden);
  await expect(updateMonitor(editor, plain.id, query)).rejects.toMatchObject(forbidden);
  const { data } = await catalog.graphql(
    `query ($id: ID!) { resource(id: $id) { integration { mayWriteSql sqlWriterIds } } }`,
    { id: targetId },
    { as: 'editor' },
  );
  expect(data.resource.integration).toEqual({ mayWriteSql: false, sqlWriterIds: [] });
});

test('a person or a team that the integration names writes SQL for it, and for no other', async () => {
  await using catalog = await openCatalog();
  const { integration, rowCount } = await tableOf(catalog);
  const other = await tableOf(catalog);
  const team = await catalog.team();
  const grant = (ids: string[]) =>
    catalog.rest('PATCH', `/integration/integrations/${integration.id}`, {
      body: { execute_access: ids },
    });
  expect((await grant([catalog.idOf('editor')])).body.execute_access).toEqual([
    catalog.idOf('editor'),
  ]);
  const made = await createMonitor(catalog.as('editor'), { ...rowCount, ...sql });
  await expect(
    createMonitor(catalog.as('editor'), { ...other.rowCount, ...sql }),
  ).rejects.toMatchObject(forbidden);

  await updateIntegration(catalog.admin, integration.id, { sqlWriterIds: [team.id] });
  const changed = { metricConfig: { where: 'id > 4' } };
  await expect(updateMonitor(catalog.as('editor'), made.id, changed)).rejects.toMatchObject(
    forbidden,
  );
  const inTeam = catalog.as('editor', [team]);
  expect(await updateMonitor(inTeam, made.id, changed)).toMatchObject(changed);
});

test('a right to write SQL is no right to edit monitors', async () => {
  await using catalog = await openCatalog();
  const { integration, rowCount } = await tableOf(catalog);
  await updateIntegration(catalog.admin, integration.id, {
    sqlWriterIds: [catalog.idOf('viewer')],
  });
  await expect(createMonitor(catalog.as('viewer'), { ...rowCount, ...sql })).rejects.toMatchObject(
    forbidden,
  );
});

test('a monitor with SQL can still be renamed by an editor, who sends its SQL back as it was', async () => {
  await using catalog = await openCatalog();
  const { rowCount } = await tableOf(catalog);
  const { id } = await createMonitor(catalog.admin, { ...rowCount, ...sql });
  expect(await updateMonitor(catalog.as('editor'), id, { name: 'Rows', ...sql })).toMatchObject({
    name: 'Rows',
  });
});

test('only admins grant, and only to people and teams of the workspace', async () => {
  await using catalog = await openCatalog();
  await using other = await catalog.another();
  const { integration } = await tableOf(catalog);
  await expect(
    updateIntegration(catalog.as('editor'), integration.id, {
      sqlWriterIds: [catalog.idOf('editor')],
    }),
  ).rejects.toMatchObject(forbidden);
  for (const id of [other.idOf('editor'), integration.id, 'no id']) {
    await expect(
      updateIntegration(catalog.admin, integration.id, { sqlWriterIds: [id] }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST', fields: [{ field: 'execute_access' }] });
  }
});

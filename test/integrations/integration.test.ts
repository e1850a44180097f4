// Integrations: who may, what they keep, and what goes with them.

import { expect, test } from 'vitest';
import { openCredentials } from '../../src/integrations/credentials.ts';
import { deleteIntegration } from '../../src/integrations/delete-integration.ts';
import { importCsv } from '../../src/integrations/imports/sync.ts';
import {
  createIntegration,
  getIntegration,
  listIntegrations,
  updateIntegration,
} from '../../src/integrations/integration.ts';
import { textSource } from '../../src/integrations/readers/source.ts';
import { createLineage } from '../../src/lineage/edge.ts';
import { openCatalog } from '../catalog.ts';

test('admins make integrations, editors read them, and viewers know nothing of them', async () => {
  await using catalog = await openCatalog();
  const { id } = await createIntegration(catalog.admin, { name: 'Warehouse' });
  expect(await getIntegration(catalog.as('editor'), id)).toMatchObject({
    name: 'Warehouse',
    type: 'custom',
  });
  for (const role of ['editor', 'viewer', 'guest'] as const) {
    await expect(createIntegration(catalog.as(role), {})).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(deleteIntegration(catalog.as(role), id)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  }
  await expect(getIntegration(catalog.as('viewer'), id)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

test("another workspace's integration is not found", async () => {
  await using catalog = await openCatalog();
  await using other = await catalog.another();
  const { id } = await other.integration();
  const notFound = { code: 'NOT_FOUND' };
  await expect(getIntegration(catalog.admin, id)).rejects.toMatchObject(notFound);
  await expect(updateIntegration(catalog.admin, id, { name: 'x' })).rejects.toMatchObject(notFound);
  await expect(deleteIntegration(catalog.admin, id)).rejects.toMatchObject(notFound);
  await expect(
    importCsv(catalog.admin, id, textSource('file', 'col_name,database,schema,name')),
  ).rejects.toMatchObject(notFound);
  expect((await listIntegrations(catalog.admin, {}, {})).nodes).toEqual([]);
});

test('the names of the transformation tool and of the chat tool mean one type each', async () => {
  await using catalog = await openCatalog();
  const typeOf = async (type: string) => (await createIntegration(catalog.admin, { type })).type;
  expect(await typeOf('transform')).toBe('dbt_core');
  expect(await typeOf('transform_core')).toBe('dbt_core');
  expect(await typeOf('slack')).toBe('chat');
  expect(await typeOf('tableau')).toBe('tableau');
  await expect(typeOf('no such type!')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  const { nodes } = await listIntegrations(catalog.admin, { type: 'transform' }, {});
  expect(nodes.map(({ type }) => type)).toEqual(['dbt_core', 'dbt_core']);
});

test.each([
  ['postgres', 'sync'],
  ['duckdb', 'sync'],
  ['snowflake', 'sync'],
  ['looker', 'files'],
  ['constructor', 'files'],
  ['custom', 'files'],
  ['dbt', 'artifacts'],
  ['slack', 'nothing'],
])('anyone who makes an integration of type %s is told what feeds it: %s', async (type, fedBy) => {
  await using catalog = await openCatalog();
  const made = await catalog.graphql(
    `mutation ($type: String!) {
      createIntegration(type: $type, input: { name: "Source" }) { id fedBy }
    }`,
    { type },
  );
  expect(made.data.createIntegration.fedBy).toBe(fedBy);
  const body = { type, name: 'Source' };
  const posted = await catalog.rest('POST', '/integration/integrations', { body });
  expect([posted.status, posted.body.fed_by]).toEqual([201, fedBy]);
  const { results } = (await catalog.rest('GET', '/integration/integrations')).body;
  expect(results.map((one: { fed_by: string }) => one.fed_by)).toEqual([fedBy, fedBy]);
  // What is said is what happens: a connection is tried, or there is none to try.
  const sync = await catalog.rest('POST', `/integration/dbt/${posted.body.id}/trigger/`);
  const reason = {
    sync: /credentials/i,
    files: /fed by uploads|driver/,
    artifacts: /upload the artifacts of the project first/,
    nothing: /fed by uploads/,
  }[fedBy];
  expect([sync.status, sync.body?.detail]).toEqual([400, expect.stringMatching(reason ?? '')]);
});

test('credentials are sealed for one integration of one workspace, and a custom one has none', async () => {
  await using catalog = await openCatalog();
  const credentials = { host: 'db.example.com', password: 'correct horse' };
  const made = await createIntegration(catalog.admin, { type: 'postgres', credentials });
  expect(made.credentials).toMatch(/^v\d+:/);
  expect(made.credentials).not.toContain('correct horse');
  expect(await openCredentials(catalog.admin, made.id)).toEqual(credentials);

  const other = await createIntegration(catalog.admin, { type: 'postgres' });
  await catalog.database.prisma.integration.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: other.id } },
    data: { credentials: made.credentials },
  });
  await expect(openCredentials(catalog.admin, other.id)).rejects.toThrow();

  await expect(createIntegration(catalog.admin, { credentials })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field: 'credentials' }],
  });
  const cleared = await updateIntegration(catalog.admin, made.id, { credentials: {} });
  expect(cleared.credentials).toBeNull();
});

test('credentials never come out of GraphQL', async () => {
  await using catalog = await openCatalog();
  const answer = await catalog.graphql(
    `mutation { createIntegration(type: "postgres", input: {
      name: "Source", credentials: { password: "canary" } }) {
        id type credentials hasCredentials } }`,
  );
  expect(answer.data.createIntegration).toMatchObject({ credentials: {}, hasCredentials: true });
  expect(JSON.stringify(answer)).not.toContain('canary');
});

test('deleting an integration deletes what it brought, and nothing else', async () => {
  await using catalog = await openCatalog();
  const { prisma } = catalog.database;
  const { workspaceId } = catalog;
  const csv = 'col_name,database,schema,name\nid,shop,public,orders\nid,shop,public,customers\n';
  const [gone, kept] = [await catalog.integration(), await catalog.integration()];
  await importCsv(catalog.admin, gone.id, textSource('file', csv));
  await importCsv(catalog.admin, kept.id, textSource('file', csv));
  const mine = await prisma.resource.findFirstOrThrow({
    where: { workspaceId, integrationId: gone.id, kind: 'table', title: 'orders' },
  });
  const other = await catalog.resource();
  await createLineage(catalog.admin, { fromId: mine.id, toId: other.id });
  const below = await catalog.resource({ kind: 'column', parentId: mine.id });

  await deleteIntegration(catalog.admin, gone.id);

  const count = (integrationId: string) =>
    prisma.resource.count({ where: { workspaceId, integrationId } });
  expect(await count(gone.id)).toBe(0);
  expect(await count(kept.id)).toBe(6);
  expect(await prisma.lineageEdge.count({ where: { workspaceId } })).toBe(0);
  const orphan = await prisma.resource.findFirstOrThrow({ where: { id: below.id } });
  expect(orphan).toMatchObject({ parentId: null, titleFull: below.title });
  await expect(getIntegration(catalog.admin, gone.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

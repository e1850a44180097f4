// Limits of a workspace: how much it may hold and write, by any of its keys and however many requests come at once.

import { expect, test } from 'vitest';
import { execute } from '../../src/database/rows.ts';
import {
  changeWorkspace,
  type GivenLimits,
  listWorkspaces,
} from '../../src/people/workspaces/workspaces.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { feedCsv } from '../integrations/imports/feed.ts';
import { clientsOf } from './client.ts';

const limit = (catalog: Catalog, limits: GivenLimits) =>
  changeWorkspace(catalog.database, catalog.admin.workspaceId, { limits });

/** What a workspace uses and may use, as its admin reads it. */
async function uses(catalog: Catalog): Promise<Record<string, [number, number | null]>> {
  const answer = await catalog.graphql('{ workspaceSettings { uses { what used most } } }');
  const found: { what: string; used: number; most: number | null }[] =
    answer.data.workspaceSettings.uses;
  return Object.fromEntries(found.map(({ what, used, most }) => [what, [used, most]]));
}

const document = 'mutation { createResource(kind: document, input: { title: "One" }) { id } }';

test('resources above the limit are refused, however many are made at once and by whom', async () => {
  await using catalog = await openCatalog({ alone: true });
  const other = await catalog.another();
  await limit(catalog, { resources: 5 });
  const { admin, editor } = await clientsOf(catalog, {});
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      (n % 2 ? admin : editor).rest('POST', '/document', { title: `${n}` }),
    ),
  );
  expect(made.map(({ status }) => status).sort()).toEqual([
    ...Array(5).fill(201),
    ...Array(7).fill(422),
  ]);
  expect(made.find(({ status }) => status === 422)).toMatchObject({
    code: 'UNPROCESSABLE',
    body: {
      detail:
        'This workspace may have 5 resources: it has 5 and this adds 1. Those who run this server can raise it, ' +
        'with `npm run workspace -- limit`.',
    },
  });
  expect((await uses(catalog)).resources).toEqual([5, 5]);
  // The workspace next to it has no limit.
  for (let n = 0; n < 6; n += 1) {
    expect((await other.graphql(document)).errors).toBeUndefined();
  }
  // What is deleted makes room, and can't be had back beyond it.
  const { id } = made.find(({ status }) => status === 201)?.body ?? {};
  expect((await admin.rest('DELETE', `/document/${id}`)).status).toBe(204);
  expect((await admin.rest('POST', '/document', { title: 'in its place' })).status).toBe(201);
  const back = await admin.graphql(`mutation { restoreResource(id: "${id}") { id } }`);
  expect(back.code).toBe('UNPROCESSABLE');
  expect(await catalog.database.prisma.resource.count({ where: { archived: false } })).toBe(11);
});

test('an import that adds too much writes nothing, and a dry run says so', async () => {
  await using catalog = await openCatalog({ alone: true });
  const integration = await catalog.integration();
  const csv = (count: number) =>
    ['database,schema,name,col_name,col_type']
      .concat(Array.from({ length: count }, (_, n) => `shop,public,table${n},id,integer`))
      .join('\n');
  await feedCsv(catalog, integration, csv(2));
  await limit(catalog, { resources: 9 });
  const why = 'This workspace may have 9 resources: it has 6 and this adds 4.';
  await expect(feedCsv(catalog, integration, csv(4))).rejects.toMatchObject({
    code: 'UNPROCESSABLE',
    message: expect.stringContaining(why),
  });
  expect((await uses(catalog)).resources).toEqual([6, 9]);
  expect((await feedCsv(catalog, integration, csv(4), { dryRun: true })).problems).toEqual([
    expect.stringContaining(`It would be refused: ${why}`),
  ]);
  // What adds nothing goes on.
  expect(await feedCsv(catalog, integration, csv(2))).toMatchObject({ created: 0 });
  await limit(catalog, { resources: null });
  expect(await feedCsv(catalog, integration, csv(4))).toMatchObject({ created: 4 });
});

test('monitors, writes of a minute and storage are limited as well', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { id: targetId } = await catalog.resource();
  const monitor = `mutation { createMonitor(input: { targetId: "${targetId}", metricType: row_count }) { id } }`;
  await limit(catalog, { monitors: 1 });
  const { admin, editor } = await clientsOf(catalog, {});
  const monitors = [await admin.graphql(monitor), await editor.graphql(monitor)];
  expect(monitors.map(({ code }) => code)).toEqual([undefined, 'UNPROCESSABLE']);

  await execute(
    catalog.admin,
    `select pg_sleep(case when extract(second from now()) > 40
      then 60.1 - extract(second from now()) else 0 end)::text`,
  );
  await limit(catalog, { monitors: null, writes_per_minute: 3 });
  // Those who are known keep what held for them for some seconds.
  const { viewer } = await clientsOf(catalog, {});
  const question = 'mutation { createQuestion(input: { title: "Why?" }) { id } }';
  const writes = [];
  for (let n = 0; n < 4; n += 1) writes.push(await viewer.graphql(question));
  const codes = writes.map(({ code }) => code);
  expect(codes).toEqual([...Array(3).fill(undefined), 'TOO_MANY_REQUESTS']);
  expect(writes[3]?.body.errors[0].message).toMatch(
    /^All of this workspace together may write 3 times a minute.*workspace -- limit/,
  );

  await limit(catalog, { writes_per_minute: null, storage_mb: 0 });
  // It is measured in the background, and known once somebody has asked.
  await uses(catalog);
  await expect(catalog.resource()).rejects.toMatchObject({
    code: 'UNPROCESSABLE',
    message: expect.stringMatching(/^This workspace may have 0 MB of the database: it has \d+\./),
  });
});

test('what is used is shown to admins alone, listed, and reported of workspaces with limits', async () => {
  await using catalog = await openCatalog({ alone: true });
  await catalog.resource();
  await limit(catalog, { resources: 7 });
  const read = '{ workspaceSettings { timeZone uses { used } } }';
  for (const as of ['editor', 'viewer', 'guest'] as const) {
    const { data } = await catalog.graphql(read, {}, { as });
    expect(data.workspaceSettings.uses, as).toBeNull();
  }
  expect(await uses(catalog)).toMatchObject({
    ...{ resources: [1, 7], monitors: [0, null], writes_per_minute: [0, null] },
    storage_mb: [expect.any(Number), null],
  });
  const other = await catalog.another();
  const all = await listWorkspaces(catalog.database);
  const { workspaceId } = catalog.admin;
  expect(all.map(({ id, uses }) => [id, uses[0]?.used, uses[0]?.most])).toEqual([
    [workspaceId, 1, 7],
    [other.admin.workspaceId, 0, null],
  ]);
  const metrics = await (await fetch(`${await catalog.listen()}/metrics`)).text();
  const label = `{workspace="${workspaceId}",what="resources"}`;
  expect(metrics).toContain(`headwater_workspace_used${label} 1`);
  expect(metrics).toContain(`headwater_workspace_limit${label} 7`);
  expect(metrics).not.toContain(other.admin.workspaceId);
});

test('limits are recorded in the audit log', async () => {
  await using catalog = await openCatalog({ alone: true });
  await limit(catalog, { resources: 10, storage_mb: 100 });
  await limit(catalog, { resources: null });
  const { data } = await catalog.graphql(
    '{ auditLogs(first: 2) { nodes { activityType changes { field before after } } } }',
  );
  const activityType = 'workspace_updated';
  expect(data.auditLogs.nodes).toEqual([
    { activityType, changes: [{ field: 'resourceLimit', before: 10, after: null }] },
    {
      activityType,
      changes: [
        { field: 'resourceLimit', before: null, after: 10 },
        { field: 'storageLimitMb', before: null, after: 100 },
      ],
    },
  ]);
});

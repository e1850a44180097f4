// Coverage: how many resources have what, in all and by group, as far as who asks may know.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLineage } from '../../src/lineage/edge.ts';
import { type Caller, type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
let ids: Readonly<Record<string, string>>;
beforeAll(async () => {
  catalog = await openCatalog();
  const person = await catalog.user({ firstName: 'Ada', lastName: 'Lovelace' });
  const group = await catalog.group({ name: 'stewards' });
  const open = await catalog.team({ name: 'sales' });
  const closed = await catalog.team({ name: 'secret', type: 'CLOSED' });
  const integration = await catalog.integration({ name: 'warehouse' });
  const tag = await catalog.tag();
  ids = {
    person: person.id,
    group: group.id,
    open: open.id,
    closed: closed.id,
    integration: integration.id,
  };
  const { id: integrationId } = integration;
  await catalog.resource({
    title: 'all',
    ownerIds: [person.id],
    description: 'd',
    definition: '# D',
    tagIds: [tag.id],
    teamIds: [open.id, closed.id],
    integrationId,
    verified: true,
  });
  await catalog.resource({
    title: 'some',
    ownerGroupIds: [group.id],
    description: 'd',
    teamIds: [closed.id],
    integrationId,
  });
  await catalog.resource({ title: 'none' });
  await catalog.resource({ title: 'hidden', published: false, definition: 'x' });
  await catalog.resource({ title: 'chart', kind: 'chart' });
});
afterAll(() => catalog[Symbol.asyncDispose]());

const counts = 'total owned described documented tagged verified';
const query = `query ($where: ResourceWhere) { coverage(where: $where) { ${counts}
  kind: by(group: kind) { value label total owned documented } team: by(group: team) { value label total owned }
  owner: by(group: owner) { value label total described } ownerGroup: by(group: owner_group) { value label total }
  integration: by(group: integration) { value label total } } }`;

async function ask(caller: Caller, where: object | null = { kind: { in: ['table'] } }) {
  const { data, errors } = await catalog.graphql(query, { where }, caller);
  expect(errors).toBeUndefined();
  return data.coverage;
}

test('an editor counts everything that is not deleted', async () => {
  const found = await ask({ as: 'editor' });
  expect(found).toMatchObject({
    total: 4,
    owned: 2,
    described: 2,
    documented: 2,
    tagged: 1,
    verified: 1,
  });
  expect(found.kind).toEqual([
    { value: 'table', label: 'table', total: 4, owned: 2, documented: 2 },
  ]);
  expect(found.team).toEqual([
    { value: null, label: '', total: 2, owned: 0 },
    { value: ids.closed, label: 'secret', total: 2, owned: 2 },
    { value: ids.open, label: 'sales', total: 1, owned: 1 },
  ]);
  expect(found.owner).toEqual([
    { value: null, label: '', total: 3, described: 1 },
    { value: ids.person, label: 'Ada Lovelace', total: 1, described: 1 },
  ]);
  expect(found.ownerGroup).toMatchObject([
    { value: null, total: 3 },
    { value: ids.group, label: 'stewards' },
  ]);
  expect(found.integration).toMatchObject([
    { value: null, total: 2 },
    { value: ids.integration, label: 'warehouse' },
  ]);
  expect((await ask({ as: 'editor' }, null)).kind).toHaveLength(2);
});

test('others count what they see, and no group that they may not know of', async () => {
  const byViewer = await ask({ as: 'viewer' });
  expect(byViewer).toMatchObject({ total: 3, documented: 1, integration: [] });
  expect(byViewer.team).toEqual([
    { value: null, label: '', total: 2, owned: 1 },
    { value: ids.open, label: 'sales', total: 1, owned: 1 },
  ]);
  expect(JSON.stringify(byViewer)).not.toContain('secret');
  const byGuest = await ask({ as: 'guest' });
  expect(byGuest).toMatchObject({ total: 0, owned: 0, team: [], owner: [] });
});

test('a guest does not learn that somebody owns what its team holds', async () => {
  const team = await catalog.team({ name: 'guests', addMemberIds: [catalog.idOf('guest')] });
  await catalog.resource({ title: 'shown', teamIds: [team.id], ownerIds: [ids.person ?? ''] });
  const found = await ask({ as: 'guest' });
  expect(found).toMatchObject({ total: 1, owned: 0 });
  expect(found.owner).toEqual([{ value: null, label: '', total: 1, described: 0 }]);
  expect(found.team).toMatchObject([{ label: 'guests', total: 1 }]);
});

test('it takes a statement for all, and one for each grouping', async () => {
  const { statements } = await catalog.counting(() => ask({ as: 'editor' }));
  expect(statements.filter((text) => !/\bapi_key\b/.test(text))).toHaveLength(6);
});

test('of the tables that matter to a team some are watched, in one of three ways', async () => {
  await using own = await openCatalog();
  const { admin, database, workspaceId } = own;
  const [sales, ops] = [await own.team({ name: 'sales' }), await own.team({ name: 'ops' })];
  const { id: databaseId } = await own.resource({ kind: 'database', title: 'shop' });
  const schema = await own.resource({ kind: 'schema', title: 'public', parentId: databaseId });
  const inSales = { teamIds: [sales.id] };
  const direct = await own.resource({ title: 'direct', verified: true, ...inSales });
  const byColumn = await own.resource({ title: 'by column', verified: true, ...inSales });
  const column = await own.resource({ kind: 'column', title: 'id', parentId: byColumn.id });
  await own.resource({ title: 'below', verified: true, parentId: schema.id, ...inSales });
  const shown = await own.resource({ title: 'shown', ...inSales });
  const dashboard = await own.resource({ kind: 'dashboard', title: 'Sales' });
  await createLineage(admin, { fromId: shown.id, toId: dashboard.id });
  await own.resource({ title: 'paused', verified: true, ...inSales });
  // What nothing reads is watched as well, and counts for nothing here; neither does a column.
  const unread = await own.resource({ title: 'unread', teamIds: [ops.id] });
  await own.resource({ kind: 'column', title: 'n', verified: true, ...inSales });
  const paused = await own.resource({ title: 'also paused', verified: true, teamIds: [ops.id] });
  const watch = (targetId: string, isEnabled = true) =>
    database.prisma.monitor.create({
      data: { workspaceId, targetId, isEnabled, metricType: 'row_count', name: 'Rows' },
    });
  for (const { id } of [direct, column, unread]) await watch(id);
  await watch(paused.id, false);
  const ofTeams = async () => {
    const counts = 'tables watched important importantWatched';
    const { data } = await own.graphql(
      `{ coverage { ${counts} by(group: team) { label ${counts} } } }`,
    );
    const { by, ...all } = data.coverage;
    const named = by.filter(({ label }: { label: string }) => label !== '');
    return { all, teams: named.sort((a: Labelled, b: Labelled) => (a.label < b.label ? -1 : 1)) };
  };
  expect(await ofTeams()).toEqual({
    all: { tables: 7, watched: 3, important: 6, importantWatched: 2 },
    teams: [
      { label: 'ops', tables: 2, watched: 1, important: 1, importantWatched: 0 },
      { label: 'sales', tables: 5, watched: 2, important: 5, importantWatched: 2 },
    ],
  });
  // One decision for all tables below a database.
  await watch(databaseId);
  const sold = (await ofTeams()).teams[1];
  expect(sold).toMatchObject({ label: 'sales', watched: 3, importantWatched: 3 });
});

interface Labelled {
  readonly label: string;
}

test('a number of groups out of range is refused, and a wrong filter names the member', async () => {
  const refused = async (text: string) => (await catalog.graphql(text)).errors?.[0]?.extensions;
  expect(await refused('{ coverage { by(group: team, first: 0) { total } } }')).toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field: 'first' }],
  });
  expect(await refused('{ coverage(where: { within: "x" }) { total } }')).toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field: 'where.within' }],
  });
});

import { expect, test } from 'vitest';
import { blocksOf } from '../../src/audit/metadata.ts';
import type { Context } from '../../src/context.ts';
import { transaction } from '../../src/database/transaction.ts';
import { connect, type Pair } from '../../src/lineage/connect.ts';
import {
  createLineage,
  deleteLineage,
  type EntryQuery,
  getLineageEntry,
  type LineageEntry,
  listLineageEntries,
} from '../../src/lineage/edge.ts';
import { archiveResource } from '../../src/resources/editing/archive.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

test('one edge is shown as two entries, whichever of them was posted', async () => {
  await using catalog = await openCatalog();
  const [orders, report] = await tables(catalog);
  const posted = await createLineage(catalog.admin, {
    fromId: report.id,
    toId: orders.id,
    direction: 'UPSTREAM',
  });
  expect(posted).toMatchObject({
    fromId: report.id,
    toId: orders.id,
    direction: 'UPSTREAM',
    origin: 'MANUAL',
    isManual: true,
  });
  const entries = await all(catalog.admin);
  expect(entries.map(({ fromId, toId, direction }) => [fromId, toId, direction])).toEqual([
    [orders.id, report.id, 'DOWNSTREAM'],
    [report.id, orders.id, 'UPSTREAM'],
  ]);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(2);
  for (const entry of entries) {
    expect(entry).toMatchObject(await getLineageEntry(catalog.admin, entry.id));
  }
  expect(entries[1]).toMatchObject(posted);
});

test('who draws or deletes an edge is in the audit log with both of its ends', async () => {
  await using catalog = await openCatalog();
  const from = await catalog.resource({ title: 'orders' });
  const to = await catalog.resource({ title: 'report' });
  const { id } = await createLineage(catalog.admin, { fromId: from.id, toId: to.id });
  await deleteLineage(catalog.admin, id);
  const entries = await catalog.database.prisma.auditLog.findMany({
    where: { workspaceId: catalog.workspaceId, activityType: { startsWith: 'lineage' } },
    orderBy: { loggedAt: 'asc' },
  });
  const ends = { relatedResourceIds: [to.id], relatedResourceType: 'table' };
  const both = { resourceId: from.id, ...ends, changedFields: ['lineage'] };
  expect(entries).toMatchObject([
    { ...both, changes: [{ field: 'lineage', before: null, after: 'orders -> report' }] },
    { ...both, changes: [{ field: 'lineage', before: 'orders -> report', after: null }] },
  ]);
  expect(entries.map((entry) => blocksOf(entry)[0]?.value)).toEqual([
    expect.stringMatching(/ drew the lineage from orders to report$/),
    expect.stringMatching(/ deleted the lineage from orders to report$/),
  ]);
});

test('an entry that was given an id of its own before keeps it, and has no other', async () => {
  await using catalog = await openCatalog();
  const [orders, report, other] = await tables(catalog);
  const old = await createLineage(catalog.admin, { fromId: orders.id, toId: report.id });
  await createLineage(catalog.admin, { fromId: orders.id, toId: other.id });
  const made = (await all(catalog.admin)).filter(({ direction }) => direction === 'UPSTREAM');
  const [second] = made.filter(({ fromId }) => fromId === report.id);
  const given = '5f0f3a4e-7d0b-4f2e-9b0e-3d4c5b6a7980';
  await catalog.owner.query('update lineage_edge set upstream_id = $1 where id = $2', [
    given,
    old.id,
  ]);
  const upstream = (await all(catalog.admin)).filter(({ direction }) => direction === 'UPSTREAM');
  expect(upstream.map(({ id }) => id).sort()).toEqual(
    made.map(({ id }) => (id === second?.id ? given : id)).sort(),
  );
  expect(await getLineageEntry(catalog.admin, given)).toMatchObject({
    ...{ id: given, direction: 'UPSTREAM', fromId: report.id, toId: orders.id },
  });
  const madeFromId = getLineageEntry(catalog.admin, second?.id ?? '');
  await expect(madeFromId).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await deleteLineage(catalog.admin, given.toUpperCase());
  expect(await all(catalog.admin)).toHaveLength(2);
});

test('posting an edge that exists answers it and makes nothing new', async () => {
  await using catalog = await openCatalog();
  const [orders, report, other] = await tables(catalog);
  await createLineage(catalog.admin, { fromId: orders.id, toId: other.id });
  const first = await createLineage(catalog.admin, { fromId: orders.id, toId: report.id });
  const again = await createLineage(catalog.as('editor'), { fromId: orders.id, toId: report.id });
  const opposite = await createLineage(catalog.admin, {
    fromId: report.id,
    toId: orders.id,
    direction: 'UPSTREAM',
  });
  expect(again).toEqual(first);
  expect(opposite).toMatchObject({ fromId: report.id, toId: orders.id });
  expect(opposite.id).not.toBe(first.id);
  expect(await all(catalog.admin)).toHaveLength(4);
  expect(await activities(catalog)).toEqual(['lineage_created', 'lineage_created']);
});

test('the same pair posted many times at once is one edge', async () => {
  await using catalog = await openCatalog();
  const [orders, report] = await tables(catalog);
  const pair = { fromId: orders.id, toId: report.id };
  const posted = await Promise.all(
    Array.from({ length: 20 }, () => createLineage(catalog.admin, pair)),
  );
  expect(new Set(posted.map(({ id }) => id)).size).toBe(1);
  expect(await all(catalog.admin)).toHaveLength(2);
});

test('deleting either entry deletes both, and the pair can be drawn again', async () => {
  await using catalog = await openCatalog();
  const [orders, report] = await tables(catalog);
  const pair = { fromId: orders.id, toId: report.id };
  const first = await createLineage(catalog.admin, pair);
  const [, upstream] = await all(catalog.admin);
  await deleteLineage(catalog.as('editor'), upstream?.id ?? '');
  expect(await all(catalog.admin)).toEqual([]);
  for (const id of [first.id, upstream?.id ?? '']) {
    await expect(getLineageEntry(catalog.admin, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(deleteLineage(catalog.admin, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  const second = await createLineage(catalog.admin, pair);
  expect(second.id).not.toBe(first.id);
  await deleteLineage(catalog.admin, second.id);
  expect(await all(catalog.admin)).toEqual([]);
  expect(await activities(catalog)).toEqual([
    'lineage_created',
    'lineage_deleted',
    'lineage_created',
    'lineage_deleted',
  ]);
});

test('an edge needs two different resources that are there, and an editor', async () => {
  await using catalog = await openCatalog();
  await using other = await catalog.another();
  const [orders, report, gone] = await tables(catalog);
  await archiveResource(catalog.admin, gone.id);
  const foreign = await other.resource();
  const ctx = catalog.admin;
  const draw = (fromId: string, toId: string) => createLineage(ctx, { fromId, toId });
  await expect(draw(orders.id, orders.id)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field: 'to_entity', message: 'A resource has no lineage to itself.' }],
  });
  await expect(draw(orders.id, orders.id.toUpperCase())).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  for (const id of [foreign.id, gone.id, 'nonsense', '', '\0', report.id.slice(1)]) {
    await expect(draw(orders.id, id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(draw(id, orders.id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(getLineageEntry(ctx, id)).rejects.toThrow('Lineage entry');
    await expect(deleteLineage(ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  for (const role of ['viewer', 'guest'] as const) {
    const pair = { fromId: orders.id, toId: report.id };
    await expect(createLineage(catalog.as(role), pair)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(deleteLineage(catalog.as(role), orders.id)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  }
  expect(await all(ctx)).toEqual([]);
});

test('another workspace has no way to an edge', async () => {
  await using catalog = await openCatalog();
  await using other = await catalog.another();
  const [orders, report] = await tables(catalog);
  const { id } = await createLineage(catalog.admin, { fromId: orders.id, toId: report.id });
  await expect(getLineageEntry(other.admin, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(deleteLineage(other.admin, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await all(other.admin, { fromIds: [orders.id] })).toEqual([]);
  expect(await all(catalog.admin)).toHaveLength(2);
});

test('entries are listed by their ends, several of each', async () => {
  await using catalog = await openCatalog();
  const [a, b, c, d] = await tables(catalog);
  const ctx = catalog.admin;
  await createLineage(ctx, { fromId: a.id, toId: b.id });
  await createLineage(ctx, { fromId: b.id, toId: c.id });
  await createLineage(ctx, { fromId: c.id, toId: d.id });
  const ends = async (query: EntryQuery) =>
    new Set((await all(ctx, query)).map(({ fromId, toId }) => `${fromId} ${toId}`));
  expect(await ends({ fromIds: [b.id] })).toEqual(new Set([`${b.id} ${a.id}`, `${b.id} ${c.id}`]));
  expect(await ends({ toIds: [d.id] })).toEqual(new Set([`${c.id} ${d.id}`]));
  expect(await ends({ fromIds: [a.id, c.id], toIds: [b.id] })).toEqual(
    new Set([`${a.id} ${b.id}`, `${c.id} ${b.id}`]),
  );
  const refused = { code: 'BAD_REQUEST', message: 'fromIds: Use an id, which is a UUID.' };
  await expect(ends({ fromIds: ['nonsense'] })).rejects.toMatchObject(refused);
  expect(await ends({ fromIds: [], toIds: null })).toHaveLength(6);
  expect(await ends({ fromIds: null, toIds: [] })).toHaveLength(6);
});

test('pages show each entry exactly once, whatever their size', async () => {
  await using catalog = await openCatalog();
  const nodes = await tables(catalog);
  catalog.setTime(new Date('2026-01-01T00:00:00Z'));
  const [hub, ...others] = nodes;
  for (const { id } of others) await createLineage(catalog.admin, { fromId: hub.id, toId: id });
  catalog.setTime(new Date('2026-01-02T00:00:00Z'));
  const { id: newest } = await createLineage(catalog.admin, {
    fromId: others[0].id,
    toId: others[1].id,
  });
  const entries = await all(catalog.admin);
  const whole = entries.map(({ id }) => id);
  expect(whole).toHaveLength(12);
  expect(whole[0]).toBe(newest);
  // Of those of one moment each edge is shown as a whole, in the order of their ids.
  const drawn = whole.filter((_, i) => entries[i]?.direction === 'DOWNSTREAM').slice(1);
  expect(drawn).toEqual(drawn.toSorted());
  for (const pageSize of [1, 3, 4]) {
    const paged: string[] = [];
    for (let page = 1; page <= Math.ceil(whole.length / pageSize); page += 1) {
      const { nodes: found } = await listLineageEntries(catalog.admin, {}, { page, pageSize });
      paged.push(...found.map(({ id }) => id));
    }
    expect(paged).toEqual(whole);
  }
  const scrolled: string[] = [];
  let after: string | null | undefined;
  for (let more = true; more; ) {
    const page = await listLineageEntries(catalog.admin, {}, { first: 3, after });
    scrolled.push(...page.nodes.map(({ id }) => id));
    after = page.cursorAt(-1);
    more = page.hasNextPage;
    expect(await page.count()).toBe(whole.length);
  }
  expect(scrolled).toEqual(whole);
});

test('edges are listed only where the viewer may see both ends', async () => {
  await using catalog = await openCatalog();
  const [open, alsoOpen, gone] = await tables(catalog);
  const secret = await catalog.resource({ published: false });
  const ctx = catalog.admin;
  await createLineage(ctx, { fromId: open.id, toId: alsoOpen.id });
  const hidden = await createLineage(ctx, { fromId: open.id, toId: secret.id });
  const lost = await createLineage(ctx, { fromId: gone.id, toId: open.id });
  await archiveResource(ctx, gone.id);
  expect(await all(catalog.as('viewer'))).toHaveLength(2);
  expect(await all(catalog.as('editor'))).toHaveLength(4);
  expect(await all(catalog.as('guest'))).toHaveLength(0);
  await expect(getLineageEntry(catalog.as('viewer'), hidden.id)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await expect(getLineageEntry(ctx, lost.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('an edge between columns implies one between their tables while it holds', async () => {
  await using catalog = await openCatalog();
  const ctx = catalog.admin;
  const [source, target] = await tables(catalog);
  const [a, b] = await columns(catalog, source.id);
  const [x, y] = await columns(catalog, target.id);
  const first = await createLineage(ctx, { fromId: a.id, toId: x.id });
  const second = await createLineage(ctx, { fromId: b.id, toId: y.id });
  expect(await held(catalog)).toEqual([
    { source: a.id, target: x.id, level: 'COLUMN', implied: false },
    { source: b.id, target: y.id, level: 'COLUMN', implied: false },
    { source: source.id, target: target.id, level: 'TABLE', implied: true },
  ]);
  // No one named it, so it is no entry of its own.
  expect(await all(ctx)).toHaveLength(4);
  await deleteLineage(ctx, first.id);
  expect(await held(catalog)).toHaveLength(2);
  await deleteLineage(ctx, second.id);
  expect(await held(catalog)).toEqual([]);
});

test('an implied edge cannot be deleted; drawn and deleted it is implied again', async () => {
  await using catalog = await openCatalog();
  const ctx = catalog.admin;
  const [source, target] = await tables(catalog);
  const [a] = await columns(catalog, source.id);
  const [x] = await columns(catalog, target.id);
  await createLineage(ctx, { fromId: a.id, toId: x.id });
  const implied = await catalog.database.prisma.lineageEdge.findFirstOrThrow({
    where: { workspaceId: catalog.workspaceId, implied: true },
  });
  await expect(deleteLineage(ctx, implied.id)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'This edge follows from edges between columns: delete those.',
  });
  const drawn = await createLineage(ctx, { fromId: source.id, toId: target.id });
  expect(await held(catalog)).toContainEqual({
    source: source.id,
    target: target.id,
    level: 'TABLE',
    implied: false,
  });
  expect(await held(catalog)).toHaveLength(2);
  await deleteLineage(ctx, drawn.id);
  expect(await held(catalog)).toContainEqual({
    source: source.id,
    target: target.id,
    level: 'TABLE',
    implied: true,
  });
});

test('a nested column stands for its table, and columns of one table imply nothing', async () => {
  await using catalog = await openCatalog();
  const ctx = catalog.admin;
  const [source] = await tables(catalog);
  const chart = await catalog.resource({ kind: 'chart' });
  const orphan = await catalog.resource({ kind: 'column' });
  const [a, b] = await columns(catalog, source.id);
  const nested = await catalog.resource({ kind: 'column', parentId: a.id });
  await createLineage(ctx, { fromId: nested.id, toId: b.id });
  await createLineage(ctx, { fromId: orphan.id, toId: chart.id });
  expect((await held(catalog)).filter(({ implied }) => implied)).toEqual([]);
  await createLineage(ctx, { fromId: nested.id, toId: chart.id });
  expect((await held(catalog)).filter(({ implied }) => implied)).toEqual([
    { source: source.id, target: chart.id, level: 'TABLE', implied: true },
  ]);
});

test('edges of the same columns drawn and deleted at once leave the tables in line', async () => {
  await using catalog = await openCatalog();
  const ctx = catalog.admin;
  const [source, target] = await tables(catalog);
  const from = await columns(catalog, source.id);
  const to = await columns(catalog, target.id);
  for (let round = 0; round < 5; round += 1) {
    const drawn = await Promise.all(
      from.map(({ id }, i) => createLineage(ctx, { fromId: id, toId: to[i]?.id ?? '' })),
    );
    await Promise.all([
      ...drawn.slice(1).map(({ id }) => deleteLineage(ctx, id)),
      createLineage(ctx, { fromId: from[0].id, toId: to[1].id }),
    ]);
    expect((await held(catalog)).filter(({ implied }) => implied)).toHaveLength(1);
    await Promise.all(
      (await all(ctx, { fromIds: from.map(({ id }) => id) })).map(({ id }) =>
        deleteLineage(ctx, id),
      ),
    );
    expect(await held(catalog)).toEqual([]);
  }
});

test('many edges are made by one statement and skip what makes none', async () => {
  await using catalog = await openCatalog();
  await using other = await catalog.another();
  const [a, b, c] = await tables(catalog);
  const foreign = await other.resource();
  const integration = await catalog.integration();
  const by = { origin: 'IMPORT', integrationId: integration.id } as const;
  const ends: [Row, Row][] = [
    [a, b],
    [a, b],
    [b, c],
    [a, a],
    [a, foreign],
  ];
  const pairs = ends.map(([source, target]) => ({ sourceId: source.id, targetId: target.id }));
  const { value: made, statements } = await catalog.counting(() =>
    transaction(catalog.admin, (tx) => connect(tx, pairs, by)),
  );
  expect(made).toHaveLength(2);
  expect(statements.filter((text) => /insert/i.test(text))).toHaveLength(1);
  expect(await transaction(catalog.admin, (tx) => connect(tx, pairs, by))).toEqual([]);
  await createLineage(catalog.admin, { fromId: a.id, toId: b.id });
  expect(await all(catalog.admin)).toHaveLength(6);
  expect(await all(catalog.admin, { isManual: true })).toHaveLength(2);
  expect(await all(catalog.admin, { isManual: false })).toHaveLength(4);
});

test('an entry says how its edge came to be known', async () => {
  await using catalog = await openCatalog();
  const [a, ...others] = await tables(catalog);
  const origins = ['MANUAL', 'QUERY', 'ARTIFACT', 'IMPORT', 'RUN', 'SOURCE'] as const;
  for (const [i, origin] of origins.entries()) {
    const pair = {
      sourceId: a.id,
      targetId: others[i % others.length]?.id ?? '',
      expression: 'upper(name)',
    };
    const [edge] = await transaction(catalog.admin, (tx) => connect(tx, [pair], { origin }));
    expect(edge).toMatchObject({ origin, expression: 'upper(name)' });
    const entry = await getLineageEntry(catalog.admin, edge?.id ?? '');
    expect(entry).toMatchObject({ origin, isManual: origin === 'MANUAL' });
  }
});

test('an edge keeps what its source is used for, each of it by itself, and nothing where nothing is said', async () => {
  await using catalog = await openCatalog();
  const [a, b, c] = await tables(catalog);
  const pairs: Pair[] = [
    { sourceId: a.id, targetId: b.id, uses: ['JOIN', 'GROUP_BY'] },
    { sourceId: a.id, targetId: c.id },
  ];
  const made = await transaction(catalog.admin, (tx) => connect(tx, pairs, { origin: 'QUERY' }));
  const uses = new Map(made.map((edge) => [edge.targetId, edge.uses]));
  expect(uses).toEqual(
    new Map([
      [b.id, ['JOIN', 'GROUP_BY']],
      [c.id, []],
    ]),
  );
});

interface Row {
  readonly id: string;
}
type Six = readonly [Row, Row, Row, Row, Row, Row];

/** Six tables; a test takes as many of them as it needs. */
async function tables(catalog: Catalog): Promise<Six> {
  const make = () => catalog.resource();
  return [await make(), await make(), await make(), await make(), await make(), await make()];
}

async function columns(catalog: Catalog, parentId: string): Promise<Six> {
  const make = () => catalog.resource({ kind: 'column', parentId });
  return [await make(), await make(), await make(), await make(), await make(), await make()];
}

async function all(ctx: Context, query: EntryQuery = {}): Promise<readonly LineageEntry[]> {
  const page = await listLineageEntries(ctx, query, { pageSize: 1000 });
  expect(await page.count()).toBe(page.nodes.length);
  return page.nodes;
}

async function held(catalog: Catalog) {
  const edges = await catalog.database.prisma.lineageEdge.findMany({
    where: { workspaceId: catalog.workspaceId, validTo: null },
    orderBy: [{ implied: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }],
  });
  return edges.map(({ sourceId, targetId, level, implied }) => ({
    source: sourceId,
    target: targetId,
    level,
    implied,
  }));
}

async function activities(catalog: Catalog): Promise<string[]> {
  const entries = await catalog.database.prisma.auditLog.findMany({
    where: { workspaceId: catalog.workspaceId, activityType: { startsWith: 'lineage' } },
    orderBy: { loggedAt: 'asc' },
  });
  return entries.map(({ activityType }) => activityType);
}

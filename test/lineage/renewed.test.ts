// Lineage in memory while imports change more edges than are taken over one by one.

import { expect, test } from 'vitest';
import { type Context, contextFor } from '../../src/context.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { lineage } from '../../src/lineage/graph.ts';
import { graphFigures } from '../../src/lineage/memory/kept.ts';
import { walkLimits } from '../../src/lineage/walk.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { grow } from './network.ts';

/** What a busy machine takes long for is not to end a walk. */
const patient = {
  ...walkLimits,
  time: Number.POSITIVE_INFINITY,
  countTime: Number.POSITIVE_INFINITY,
};
const enough = 64 * 1024 * 1024;

function openProcess(catalog: Catalog, maxBytes: number, waits = true): Promise<Database> {
  return openDatabase({
    databaseUrl: catalog.url,
    migrations: null,
    lineageMemory: { maxBytes, waits },
  });
}

/** Make so many charts, and an edge to each from a resource, in one transaction with their statistics. */
async function draw(catalog: Catalog, from: string, charts: number): Promise<void> {
  await catalog.owner.query(
    `with made as (insert into resource (workspace_id, kind, title, title_full, published)
        select '${catalog.workspaceId}', 'chart', n::text, n::text, true
          from generate_series(1, ${charts}) n returning id)
      insert into lineage_edge (workspace_id, source_id, target_id, level, origin)
        select '${catalog.workspaceId}', '${from}', id, 'TABLE', 'IMPORT' from made;
    analyze resource, lineage_edge`,
  );
}

/** All that can be reached from a resource, with the edges between. */
async function closure(ctx: Context, from: string) {
  const graph = await lineage(
    ctx,
    { from: [from], direction: 'BOTH', depth: 10, maxNodes: 10_000 },
    patient,
  );
  return { total: graph.totalNodes, nodes: graph.nodes, edges: await graph.edges() };
}

test('an import of many edges renews the graph in memory by what changed, to what the database has', {
  timeout: 300_000,
}, async () => {
  await using catalog = await openCatalog({ alone: true });
  const plain = await openProcess(catalog, 0);
  const inMemory = await openProcess(catalog, enough);
  try {
    const network = await grow(catalog, 'a>b b>c x>a', { alone: {} });
    await draw(catalog, network.id('b'), 3_000);
    const on = (database: Database) => contextFor(database, catalog.admin.viewer);
    const same = async () => {
      for (const name of ['a', 'c', 'alone']) {
        const shown = await closure(on(inMemory), network.id(name));
        expect(shown).toEqual(await closure(on(plain), network.id(name)));
      }
    };
    await same();
    expect(graphFigures(inMemory)).toMatchObject({ loaded: 1, renewed: 0 });
    const changes = [
      // New charts, which lie between the others in the order of ids.
      () => draw(catalog, network.id('c'), 2_500),
      // Edges that end, and one that goes to what had none.
      () =>
        catalog.owner.query(
          `update lineage_edge set valid_to = now() where source_id = $1 and valid_to is null`,
          [network.id('b')],
        ),
      async () => {
        await network.draw('alone>a');
        await draw(catalog, network.id('alone'), 2_100);
      },
      // Resources and with them edges that are deleted, and some that are archived.
      () =>
        catalog.owner.query(
          `delete from resource where id in (select target_id from lineage_edge where source_id = $1 limit 2200)`,
          [network.id('c')],
        ),
      () =>
        catalog.owner.query(
          `update resource set archived = true, archived_at = now()
            where id in (select target_id from lineage_edge where source_id = $1) and title ~ '[02468]$'`,
          [network.id('alone')],
        ),
      // What is said of edges.
      () =>
        catalog.owner.query(
          `update lineage_edge set origin = 'QUERY', expression = 'f(x)' where valid_to is null`,
        ),
    ];
    for (const change of changes) {
      await change();
      await same();
    }
    const { loaded, renewed, dropped, failed } = graphFigures(inMemory);
    expect({ loaded, dropped, failed }).toEqual({ loaded: 1, dropped: 0, failed: 0 });
    expect(renewed).toBeGreaterThanOrEqual(4);

    // A statement of before an upgrade says that there was much, and not what.
    await draw(catalog, network.id('a'), 2_100);
    await catalog.owner.query("update lineage_log set changed_ids = null where what = 'all'");
    await same();
    expect(graphFigures(inMemory)).toMatchObject({ loaded: 2, dropped: 0, failed: 0 });
  } finally {
    await plain.close();
    await inMemory.close();
  }
});

test('whoever reads while an import changes many edges sees all from before it or all from after', {
  timeout: 300_000,
}, async () => {
  await using catalog = await openCatalog({ alone: true });
  const database = await openProcess(catalog, enough, false);
  try {
    const network = await grow(catalog, 'a>b', {});
    const a = network.id('a');
    const ctx = contextFor(database, catalog.admin.viewer);
    const total = async () =>
      (await lineage(ctx, { from: [a], depth: 3, maxNodes: 10_000 }, patient)).totalNodes;
    const readUntil = async (made: 'loaded' | 'renewed', times: number) => {
      while (graphFigures(database)[made] < times) await total();
    };
    await readUntil('loaded', 1);
    let [committed, isOver] = [2, false];
    const expected = new Set([2]);
    const readers = Array.from({ length: 2 }, async () => {
      while (!isOver) {
        const least = committed;
        const seen = await total();
        expect(expected).toContain(seen);
        expect(seen).toBeGreaterThanOrEqual(least);
      }
    });
    for (const [i, charts] of [2_500, 3_500, 2_200].entries()) {
      expected.add(committed + charts);
      await draw(catalog, a, charts);
      committed += charts;
      await readUntil('renewed', i + 1);
    }
    isOver = true;
    await Promise.all(readers);
    const { loaded, renewed, dropped, failed } = graphFigures(database);
    expect({ loaded, renewed, dropped, failed }).toEqual({
      ...{ loaded: 1, renewed: 3, dropped: 0, failed: 0 },
    });
  } finally {
    await database.close();
  }
});

// The lineage in memory against the database: the same answers whatever is written, by whomever.

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Context, contextFor } from '../../src/context.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { execute } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import {
  connect,
  disconnect,
  lineageOrigins,
  lineageStrengths,
} from '../../src/lineage/connect.ts';
import { type LineageQuery, lineage } from '../../src/lineage/graph.ts';
import { graphFigures, graphInMemory } from '../../src/lineage/memory/kept.ts';
import { lineageDirections, walkLimits } from '../../src/lineage/walk.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { runs } from '../trials/nightly.ts';
import { grow } from './network.ts';

/** Plays that are tried; `PLAYS=2000` tries more of them. */
const numRuns = Number(process.env.PLAYS ?? runs(60));
const memory = { maxBytes: 64 * 1024 * 1024, waits: true };

/** Another process on the same database, as far as the database can tell. */
async function openProcess(catalog: Catalog, maxBytes = memory.maxBytes): Promise<Database> {
  const lineageMemory = { maxBytes, waits: true };
  return openDatabase({ databaseUrl: catalog.url, migrations: null, lineageMemory });
}

/** What a busy machine takes long for is not to end a walk. */
const patient = {
  ...walkLimits,
  time: Number.POSITIVE_INFINITY,
  countTime: Number.POSITIVE_INFINITY,
};

/** All that a picture shows, or the message of the error. */
async function picture(ctx: Context, query: LineageQuery): Promise<unknown> {
  try {
    const read = await lineage(ctx, query, patient);
    const { edges, around, nodes, asOf: _asOf, answeredBy: _by, ...graph } = read;
    const beside = await Promise.all(nodes.map(({ id }) => around(id)));
    return { ...graph, nodes, edges: await edges(), beside };
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

const place = fc.nat(13);
const pair = fc.tuple(place, place);
const write = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('draw'),
      pairs: fc.array(pair, { minLength: 1, maxLength: 6 }),
      origin: fc.constantFrom(...lineageOrigins),
      strength: fc.constantFrom(...lineageStrengths),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('end'), pairs: fc.array(pair, { maxLength: 4 }) }),
  },
  fc.record({ does: fc.constantFrom('archive', 'restore', 'hide', 'show', 'team'), at: place }),
  fc.record({ does: fc.constantFrom('add', 'erase', 'erase edge'), at: place }),
  fc.record({ does: fc.constantFrom('import', 'crash', 'restart', 'roll back') }),
);
const ask = fc.record({
  from: fc.array(place, { minLength: 1, maxLength: 3 }),
  direction: fc.constantFrom(...lineageDirections),
  depth: fc.integer({ min: 1, max: 6 }),
  level: fc.constantFrom('TABLE', 'COLUMN'),
  strengths: fc.constantFrom(null, [...lineageStrengths]),
  maxNodes: fc.constantFrom(3, 1_000),
  kinds: fc.constantFrom(null, ['table'], ['column']),
  role: fc.constantFrom('admin', 'viewer', 'guest'),
});
const plays = fc.array(
  fc.tuple(fc.array(write, { maxLength: 4 }), fc.array(ask, { minLength: 1, maxLength: 4 })),
  {
    minLength: 1,
    maxLength: 5,
  },
);

type Play = typeof plays extends fc.Arbitrary<infer Made> ? Made : never;

/** A play in which memory answers: the first of each run. */
const certain: Play = [
  [
    [{ does: 'draw', pairs: [[0, 2]], origin: 'MANUAL', strength: 'DIRECT' }],
    [
      {
        ...{ from: [0], direction: 'DOWNSTREAM', depth: 2, level: 'TABLE', maxNodes: 1_000 },
        ...{ strengths: null, kinds: null, role: 'admin' },
      },
    ],
  ],
];

test('two processes with the lineage in memory answer as the database does, whatever is written', {
  timeout: 100_000 * numRuns,
}, async () => {
  await using catalog = await openCatalog({ alone: true });
  const plain = await openProcess(catalog, 0);
  const processes = [await openProcess(catalog), await openProcess(catalog)];
  const team = await catalog.team();
  let served = 0;
  const on = (database: Database, ctx: Context) =>
    contextFor(database, { ...ctx.viewer }, { now: ctx.now });
  try {
    await fc.assert(
      fc.asyncProperty(plays, async (rounds) => {
        // Even ones are tables, each of which has a column.
        const names = Array.from({ length: 14 }, (_, i) => (i % 2 === 0 ? `t${i}` : `t${i - 1}.c`));
        const network = await grow(
          catalog,
          '',
          Object.fromEntries(names.map((name) => [name, {}])),
        );
        const ids = names.map((name) => network.id(name));
        const idAt = (i: number) => ids[i % ids.length] ?? '';
        for (const [writes, asks] of rounds) {
          for (const one of writes) {
            if (one.does === 'restart') {
              const [first] = processes.splice(0, 1);
              if (first) served += graphFigures(first).served;
              await first?.close();
              processes.push(await openProcess(catalog));
            } else await perform(catalog, one, ids, team.id);
          }
          for (const { role, from, kinds, ...asked } of asks) {
            const ctx = role === 'guest' ? catalog.as('guest', [team]) : catalog.as(role);
            const query = { ...asked, from: from.map(idAt), kinds } as LineageQuery;
            const expected = await picture(on(plain, ctx), query);
            for (const database of processes) {
              // The second time nothing has changed since the first.
              for (let time = 0; time < 2; time += 1)
                expect(await picture(on(database, ctx), query)).toEqual(expected);
            }
          }
        }
      }),
      { numRuns, examples: [[certain]] },
    );
    for (const database of processes) served += graphFigures(database).served;
    expect(served).toBeGreaterThan(0);
  } finally {
    for (const database of [plain, ...processes]) await database.close();
  }
});

interface Write {
  readonly does: string;
  readonly pairs?: readonly (readonly [number, number])[];
  readonly origin?: (typeof lineageOrigins)[number];
  readonly strength?: (typeof lineageStrengths)[number];
  readonly at?: number;
}

async function perform(
  catalog: Catalog,
  { does, pairs = [], origin, strength = 'DIRECT', at = 0 }: Write,
  ids: string[],
  team: string,
) {
  const ctx = catalog.admin;
  const idAt = (i: number) => ids[i % ids.length] ?? '';
  const set = (values: Prisma.Sql, i = at) =>
    execute(ctx, Prisma.sql`update resource set ${values} where id = ${idAt(i)}::uuid`);
  const drawn = pairs.map(([a, b]) => ({
    sourceId: idAt(a),
    targetId: idAt(b),
    strength,
    expression: a > b ? `f(${a})` : null,
  }));
  switch (does) {
    case 'draw':
      await transaction(ctx, (tx) => connect(tx, drawn, { origin: origin ?? 'MANUAL' }));
      return;
    case 'end': {
      const found = await catalog.owner.query(
        `select e.id from lineage_edge e join unnest($1::uuid[], $2::uuid[]) p(s, t)
          on e.source_id = p.s and e.target_id = p.t where e.valid_to is null and not implied`,
        [drawn.map(({ sourceId }) => sourceId), drawn.map(({ targetId }) => targetId)],
      );
      await transaction(ctx, (tx) =>
        disconnect(
          tx,
          found.rows.map(({ id }) => id),
        ),
      );
      return;
    }
    case 'archive':
      await set(Prisma.sql`archived = true, archived_at = now()`);
      return;
    case 'restore':
      await set(Prisma.sql`archived = false, archived_at = null`);
      return;
    case 'hide':
    case 'show':
      await set(Prisma.sql`published = ${does === 'show'}`);
      return;
    case 'team':
      await set(
        Prisma.sql`team_ids = case when ${at % 3 > 0} then array[${team}::uuid] else '{}' end`,
      );
      return;
    case 'add': {
      const { id } = await catalog.resource({ title: randomUUID() });
      ids.push(id);
      await transaction(ctx, (tx) =>
        connect(tx, [{ sourceId: idAt(at), targetId: id }], { origin: 'IMPORT' }),
      );
      return;
    }
    case 'erase':
      await execute(
        ctx,
        Prisma.sql`delete from resource where id = ${idAt(at)}::uuid and kind = 'column'`,
      );
      return;
    case 'erase edge':
      await execute(ctx, Prisma.sql`delete from lineage_edge where source_id = ${idAt(at)}::uuid`);
      return;
    case 'import':
      await importMany(catalog);
      return;
    case 'crash':
      // What PostgreSQL does to an unlogged table when it recovers.
      await catalog.owner.query('truncate lineage_log');
      return;
    case 'roll back':
      await transaction(ctx, async (tx) => {
        await connect(tx, [{ sourceId: idAt(0), targetId: idAt(4) }], { origin: 'QUERY' });
        throw new Error('Nothing of it happened.');
      }).catch(() => {});
  }
}

/** More edges than the log names one by one. */
async function importMany(catalog: Catalog): Promise<void> {
  await catalog.owner.query(
    `with made as (insert into resource (workspace_id, kind, title, title_full)
        select $1, 'chart', n::text, n::text from generate_series(1, 48) n returning id)
      insert into lineage_edge (workspace_id, source_id, target_id, level, origin)
        select $1, a.id, b.id, 'TABLE', 'IMPORT' from made a cross join made b where a.id <> b.id`,
    [catalog.workspaceId],
  );
}

test('a transaction that commits late is not lost behind one that began after it', async () => {
  await using catalog = await openCatalog({ alone: true });
  const database = await openProcess(catalog);
  try {
    const network = await grow(catalog, 'a>b', { c: {}, d: {} });
    const ctx = contextFor(database, catalog.admin.viewer);
    const shown = async () => {
      const graph = await lineage(ctx, { from: [network.id('a')] });
      return graph.nodes.map(({ id }) => network.name(id)).sort();
    };
    expect(await shown()).toEqual(['a', 'b']);
    let [commit, begin] = [() => {}, () => {}];
    const later = new Promise<void>((resolve) => {
      commit = resolve;
    });
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const late = transaction(catalog.admin, async (tx) => {
      await connect(tx, [{ sourceId: network.id('a'), targetId: network.id('c') }], {
        origin: 'MANUAL',
      });
      begin();
      await later;
    });
    await begun;
    await network.draw('b>d');
    expect(await shown()).toEqual(['a', 'b', 'd']);
    commit();
    await late;
    expect(await shown()).toEqual(['a', 'b', 'c', 'd']);
    expect(graphFigures(database)).toMatchObject({ loaded: 1, missed: 0 });
  } finally {
    await database.close();
  }
});

test('a walk in memory costs one statement, however far it goes', async () => {
  await using catalog = await openCatalog({ alone: true, lineageMemory: memory });
  const network = await grow(catalog, 'a>b b>c c>d d>e');
  const query = { from: [network.id('a')], depth: 10 };
  await lineage(catalog.admin, query);
  const { statements } = await catalog.counting(async () => {
    const graph = await lineage(catalog.admin, query);
    expect(graph.nodes).toHaveLength(5);
    expect(await graph.edges()).toHaveLength(4);
    expect(await graph.around(network.id('c'))).toEqual({
      upstream: { all: 1, hidden: 0 },
      downstream: { all: 1, hidden: 0 },
    });
  });
  expect(statements).toHaveLength(1);
});

test('a picture with its resources costs two statements, and where something was drawn shows that', async () => {
  await using catalog = await openCatalog({ alone: true, lineageMemory: memory });
  const database = await openProcess(catalog);
  try {
    const network = await grow(catalog, 'a>b b>c', { d: {} });
    const query = `query ($id: ID!) { lineage(from: [$id]) {
      nodes { resource { title } } edges { targetId } } }`;
    const shown = async () => {
      const { value, statements } = await catalog.counting(() =>
        catalog.graphql(query, { id: network.id('a') }),
      );
      const titles = value.data.lineage.nodes.map(({ resource }: { resource: object }) => resource);
      // The key is looked up once in a few seconds.
      const asked = statements.filter((text) => !text.includes('api_key')).length;
      return { titles, edges: value.data.lineage.edges.length, statements: asked };
    };
    await shown();
    const before = { titles: [{ title: 'a' }, { title: 'b' }, { title: 'c' }], edges: 2 };
    expect(await shown()).toEqual({ ...before, statements: 2 });
    // By another process, of which this one knows nothing.
    await transaction(contextFor(database, catalog.admin.viewer), (tx) =>
      connect(tx, [{ sourceId: network.id('c'), targetId: network.id('d') }], { origin: 'MANUAL' }),
    );
    const after = { titles: [...before.titles, { title: 'd' }], edges: 3 };
    expect(await shown()).toMatchObject(after);
    await network.draw('a>d');
    expect(await shown()).toMatchObject({ edges: 4 });
    expect(await shown()).toMatchObject({ edges: 4, statements: 2 });
  } finally {
    await database.close();
  }
});

test('ids and kinds of what a walk comes to are read with no statement, however many', async () => {
  await using catalog = await openCatalog({ alone: true, lineageMemory: memory });
  const tables = Array.from({ length: 700 }, (_, n) => `t${n}`);
  const network = await grow(catalog, tables.map((name) => `a>${name}`).join(' '), {
    t0: { kind: 'chart', displayMetadata: {} },
  });
  const statementsOf = async (fields: string) => {
    const query = `query ($id: ID!) { lineage(from: [$id]) { nodes { ${fields} } } }`;
    const variables = { id: network.id('a') };
    const { value, statements } = await catalog.counting(() => catalog.graphql(query, variables));
    return { nodes: value.data.lineage.nodes, statements: statements.length };
  };
  const titled = await statementsOf('depth resource { id kind title }');
  const fragments = 'resource { __typename ... on Resource { id } ...Which }';
  const untitled = titled.nodes.map(({ depth, resource: { id, kind } }: TitledNode) => {
    return { depth, resource: { id, kind } };
  });

  const found = await statementsOf('depth resource { id kind }');

  expect(found).toEqual({ nodes: untitled, statements: 1 });
  expect(found.nodes).toHaveLength(701);
  expect(found.nodes).toContainEqual({
    depth: 1,
    resource: { id: network.id('t0'), kind: 'chart' },
  });
  const query = `query ($id: ID!) { lineage(from: [$id]) { nodes { ${fragments} } } }
    fragment Which on Resource { kind }`;
  const { value, statements } = await catalog.counting(() =>
    catalog.graphql(query, { id: network.id('a') }),
  );
  expect(statements).toHaveLength(1);
  expect(value.data.lineage.nodes[0].resource).toEqual({
    ...{ __typename: 'Table', id: network.id('a'), kind: 'table' },
  });
  // Anyone who asks for more of one of them has all of them read.
  const both = await statementsOf('resource { id } more: resource { title }');
  expect(both.nodes[0].more).toEqual({ title: 'a' });
});

interface TitledNode {
  readonly depth: number;
  readonly resource: { readonly id: string; readonly kind: string };
}

test('a graph that would take too much memory is not kept, and the database answers', async () => {
  await using catalog = await openCatalog({ alone: true });
  const database = await openProcess(catalog, 40);
  try {
    const network = await grow(catalog, 'a>b b>c');
    const ctx = contextFor(database, catalog.admin.viewer);
    const graph = await lineage(ctx, { from: [network.id('a')] });
    expect(graph.nodes).toHaveLength(3);
    expect(graphFigures(database)).toMatchObject({ graphs: 0, bytes: 0, failed: 1, missed: 1 });
    // It says so, but where memory would not be asked anyway.
    expect(graph.answeredBy).toBe('BEYOND_MEMORY');
    const past = await lineage(ctx, { from: [network.id('a')], asOf: new Date() });
    expect(past.answeredBy).toBe('DATABASE');
  } finally {
    await database.close();
  }
});

test('within a transaction what it wrote is seen, and memory is not asked', async () => {
  await using catalog = await openCatalog({ alone: true });
  const database = await openProcess(catalog);
  try {
    const network = await grow(catalog, 'a>b', { c: {} });
    const ctx = contextFor(database, catalog.admin.viewer);
    expect(await graphInMemory(ctx, 'TABLE')).not.toBeNull();
    await transaction(ctx, async (tx) => {
      await connect(tx, [{ sourceId: network.id('b'), targetId: network.id('c') }], {
        origin: 'MANUAL',
      });
      expect((await lineage(tx, { from: [network.id('a')] })).totalNodes).toBe(3);
    });
    const after = await lineage(ctx, { from: [network.id('a')] });
    expect([after.totalNodes, after.answeredBy]).toEqual([3, 'MEMORY']);
  } finally {
    await database.close();
  }
});

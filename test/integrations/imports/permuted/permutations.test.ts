// The same uploads in every order make the same catalog.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCatalog } from '../../../catalog.ts';
import { share } from '../../../trials/nightly.ts';
import { look, type Seen } from './look.ts';
import {
  csv,
  deleted,
  jsonl,
  makeIntegrations,
  makeWarehouses,
  type Named,
  project,
  type Step,
  type Warehouses,
  write,
} from './steps.ts';

let warehouses: Warehouses;
beforeAll(async () => {
  const raw = [
    'create schema raw',
    'create schema core',
    'create table raw.orders (id bigint primary key, amount decimal(10, 2))',
  ];
  warehouses = await makeWarehouses({
    full: [
      ...raw,
      'create table core.core (id bigint, total decimal(10, 2))',
      "comment on table core.core is 'From the warehouse'",
      'insert into core.core values (1, 2)',
    ],
    dropped: raw,
  });
});
afterAll(() => warehouses[Symbol.asyncDispose]());

const core: Named = { name: 'core', description: 'Core, says A', from: ['source.a.s.orders'] };
const rawOrders: Named = { name: 'orders', schema: 'raw', description: 'Raw orders, says A' };
const a = project('a', { models: [core], sources: [rawOrders] });
const aWithout = project('a', { sources: [rawOrders] });
const aRenamed = project('a', { models: [{ ...core, name: 'core2' }], sources: [rawOrders] });
const mart: Named = { name: 'mart', schema: 'mart', description: 'Mart, says B' };
const b = project('b', {
  models: [{ ...mart, from: ['source.b.s.core'] }],
  sources: [{ ...core, description: 'Core, says B' }],
});
const bWithout = project('b', { models: [mart] });
const w = csv('wh.core.core', 'wh.raw.orders');
const wWithout = csv('wh.raw.orders');
const n: Step = (place, id) => warehouses.sync('full')(place, id);
const nWithout: Step = (place, id) => warehouses.sync('dropped')(place, id);
const spark = (name: string) =>
  project(name, {
    adapter: 'spark',
    models: [{ name: 'orders', schema: 'default', database: null, description: `${name} orders` }],
    sources: [{ name: 'raw_orders', schema: 'default', database: null }],
  });

interface Scenario {
  readonly name: string;
  /** What each integration does, in this order; those of several run into each other in every way. */
  readonly actors: Readonly<Record<string, Actor>>;
  /** The tables of the end, as `look` has them. */
  readonly expected: readonly string[];
}

interface Actor {
  readonly type: string;
  readonly steps: readonly Step[];
}

const P = (...steps: Step[]): Actor => ({ type: 'dbt_core', steps });
const F = (...steps: Step[]): Actor => ({ type: 'custom', steps });
const D = (...steps: Step[]): Actor => ({ type: 'duckdb', steps });
const orders = 'wh.raw.orders';

const scenarios: readonly Scenario[] = [
  {
    name: 'a model, and another project that reads it',
    actors: { A: P(a), B: P(b) },
    expected: ['wh.core.core A +B', 'wh.mart.mart B', `${orders} A`],
  },
  {
    name: 'two projects and a file of the warehouse',
    actors: { A: P(a), B: P(b), W: F(w) },
    expected: ['wh.core.core W +A,B', 'wh.mart.mart B', `${orders} W +A`],
  },
  {
    name: 'the reader drops its source',
    actors: { A: P(a), B: P(b, bWithout) },
    expected: ['wh.core.core A', 'wh.mart.mart B', `${orders} A`],
  },
  {
    name: 'the reader is deleted',
    actors: { A: P(a), B: P(b, deleted) },
    expected: ['wh.core.core A', `${orders} A`],
  },
  {
    name: 'the maker is deleted',
    actors: { A: P(a, deleted), B: P(b) },
    expected: ['wh.core.core B', 'wh.mart.mart B'],
  },
  {
    name: 'the maker drops it, and a reader stays',
    actors: { A: P(a, aWithout), B: P(b) },
    expected: ['wh.core.core B', 'wh.mart.mart B', `${orders} A`],
  },
  {
    name: 'a project and a sync of its warehouse',
    actors: { A: P(a), N: D(n) },
    expected: ['wh.core.core N +A', `${orders} N +A`],
  },
  {
    name: 'a project and a file, each twice',
    actors: { A: P(a, a), W: F(w, w) },
    expected: ['wh.core.core W +A', `${orders} W +A`],
  },
  {
    name: 'the warehouse drops what a project still names',
    actors: { A: P(a), N: D(n, nWithout) },
    expected: ['wh.core.core N +A stale', `${orders} N +A`],
  },
  {
    name: 'the project drops what the warehouse has',
    actors: { A: P(a, aWithout), N: D(n) },
    expected: ['wh.core.core N', `${orders} N +A`],
  },
  {
    name: 'all drop it',
    actors: { A: P(a, aWithout), W: F(w, wWithout) },
    expected: ['wh.core.core W stale', `${orders} W +A`],
  },
  {
    name: 'the maker drops it, and the reader is deleted',
    actors: { A: P(a, aWithout), B: P(b, deleted) },
    expected: ['wh.core.core A stale', `${orders} A`],
  },
  {
    name: 'the warehouse is deleted',
    actors: { A: P(a), N: D(n, deleted) },
    expected: ['wh.core.core A', `${orders} A`],
  },
  {
    name: 'three, of whom one is deleted',
    actors: { A: P(a), B: P(b, deleted), N: D(n) },
    expected: ['wh.core.core N +A', `${orders} N +A`],
  },
  {
    name: 'a person writes on the model, and the warehouse comes',
    actors: { A: P(a, write('wh.core.core')), N: D(n) },
    expected: ['wh.core.core N +A written', `${orders} N +A`],
  },
  {
    name: 'a model is renamed by its key',
    actors: { A: P(a, aRenamed), N: D(n) },
    expected: ['wh.core.core N', 'wh.core.core2 A', `${orders} N +A`],
  },
  {
    name: 'lines name what a project makes',
    actors: { A: P(a), J: F(jsonl('wh.core.core'), jsonl('wh.core.other')) },
    expected: ['wh.core.core A', 'wh.core.other J', `${orders} A`],
  },
  {
    name: 'a key changes in the lines of a table that others name',
    actors: { A: P(a), J: F(jsonl('one=wh.core.core'), jsonl('two=wh.core.core')) },
    expected: ['wh.core.core J +A', `${orders} A`],
  },
  {
    name: 'a project without database next to a file with one',
    actors: { S: P(spark('eu')), W: F(csv('finance.default.orders')) },
    expected: ['default.orders S', 'default.raw_orders S', 'finance.default.orders W'],
  },
  {
    name: 'two projects without database',
    actors: { E: P(spark('eu')), U: P(spark('us')) },
    expected: [
      ...['default.orders E', 'default.orders U', 'default.raw_orders E', 'default.raw_orders U'],
    ],
  },
];

/** Every way in which the steps of the actors may follow each other, each keeping its own order. */
function interleavings(actors: Scenario['actors']): string[][] {
  const go = (left: Readonly<Record<string, number>>): string[][] => {
    const open = Object.keys(left).filter((name) => (left[name] ?? 0) > 0);
    if (open.length === 0) return [[]];
    return open.flatMap((name) =>
      go({ ...left, [name]: (left[name] ?? 0) - 1 }).map((rest) => [name, ...rest]),
    );
  };
  return go(
    Object.fromEntries(Object.entries(actors).map(([name, { steps }]) => [name, steps.length])),
  );
}

/** Do the steps in an order, in a catalog of their own. */
async function play(actors: Scenario['actors'], order: readonly string[]): Promise<Seen> {
  const catalog = await (await openCatalog()).another();
  // They are made in one order: what is permuted is what they bring.
  const ids = await makeIntegrations(
    catalog,
    Object.entries(actors).map(([name, { type }]) => ({ name, type })),
  );
  const done = new Map<string, number>();
  for (const name of order) {
    const at = done.get(name) ?? 0;
    await actors[name]?.steps[at]?.({ catalog, ids }, ids.get(name) ?? '');
    done.set(name, at + 1);
  }
  return look(catalog, ids);
}

for (const { name, actors, expected } of scenarios) {
  test(`${name}: the end is the same in any order`, async () => {
    const ends = new Map<string, { readonly seen: Seen; readonly orders: string[] }>();
    for (const order of share(interleavings(actors), 5)) {
      const seen = await play(actors, order);
      const end = ends.get(seen.all) ?? { seen, orders: [] };
      end.orders.push(order.join(''));
      ends.set(seen.all, end);
    }
    for (const { seen, orders } of ends.values()) {
      expect({ orders, tables: seen.tables }).toEqual({ orders, tables: [...expected].sort() });
    }
    const [first, second] = [...ends.values()];
    expect(second?.seen.all.split('\n') ?? []).toEqual(second ? first?.seen.all.split('\n') : []);
  });
}

// Random histories of a catalog: whatever each integration does, its end does not depend on who comes first, and what a
// person wrote on the way stays.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCatalog } from '../../../catalog.ts';
import { look } from './look.ts';
import {
  csv,
  deleted,
  jsonl,
  makeIntegrations,
  makeWarehouses,
  project,
  type Step,
  type Warehouses,
  write,
} from './steps.ts';

/**
 * Histories that are tried, each in two orders: with those of permutations.test.ts 200 sequences, each night 2,000.
 * `HISTORIES=100 SEED=7` tries others.
 */
const histories = Number(process.env.HISTORIES ?? (process.env.NIGHTLY === '1' ? 1_000 : 62));
const seed = Number(process.env.SEED ?? 20261126);

const names = ['core', 'mart', 'orders'] as const;
const subsets = Array.from({ length: 2 ** names.length }, (_, bits) =>
  names.filter((_name, at) => bits & (1 << at)),
);

/** One warehouse, as it is with each of the tables or without. */
let warehouses: Warehouses;
beforeAll(async () => {
  const made = (list: readonly string[]) => [
    'create schema core',
    ...list.map((name) => `create table core.${name} (id bigint)`),
  ];
  warehouses = await makeWarehouses(
    Object.fromEntries(subsets.map((list) => [list.join('-') || 'none', made(list)])),
  );
});
afterAll(() => warehouses[Symbol.asyncDispose]());

const some = fc.subarray([...names]);

interface Doing {
  readonly says: string;
  readonly step: Step;
}

const doing = (says: string, step: Step): Doing => ({ says, step });
const paths = (list: readonly string[]) => list.map((name) => `wh.core.${name}`);

/** What a kind of integration may do in one step; the last may be that it goes. */
const sorts = {
  dbt_core: (who: string) =>
    fc.tuple(some, some).map(([models, sources]) =>
      doing(
        `makes ${models.join()}, reads ${sources.join()}`,
        project(who, {
          models: models.map((name) => ({ name, description: `${name}, says ${who}` })),
          sources: sources
            .filter((name) => !models.includes(name))
            .map((name) => ({ name, description: `${name}, reads ${who}` })),
        }),
      ),
    ),
  custom: () => some.map((list) => doing(`has ${list.join()}`, csv(...paths(list)))),
  lines: () =>
    fc
      .tuple(some, fc.constantFrom('', 'k-'))
      .map(([list, prefix]) =>
        doing(
          `names ${list.map((name) => prefix + name).join()}`,
          jsonl(...list.map((name) => `${prefix}${name}=wh.core.${name}`)),
        ),
      ),
  duckdb: () =>
    some.map((list) =>
      doing(`is read with ${list.join()}`, (place, id) =>
        warehouses.sync(list.join('-') || 'none')(place, id),
      ),
    ),
};

const actor = (name: string, type: keyof typeof sorts) =>
  fc
    .tuple(
      fc.array(sorts[type](name.toLowerCase()), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 0, max: 4 }),
    )
    .map(([steps, end]) => ({
      ...{ name, type: type === 'lines' ? 'custom' : type },
      steps: end === 0 ? [...steps, doing('is deleted', deleted)] : steps,
    }));

const history = fc.tuple(
  actor('A', 'dbt_core'),
  actor('B', 'dbt_core'),
  fc
    .constantFrom('custom' as const, 'lines' as const, 'duckdb' as const)
    .chain((type) => actor('W', type)),
  fc.infiniteStream(fc.nat()),
  fc.infiniteStream(fc.nat()),
);

type Actor = { name: string; type: string; steps: readonly Doing[] };

/** Let the actors go in an order that a stream of numbers says, each keeping its own. */
function orderOf(actors: readonly Actor[], random: Iterator<number>) {
  const left = actors.map(({ steps }) => [...steps]);
  const order: { at: number; doing: Doing }[] = [];
  for (;;) {
    const open = left.flatMap((steps, at) => (steps.length > 0 ? [at] : []));
    const at = open[(random.next().value ?? 0) % open.length];
    const next = at === undefined ? undefined : left[at]?.shift();
    if (at === undefined || !next) return order;
    order.push({ at, doing: next });
  }
}

/** Where the tables of a source lie: in a file of its own, or in a warehouse that it names. */
const addressOf = ({ type }: Actor, id: string | undefined) =>
  type === 'duckdb' ? 'duckdb:///wh.duckdb' : `integration:${id}`;

/**
 * Let the actors act in an order, while a person writes about each table as soon as it is there; what was done, and how it
 * ends. Throws where what was written is gone, but for a table that went with the only one to describe it.
 */
async function play(actors: readonly Actor[], order: ReturnType<typeof orderOf>) {
  const catalog = await (await openCatalog()).another();
  const ids = await makeIntegrations(catalog, actors);
  const warehouse = actors.find(({ name }) => name === 'W');
  if (!warehouse) throw new Error('There is no warehouse.');
  // Where the files lie that the projects write to is said beforehand, as people confirm it.
  await catalog.owner.query(
    `insert into integration_address (workspace_id, integration_id, database, address, origin)
      select $1, unnest($2::uuid[]), 'wh', $3, 'set'`,
    [catalog.workspaceId, [ids.get('A'), ids.get('B')], addressOf(warehouse, ids.get('W'))],
  );
  const said: string[] = [];
  let written = new Map<string, string>();
  for (const { at, doing } of order) {
    const name = actors[at]?.name ?? '';
    said.push(`${name} ${doing.says}`);
    await doing.step({ catalog, ids }, ids.get(name) ?? '');
    const { tables } = await look(catalog, ids);
    const texts = new Map(tables.filter((line) => line.endsWith(' written')).map(pathAndLine));
    const lost = [...written].filter(
      ([path, line]) =>
        !texts.has(path) && !(doing.step === deleted && line === `${path} ${name} written`),
    );
    expect({ said, lost }).toEqual({ said, lost: [] });
    for (const [path] of tables.map(pathAndLine)) {
      if (!texts.has(path)) await write(path)({ catalog, ids }, '');
    }
    written = new Map((await look(catalog, ids)).tables.map(pathAndLine));
  }
  return { said, end: (await look(catalog, ids)).all.split('\n') };
}

const pathAndLine = (line: string): [string, string] => [
  line.split(' ')[0] ?? '',
  line.replace(' stale', ''),
];

test('every history ends the same in two orders, with all that a person wrote', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ([a, b, w, one, other]) => {
      const actors = [a, b, w];
      const first = await play(actors, orderOf(actors, one));
      const second = await play(actors, orderOf(actors, other));
      expect({ after: second.said, end: second.end }).toEqual({
        ...{ after: second.said, end: first.end },
      });
    }),
    { numRuns: histories, seed, endOnFailure: true },
  );
}, 14_400_000);

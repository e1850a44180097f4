// Cards that stand for many: none is lost, none is shown twice, and each can be shown on its own.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bundled, mostCards, mostSiblings } from '../../../src/explorer/lineage/bundles/bundle.ts';
import { lineWidths, widthOf } from '../../../src/explorer/lineage/bundles/line-width.ts';
import {
  type Card,
  type Grouping,
  type Line,
  type Model,
  type More,
  size,
} from '../../../src/explorer/lineage/model.ts';

interface Drawn {
  readonly id: string;
  readonly kind: string;
  readonly titleFull: string;
  readonly owners?: readonly { readonly name: string }[];
}

const none: More = { least: 0, most: 0, around: [] };

/** The picture of resources, the first being what it is of, and what more uses some of them. */
function modelOf(
  drawn: readonly Drawn[],
  edges: readonly (readonly [string, string])[],
  more: ReadonlyMap<string, More> = new Map(),
): Model {
  const cards = new Map(
    drawn.map(({ id, kind, titleFull, owners = [] }, at): [string, Card] => {
      const [title = '', schemaName = null] = titleFull.split('.').reverse();
      const shown = { width: size.width, height: size.head, columns: 0, rows: [], moreRows: 0 };
      return [
        id,
        {
          ...{
            id,
            resource: {
              id,
              kind,
              title,
              titleFull,
              schemaName,
              owners,
              openIncidents: [],
              deprecation: null,
            },
          },
          ...{ bundle: null, change: '', depth: Math.min(at, 1), direction: null },
          ...{ before: none, after: more.get(id) ?? none },
          ...shown,
        },
      ];
    }),
  );
  const lines = edges.map(
    ([from, to], at): Line => ({
      ...{ id: `e${at}`, from, to, fromRow: null, toRow: null, pair: `${from} ${to}` },
      ...{ origin: 'QUERY', isIndirect: false, uses: [], change: '', count: 1 },
    }),
  );
  return {
    ...{ cards, lines, columnEdges: [], columns: new Map(), cardOf: new Map() },
    ...{ all: cards, within: new Map(), opened: [] },
  };
}

const closed = { opened: new Set<string>(), isPlain: false, by: null };
const namesOf = ({ cards }: Model) => [...cards.values()].map(({ resource }) => resource.title);
const countOf = ({ bundle }: Card) => bundle?.count ?? 1;
/** The id of the only bundle. */
const bundleOf = ({ cards }: Model) =>
  [...cards.values()].find(({ bundle }) => bundle !== null)?.id ?? '';

const charts = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `c${at}`, kind: 'chart', titleFull: `c${at}` }));
const orders = { id: 'orders', kind: 'table', titleFull: 'shop.core.orders' };

test('more than 12 siblings of one kind with the same neighbours are one card', () => {
  const fed = (count: number) => charts(count).map(({ id }) => ['orders', id] as const);
  const few = modelOf([orders, ...charts(mostSiblings)], fed(mostSiblings));
  expect(bundled(few, closed).cards.size).toBe(mostSiblings + 1);
  const model = modelOf([orders, ...charts(24)], fed(24));
  const folded = bundled(model, closed);
  expect(namesOf(folded)).toEqual(['orders', '24 charts']);
  expect(folded.lines).toHaveLength(1);
  expect(folded.lines[0]).toMatchObject({ from: 'orders', to: bundleOf(folded), change: '' });
  // One of another kind, and one that leads elsewhere, stand on their own.
  const odd = [
    { id: 'board', kind: 'dashboard', titleFull: 'board' },
    { id: 'other', kind: 'chart', titleFull: 'other' },
  ];
  const more = modelOf(
    [orders, ...charts(24), ...odd],
    [...fed(24), ['orders', 'board'], ['orders', 'other'], ['other', 'board']],
  );
  expect(namesOf(bundled(more, closed)).sort()).toEqual(['24 charts', 'board', 'orders', 'other']);
  const opened = bundled(model, { opened: new Set([bundleOf(folded)]), isPlain: false, by: null });
  expect(opened.cards.size).toBe(25);
  expect(opened.opened).toEqual([{ id: bundleOf(folded), name: '24 charts' }]);
});

test('a card says how many neighbours those it stands for may have more, and which of them have some', () => {
  const fed = charts(24).map(({ id }) => ['orders', id] as const);
  const after = (...counts: readonly (readonly [string, number])[]) => {
    const more = counts.map(([id, count]): [string, More] => [
      id,
      { least: count, most: count, around: [id] },
    ]);
    const { cards } = bundled(modelOf([orders, ...charts(24)], fed, new Map(more)), closed);
    return [...cards.values()].find(({ bundle }) => bundle !== null)?.after;
  };
  expect(after(['c0', 0])).toEqual(none);
  expect(after(['c3', 5])).toEqual({ least: 5, most: 5, around: ['c3'] });
  // The two may be used by the same ones, or by others.
  expect(after(['c3', 5], ['c7', 2])).toEqual({ least: 5, most: 7, around: ['c3', 'c7'] });
});

test('resources that nothing leads to are not alike for that', () => {
  expect(bundled(modelOf([orders, ...charts(30)], []), closed).cards.size).toBe(31);
});

test('above 300 cards those of a schema are one, but for what the picture is of', () => {
  const tables = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...{ id: `t${at}`, kind: 'table' },
      titleFull: `shop.${at % 2 === 0 ? 'marts' : 'raw,old'}.t${at}`,
    }));
  const chain = (count: number) =>
    Array.from({ length: count - 1 }, (_, at) => [`t${at}`, `t${at + 1}`] as const);
  const small = modelOf(tables(mostCards), chain(mostCards));
  expect(bundled(small, closed).cards.size).toBe(mostCards);
  const model = modelOf(tables(401), chain(401));
  const grouped = bundled(model, closed);
  expect(namesOf(grouped)).toEqual(['t0', 'raw,old, 200 tables', 'marts, 200 tables']);
  // There and back again between two groups are two lines, and none leads from a group to itself.
  expect(grouped.lines.map(({ pair }) => pair).sort()).toEqual(
    [
      't0 schema:shop.raw%2Cold',
      'schema:shop.raw%2Cold schema:shop.marts',
      'schema:shop.marts schema:shop.raw%2Cold',
    ].sort(),
  );
  const marts = 'schema:shop.marts';
  const opened = bundled(model, { opened: new Set([marts]), isPlain: false, by: null });
  expect(opened.cards.size).toBe(202);
  expect(bundled(model, { ...closed, isPlain: true })).toBe(model);
});

test('a picture of any size is grouped by what a person chooses', () => {
  const owned = (id: string, titleFull: string, ...names: readonly string[]) => ({
    ...{ id, kind: 'table', titleFull },
    owners: names.map((name) => ({ name })),
  });
  const model = modelOf(
    [
      orders,
      owned('a', 'shop.core.a', 'Ines', 'Marta'),
      owned('b', 'shop.raw.b', 'Marta', 'Ines'),
      owned('c', 'lake.raw.c'),
      owned('d', 'lake.raw.d'),
      owned('e', 'lake.raw.e', 'Marta'),
      ...charts(2),
    ],
    [],
  );
  const by = (grouping: Grouping) =>
    [...bundled(model, { ...closed, by: grouping }).cards.values()].map(
      ({ resource, bundle }) => `${resource.title}${bundle?.place ? ` (${bundle.place})` : ''}`,
    );
  expect(by('database')).toEqual([
    'orders',
    'shop, 2 tables (2 schemas)',
    'lake, 3 tables (1 schema)',
    '2 charts',
  ]);
  expect(by('schema')).toEqual(['orders', 'a', 'b', 'raw, 3 tables (lake)', '2 charts']);
  expect(by('owner')).toEqual([
    'orders',
    'e',
    'Ines, Marta, 2 resources (Owner)',
    'No owner, 4 resources (Owner)',
  ]);
  expect(by('kind')).toEqual(['orders', '5 tables', '2 charts']);
  expect(bundled(model, { ...closed, isPlain: true, by: 'kind' })).toBe(model);
});

test('random pictures lose nothing, and opening every bundle shows them as they are', () => {
  const place = fc.record({ kind: fc.constantFrom('table', 'chart'), schema: fc.nat(2) });
  const graphs = fc.tuple(
    fc.oneof(
      fc.array(place, { minLength: 1, maxLength: 60 }),
      fc.array(place, { minLength: 301, maxLength: 330 }),
    ),
    fc.array(fc.tuple(fc.nat(), fc.nat(3)), { maxLength: 400 }),
  );
  fc.assert(
    fc.property(graphs, ([places, ends]) => {
      const drawn = places.map(({ kind, schema }, at) => ({
        ...{ id: `n${at}`, kind, titleFull: `shop.s${schema}.n${at}` },
      }));
      const edges = ends
        .map(([from, to]) => [`n${from % drawn.length}`, `n${to % drawn.length}`] as const)
        .filter(([from, to]) => from !== to);
      const model = modelOf(drawn, edges);
      let shown = bundled(model, closed);
      expect([...shown.cards.values()].reduce((sum, card) => sum + countOf(card), 0)).toBe(
        drawn.length,
      );
      expect(shown.cards.has('n0')).toBe(true);
      const standsFor = (id: string) => shown.within.get(id) ?? id;
      for (const { id } of drawn) expect(shown.cards.has(standsFor(id))).toBe(true);
      const pairs = new Set(shown.lines.map(({ from, to }) => `${from} ${to}`));
      for (const [from, to] of edges) {
        const [a, b] = [standsFor(from), standsFor(to)];
        expect(pairs.has(`${a} ${b}`)).toBe(a !== b);
      }
      // The order in which the server names them is of no matter.
      const turned = bundled(modelOf([...drawn.slice(0, 1), ...drawn.slice(1).reverse()], edges), {
        ...closed,
      });
      expect([...turned.cards.keys()].sort()).toEqual([...shown.cards.keys()].sort());
      const opened = new Set<string>();
      for (let id = bundleOf(shown); id !== ''; id = bundleOf(shown)) {
        opened.add(id);
        shown = bundled(model, { opened, isPlain: false, by: null });
      }
      expect(new Set(shown.cards.keys())).toEqual(new Set(model.cards.keys()));
      expect(new Set(shown.lines)).toEqual(new Set(model.lines));
    }),
    { numRuns: 60 },
  );
});

test('a line of a group is 2 to 9 pixels wide, by its share of the connections', () => {
  // The picture of the design: its widest line stands for 1,960 of 5,002.
  const counts = [1_960, 1_400, 812, 520, 204, 106];
  expect(counts.map((count) => widthOf(count, 1_960))).toEqual([9, 7, 5, 4, 3, 2]);
  expect([1, 2, 3, 8].map((count) => widthOf(count, 8))).toEqual([2, 3, 4, 9]);
  // Where all are alike, none stands out.
  expect(widthOf(1, 1)).toBe(2);
});

test('lines of groups stand for the connections that they hold, and all others are hairlines', () => {
  const tables = ['a', 'b', 'c'].map((id) => ({ id, kind: 'table', titleFull: `shop.raw.${id}` }));
  const drawn = [orders, ...tables, ...charts(2), { id: 'd', kind: 'event', titleFull: 'd' }];
  const edges = [
    ...[...tables, ...charts(1)].map(({ id }) => ['orders', id] as const),
    ...tables.map(({ id }) => [id, 'c0'] as const),
    ['a', 'c1'],
    ['orders', 'd'],
  ] as const;
  const model = modelOf(drawn, edges);
  // Two columns of the same tables are two lines, and one connection.
  const twice = { ...model, lines: [...model.lines, ...model.lines.map(secondOf)] };
  const grouped = bundled(twice, { ...closed, by: 'schema' });
  const widths = lineWidths(grouped);
  const found = grouped.lines.map(({ id, pair, count }) => [pair, count, widths.get(id)]);
  expect(new Set(found.map((one) => one.join(': ')))).toEqual(
    new Set([
      'orders schema:shop.raw: 3: 7',
      'schema:shop.raw kind:chart: 4: 9',
      'orders kind:chart: 1: 2',
      'orders d: 1: ',
    ]),
  );
  // Siblings that are alike are no groups: a picture without any has hairlines alone.
  const fed = charts(24).map(({ id }) => ['orders', id] as const);
  const folded = bundled(modelOf([orders, ...charts(24)], fed), closed);
  expect(folded.lines.map(({ count }) => count)).toEqual([24]);
  expect(lineWidths(folded).size).toBe(0);
});

function secondOf(line: Line): Line {
  return { ...line, id: `${line.id} again` };
}

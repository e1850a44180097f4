// Where the boxes of a lineage picture stand, whatever the lines between them.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cell, cellOf } from '../../../src/explorer/lineage/layout/cell.ts';
import { type Arrow, type Box, layOut } from '../../../src/explorer/lineage/layout/layout.ts';
import { wrapped } from '../../../src/explorer/lineage/layout/wrapping.ts';

/** What stays free between two boxes of a layer, at least. */
const gap = 18;

/** Boxes of different heights, and any lines: circles, islands, doubles, and from a box to itself. */
const graphs = fc
  .array(fc.integer({ min: 58, max: 400 }), { minLength: 1, maxLength: 40 })
  .chain((heights) => {
    const end = fc.nat(heights.length - 1);
    return fc.tuple(fc.constant(heights), fc.array(fc.tuple(end, end), { maxLength: 120 }));
  })
  .map(([heights, ends]) => ({
    boxes: heights.map((height, at) => ({ id: `b${at}`, width: 244, height })),
    arrows: ends.map(([from, to], at) => ({ id: `a${at}`, from: `b${from}`, to: `b${to}` })),
  }));

interface Graph {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

function placed({ boxes, arrows }: Graph) {
  const layout = layOut(boxes, arrows);
  return {
    layout,
    rooms: boxes.map(({ id, width, height }) => {
      const { x, y } = layout.places.get(id) ?? { x: Number.NaN, y: Number.NaN };
      return { id, left: x, top: y, right: x + width, bottom: y + height };
    }),
  };
}

/** Whether a line lies on a circle: its end leads back to its start. */
function closes({ arrows }: Graph, { from, to }: Arrow): boolean {
  const seen = new Set([to]);
  for (const id of seen) {
    for (const arrow of arrows) if (arrow.from === id) seen.add(arrow.to);
  }
  return seen.has(from);
}

test('no box lies on another, and none outside of the picture', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const { layout, rooms } = placed(graph);
      for (const [index, a] of rooms.entries()) {
        expect(Math.min(a.left, a.top)).toBeGreaterThanOrEqual(-0.001);
        expect(a.right).toBeLessThanOrEqual(layout.width + 0.001);
        expect(a.bottom).toBeLessThanOrEqual(layout.height + 0.001);
        for (const b of rooms.slice(index + 1)) {
          const isBeside = a.right < b.left || b.right < a.left;
          const isAbove = a.bottom + gap <= b.top + 0.001 || b.bottom + gap <= a.top + 0.001;
          expect(isBeside || isAbove, `${a.id} and ${b.id}`).toBe(true);
        }
      }
    }),
  );
});

test('a line that lies on no circle leads to the right', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const { layout } = placed(graph);
      for (const arrow of graph.arrows) {
        if (closes(graph, arrow)) continue;
        const [from, to] = [layout.places.get(arrow.from), layout.places.get(arrow.to)];
        expect(from?.x).toBeLessThan(to?.x ?? 0);
      }
    }),
  );
});

test('a layer of many boxes stands in columns of 60 at most, none of them beyond the next layer', () => {
  const many = fc.tuple(fc.integer({ min: 61, max: 400 }), fc.integer({ min: 1, max: 9 }));
  fc.assert(
    fc.property(many, ([fed, sinks]) => {
      const names = ['hub', ...Array.from({ length: fed }, (_, at) => `f${at}`)];
      const ends = Array.from({ length: sinks }, (_, at) => `s${at}`);
      const boxes = [...names, ...ends].map((id) => ({ id, width: 244, height: 58 }));
      const arrows = Array.from({ length: fed }, (_, at) => [
        { id: `h${at}`, from: 'hub', to: `f${at}` },
        { id: `e${at}`, from: `f${at}`, to: `s${at % sinks}` },
      ]).flat();
      // One that leads past them all.
      arrows.push({ id: 'past', from: 'hub', to: 's0' });
      const { layout, rooms } = placed({ boxes, arrows });
      const columns = new Map<number, number>();
      for (const { left } of rooms) columns.set(left, (columns.get(left) ?? 0) + 1);
      expect(Math.max(...columns.values())).toBeLessThanOrEqual(60);
      expect(columns.size).toBe(2 + Math.ceil(fed / 60));
      for (const { from, to } of arrows) {
        const [a, b] = [layout.places.get(from), layout.places.get(to)];
        expect((a?.x ?? 0) + 244).toBeLessThan(b?.x ?? 0);
      }
      const meets = rooms.flatMap((a, index) =>
        rooms.slice(index + 1).filter((b) => {
          const isBeside = Math.abs(a.left - b.left) > 244;
          const isAbove = a.bottom + gap <= b.top + 0.001 || b.bottom + gap <= a.top + 0.001;
          return !isBeside && !isAbove;
        }),
      );
      expect(meets).toEqual([]);
    }),
    { numRuns: 10 },
  );
});

test('a line that closes a circle passes below the boxes of its layers, from right to left', () => {
  const boxes = ['a', 'b', 'c', 'd'].map((id, at) => ({ id, width: 244, height: 58 + 100 * at }));
  const arrows = ['ab', 'bc', 'cd', 'ca', 'db'].map((id) => ({
    id,
    from: id.charAt(0),
    to: id.charAt(1),
  }));
  const { layout, rooms } = placed({ boxes, arrows });
  const roomOf = (id: string) => rooms.find((room) => room.id === id);
  const lanes = [
    { id: 'ca', span: ['a', 'b', 'c'] },
    { id: 'db', span: ['b', 'c', 'd'] },
  ].map(({ id, span }) => {
    const [right, left] = layout.ways.get(id) ?? [];
    expect(right?.x).toBeGreaterThan(roomOf(id.charAt(0))?.right ?? Infinity);
    expect(left?.x).toBeLessThan(roomOf(id.charAt(1))?.left ?? -Infinity);
    expect(right?.y).toBe(left?.y);
    for (const one of span) expect(right?.y).toBeGreaterThan(roomOf(one)?.bottom ?? Infinity);
    expect(right?.y).toBeLessThanOrEqual(layout.height);
    return right?.y;
  });
  expect(new Set(lanes).size).toBe(2);
});

test('the same graph gives the same picture', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      expect(layOut(graph.boxes, graph.arrows)).toEqual(layOut(graph.boxes, graph.arrows));
    }),
    { numRuns: 30 },
  );
});

test('a line over several layers passes between the boxes of each, from left to right', () => {
  const boxes = ['a', 'b', 'c', 'd'].map((id) => ({ id, width: 244, height: 58 }));
  const arrows = ['ab', 'bc', 'cd', 'ad'].map((id) => ({
    id,
    from: id.charAt(0),
    to: id.charAt(1),
  }));
  const { ways, places } = layOut(boxes, arrows);
  expect(ways.get('ab')).toEqual([]);
  const way = ways.get('ad') ?? [];
  expect(way).toHaveLength(4);
  expect(way.map(({ x }) => x)).toEqual(way.map(({ x }) => x).sort((a, b) => a - b));
  for (const { x, y } of way) {
    for (const id of ['b', 'c']) {
      const place = places.get(id) ?? { x: 0, y: 0 };
      const isOn = x >= place.x && x <= place.x + 244 && y > place.y && y < place.y + 58;
      expect(isOn).toBe(false);
    }
  }
});

test('two lines that need not cross do not', () => {
  const boxes = ['a', 'b', 'x', 'y'].map((id) => ({ id, width: 244, height: 58 }));
  const arrows = [
    { id: 'ay', from: 'a', to: 'y' },
    { id: 'bx', from: 'b', to: 'x' },
  ];
  const { places } = layOut(boxes, arrows);
  const y = (id: string) => places.get(id)?.y ?? 0;
  expect(y('a') < y('b')).toBe(y('y') < y('x'));
});

test('a hub of 3,000 and a chain of 20,000 boxes are laid out', () => {
  const box = (at: number) => ({ id: `b${at}`, width: 244, height: 58 });
  const hub = Array.from({ length: 3_000 }, (_, at) => ({
    id: `a${at}`,
    from: 'b0',
    to: `b${at + 1}`,
  }));
  const spread = layOut(
    Array.from({ length: 3_001 }, (_, at) => box(at)),
    hub,
  );
  expect(
    new Set([...spread.places.values()].map(({ x, y }) => `${x} ${y}`)).size,
  ).toBeGreaterThanOrEqual(3_000);
  const chain = Array.from({ length: 19_999 }, (_, at) => ({
    id: `a${at}`,
    from: `b${at}`,
    to: `b${at + 1}`,
  }));
  const long = layOut(
    Array.from({ length: 20_000 }, (_, at) => box(at)),
    chain,
  );
  const xs = [...long.places.values()].map(({ x }) => x);
  expect(xs).toEqual([...xs].sort((a, b) => a - b));
  expect(new Set([...long.places.values()].map(({ y }) => y)).size).toBe(1);
});

test('nothing at all is a picture as well', () => {
  expect(layOut([], [])).toMatchObject({ width: 0, height: 0 });
});

test('a layer of more than 60 boxes stands in columns of about the same height', () => {
  const cells = (count: number, width = 244) =>
    Array.from({ length: count }, () => cellOf(width, 58));
  const heights = (layer: readonly Cell[]) => wrapped(layer).map(({ length }) => length);
  expect(heights(cells(60))).toEqual([60]);
  expect(heights(cells(61))).toEqual([31, 30]);
  expect(heights(cells(121))).toEqual([41, 41, 39]);
  // Where a line only crosses a layer there is no box.
  expect(heights([...cells(60), ...cells(9, 0)])).toEqual([69]);
  expect(heights([...cells(5, 0), ...cells(31), ...cells(4, 0), ...cells(30)])).toEqual([40, 30]);
});

// The order within layers: few lines cross.

import type { Cell } from './cell.ts';

const rounds = 8;

/** The cells by layers, each in an order with few crossings. */
export function order(cells: readonly Cell[]): Cell[][] {
  const layers = firstOrder(cells);
  number(layers);
  let best = { crossings: countCrossings(layers), layers: layers.map((layer) => [...layer]) };
  for (let round = 0; round < rounds && best.crossings > 0; round += 1) {
    sweep(layers, round % 2 === 0);
    const crossings = countCrossings(layers);
    if (crossings < best.crossings) best = { crossings, layers: layers.map((layer) => [...layer]) };
  }
  number(best.layers);
  return best.layers;
}

/** What belongs together stands together: a walk from each source. */
function firstOrder(cells: readonly Cell[]): Cell[][] {
  const last = cells.reduce((most, { layer }) => Math.max(most, layer), -1);
  const layers: Cell[][] = Array.from({ length: last + 1 }, () => []);
  const seen = new Set<Cell>();
  for (const root of cells) {
    if (root.before.length > 0) continue;
    const stack = [root];
    for (let cell = stack.pop(); cell; cell = stack.pop()) {
      if (seen.has(cell)) continue;
      seen.add(cell);
      layers[cell.layer]?.push(cell);
      for (const next of cell.after) stack.push(next);
    }
  }
  return layers;
}

function number(layers: readonly Cell[][]): void {
  for (const layer of layers) {
    layer.forEach((cell, at) => {
      cell.at = at;
    });
  }
}

/** Order each layer by the mean place of its neighbours in the one before. */
function sweep(layers: readonly Cell[][], toRight: boolean): void {
  for (const layer of toRight ? layers : layers.toReversed()) {
    const wanted = new Map(
      layer.map((cell) => {
        const near = toRight ? cell.before : cell.after;
        const sum = near.reduce((total, { at }) => total + at, 0);
        return [cell, near.length === 0 ? cell.at : sum / near.length] as const;
      }),
    );
    layer.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0) || a.at - b.at);
    number([layer]);
  }
}

/** How many pairs of lines between neighbouring layers cross, counted with a Fenwick tree. */
function countCrossings(layers: readonly Cell[][]): number {
  let count = 0;
  layers.forEach((layer, index) => {
    const size = layers[index + 1]?.length ?? 0;
    const tree = new Int32Array(size + 1);
    let total = 0;
    for (const cell of layer) {
      const targets = cell.after.map(({ at }) => at).sort((a, b) => a - b);
      for (const target of targets) {
        let above = 0;
        for (let i = target + 1; i > 0; i -= i & -i) above += tree[i] ?? 0;
        count += total - above;
        total += 1;
        for (let i = target + 1; i <= size; i += i & -i) tree[i] = (tree[i] ?? 0) + 1;
      }
    }
  });
  return count;
}

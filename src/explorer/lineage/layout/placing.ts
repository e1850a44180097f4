// Heights: each cell near the middle of its neighbours, in order, none on another.

import type { Cell } from './cell.ts';

const rounds = 10;

/** Give each cell its height above the bottom; `gap` pixels stay free between two. */
export function place(layers: readonly Cell[][], gap: number): void {
  for (const layer of layers) {
    let top = 0;
    for (const cell of layer) {
      cell.y = top;
      top += cell.height + gap;
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    const toRight = round % 2 === 0;
    const isLast = round >= rounds - 2;
    for (const layer of toRight ? layers : layers.toReversed()) {
      settle(layer, gap, (cell) => {
        const near = isLast ? [...cell.before, ...cell.after] : toRight ? cell.before : cell.after;
        return near.length === 0 ? cell.y : middleOf(near) - cell.height / 2;
      });
    }
  }
}

/** The median of the middles of cells. */
function middleOf(cells: readonly Cell[]): number {
  const middles = cells.map(({ y, height }) => y + height / 2).sort((a, b) => a - b);
  const half = middles.length >> 1;
  const upper = middles[half] ?? 0;
  return middles.length % 2 === 1 ? upper : ((middles[half - 1] ?? upper) + upper) / 2;
}

interface Pool {
  /** Of the wanted heights, each less what lies above it in the layer. */
  readonly sum: number;
  readonly size: number;
}

/** The nearest heights to the wanted ones that keep order and gaps: pooling of adjacent violators. */
function settle(layer: readonly Cell[], gap: number, wanted: (cell: Cell) => number): void {
  const pools: Pool[] = [];
  let above = 0;
  for (const cell of layer) {
    let pool: Pool = { sum: wanted(cell) - above, size: 1 };
    for (let last = pools.at(-1); last && heightOf(last) >= heightOf(pool); last = pools.at(-1)) {
      pool = { sum: pool.sum + last.sum, size: pool.size + last.size };
      pools.pop();
    }
    pools.push(pool);
    above += cell.height + gap;
  }
  let at = 0;
  let offset = 0;
  for (const pool of pools) {
    const end = at + pool.size;
    for (const cell of layer.slice(at, end)) {
      cell.y = heightOf(pool) + offset;
      offset += cell.height + gap;
    }
    at = end;
  }
}

function heightOf({ sum, size }: Pool): number {
  return sum / size;
}

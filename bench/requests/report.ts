// Reports what a request costs on each server, as a table or as JSON.

import type { Read } from './reads.ts';

/** What one round measured: CPU ms and wall ms a request, and bytes of an answer. */
export interface Measured {
  readonly cpu: number;
  readonly wall: number;
  readonly bytes: number;
}

/** By read, by server, a round each. */
export type Figures = Map<string, Map<string, Measured[]>>;

interface Options {
  readonly asJson: boolean;
  readonly machine: object;
}

interface Row {
  readonly name: string;
  readonly ours: number;
  /** The least and the most of the rounds. */
  readonly spread: readonly [number, number];
  readonly wall: number;
  readonly bytes: number;
  readonly peer: number | null;
  readonly limit: number | null;
  readonly against: number | null;
  readonly unit: 'CPU ms';
  /** Ours to what the bar names: the median of the rounds' ratios. */
  readonly ratio: number | null;
  readonly of: string | null;
  readonly bar: number | null;
  readonly holds: boolean | null;
}

/** Print the figures of all reads. */
export function report(wanted: readonly Read[], figures: Figures, options: Options): void {
  const rows = wanted.map((read) => rowOf(read, figures.get(read.name) ?? new Map()));
  if (options.asJson) {
    console.log(JSON.stringify({ machine: options.machine, rows }, null, 2));
    return;
  }
  console.log(JSON.stringify(options.machine));
  console.log(
    '| CPU ms a request | ours | spread | PostGraphile | Fastify | against | ratio | bar |',
  );
  console.log('|---|---|---|---|---|---|---|---|');
  for (const { name, ours, spread, peer, limit, against, ratio, of, bar, holds } of rows) {
    const goal = bar === null ? '' : `<= ${bar} of ${of}: ${holds ? 'holds' : 'does not hold'}`;
    const cells = [name, shown(ours), spread.map(shown).join(' to ')];
    cells.push(shown(peer), shown(limit), shown(against), shown(ratio), goal);
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function rowOf({ name, bar }: Read, byPlace: ReadonlyMap<string, readonly Measured[]>): Row {
  const cpuOf = (place: string) => (byPlace.get(place) ?? []).map(({ cpu }) => cpu);
  const ours = cpuOf('Headwater');
  const others = bar ? cpuOf(bar.of) : [];
  // Each round's own ratio: what else the machine did then slowed both down.
  const ratios = others.flatMap((other, round) => (ours[round] ?? 0) / other);
  const ratio = medianOf(ratios);
  return {
    name,
    ours: medianOf(ours) ?? Number.NaN,
    spread: [Math.min(...ours), Math.max(...ours)],
    wall: medianOf((byPlace.get('Headwater') ?? []).map(({ wall }) => wall)) ?? Number.NaN,
    bytes: Math.round(byPlace.get('Headwater')?.[0]?.bytes ?? 0),
    peer: medianOf(cpuOf('PostGraphile')),
    limit: medianOf(cpuOf('Fastify')),
    against: medianOf(cpuOf('against')),
    unit: 'CPU ms',
    ratio,
    of: bar?.of ?? null,
    bar: bar?.ratio ?? null,
    holds: bar && ratio !== null ? ratio <= bar.ratio : null,
  };
}

function medianOf(numbers: readonly number[]): number | null {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? null;
}

function shown(value: number | null): string {
  if (value === null) return '';
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

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

/** What Headwater is compared with, and what the figures call it. */
const others = ['PostGraphile', 'Fastify', 'against'] as const;

/** Another server's CPU ms a request, and Headwater's divided by it: the median of the rounds' ratios. */
interface Compared {
  readonly cpu: number;
  readonly ratio: number;
}

interface Row {
  readonly name: string;
  readonly cpu: number;
  /** The least and the most of the rounds. */
  readonly spread: readonly [number, number];
  readonly wall: number;
  readonly bytes: number;
  readonly beside: { readonly [name in (typeof others)[number]]: Compared | null };
}

/** Print the figures of all reads. */
export function report(wanted: readonly Read[], figures: Figures, options: Options): void {
  const rows = wanted.map(({ name }) => rowOf(name, figures.get(name) ?? new Map()));
  if (options.asJson) {
    console.log(JSON.stringify({ machine: options.machine, rows }, null, 2));
    return;
  }
  console.log(JSON.stringify(options.machine));
  console.log(`| CPU ms a request | Headwater | spread | ${others.join(' | ')} |`);
  console.log('|---|---|---|---|---|---|');
  for (const { name, cpu, spread, beside } of rows) {
    const cells = [name, shown(cpu), spread.map(shown).join(' to ')];
    cells.push(...others.map((other) => shownBeside(beside[other])));
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function rowOf(name: string, byPlace: ReadonlyMap<string, readonly Measured[]>): Row {
  const own = byPlace.get('Headwater') ?? [];
  const cpus = own.map(({ cpu }) => cpu);
  const compared = (place: string): Compared | null => {
    const theirs = (byPlace.get(place) ?? []).map(({ cpu }) => cpu);
    if (theirs.length === 0) return null;
    // Each round's own ratio: what else the machine did then slowed both down.
    const ratio = medianOf(theirs.map((cpu, round) => (cpus[round] ?? Number.NaN) / cpu));
    return { cpu: medianOf(theirs), ratio };
  };
  return {
    name,
    cpu: medianOf(cpus),
    spread: [Math.min(...cpus), Math.max(...cpus)],
    wall: medianOf(own.map(({ wall }) => wall)),
    bytes: Math.round(own[0]?.bytes ?? 0),
    beside: {
      PostGraphile: compared('PostGraphile'),
      Fastify: compared('Fastify'),
      against: compared('against'),
    },
  };
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function shownBeside(compared: Compared | null): string {
  return compared ? `${shown(compared.cpu)} (x ${compared.ratio.toFixed(2)})` : '';
}

function shown(value: number): string {
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

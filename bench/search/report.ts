// Reports what searches and lists cost, as a table or as JSON, and holds them to their bars.

import { bar, printBars } from '../bars.ts';
import type { Question } from './questions.ts';

/** One round of a read in one catalog, in milliseconds: the times of its requests, and CPU time of each. */
export interface Measured {
  readonly times: readonly number[];
  readonly cpu: number;
}

/** By read, by catalog, a round each. */
export type Figures = Map<string, Map<string, Measured[]>>;

/** Of the kinds of searches by the size of the catalog, in milliseconds. */
const searchBars = { 'now 100k': { median: 12, worst: 80 }, 'now 1m': { median: 25, worst: 100 } };

/** Print the figures of all reads and, unless as JSON, which bars hold. */
export function report(
  asked: readonly Question[],
  figures: Figures,
  { machine, asJson }: { readonly machine: object; readonly asJson: boolean },
): void {
  const rows = asked.map(({ name }) => ({ name, places: placesOf(figures.get(name)) }));
  if (asJson) {
    console.log(JSON.stringify({ machine, rows }, null, 2));
    return;
  }
  const names = Object.keys(rows[0]?.places ?? {});
  console.log(JSON.stringify(machine));
  console.log(`| p50 and CPU, ms | ${names.join(' | ')} |`);
  console.log(`|---|${names.map(() => '---').join('|')}|`);
  for (const { name, places } of rows) {
    const cells = names.map(
      (place) => `${shown(places[place]?.p50)}, ${shown(places[place]?.cpu)}`,
    );
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
  hold(asked, rows);
}

type Places = Readonly<Record<string, { readonly p50: number; readonly cpu: number }>>;
interface Row {
  readonly name: string;
  readonly places: Places;
}

function placesOf(byPlace: ReadonlyMap<string, readonly Measured[]> = new Map()): Places {
  return Object.fromEntries(
    [...byPlace].map(([place, rounds]) => [
      place,
      {
        p50: medianOf(rounds.flatMap(({ times }) => times)),
        cpu: medianOf(rounds.map(({ cpu }) => cpu)),
      },
    ]),
  );
}

function hold(asked: readonly Question[], rows: readonly Row[]): void {
  const largest = 'now 1m';
  const searched = rows.filter(({ name }) => name.startsWith('search'));
  for (const [place, most] of Object.entries(searchBars)) {
    const times = searched.flatMap(({ places }) => places[place]?.p50 ?? []);
    if (times.length === 0) continue;
    const [median, worst] = [medianOf(times), Math.max(...times)];
    bar(`search, ${place}, median <= ${most.median} ms`, median <= most.median, shown(median));
    bar(`search, ${place}, worst <= ${most.worst} ms`, worst <= most.worst, shown(worst));
  }
  for (const { name, bar: goal } of asked) {
    const places = rows.find((row) => row.name === name)?.places;
    const now = places?.[largest]?.cpu;
    const than = goal && 'than' in goal ? goal.than : name;
    const before = rows.find((row) => row.name === than)?.places[
      goal && 'than' in goal ? largest : 'now 10k'
    ]?.cpu;
    if (!goal || now === undefined || !before) continue;
    const most = 'than' in goal ? goal.ratio : goal.growth;
    bar(
      `${name} <= ${most} x ${than === name ? '10k' : than}`,
      now / before <= most,
      (now / before).toFixed(2),
    );
  }
  printBars();
}

const shown = (ms: number | undefined) => (ms === undefined ? '' : ms.toPrecision(3));

function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

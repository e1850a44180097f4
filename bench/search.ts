// Measures searches, lists, the tree, the audit log and lineage in catalogs of several sizes: times, CPU time, and what
// a larger catalog costs more.
//
//   npm run bench -- search [--sizes 10k,1m] [--only search,list,tree,audit,lineage,NAME]
//     [--rounds 3] [--tenants 200] [--folder FOLDER] [--against FOLDER] [--json]
//
// A catalog is filled when it is first asked for, 1m in some minutes, and kept in the folder, by default in that for
// temporary files. `--against` is another checkout of this project with its packages installed, whose server is
// asked the same of catalogs of its own; it is filled by this one's statements, so its tables must be like these.
// `--tenants` asks the same of a catalog that has so many others in its database as well.

import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sizes } from './requests/data.ts';
import { openSearchCatalog, type SearchCatalog } from './search/catalog.ts';
import { otherReads } from './search/other-reads.ts';
import { lists, type Material, type Question, readMaterial, searches } from './search/questions.ts';
import { type Figures, type Measured, report } from './search/report.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10k,1m' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    tenants: { type: 'string', default: '0' },
    folder: { type: 'string', default: join(tmpdir(), 'headwater-search') },
    against: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
/** Requests of a read in one round, each for something else: so many at least, and for so long, since CPU is counted in ticks of 10 ms. */
const leastRequests = 10;
const leastMs = 500;

interface Place {
  readonly name: string;
  readonly catalog: SearchCatalog;
  readonly material: Material;
}

async function main(): Promise<void> {
  const names = values.only.split(',');
  const asked = [...searches, ...lists, ...otherReads].filter(({ name }) =>
    names.some((part) => name.includes(part)),
  );
  const places: Place[] = [];
  try {
    await openAll(places);
    const before = loadavg()[0];
    const figures = await measureAll(asked, places);
    const machine = { cpus: cpus().length, node: process.version, load: [before, loadavg()[0]] };
    report(asked, figures, { machine, asJson: values.json });
  } finally {
    for (const { catalog } of places) await catalog[Symbol.asyncDispose]();
  }
}

async function openAll(places: Place[]): Promise<void> {
  const amid = Number(values.tenants);
  for (const [name, root] of Object.entries({ now: undefined, against: values.against })) {
    if (name === 'against' && !root) continue;
    for (const size of values.sizes.split(',')) {
      const [, count] = Object.entries(sizes).find(([known]) => known === size) ?? [];
      if (!count) throw new Error(`--sizes are some of ${Object.keys(sizes).join(', ')}.`);
      const folder = root ? join(values.folder, 'against') : values.folder;
      for (const tenants of amid > 0 ? [0, amid] : [0]) {
        const catalog = await openSearchCatalog({ folder, size: count, tenants, root });
        const material = await readMaterial(catalog.client);
        const which = tenants > 0 ? `${size} of ${tenants}` : size;
        places.push({ name: `${name} ${which}`, catalog, material });
      }
    }
  }
}

async function measureAll(asked: readonly Question[], places: readonly Place[]): Promise<Figures> {
  const figures: Figures = new Map();
  const rounds = Number(values.rounds);
  // The first round warms up, and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    console.error(`Round ${round} of ${rounds}`);
    for (const question of asked) {
      for (const place of places) {
        const measured = await measure(question, place, round);
        if (round === 0) continue;
        const byPlace = figures.get(question.name) ?? new Map<string, Measured[]>();
        figures.set(question.name, byPlace);
        byPlace.set(place.name, [...(byPlace.get(place.name) ?? []), measured]);
      }
    }
  }
  return figures;
}

/** One round of a read: the times of its requests and their CPU time, the database's included, in milliseconds. */
async function measure(
  question: Question,
  { catalog, material }: Place,
  round: number,
): Promise<Measured> {
  const { server } = catalog;
  const times: number[] = [];
  const cpuBefore = server.cpuOfAll();
  const began = performance.now();
  for (let n = 0; n < leastRequests || performance.now() - began < leastMs; n += 1) {
    const before = performance.now();
    await ask(server, question, round * leastRequests + n, material);
    times.push(performance.now() - before);
  }
  return { times, cpu: ((server.cpuOfAll() - cpuBefore) * 1_000) / times.length };
}

async function ask(
  { base, key }: SearchCatalog['server'],
  question: Question,
  n: number,
  material: Material,
): Promise<void> {
  const { path, body } = question.ask(n, material);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const sent = body ? { method: 'POST', headers, body } : { headers };
  const response = await fetch(base + path, sent);
  const said = await response.text();
  if (!response.ok || said.includes('"errors":['))
    throw new Error(`${question.name}: ${response.status} ${said.slice(0, 500)} ${body ?? path}`);
}

await main();

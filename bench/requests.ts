// Measures what a request costs in CPU time, the database's included, besides peers on the same data.
//
//   npm run bench -- requests [--json] [--size 10k|100k|1m] [--only NAME] [--rounds 5] [--against FOLDER]
//
// The servers are processes of their own and answer the same questions in turns. FOLDER is another checkout
// of this project with its packages installed, such as that of the last release, with a catalog of its own.

import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { cpuBelow } from './cpu.ts';
import { type BenchCatalog, openCatalogOfBench } from './requests/catalog.ts';
import { sizes, writeCatalog } from './requests/data.ts';
import { installPeers, nodeOfPostgraphile, startPeer } from './requests/peers.ts';
import { type Asked, type Material, type Read, reads, theirList } from './requests/reads.ts';
import { type Figures, report } from './requests/report.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    size: { type: 'string', default: '10k' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    against: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
/** Rounds that are not counted: V8 compiles for longer than the first one what a server has much code for. */
const warmUps = 3;
/** Requests that are under way at once. */
const clients = 4;
/** One write to the catalog for so many reads. */
const readsForAWrite = 50;

/** A server that is measured: what is asked of it, and which processes work for it. */
interface Place {
  readonly name: string;
  readonly base: string;
  readonly headers: Record<string, string>;
  readonly ask: (read: Read, n: number) => Asked | null;
  /** CPU time until now of all that works for it, in seconds. */
  readonly cpu: () => number;
  /** Write something that its reads may show. */
  readonly write: () => Promise<void>;
}

/** Another number for each request of this run, so that none asks for what was just answered. */
let asked = 0;

async function main(): Promise<void> {
  const size = Object.entries(sizes).find(([name]) => name === values.size);
  if (!size) throw new Error(`--size is one of ${Object.keys(sizes).join(', ')}.`);
  const wanted = reads.filter(({ name }) => !values.only || name.includes(values.only));
  if (wanted.length === 0) throw new Error(`No read is called "${values.only}".`);
  installPeers();
  const folder = await mkdtemp(join(tmpdir(), 'headwater-requests-'));
  const closing: Closing = [() => rm(folder, { recursive: true, force: true })];
  try {
    const { places, tables } = await openAll(folder, size[1], closing);
    const before = loadavg()[0];
    const figures = await measureAll(wanted, places);
    const load = [before, loadavg()[0]];
    const machine = {
      cpus: cpus().length,
      node: process.version,
      load,
      size: size[0],
      rounds,
      tables,
    };
    report(wanted, figures, { asJson: values.json, machine });
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

/** What is to be ended, in the order in which it began. */
type Closing = (() => Promise<void>)[];

async function openAll(folder: string, count: number, closing: Closing) {
  const files = {
    resources: join(folder, 'resources.jsonl'),
    lineages: join(folder, 'lineages.jsonl'),
  };
  await writeCatalog(files, count);
  const catalog = await openCatalogOfBench(join(folder, 'data'), files);
  closing.push(async () => catalog[Symbol.asyncDispose]());
  const places = [ours('Headwater', catalog), ...(await peersOf(catalog, closing))];
  if (values.against) {
    const other = await openCatalogOfBench(join(folder, 'against'), files, values.against);
    closing.push(async () => other[Symbol.asyncDispose]());
    places.push(ours('against', other));
  }
  return { places, tables: catalog.material.tables.length };
}

function ours(name: string, catalog: BenchCatalog): Place {
  const { server, material } = catalog;
  return {
    name,
    base: server.base,
    headers: { authorization: `Bearer ${server.key}` },
    ask: (read, n) => read.ours(n, material),
    cpu: () => server.cpuOfAll(),
    write: () => catalog.write(),
  };
}

async function peersOf(catalog: BenchCatalog, closing: Closing): Promise<Place[]> {
  const { material } = catalog;
  const peers: Place[] = [];
  for (const name of ['PostGraphile', 'Fastify'] as const) {
    if (name === 'PostGraphile' && nodeOfPostgraphile() === null) {
      console.error(
        'PostGraphile is left out: it needs Node.js 22, and none comes for this machine.',
      );
      continue;
    }
    const peer = await startPeer(name, catalog.url);
    closing.push(() => peer.stop());
    if (name === 'PostGraphile') await readCursors(peer.base, material);
    peers.push({
      name,
      base: peer.base,
      headers: {},
      ask: (read, n) =>
        (name === 'Fastify' ? read.fastify : read.postgraphile)?.(n, material) ?? null,
      cpu: () => cpuBelow(peer.pid) + cpuBelow(catalog.databasePid),
      write: () => catalog.write(),
    });
  }
  return peers;
}

/** Page through PostGraphile's list once: its cursors are its own business. */
async function readCursors(base: string, { workspace, theirs, starts }: Material): Promise<void> {
  const info = z.object({
    data: z.object({ allResources: z.object({ pageInfo: z.object({ endCursor: z.string() }) }) }),
  });
  while (theirs.length < starts.length) {
    const asked = theirList(workspace, theirs.at(-1) ?? null, 'pageInfo { endCursor }');
    const said = JSON.parse(await send({ base, headers: {} }, asked));
    theirs.push(info.parse(said).data.allResources.pageInfo.endCursor);
  }
}

async function measureAll(wanted: readonly Read[], places: readonly Place[]): Promise<Figures> {
  const figures: Figures = new Map();
  for (let round = 1 - warmUps; round <= rounds; round += 1) {
    console.error(round < 1 ? 'Warming up' : `Round ${round} of ${rounds}`);
    for (const read of wanted) {
      for (const place of places) {
        const measured = await measure(read, place);
        if (!measured || round < 1) continue;
        const byPlace = figures.get(read.name) ?? new Map();
        figures.set(read.name, byPlace);
        byPlace.set(place.name, [...(byPlace.get(place.name) ?? []), measured]);
      }
    }
  }
  return figures;
}

/** One round of a read on one server: CPU ms and wall ms a request, and how long an answer is. */
async function measure(read: Read, place: Place) {
  if (!place.ask(read, 0)) return null;
  const [cpuBefore, before] = [place.cpu(), performance.now()];
  let [begun, bytes] = [0, 0];
  const client = async () => {
    while (begun < read.requests) {
      begun += 1;
      asked += 1;
      if (read.withWrites && asked % readsForAWrite === 0) await place.write();
      let request = place.ask(read, asked);
      while (request) {
        const said = await send(place, request);
        bytes += said.length;
        request = read.goOn?.(request, said) ?? null;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(clients, read.requests) }, client));
  const ms = performance.now() - before;
  const cpu = ((place.cpu() - cpuBefore) * 1_000) / read.requests;
  return { cpu, wall: (ms * clients) / read.requests, bytes: bytes / read.requests };
}

async function send(
  { base, headers }: Pick<Place, 'base' | 'headers'>,
  { path, body }: Asked,
): Promise<string> {
  // Long answers are packed for who takes that, on a thread; the peers don't pack any.
  const all = { ...headers, 'content-type': 'application/json', 'accept-encoding': 'identity' };
  const sent = body ? { method: 'POST', headers: all, body } : { headers: all };
  const response = await fetch(base + path, sent);
  const said = await response.text();
  if (!response.ok || said.startsWith('{"errors"') || said.includes('"errors":['))
    throw new Error(`${path}: ${response.status} ${said.slice(0, 500)} ${body ?? ''}`);
  return said;
}

await main();

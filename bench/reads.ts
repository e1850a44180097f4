// Measures what a read costs, in CPU time of the server and its database, here and in another checkout.
//
//   npm run bench:reads -- [--against FOLDER] [--resources 50000] [--rounds 5] [--requests 300]
//
// Both servers hold the same catalog and answer the same requests, in turns. FOLDER is a checkout of this
// project with its packages installed, such as that of the last release.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { writeLineages, writeResources } from './import-files.ts';
import { type ImportServer, startImportServer } from './import-server.ts';

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    resources: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '300' },
  },
});
const options = {
  resources: Number(values.resources),
  rounds: Number(values.rounds),
  requests: Number(values.requests),
};
/** Resources for each edge of lineage: a table has twenty columns. */
const edgesShare = 8;
/** Requests that are under way at once. */
const clients = 4;

interface Read {
  readonly path: string;
  readonly body?: object;
}

/** The reads that are measured, each for the nth time. */
const reads: Readonly<Record<string, (n: number, tables: readonly string[]) => Read>> = {
  'a record over REST': (n, tables) => ({ path: `/api/v1/table/tables/${pick(tables, n)}` }),
  'a list of 50 over REST': (n) => ({
    path: `/api/v1/table/tables?page=${1 + (n % 3)}&page_size=50`,
  }),
  'a record over GraphQL': (n, tables) =>
    graphql('query ($id: ID!) { resource(id: $id) { id title description kind } }', {
      id: pick(tables, n),
    }),
  'lineage, three steps': (n, tables) =>
    graphql(
      `query ($from: [ID!]!) { lineage(from: $from, depth: 3) {
        nodes { depth resource { id title } } edges { sourceId targetId } } }`,
      { from: [pick(tables, n)] },
    ),
  'a search': (n) =>
    graphql(
      `query ($query: String!) { search(query: $query, first: 20) {
        totalCount nodes { resource { id title } } } }`,
      { query: pick(['customer', 'order total', 'invoice', 'refund status'], n) },
    ),
};

const pick = (list: readonly string[], n: number) => list[n % list.length] ?? '';
const graphql = (query: string, variables: object): Read => ({
  path: '/graphql',
  body: { query, variables },
});

interface Place {
  readonly server: ImportServer;
  readonly tables: readonly string[];
  /** CPU time of a request in ms, by what it reads, a round each. */
  readonly costs: Map<string, number[]>;
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-bench-'));
  const places: Place[] = [];
  try {
    const files = {
      resources: join(folder, 'resources.jsonl'),
      lineages: join(folder, 'lineages.jsonl'),
    };
    await writeResources(files.resources, options.resources);
    const { resources } = options;
    // Two or three edges for each table, as in a warehouse.
    const lineages = Math.floor(resources / edgesShare);
    await writeLineages(files.lineages, { resources, lineages, ends: 'tables' });
    for (const root of [undefined, values.against].slice(0, values.against ? 2 : 1)) {
      places.push(await open(join(folder, `data-${places.length}`), root, files));
    }
    // The first round warms up, and is not counted.
    for (let round = 0; round <= options.rounds; round += 1) {
      console.error(`Round ${round} of ${options.rounds}`);
      for (const what of Object.keys(reads)) {
        for (const place of places) await measure(place, what, round > 0);
      }
    }
    report(places);
  } finally {
    for (const { server } of places) await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function open(
  dataDir: string,
  root: string | undefined,
  files: { resources: string; lineages: string },
): Promise<Place> {
  const server = await startImportServer({
    dataDir,
    databaseUrl: undefined,
    ...(root ? { root } : {}),
  });
  await server.upload(await server.makeIntegration('warehouse'), files);
  const listed = await send(server, { path: '/api/v1/table/tables?page=1&page_size=100' });
  const tables = z.object({ results: z.array(z.object({ id: z.string() })) }).parse(listed);
  return { server, tables: tables.results.map(({ id }) => id), costs: new Map() };
}

async function measure({ server, tables, costs }: Place, what: string, counts: boolean) {
  const before = server.cpuOfAll();
  let n = 0;
  const client = async () => {
    while (n < options.requests) {
      n += 1;
      await send(server, reads[what]?.(n, tables) ?? { path: '/' });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const ms = ((server.cpuOfAll() - before) * 1_000) / options.requests;
  if (counts) costs.set(what, [...(costs.get(what) ?? []), ms]);
}

async function send({ base, key }: ImportServer, { path, body }: Read): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const sent = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const response = await fetch(base + path, sent);
  const said: unknown = await response.json();
  const failed = z.object({ errors: z.array(z.unknown()) }).safeParse(said).success;
  if (!response.ok || failed)
    throw new Error(`${path}: ${response.status} ${JSON.stringify(said)}`);
  return said;
}

function report([here, there]: readonly Place[]): void {
  const cost = (place: Place | undefined, what: string) => median(place?.costs.get(what) ?? []);
  console.log('| CPU ms a request, the database included | here | there | there / here |');
  console.log('|---|---|---|---|');
  for (const what of Object.keys(reads)) {
    const [ours, theirs] = [cost(here, what), cost(there, what)];
    const ratio = (theirs / ours).toFixed(1);
    console.log(
      `| ${what} | ${ours.toFixed(2)} | ${there ? theirs.toFixed(2) : ''} | ${there ? ratio : ''} |`,
    );
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

await main();

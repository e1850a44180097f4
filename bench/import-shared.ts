// Measures what it costs that several sources describe one thing.
//
//   npm run bench -- import-shared [--against FOLDER] [--resources 100000] [--shared 21000] [--pairs 10]
//
// With `--against`, another checkout imports the same file into a catalog of its own in turns, which one source describes
// alone: CPU of ours divided by theirs, of each pair. Then a second source describes what the first does; after each
// import, the rows and megabytes that what is known of addresses and claims takes, and the memory that the import took.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import pg from 'pg';
import { writeResources } from './import-files.ts';
import { type ImportServer, startImportServer } from './import-server.ts';

const { values: options } = parseArgs({
  options: {
    against: { type: 'string' },
    resources: { type: 'string', default: '100000' },
    shared: { type: 'string', default: '21000' },
    pairs: { type: 'string', default: '10' },
  },
});

const megabyte = 1024 * 1024;

interface Files {
  readonly resources: string;
  readonly lineages: string;
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-bench-'));
  try {
    const lineages = join(folder, 'lineages.jsonl');
    await writeFile(lineages, '');
    const fileOf = async (count: number): Promise<Files> => {
      const resources = join(folder, `resources-${count}.jsonl`);
      await writeResources(resources, count);
      return { resources, lineages };
    };
    if (options.against) await measurePairs(folder, await fileOf(Number(options.resources)));
    await measureShared(folder, await fileOf(Number(options.shared)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A first import and the same again, of both checkouts in turns, each pair into empty catalogs. */
async function measurePairs(folder: string, files: Files): Promise<void> {
  const ratios: { first: number[]; again: number[] } = { first: [], again: [] };
  for (let pair = 0; pair < Number(options.pairs); pair += 1) {
    const roots: (string | undefined)[] = [undefined, options.against];
    if (pair % 2 === 1) roots.reverse();
    const used = new Map<string | undefined, { first: number; again: number }>();
    for (const root of roots) {
      const dataDir = join(folder, `pair-${pair}-${root === undefined ? 'ours' : 'theirs'}`);
      const place = { dataDir, databaseUrl: undefined };
      const server = await startImportServer(root === undefined ? place : { ...place, root });
      const integration = await server.makeIntegration('Bench');
      const first = await cpuOfUpload(server, integration, files);
      used.set(root, { first, again: await cpuOfUpload(server, integration, files) });
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
    const [ours, theirs] = [used.get(undefined), used.get(options.against)];
    if (!ours || !theirs) continue;
    ratios.first.push(ours.first / theirs.first);
    ratios.again.push(ours.again / theirs.again);
    console.log(
      `pair ${pair + 1}: first ${ours.first.toFixed(1)} s to ${theirs.first.toFixed(1)} s, ` +
        `again ${ours.again.toFixed(1)} s to ${theirs.again.toFixed(1)} s`,
    );
  }
  console.log(`first import: ${median(ratios.first).toFixed(2)} of theirs (median)`);
  console.log(`the same again: ${median(ratios.again).toFixed(2)} of theirs (median)`);
}

/** One source, then a second that describes the same, then either again. */
async function measureShared(folder: string, files: Files): Promise<void> {
  const dataDir = join(folder, 'shared');
  const server = await startImportServer({ dataDir, databaseUrl: undefined });
  try {
    const warehouse = await server.makeIntegration('Warehouse');
    const measured = async (id: string) => {
      const memory = server.watchMemory();
      const cpu = await cpuOfUpload(server, id, files);
      const { idle, peak } = memory.end();
      const size = await sizeOfIdentities(dataDir);
      console.log(
        `${size}; ${idle.toFixed(0)} MB of memory, at most ${(peak - idle).toFixed(0)} more`,
      );
      return cpu;
    };
    const plain = await measured(warehouse);
    const again = await measured(warehouse);
    const other = await server.makeIntegration('Other');
    await say(server, other, `integration:${warehouse}`);
    const report = (name: string, cpu: number, of: number) =>
      console.log(`${name}: ${cpu.toFixed(1)} s, ${(cpu / of).toFixed(2)} of ${of.toFixed(1)} s`);
    report('a second source that describes all of it', await measured(other), plain);
    report('the second source again', await measured(other), plain);
    report('the first source again', await measured(warehouse), again);
  } finally {
    await server.stop();
  }
}

const identityTables = [
  'resource_claim',
  'resource_alias',
  'integration_address',
  'database_address',
];

/** The rows and megabytes of what is known of addresses and claims, next to those of resources. */
async function sizeOfIdentities(dataDir: string): Promise<string> {
  const command = promisify(execFile);
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' };
  const { stdout } = await command('npm', ['run', '-s', 'db:url'], { env });
  const client = new pg.Client(stdout.trim());
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; rows: string; bytes: string }>(
      `${identityTables
        .map(
          (name) =>
            `select '${name}' as name, count(*) as rows, pg_total_relation_size('${name}') as bytes from ${name}`,
        )
        .join(' union all ')}
      union all select 'address, identity', count(identity),
        coalesce(sum(pg_column_size(address) + pg_column_size(identity)), 0)
          + pg_relation_size('resource_identity_key') from resource where identity is not null
      union all select 'resource', count(*), pg_total_relation_size('resource') from resource`,
    );
    return rows
      .map(
        ({ name, rows: count, bytes }) =>
          `${name} ${count} rows, ${(Number(bytes) / megabyte).toFixed(1)} MB`,
      )
      .join('; ');
  } finally {
    await client.end();
  }
}

/** Say where all databases of an integration lie. */
async function say(server: ImportServer, integration: string, address: string): Promise<void> {
  const answer = await fetch(`${server.base}/api/v1/integration/integrations/${integration}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ addresses: [{ database: '*', address }] }),
  });
  if (!answer.ok) throw new Error(`The server answered with ${answer.status}.`);
}

/** CPU of the server and its database for one upload, in seconds. */
async function cpuOfUpload(server: ImportServer, id: string, files: Files): Promise<number> {
  const before = server.cpuOfAll();
  await server.upload(id, files);
  return server.cpuOfAll() - before;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

await main();

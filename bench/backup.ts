// Measures a backup of a large catalog that people write to, and its restore; and compares the two.
//
//   npm run bench -- backup [--resources 1000000] [--lineages 2000000] [--writers 4] [--into postgresql://...]
//
// The server is the built one, on the database that the settings name. The backup is restored into a new
// folder, or into the empty database at `--into`. It ends with 1 where a table is not the same there, or
// where a command takes more than 100 MB more than it does for an empty catalog.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Manifest, readManifest } from '../src/database/backups/manifest.ts';
import { writeLineages, writeResources } from './import-files.ts';
import { type ImportServer, startImportServer } from './import-server.ts';

const { values: options } = parseArgs({
  options: {
    resources: { type: 'string', default: '1000000' },
    lineages: { type: 'string', default: '2000000' },
    writers: { type: 'string', default: '4' },
    into: { type: 'string' },
  },
});

const megabyte = 1e6;
/** How much more memory a command may take for a large catalog than for an empty one. */
const maxMoreMegabytes = 100;
const quietMs = 20_000;
const root = fileURLToPath(new URL('..', import.meta.url));

type Place = Readonly<Record<'DATA_DIR' | 'DATABASE_URL', string>>;

async function main(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-bench-'));
  const [small, large, again] = ['small', 'large', 'again'].map((name) => `${folder}/${name}.tar`);
  const databaseUrl = process.env.DATABASE_URL;
  const source: Place = { DATA_DIR: join(folder, 'data'), DATABASE_URL: databaseUrl ?? '' };
  const target: Place = { DATA_DIR: join(folder, 'restored'), DATABASE_URL: options.into ?? '' };
  const server = await startImportServer({ dataDir: source.DATA_DIR, databaseUrl });
  try {
    const empty = {
      backup: await measure('backup', `${small}`, source),
      restore: await measure('restore', `${small}`, {
        DATA_DIR: `${folder}/small`,
        DATABASE_URL: '',
      }),
    };
    await fill(server, folder);
    const quiet = await underWriters(server, () => sleep(quietMs));
    const beside = await underWriters(server, () => measure('backup', `${large}`, source));
    await server.stop();
    const restored = await measure('restore', `${large}`, target);
    await measure('backup', `${again}`, target);

    const manifest = manifestOf(`${large}`);
    await reportSize(manifest, `${large}`);
    const more = [
      report('backup', beside.value, empty.backup, manifest),
      report('restore', restored, empty.restore, manifest),
    ];
    console.log(
      `writes without a backup: ${inWords(quiet.tookMs)}; beside it: ${inWords(beside.tookMs)}`,
    );
    const differing = differences(manifest, manifestOf(`${again}`));
    console.log(differing.length === 0 ? 'Every table is the same.' : `Not the same: ${differing}`);
    return differing.length === 0 && Math.max(...more) <= maxMoreMegabytes;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(server: ImportServer, folder: string): Promise<void> {
  const [resources, lineages] = [join(folder, 'resources.jsonl'), join(folder, 'lineages.jsonl')];
  const counts = { resources: Number(options.resources), lineages: Number(options.lineages) };
  await writeResources(resources, counts.resources);
  await writeLineages(lineages, { ...counts, ends: 'both' });
  await server.upload(await server.makeIntegration('Bench'), { resources, lineages });
  await rm(resources);
  await rm(lineages);
}

interface Beside<T> {
  readonly value: T;
  /** How long each write took. */
  readonly tookMs: readonly number[];
}

/** Do some work while writers make tables, one after the other. */
async function underWriters<T>(server: ImportServer, work: () => Promise<T>): Promise<Beside<T>> {
  const tookMs: number[] = [];
  let stopping = false;
  const query = `mutation Make($title: String!) {
    createResource(kind: table, input: { title: $title }) { id } }`;
  const write = async (title: string) => {
    const response = await fetch(`${server.base}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { title } }),
    });
    const said = await response.text();
    if (!said.includes('"id"')) throw new Error(`A write failed: ${said}`);
  };
  const writer = async (name: string) => {
    for (let n = 0; !stopping; n += 1) {
      const started = performance.now();
      await write(`${name} ${n}`);
      tookMs.push(performance.now() - started);
    }
  };
  const writing = Promise.all(
    Array.from({ length: Number(options.writers) }, (_, n) => writer(`writer ${n}`)),
  );
  try {
    return { value: await work(), tookMs };
  } finally {
    stopping = true;
    await writing;
  }
}

interface Measured {
  readonly seconds: number;
  /** CPU of the command itself, without that of the database. */
  readonly cpuSeconds: number;
  /** Most memory that it had, in MB. */
  readonly peak: number;
}

/** Run a command in a process of its own. */
async function measure(name: 'backup' | 'restore', file: string, place: Place): Promise<Measured> {
  const started = performance.now();
  const child = spawn(process.execPath, [`dist/commands/${name}.js`, file], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...place, DATABASE_DIRECT_URL: '' },
  });
  let [peak, ticks] = [0, 0];
  const look = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000);
    const times = await readFile(`/proc/${child.pid}/stat`, 'utf8').catch(() => '');
    const [user, system] = times.split(') ')[1]?.split(' ').slice(11, 13) ?? [];
    ticks = Math.max(ticks, Number(user ?? 0) + Number(system ?? 0));
  };
  const looking = setInterval(look, 20);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(looking);
  if (code !== 0) throw new Error(`The command ${name} ended with ${code}.`);
  // A tick has 10 ms.
  return { seconds: (performance.now() - started) / 1_000, cpuSeconds: ticks / 100, peak };
}

function manifestOf(file: string): Manifest {
  return readManifest(execFileSync('tar', ['-xOf', file, 'manifest.json']));
}

const bytesOf = ({ contents }: Manifest) => contents.reduce((sum, { bytes }) => sum + bytes, 0);

async function reportSize(manifest: Manifest, file: string): Promise<void> {
  const rows = manifest.contents.reduce((sum, table) => sum + table.rows, 0);
  const { size } = await stat(file);
  const lengths = [bytesOf(manifest), size].map((bytes) => `${(bytes / megabyte).toFixed(0)} MB`);
  console.log(`${rows} rows, ${lengths[0]}, as a file ${lengths[1]}`);
}

/** Print what a command took; how many MB more than for an empty catalog. */
function report(name: string, took: Measured, empty: Measured, manifest: Manifest): number {
  const more = took.peak - empty.peak;
  const speed = bytesOf(manifest) / megabyte / took.seconds;
  console.log(
    `${name}: ${took.seconds.toFixed(1)} s (${speed.toFixed(0)} MB/s), ${took.cpuSeconds.toFixed(1)} s of ` +
      `CPU, ${took.peak.toFixed(0)} MB at most, ${more.toFixed(0)} MB more than for an empty catalog`,
  );
  return more;
}

function inWords(tookMs: readonly number[]): string {
  const sorted = tookMs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(0);
  return `${sorted.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms`;
}

/** Names of tables whose rows, bytes or checksum are not the same. */
function differences(one: Manifest, other: Manifest): string[] {
  const there = new Map(other.contents.map((table) => [table.table, table.sha256]));
  return one.contents
    .filter(({ table, sha256 }) => there.get(table) !== sha256)
    .map((t) => t.table);
}

process.exitCode = (await main()) ? 0 : 1;

// Measures what people who read and write notice of a large import that runs next to them.
//
//   npm run bench -- import-beside [--resources 200000] [--lineages 400000] [--before 20000]
//     [--clients 4] [--pause 25] [--quiet 40]
//
// The server is the built one, on the database that the settings name. The same load runs before the
// import, so that both are measured in one run. It ends with 1 where a bar is not met.

import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { ofTime } from '../gates/times.ts';
import { type Sample, type Targets, underLoad, watchReadiness } from './beside-load.ts';
import { writeLineages, writeResources } from './import-files.ts';
import { type ImportServer, startImportServer } from './import-server.ts';

const { values } = parseArgs({
  options: {
    resources: { type: 'string', default: '200000' },
    lineages: { type: 'string', default: '400000' },
    before: { type: 'string', default: '20000' },
    clients: { type: 'string', default: '4' },
    pause: { type: 'string', default: '25' },
    quiet: { type: 'string', default: '40' },
  },
});
const options = {
  resources: Number(values.resources),
  lineages: Number(values.lineages),
  before: Number(values.before),
  clients: Number(values.clients),
  pauseMs: Number(values.pause),
  quietMs: Number(values.quiet) * 1_000,
};

/** How much longer the slowest hundredth may take alongside an import. */
const bars = { reads: 5, writes: 5 };

interface Phase {
  readonly samples: readonly Sample[];
  readonly readiness: ReadonlyMap<string, number>;
  readonly seconds: number;
  readonly cpu: number;
  readonly delay: { readonly p99: number; readonly max: number };
}

async function main(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-bench-'));
  const dataDir = join(folder, 'data');
  const server = await startImportServer({ dataDir, databaseUrl: process.env.DATABASE_URL });
  try {
    const { targets, integration, files } = await prepare(server, folder);
    await phase(server, targets, () => sleep(5_000));
    const quiet = await phase(server, targets, () => sleep(options.quietMs));
    const steps = watchSteps(server);
    const beside = await phase(server, targets, () => server.upload(integration, files));
    await steps.end();
    return report(quiet, beside);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A catalog that people work with, a part of which the import is to change. */
async function prepare(server: ImportServer, folder: string) {
  const write = async (name: string, resources: number, lineages: number, shop: string) => {
    const files = {
      resources: join(folder, `${name}-resources.jsonl`),
      lineages: join(folder, `${name}-lineages.jsonl`),
    };
    await writeResources(files.resources, resources, shop);
    await writeLineages(files.lineages, { resources, lineages, ends: 'both' });
    return files;
  };
  const { before, resources, lineages } = options;
  const some = await write('some', before, before * 2, 'market');
  const files = await write('all', resources, lineages, 'shop');
  const elsewhere = await server.makeIntegration('Elsewhere');
  const integration = await server.makeIntegration('Imported');
  await server.upload(elsewhere, some);
  await server.upload(integration, some);
  const question = await ask(server, 'POST', '/question/questions', { title: 'How much?' });
  const targets = {
    outside: await idsOf(server, 'tables', elsewhere),
    columns: await idsOf(server, 'columns', elsewhere),
    inside: await idsOf(server, 'tables', integration),
    question: z.object({ id: z.string() }).parse(question).id,
  };
  return { targets, integration, files };
}

async function idsOf(server: ImportServer, what: 'tables' | 'columns', integration: string) {
  const page = `/table/${what}?integration_id=${integration}&page_size=100`;
  const list = z.object({ results: z.array(z.object({ id: z.string() })) });
  return list.parse(await ask(server, 'GET', page)).results.map(({ id }) => id);
}

async function ask({ base, key }: ImportServer, method: string, path: string, body?: object) {
  const answer = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Let people work for as long as something takes. */
async function phase(
  server: ImportServer,
  targets: Targets,
  work: () => Promise<unknown>,
): Promise<Phase> {
  const { clients, pauseMs } = options;
  const over = new AbortController();
  const load = underLoad({ ...server, targets, clients, pauseMs }, over.signal);
  const readiness = watchReadiness(server.base, over.signal);
  await server.loopDelay();
  const cpu = await server.cpuSeconds();
  const started = performance.now();
  try {
    await work();
  } finally {
    over.abort();
  }
  const seconds = (performance.now() - started) / 1_000;
  return {
    ...{ samples: await load, readiness: await readiness, seconds },
    ...{ cpu: (await server.cpuSeconds()) - cpu, delay: await server.loopDelay() },
  };
}

/** Says how long each step of the import took, as far as half seconds show. */
function watchSteps(server: ImportServer) {
  const over = new AbortController();
  const watching = (async () => {
    let step: string | undefined;
    let since = performance.now();
    const next = (to: string | undefined) => {
      if (to === step) return;
      const took = ((performance.now() - since) / 1_000).toFixed(1).padStart(6);
      if (step !== undefined) console.log(`  ${took} s  ${step}`);
      [step, since] = [to, performance.now()];
    };
    while (!over.signal.aborted) {
      next(await server.stepOfImport().catch(() => step));
      await sleep(500);
    }
    next(undefined);
  })();
  return {
    async end() {
      over.abort();
      await watching;
    },
  };
}

function report(quiet: Phase, beside: Phase): boolean {
  const lines = options.resources + options.lineages;
  console.log(
    `\n${lines} lines in ${beside.seconds.toFixed(1)} s, beside ${options.clients} clients`,
  );
  for (const [name, phase] of Object.entries({ quiet, beside })) {
    const { cpu, seconds, delay, readiness } = phase;
    const answers = [...readiness].map(([status, times]) => `${status} × ${times}`).join(', ');
    const busy = ((cpu / seconds) * 100).toFixed(0);
    console.log(
      `${name}: server ${busy} % of a core, event loop p99 ${delay.p99.toFixed(0)} ms, max ` +
        `${delay.max.toFixed(0)} ms, /readyz ${answers}`,
    );
  }
  console.log(
    '\n| | without: n, p50, p99, max (ms) | beside the import | p99 |\n|---|---|---|---|',
  );
  const kinds = [...new Set(quiet.samples.map(({ what }) => what))].sort();
  const row = (name: string, those: (sample: Sample) => boolean) => {
    const [one, other] = [figures(quiet, those), figures(beside, those)];
    const times = other.p99 / one.p99;
    console.log(`| ${name} | ${inWords(one)} | ${inWords(other)} | × ${times.toFixed(1)} |`);
    return times;
  };
  const reads = row('**all reads**', ({ isRead }) => isRead);
  const writes = row('**all writes**', ({ isRead }) => !isRead);
  for (const kind of kinds) row(kind, ({ what }) => what === kind);
  const failures = [...quiet.samples, ...beside.samples].flatMap(({ failure }) => failure ?? []);
  const isReady = [...beside.readiness.keys()].every((status) => status === '200');
  const late = [
    ...(reads <= bars.reads ? [] : [`Reads took ${reads.toFixed(1)} times as long.`]),
    ...(writes <= bars.writes ? [] : [`Writes took ${writes.toFixed(1)} times as long.`]),
  ];
  const faults = [
    ...failures.slice(0, 5),
    ...(isReady ? [] : ['It was not always ready.']),
    ...ofTime(late),
  ];
  for (const fault of faults) console.log(fault);
  const requests = quiet.samples.length + beside.samples.length;
  console.log(
    `${requests} requests, ${failures.length} failed; beside the import reads took ${reads.toFixed(1)} times as ` +
      `long and writes ${writes.toFixed(1)} (bars: ${bars.reads} and ${bars.writes}); ` +
      `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
  );
  return faults.length === 0;
}

interface Figures {
  readonly n: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

function figures({ samples }: Phase, those: (sample: Sample) => boolean): Figures {
  const ms = samples
    .filter(those)
    .map((sample) => sample.ms)
    .sort((one, other) => one - other);
  const at = (share: number) => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? 0;
  return { n: ms.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

function inWords({ n, p50, p99, max }: Figures): string {
  return `${n}, ${p50.toFixed(1)}, ${p99.toFixed(0)}, ${max.toFixed(0)}`;
}

process.exitCode = (await main()) ? 0 : 1;

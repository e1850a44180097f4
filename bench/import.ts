// Measures an import of many JSONL lines: lines a second, and the memory of the server that imports.
//
//   npm run bench -- import [--resources 1000000] [--lineages 2000000] [--ends columns|tables|both]
//     [--database-url postgresql://...] [--data-dir folder] [--again] [--folder folder]
//
// The server is the built one in a process of its own, and the files are uploaded to it as a client
// would. Without an address the embedded database is used, in a temporary folder; an address names an
// empty database. `--again` uploads the same files a second time, which must change nothing.

import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Ends, writeLineages, writeResources } from './import-files.ts';
import { type ImportServer, startImportServer } from './import-server.ts';

const { values: options } = parseArgs({
  options: {
    resources: { type: 'string', default: '1000000' },
    lineages: { type: 'string', default: '2000000' },
    ends: { type: 'string', default: 'both' },
    'database-url': { type: 'string' },
    'data-dir': { type: 'string' },
    folder: { type: 'string' },
    again: { type: 'boolean', default: false },
  },
});

const megabyte = 1024 * 1024;

interface Files {
  readonly resources: string;
  readonly lineages: string;
}

async function main(): Promise<void> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'headwater-bench-')));
  const counts = { resources: Number(options.resources), lineages: Number(options.lineages) };
  const files = {
    resources: join(folder, `resources-${counts.resources}.jsonl`),
    lineages: join(folder, `lineages-${counts.lineages}-${options.ends}.jsonl`),
  };
  const ends: Ends =
    options.ends === 'tables' || options.ends === 'columns' ? options.ends : 'both';
  if (!existsSync(files.resources)) await writeResources(files.resources, counts.resources);
  if (!existsSync(files.lineages)) await writeLineages(files.lineages, { ...counts, ends });
  for (const file of Object.values(files)) {
    console.log(`${file}: ${((await stat(file)).size / megabyte).toFixed(0)} MB`);
  }
  const dataDir = options['data-dir'] ?? join(folder, 'data');
  const server = await startImportServer({ dataDir, databaseUrl: options['database-url'] });
  try {
    const integration = await server.makeIntegration('Bench');
    for (let round = 0; round < (options.again ? 2 : 1); round += 1) {
      await measure(server, integration, files, counts.resources + counts.lineages);
    }
  } finally {
    await server.stop();
    if (!options.folder) await rm(folder, { recursive: true, force: true });
  }
}

async function measure(
  server: ImportServer,
  integration: string,
  files: Files,
  lines: number,
): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const memory = server.watchMemory();
  const steps = watchSteps(server);
  const [cpu, cpuOfAll] = [await server.cpuSeconds(), server.cpuOfAll()];
  const started = performance.now();
  await server.upload(integration, files);
  const seconds = (performance.now() - started) / 1_000;
  await steps.end();
  const used = (await server.cpuSeconds()) - cpu;
  const usedByAll = server.cpuOfAll() - cpuOfAll;
  const { idle, peak } = memory.end();
  console.log(`${lines} lines in ${seconds.toFixed(1)} s, ${Math.round(lines / seconds)} a second`);
  console.log(`CPU of the server process: ${used.toFixed(1)} s`);
  console.log(`CPU of all its processes, a packaged database included: ${usedByAll.toFixed(1)} s`);
  console.log(`memory: ${idle.toFixed(0)} MB idle, at most ${(peak - idle).toFixed(0)} MB more`);
}

/** Asks the import's job every half second how far it is, and says how long each step took. */
function watchSteps(server: ImportServer) {
  let step = 'uploading';
  let since = performance.now();
  let isEnded = false;
  const next = (to: string) => {
    if (to === step) return;
    console.log(`  ${((performance.now() - since) / 1_000).toFixed(1).padStart(6)} s  ${step}`);
    [step, since] = [to, performance.now()];
  };
  const watching = (async () => {
    while (!isEnded) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      // The embedded database has one connection: while the import has it, no one is answered.
      const now = await server.stepOfImport().catch(() => undefined);
      if (now !== undefined) next(now);
    }
  })();
  return {
    async end() {
      isEnded = true;
      await watching;
      next('');
    },
  };
}

await main();

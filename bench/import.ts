// Measures an import of many JSONL lines: lines a second, and the memory of the importing process.
//
//   npm run bench:import -- [--resources 1000000] [--lineages 2000000] [--ends columns|tables|both]
//     [--database-url postgresql://...] [--data-dir folder] [--again] [--folder folder]
//
// Without an address the embedded database is used, in a temporary folder. `--again` imports the same
// files a second time, which must change nothing.

import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Ends, writeLineages, writeResources } from './import-files.ts';
import type { Order, Report } from './import-process.ts';

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
  try {
    await measure({ files, dataDir, databaseUrl: options['database-url'], again: options.again });
  } finally {
    if (!options.folder) await rm(folder, { recursive: true, force: true });
  }
}

async function measure(order: Order): Promise<void> {
  const lines = Number(options.resources) + Number(options.lineages);
  const process = fork(new URL('./import-process.ts', import.meta.url), {
    execArgv: ['--import', 'tsx'],
  });
  const memory = watchMemory(process);
  const answers = reports(process);
  process.send(order);
  for await (const report of answers) {
    switch (report.is) {
      case 'idle':
        await memory.settle();
        process.send('go');
        break;
      case 'log':
        console.log(`  ${report.line}`);
        break;
      case 'step':
        console.log(`  ${(report.ms / 1000).toFixed(1).padStart(6)} s  ${report.step}`);
        break;
      case 'done': {
        const rate = Math.round(lines / (report.ms / 1000));
        const seconds = (report.ms / 1000).toFixed(1);
        console.log(`${report.engine}: ${lines} lines in ${seconds} s, ${rate} lines a second`);
        const more = (memory.peak - memory.idle).toFixed(0);
        console.log(`memory: ${memory.idle.toFixed(0)} MB idle, at most ${more} MB more`);
        memory.restart();
      }
    }
  }
  memory.stop();
}

async function* reports(process: ChildProcess): AsyncGenerator<Report> {
  const waiting: Report[] = [];
  let ended = false;
  let wake = () => {};
  process.on('message', (report: Report) => {
    waiting.push(report);
    wake();
  });
  process.on('exit', (code) => {
    ended = true;
    if (code !== 0) console.error(`The importing process ended with ${code}.`);
    wake();
  });
  for (;;) {
    const report = waiting.shift();
    if (report) yield report;
    else if (ended) return;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
}

/** The resident memory of a process, sampled from outside: it may be too busy to answer itself. */
function watchMemory({ pid }: ChildProcess) {
  const memory = { idle: 0, peak: 0 };
  const sample = async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  };
  const timer = setInterval(async () => {
    memory.peak = Math.max(memory.peak, await sample());
  }, 50);
  return {
    get idle() {
      return memory.idle;
    },
    get peak() {
      return memory.peak;
    },
    async settle() {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      memory.idle = await sample();
      memory.peak = memory.idle;
    },
    restart() {
      memory.peak = 0;
    },
    stop: () => clearInterval(timer),
  };
}

await main();

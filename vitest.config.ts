import { statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { without } from './gates/controls.mjs';
import { Failures, failedBefore } from './test/house/failures.ts';
import { NoSkips } from './test/house/no-skips.ts';

// Every test file has a database of its own. In memory making one takes an eighth of the time that it
// takes on a disk.
const memory = '/dev/shm';
const enoughBytes = 4_000_000_000;
if (process.env.TMPDIR === undefined && freeBytes(memory) > enoughBytes) {
  process.env.TMPDIR = memory;
}

/** Files of one kind (`x.browser.test.ts`), or of none: all of them, or those that failed before. */
function project(name: string, kind = '') {
  const [ending, all] = [`${kind && `.${kind}`}.test.ts`, 'test/**/*'];
  const others = kind === '' ? [`${all}.*.test.ts`] : [];
  const include = failedBefore()?.filter((file) => file.endsWith(ending)) ?? [`${all}${ending}`];
  return { extends: true as const, test: { name, include, exclude: others } };
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** What the negative control of a gate takes out of the program. */
const control = process.env.WITHOUT;

export default defineConfig({
  plugins: control
    ? [
        {
          name: 'without',
          enforce: 'pre',
          transform: (source: string, file: string) => without(control, file, source),
        },
      ]
    : [],
  // Two builds of graphql (index.js and index.mjs) would be two realms: types of one fail in the other.
  resolve: {
    alias: [
      { find: /^graphql$/, replacement: 'graphql/index.js' },
      {
        find: /^@prisma\/client\/runtime\/query_compiler_small_bg\.postgresql\.mjs$/,
        replacement: fileURLToPath(new URL('test/query-compiler.mjs', import.meta.url)),
      },
    ],
  },
  test: {
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'forks',
    // A process loads the program once and runs many files, each on a database of its own.
    isolate: false,
    // One more than cores: many tests wait for processes that they start.
    maxWorkers: Math.max(2, availableParallelism() + 1),
    reporters: [
      'default',
      ...(process.env.NO_SKIPS === '1' ? [new NoSkips()] : []),
      ...(process.env.FAILURES ? [new Failures()] : []),
    ],
    // What a run has translated the next one reads; a control changes the program while it is read.
    experimental: { fsModuleCache: control === undefined },
    // A test, and what it waits for, may take its time on a machine that does other work, too.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      project('tests'),
      // These start processes: the whole program, a worker, a database server, a generator or a compiler.
      project('processes', 'process'),
      // These need a browser.
      project('browser', 'browser'),
      // Small runs of the gates: all that a search tries, and whole processes on a bad day.
      project('gates', 'gate'),
      // These have bars of time, which other work on the machine may push them over.
      project('timed', 'timed'),
    ],
    server: { deps: { inline: [/@pothos/, /graphql-scalars/, /sofa-api/] } },
  },
});

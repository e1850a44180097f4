// Changes the program in small ways, one at a time, and sees whether a test notices:
// `npm run mutate -- src/lists/filter.ts`, or a folder. docs/testing.md says how to read what it says.
//
// Stryker does it, a package of tools/mutation/package.json, which is installed when first wanted.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOrExit } from './build.mjs';
import { installTools } from './tools.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'tools/mutation');
/** Where what was found is written: mutation.json with all of it, mutation.html to read. */
const reports = join(root, 'coverage/mutation');

/** Which tests are run against a file: the first row whose path it has, or lies below. */
const { tests: table } = JSON.parse(readFileSync(join(folder, 'tests.json'), 'utf8'));

const given = process.argv.slice(2);
if (given.length === 0)
  stop('Usage: npm run mutate -- src/lists/filter.ts [more files or folders]');
const paths = given.map(inTheTree);
const files = testsOf(paths);
console.log(`Mutating ${paths.join(', ')} against ${files.join(', ')} ...`);

installTools(folder);
await buildOrExit();
process.exitCode = await stryker();

/** A path as it is written in the table, which must be there and below src/. */
function inTheTree(path) {
  const found = relative(root, resolve(path)).replaceAll('\\', '/');
  if (!existsSync(join(root, found))) stop(`There is no ${path}.`);
  if (!`${found}/`.startsWith('src/')) stop(`${path} is not below src/.`);
  return found;
}

function testsOf(paths) {
  const found = paths.flatMap((path) => {
    const row = Object.keys(table).find((key) => path === key || path.startsWith(`${key}/`));
    if (row !== undefined) return table[row];
    const below = Object.keys(table).filter((key) => key.startsWith(`${path}/`));
    const beside = path.replace(/\.ts$/, '').replace(/^src/, 'test');
    return [...below.flatMap((key) => table[key]), ...besides(beside)];
  });
  if (found.length === 0) stop('No tests belong to it; name them in tools/mutation/tests.json.');
  return [...new Set(found)];
}

/** The test of the same name, or the tests of the folder that is nearest. */
function besides(path) {
  if (existsSync(join(root, `${path}.test.ts`))) return [`${path}.test.ts`];
  for (let folder = path; folder.includes('/'); folder = folder.slice(0, folder.lastIndexOf('/'))) {
    if (existsSync(join(root, folder))) return [`${folder}/**/*.test.ts`];
  }
  return [];
}

async function stryker() {
  mkdirSync(reports, { recursive: true });
  const config = join(reports, 'stryker.json');
  writeFileSync(config, JSON.stringify(settings(), null, 2));
  const program = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const child = spawn(process.execPath, [program, 'run', config], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, MUTATE_TESTS: files.join(',') },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const code = await new Promise((done) => child.once('exit', (status) => done(status ?? 1)));
  rmSync(config, { force: true });
  return code;
}

function settings() {
  const mutate = paths.map((path) =>
    statSync(join(root, path)).isDirectory() ? `${path}/**/*.ts` : path,
  );
  return {
    testRunner: 'vitest',
    plugins: [join(folder, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
    mutate,
    coverageAnalysis: 'perTest',
    // Each would start a database server of its own.
    concurrency: 1,
    // There is none: it would be read for paths only, by a package of types that is not installed there.
    tsconfigFile: 'tools/mutation/none.json',
    ignorePatterns: ['/data', '/coverage', '/docs/*.png', '/.git'],
    tempDirName: 'coverage/mutation/sandbox',
    reporters: ['clear-text', 'progress-append-only', 'json', 'html'],
    jsonReporter: { fileName: join(reports, 'mutation.json') },
    htmlReporter: { fileName: join(reports, 'mutation.html') },
    clearTextReporter: {
      allowColor: false,
      allowEmojis: false,
      logTests: false,
      reportTests: false,
    },
    timeoutMS: 20_000,
    timeoutFactor: 4,
    // Below this a run fails; docs/testing.md has the scores of what it was made for.
    thresholds: { high: 95, low: 85, break: 85 },
    disableTypeChecks: false,
  };
}

function stop(message) {
  console.error(message);
  process.exit(2);
}

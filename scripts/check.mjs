// Runs every check of the project, or those that are named: `npm run check -- types lint`; of the files that are staged
// only format, lint and types, in seconds: `npm run check -- --staged`.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildOrExit } from './build.mjs';
import { tool } from './tools.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const own = (path, ...args) => [process.execPath, `node_modules/${path}`, ...args];

const schemaLint = ['--config', 'tools/eslint.config.mjs', 'schema.graphql'];

/** What is staged for the next commit, but for what it removes. */
const staged = () =>
  execFileSync('git', ['diff', '--cached', '--name-only', '--diff-filter=d'], { cwd: root })
    .toString()
    .split('\n')
    .filter((path) => path !== '');

/** The checks by name. Their commands are made when they are run: `tool` installs the tools first. */
const checks = new Map([
  ['lint', () => tool('biome', 'check', '.')],
  // Before types: tests and pages import what it writes.
  ['operations', () => [process.execPath, 'scripts/explorer-types.mjs']],
  ['types', () => tool('tsc', '--noEmit')],
  ['explorer', () => tool('tsc', '--noEmit', '--project', 'src/explorer')],
  ['unused', () => tool('knip', '--config', 'tools/knip.config.mjs')],
  ['tables', () => own('prisma/build/index.js', 'format', '--check')],
  ['schema', () => own('tsx/dist/cli.mjs', 'scripts/print-schema.ts', '--check')],
  ['schema-lint', () => tool('eslint', ...schemaLint)],
  ['tests', () => own('vitest/vitest.mjs', 'run', '--project', 'tests', '--project', 'processes')],
]);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  // For those who ran the tests already.
  options: { 'no-tests': { type: 'boolean' }, staged: { type: 'boolean' } },
});
const unknown = positionals.filter((name) => !checks.has(name));
if (unknown.length > 0) {
  console.error(
    `There is no check ${unknown.join(', ')}; there are ${[...checks.keys()].join(', ')}.`,
  );
  process.exit(2);
}
const wanted = (positionals.length > 0 ? positionals : [...checks.keys()]).filter(
  (name) => name !== 'tests' || !values['no-tests'],
);

const chosen = values.staged
  ? checksOf(staged())
  : new Map(wanted.map((name) => [name, checks.get(name)]));
if (!values.staged) await buildOrExit('client');
const failed = [];
for (const [name, commandOf] of chosen) {
  console.log(`\n— ${name}`);
  const [command, ...args] = commandOf();
  // One after the other, and all of them: a person wants the whole list at once.
  if ((await exitCode(command, args)) !== 0) failed.push(name);
}
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** The checks of some files alone: types of the explorer have settings of their own. */
function checksOf(files) {
  const found = new Map();
  if (files.length > 0) {
    found.set('lint', () => tool('biome', 'check', '--no-errors-on-unmatched', ...files));
  }
  const typed = files.filter((path) => /\.tsx?$/.test(path));
  if (typed.length > 0) found.set('operations', checks.get('operations'));
  // Each with the files that declare what no file imports.
  for (const [name, folder, isIn, ambient] of [
    [
      'types',
      '',
      (path) => !path.startsWith('src/explorer/'),
      ['src/database/**/*.d.ts', 'test/global-setup.ts'],
    ],
    [
      'explorer',
      'src/explorer/',
      (path) => path.startsWith('src/explorer/'),
      ['src/explorer/*.d.ts'],
    ],
  ]) {
    const own = typed.filter(isIn);
    if (own.length === 0) continue;
    const config = join(root, 'node_modules/.cache', `staged-${name}.json`);
    mkdirSync(join(config, '..'), { recursive: true });
    const settings = {
      extends: join(root, folder, 'tsconfig.json'),
      files: own.map((path) => join(root, path)),
      include: ambient.map((path) => join(root, path)),
    };
    writeFileSync(config, JSON.stringify(settings));
    found.set(name, () => tool('tsc', '--noEmit', '--project', config));
  }
  return found;
}

function exitCode(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

// Runs every check of the project: format and lint, types, what nothing uses, the schema, the tests.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildOrExit } from './build.mjs';
import { tool } from './tools.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const own = (path, ...args) => [process.execPath, `node_modules/${path}`, ...args];

const schemaLint = ['--config', 'tools/eslint.config.mjs', 'schema.graphql'];

const checks = [
  ['format and lint', tool('biome', 'check', '.')],
  ['types', tool('tsc', '--noEmit')],
  ["the explorer's operations", [process.execPath, 'scripts/explorer-types.mjs']],
  ["the explorer's types", tool('tsc', '--noEmit', '--project', 'src/explorer')],
  ['what nothing uses', tool('knip', '--config', 'tools/knip.config.mjs')],
  ['printed schema', own('tsx/dist/cli.mjs', 'scripts/print-schema.ts', '--check')],
  ['schema lint', tool('eslint', ...schemaLint)],
  ['tests', own('vitest/vitest.mjs', 'run', '--project', 'tests', '--project', 'processes')],
];

// `node scripts/check.mjs --no-tests` leaves out the last one, for those who ran it already.
const wanted = process.argv.includes('--no-tests') ? checks.slice(0, -1) : checks;

await buildOrExit('client');
const failed = [];
for (const [name, [command, ...args]] of wanted) {
  console.log(`\n— ${name}`);
  // One after the other, and all of them: a person wants the whole list at once.
  if ((await exitCode(command, args)) !== 0) failed.push(name);
}
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

function exitCode(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

// Runs a tool that checks the project: `node scripts/tools.mjs biome check .`
//
// They are packages of tools/package.json, which the program and its tests do without. They are
// installed when one is first wanted, and again when tools/package-lock.json changes.

import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'tools');

const programs = {
  biome: '@biomejs/biome/bin/biome',
  eslint: 'eslint/bin/eslint.js',
  knip: 'knip/bin/knip.js',
  tsc: 'typescript/bin/tsc',
};

/** The command that runs a tool, after installing them all where that is due. */
export function tool(name, ...args) {
  installTools();
  return [process.execPath, join(folder, 'node_modules', programs[name]), ...args];
}

/** Install what a folder's lock file names, unless that is what is there. */
export function installTools(at = folder) {
  const lock = join(at, 'package-lock.json');
  // A copy of the lock file that they were installed from.
  const installed = join(at, 'node_modules/.installed.json');
  if (textOf(installed) === textOf(lock)) return;
  console.log(
    `Installing the tools that check the project (${relative(root, at)}/package.json) ...`,
  );
  const { status, error } = spawnSync('npm', ['ci'], {
    cwd: at,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
  copyFileSync(lock, installed);
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, ...rest] = process.argv.slice(2);
  if (name === undefined) installTools();
  else if (Object.hasOwn(programs, name)) run(...tool(name, ...rest));
  else {
    console.error(`Usage: node scripts/tools.mjs [${Object.keys(programs).join(' | ')}] ...`);
    process.exitCode = 2;
  }
}

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error) throw error;
  process.exitCode = status ?? 1;
}

// Writes what a release is made of: `npm run sbom FILE`, or to the standard output without a file.
//
// CycloneDX, made by npm from the lock file and from what is installed, without what only tests and builds.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const maxBytes = 64 * 1024 * 1024;

const [file] = process.argv.slice(2);
// npm says where it is itself; on Windows its command is no program.
const npm = process.env.npm_execpath;
const args = ['sbom', '--sbom-format=cyclonedx', '--omit=dev'];
const { status, stdout, stderr, error } = spawnSync(
  npm ? process.execPath : 'npm',
  npm ? [npm, ...args] : args,
  { cwd: root, encoding: 'utf8', maxBuffer: maxBytes },
);
if (error || status !== 0) {
  console.error(error?.message ?? stderr.trim());
  process.exit(1);
}
if (file === undefined) process.stdout.write(stdout);
else {
  // npm runs scripts in the project's folder, wherever it was called.
  const path = resolve(process.env.INIT_CWD ?? root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, stdout);
  console.log(`${path}: ${JSON.parse(stdout).components.length} packages`);
}

// Writes what a release is made of: `npm run sbom FILE`, or to the standard output without a file.
//
// CycloneDX, made by npm from the lock file and from what is installed, without what only tests and builds, and with what
// packages have inside of them.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withInside } from './inside.mjs';

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
const sbom = withInside(JSON.parse(stdout));
const text = `${JSON.stringify(sbom, null, 2)}\n`;
if (file === undefined) process.stdout.write(text);
else {
  // npm runs scripts in the project's folder, wherever it was called.
  const path = resolve(process.env.INIT_CWD ?? root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(`${path}: ${sbom.components.length} packages and parts of them`);
}

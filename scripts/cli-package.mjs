// The package of the command line, as npm publishes it: `npm run pack:cli` leaves a tarball in dist/cli.
//
// The server is no part of it: its package.json stays private.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCommandLine } from './command-line.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2] ?? join(root, 'dist/cli');
const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await buildCommandLine(root);
copyFileSync(join(root, 'bin/headwater.mjs'), join(folder, 'headwater.mjs'));
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
copyFileSync(join(root, 'docs/command-line.md'), join(folder, 'README.md'));
writeFileSync(
  join(folder, 'package.json'),
  `${JSON.stringify(
    {
      name: 'headwater',
      version,
      description: 'The command line of Headwater, a data catalog and monitoring server.',
      license,
      type: 'module',
      bin: { headwater: 'headwater.mjs' },
      files: ['headwater.mjs'],
      engines,
    },
    null,
    2,
  )}\n`,
);
const packed = execFileSync('npm', ['pack', '--json', '--silent'], {
  cwd: folder,
  encoding: 'utf8',
});
const [{ filename, size, unpackedSize }] = JSON.parse(packed);
console.log(`${join(folder, filename)}: ${size} bytes, ${unpackedSize} unpacked`);

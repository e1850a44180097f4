// Starts Headwater, after building what has changed since the last start.

import { fileURLToPath } from 'node:url';
import { unpackaged } from '../src/database/server/unpackaged.mjs';
import { buildOrExit } from './build.mjs';
import { loadProgram } from './program.mjs';

const reason = process.env.DATABASE_URL ? null : unpackaged();
if (reason !== null) {
  console.error(reason);
  process.exit(1);
}
await buildOrExit();
// In this process: so a signal to it, or to npm, reaches the server itself. The shell that npm starts
// becomes the last command that it is given; `exec`, which would say so, is no command of Windows.
try {
  await loadProgram(fileURLToPath(new URL('../dist/main.cjs', import.meta.url)));
} catch (error) {
  // The program says by itself what is wrong, unless it can't be loaded at all.
  if (error.code !== 'EMFILE') throw error;
  console.error('The server may open too few files at once; allow it 1024 (ulimit -n 1024).');
  process.exitCode = 1;
}

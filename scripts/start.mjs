// Starts Headwater, after building what has changed since the last start.

import { fileURLToPath } from 'node:url';
import { buildOrExit } from './build.mjs';
import { loadProgram } from './program.mjs';
import { mustBeSupported } from './supported.mjs';

mustBeSupported();
await buildOrExit();
// In this process, and package.json starts it with `exec`: so a signal to it, or to npm, reaches the
// server itself. A shell between them would keep it for itself.
try {
  await loadProgram(fileURLToPath(new URL('../dist/main.cjs', import.meta.url)));
} catch (error) {
  // The program says by itself what is wrong, unless it can't be loaded at all.
  if (error.code !== 'EMFILE') throw error;
  console.error('The server may open too few files at once; allow it 1024 (ulimit -n 1024).');
  process.exitCode = 1;
}

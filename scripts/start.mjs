// Starts Headwater, after building what has changed since the last start.

import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { buildOrExit } from './build.mjs';

// Compiled code is kept between starts where Node.js can: from 22.1 on.
nodeModule.enableCompileCache?.(
  fileURLToPath(new URL('../node_modules/.cache/headwater/code', import.meta.url)),
);

await buildOrExit();
// In this process, and package.json starts it with `exec`: so a signal to it, or to npm, reaches the
// server itself. A shell between them would keep it for itself.
try {
  await import('../dist/main.js');
} catch (error) {
  // The program says by itself what is wrong, unless it can't be loaded at all.
  if (error.code !== 'EMFILE') throw error;
  console.error('The server may open too few files at once; allow it 1024 (ulimit -n 1024).');
  process.exitCode = 1;
}

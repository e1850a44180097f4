// Builds the command line into one file, with the library that parses its arguments.

import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Build `bin/headwater.mjs` from `src/cli`. */
export async function buildCommandLine(root) {
  const outfile = join(root, 'bin/headwater.mjs');
  await build({
    entryPoints: [join(root, 'src/cli/headwater.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    legalComments: 'inline',
    banner: {
      js: '#!/usr/bin/env node\nimport { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: 'silent',
  });
  await chmod(outfile, 0o755);
}

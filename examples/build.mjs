// Builds the examples: types from schema.graphql, then a page each in dist/; with `--serve` at http://127.0.0.1:5173.

import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformAsync } from '@babel/core';
import { context } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const names = ['apollo', 'urql', 'relay'];
const run = (program, ...args) =>
  execFileSync(process.execPath, [join(here, 'node_modules', program), ...args], {
    ...{ cwd: here, stdio: ['ignore', 'ignore', 'inherit'] },
  });

run('@graphql-codegen/cli/esm/bin.js', '--config', 'codegen.json');
run('relay-compiler/cli.js', 'relay.config.json');
run('typescript/bin/tsc', '--project', '.');

/** Puts what Relay's compiler made in the place of each graphql`...`. */
const relay = {
  name: 'relay',
  setup: ({ onLoad }) =>
    onLoad({ filter: /relay\/app\.tsx$/ }, async ({ path }) => {
      const { code } = await transformAsync(await readFile(path, 'utf8'), {
        ...{ filename: path, babelrc: false, configFile: false, retainLines: true },
        parserOpts: { plugins: ['typescript', 'jsx'] },
        plugins: [['relay', { eagerEsModules: true }]],
      });
      return { contents: code, loader: 'tsx' };
    }),
};

const building = await context({
  ...{ absWorkingDir: here, bundle: true, format: 'esm', jsx: 'automatic', minify: true },
  entryPoints: names.map((name) => `${name}/app.tsx`),
  ...{ outdir: 'dist', outbase: '.', plugins: [relay], logLevel: 'warning' },
  define: { 'process.env.NODE_ENV': '"production"', 'globalThis.__DEV__': 'false' },
});
await building.rebuild();
for (const name of names) {
  await mkdir(join(here, 'dist', name), { recursive: true });
  const page = `<!doctype html><meta charset="utf-8"><title>Lineage</title><link rel="icon" href="data:,">
<body style="font: 14px system-ui"><main></main><script type="module" src="app.js"></script>`;
  await writeFile(join(here, 'dist', name, 'index.html'), page);
}
if (process.argv.includes('--serve')) {
  await building.serve({ servedir: join(here, 'dist'), host: '127.0.0.1', port: 5173 });
  for (const name of names) console.log(`http://127.0.0.1:5173/${name}/`);
} else await building.dispose();

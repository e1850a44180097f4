// Compiles the program and what it uses of its packages into few files under dist.
//
// Loading 1,500 small modules took half of a start; see docs/decisions for the figures.

import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, extname, join, relative } from 'node:path';
import { build } from 'esbuild';

/** Files under src that the program reads beside its code. */
const assetTypes = new Set(['.graphql', '.html', '.svg', '.css', '.js', '.json', '.sh']);

/** Packages that stay where they are: they read files of their own, or are seldom loaded. */
const external = [
  '@duckdb/node-api',
  '@polyglot-sql/sdk',
  'esbuild',
  'mysql2',
  'nodemailer',
  'swagger-ui-dist',
];

/** Build `dist` from `src`. What another run has open stays until the new files are complete. */
export async function bundle(root) {
  const source = join(root, 'src');
  const target = join(root, 'dist');
  const unfinished = join(root, 'dist.new');
  const files = await filesOf(source);
  await rm(unfinished, { recursive: true, force: true });
  await compile(source, unfinished, [
    join(source, 'main.ts'),
    // The build itself calls this one.
    join(source, 'database/server/template.ts'),
    // scripts/command.mjs starts these.
    ...files.filter((file) => dirname(file) === join(source, 'commands')),
    ...(await findThreads(files)),
  ]);
  for (const file of files) {
    if (!assetTypes.has(extname(file))) continue;
    const copy = join(unfinished, relative(source, file));
    await mkdir(dirname(copy), { recursive: true });
    await copyFile(file, copy);
  }
  // The template is a step of its own.
  const template = join(target, 'template');
  if (existsSync(template)) await rename(template, join(unfinished, 'template'));
  await rm(target, { recursive: true, force: true });
  await rename(unfinished, target);
}

async function compile(source, outdir, entryPoints) {
  await build({
    entryPoints,
    outbase: source,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    chunkNames: 'chunks/[name]-[hash]',
    external: external.flatMap((name) => [name, `${name}/*`]),
    sourcemap: true,
    // Less to read at each start. Names stay, for errors that say where they came from.
    minifyWhitespace: true,
    minifySyntax: true,
    // Packages check more than they need to unless they are told.
    define: {
      'process.env.NODE_ENV': '"production"',
      'globalThis.process.env.NODE_ENV': '"production"',
    },
    logLevel: 'silent',
    // Packages in the older module format call `require` for Node.js' own modules.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
    },
    plugins: [keepPlaces(source)],
  });
}

/**
 * A module's own address, from which it finds files beside it, stays what it would be without
 * bundling, although its code moves into a chunk.
 */
function keepPlaces(source) {
  return {
    name: 'keep-places',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!path.startsWith(source)) return undefined;
        const text = await readFile(path, 'utf8');
        if (!text.includes('import.meta.url')) return undefined;
        const place = JSON.stringify(relative(source, path).replace(/\.ts$/, '.js'));
        const root = "import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + 6)";
        return {
          loader: 'ts',
          contents: text.replaceAll('import.meta.url', `(${root} + ${place})`),
        };
      });
    },
  };
}

/** Modules that others start as threads, by the way in which `openThread` is called. */
async function findThreads(files) {
  const threads = new Set();
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const text = await readFile(file, 'utf8');
    for (const [, path] of text.matchAll(
      /openThread\(\s*new URL\('([^']+\.ts)', import\.meta\.url\)/g,
    )) {
      threads.add(join(dirname(file), path));
    }
  }
  return threads;
}

async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

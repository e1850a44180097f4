// Compiles the program and what it uses of its packages into few files under dist.
//
// Loading 1,500 small modules took half of a start; see docs/decisions for the figures.

import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join, relative, sep } from 'node:path';
import { build } from 'esbuild';

/** Files under src that the program reads next to its code. */
const assetTypes = new Set(['.graphql', '.html', '.svg', '.css', '.js', '.json', '.sh']);

/** Packages that stay where they are: they read files of their own, or are seldom loaded. */
export const external = [
  '@duckdb/node-api',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  '@polyglot-sql/sdk',
  'date-holidays',
  'esbuild',
  'mysql2',
  'nodemailer',
  'openid-client',
  'swagger-ui-dist',
];

/** Build `dist` from `src`. What another run has open stays until the new files are complete. */
export async function bundle(root) {
  const source = join(root, 'src');
  const target = join(root, 'dist');
  const unfinished = join(root, 'dist.new');
  // The explorer runs in browsers, and is built by itself.
  const explorer = join(source, 'explorer') + sep;
  const files = (await filesOf(source)).filter((file) => !file.startsWith(explorer));
  await rm(unfinished, { recursive: true, force: true });
  await Promise.all([
    compileServer(source, join(unfinished, 'main.cjs')),
    compileOthers(source, unfinished, [
      // The build itself calls this one.
      join(source, 'database/server/template.ts'),
      // scripts/command.mjs starts these.
      ...files.filter((file) => dirname(file) === join(source, 'commands')),
      ...(await findThreads(files)),
    ]),
  ]);
  for (const file of files) {
    if (!assetTypes.has(extname(file))) continue;
    const copy = join(unfinished, relative(source, file));
    await mkdir(dirname(copy), { recursive: true });
    await copyFile(file, copy);
  }
  // These are steps of their own.
  for (const name of ['explorer', 'template']) {
    const made = join(target, name);
    if (existsSync(made)) await rename(made, join(unfinished, name));
  }
  await rm(target, { recursive: true, force: true });
  await rename(unfinished, target);
}

/**
 * The server in one file, in the older module format: what V8 compiles of that can be kept for the
 * next start (scripts/program.mjs). What is imported when it is needed is still run only then.
 */
async function compileServer(source, outfile) {
  await build({
    ...common,
    entryPoints: [join(source, 'main.ts')],
    outfile,
    format: 'cjs',
    supported: { 'dynamic-import': false },
    define: { ...common.define, 'import.meta.url': 'moduleUrl' },
    banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [keepPlaces(source), leaveCompiler, oneGraphql(source)],
  });
  // Characters that esbuild leaves in regular expressions: without them a string of the whole file takes
  // half the memory, and half the time to read.
  const text = await readFile(outfile, 'utf8');
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  await writeFile(outfile, text.replaceAll(/[^\0-\x7f]/g, escaped));
}

/** What is a program of its own, a process or a thread, in files that share what they have in common. */
async function compileOthers(source, outdir, entryPoints) {
  await build({
    ...common,
    entryPoints,
    outbase: source,
    outdir,
    splitting: true,
    format: 'esm',
    chunkNames: 'chunks/[name]-[hash]',
    // Packages in the older module format call `require` for Node.js' own modules.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
    },
    plugins: [keepPlaces(source), oneGraphql(source)],
  });
}

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  external: external.flatMap((name) => [name, `${name}/*`]),
  sourcemap: true,
  // Less to read at each start. Names stay, for errors that say where they came from.
  minifyWhitespace: true,
  minifySyntax: true,
  define: {
    // Packages check more than they need to unless they are told.
    'process.env.NODE_ENV': '"production"',
    'globalThis.process.env.NODE_ENV': '"production"',
    // Node.js has it from 21 on. Without it the driver of PostgreSQL makes a Response to find out where it
    // runs, for which Node.js loads all of its fetch.
    navigator: '{"userAgent":"Node.js"}',
  },
  logLevel: 'silent',
};

/** Prisma's query compiler, 2 MB of text, is read from its package when it is first needed. */
const leaveCompiler = {
  name: 'leave-compiler',
  setup({ onResolve }) {
    onResolve({ filter: /\.wasm-base64\.mjs$/ }, ({ path }) => ({
      path: path.replace(/\.mjs$/, '.js'),
      external: true,
    }));
  },
};

/**
 * All of GraphQL as modules of the newer format, for all packages: there may be one of it only, and of the
 * older format each name is read through a getter, at each use.
 */
function oneGraphql(source) {
  const folder = join(source, '../node_modules/graphql');
  return {
    name: 'one-graphql',
    setup({ onResolve }) {
      onResolve({ filter: /^graphql(\/|$)/ }, ({ path }) => {
        const place = join(folder, path.slice('graphql'.length).replace(/\.m?js$/, ''));
        const file = [`${place}.mjs`, join(place, 'index.mjs')].find(existsSync);
        return file ? { path: file } : undefined;
      });
    },
  };
}

/**
 * A module's own address, from which it finds files next to it, stays what it would be without
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

/** Modules that others start as threads or processes, by the way in which `openThread` and `openChild` are called. */
async function findThreads(files) {
  const threads = new Set();
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const text = await readFile(file, 'utf8');
    for (const [, path] of text.matchAll(
      /open(?:Thread|Child)\(\s*new URL\('([^']+\.ts)', import\.meta\.url\)/g,
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

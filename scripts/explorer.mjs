// Builds the explorer, the web application at `/`, into dist/explorer: a page and the files that it names.

import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { build, context } from 'esbuild';
import { operationsOf } from './explorer-operations.mjs';
import { filesFrom, pagesOf, sharedOf } from './explorer-pages.mjs';

/** Browsers that know `light-dark()`: for older ones it would be rewritten into what `color-scheme` does not follow. */
const browsers = ['es2022', 'chrome123', 'firefox120', 'safari17.5'];

/** What asks the browser for a file keeps it for good: a name has a hash of what is in the file. */
const assets = '/assets/';

/** Build `dist/explorer` from `src/explorer`. What is served in the meantime stays until the new files are complete. */
export async function buildExplorer(root) {
  const target = join(root, 'dist/explorer');
  const unfinished = join(root, 'dist/explorer.new');
  await rm(unfinished, { recursive: true, force: true });
  const addresses = await buildThreads(root, unfinished);
  const options = pageOptions(root, unfinished, addresses);
  // Of the first pass only the graph is wanted.
  const apart = await build({ ...options, minify: false, sourcemap: false, write: false });
  const { metafile } = await build({
    ...options,
    plugins: [...options.plugins, together(root, apart.metafile.outputs)],
  });
  await writePage(root, unfinished, metafile);
  await pack(join(unfinished, 'assets'));
  await writeOperations(root, unfinished);
  await rm(target, { recursive: true, force: true });
  await rename(unfinished, target);
}

/** Build, and build again whenever a source changes; `report` is called with what can't be built. */
export async function watchExplorer(root, report) {
  const target = join(root, 'dist/explorer');
  const addresses = await buildThreads(root, target);
  const options = pageOptions(root, target, addresses);
  const page = {
    name: 'page',
    setup({ onEnd }) {
      onEnd(async ({ errors, metafile }) => {
        if (metafile) await writePage(root, target, metafile);
        for (const { text, location } of errors) report(`${location?.file ?? ''}: ${text}`);
      });
    },
  };
  const watched = await context({ ...options, plugins: [...options.plugins, page] });
  await watched.watch();
  await writeOperations(root, target);
}

const common = {
  bundle: true,
  minify: true,
  sourcemap: true,
  metafile: true,
  format: 'esm',
  target: browsers,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  logLevel: 'silent',
};

/** What the sources call the addresses of threads, and where these begin. */
const threads = {
  layoutThread: 'src/explorer/lineage/layout/thread.ts',
  markdownThread: 'src/explorer/markdown/thread.ts',
  painterThread: 'src/explorer/lineage/drawing/painting.ts',
};

/** Build the threads; answers their addresses by the names that the sources use, as JSON. */
async function buildThreads(root, outdir) {
  const { metafile } = await build({
    ...common,
    entryPoints: Object.values(threads).map((entry) => join(root, entry)),
    // Packages that are made for pages ask for a document, which a thread lacks.
    conditions: ['worker'],
    outdir: join(outdir, 'assets'),
    absWorkingDir: root,
  });
  const files = Object.entries(metafile.outputs);
  const addressOf = (entry) => {
    const [file = ''] = files.find(([, { entryPoint }]) => entryPoint === entry) ?? [];
    return JSON.stringify(assets + basename(file));
  };
  return Object.fromEntries(
    Object.entries(threads).map(([name, entry]) => [name, addressOf(entry)]),
  );
}

function pageOptions(root, outdir, addresses) {
  return {
    ...common,
    entryPoints: [join(root, 'src/explorer/main.tsx')],
    outdir: join(outdir, 'assets'),
    absWorkingDir: root,
    splitting: true,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', ...addresses },
    plugins: [documents],
  };
}

/** `import { Search } from './page.graphql'` brings the operation as text: no parser is sent to browsers. */
const documents = {
  name: 'documents',
  setup({ onLoad }) {
    onLoad({ filter: /\.graphql$/ }, async ({ path }) => {
      const operations = operationsOf(await readFile(path, 'utf8'));
      const lines = operations.map(
        ({ name, text }) => `export const ${name} = ${JSON.stringify({ name, text })};`,
      );
      return { contents: lines.join('\n'), loader: 'js' };
    });
  },
};

/**
 * Puts what several pages share into one file. Alone, the bundler makes a file of each set of pages that share
 * something, some forty small ones a page; so each page and later part asks for all that is shared.
 */
function together(root, outputs) {
  const entries = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  const asking = new Set(entries.map((entry) => join(root, entry)));
  const name = 'headwater:shared';
  return {
    name,
    setup({ onLoad, onResolve }) {
      onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: name }));
      onLoad({ filter: /.*/, namespace: name }, () => ({
        contents: sharedOf(outputs)
          .map((input) => `import ${JSON.stringify(`./${input}`)};`)
          .join('\n'),
        resolveDir: root,
      }));
      onLoad({ filter: /\.tsx?$/, namespace: 'file' }, async ({ path }) => {
        if (!asking.has(path)) return undefined;
        const text = await readFile(path, 'utf8');
        return {
          contents: `${text}\nimport '${name}';\n`,
          loader: path.endsWith('x') ? 'tsx' : 'ts',
        };
      });
    },
  };
}

/** Write the page with the addresses of what it begins with, and what the server adds to it at each address. */
async function writePage(root, outdir, { outputs }) {
  const [[script, { cssBundle, imports }]] = Object.entries(outputs).filter(([, { entryPoint }]) =>
    entryPoint?.endsWith('main.tsx'),
  );
  const address = (file) => assets + basename(file);
  const needed = imports.filter(({ kind }) => kind === 'import-statement');
  // Behind the shape of what comes, which is painted without them.
  const styles = cssBundle ? `<link rel="stylesheet" href="${address(cssBundle)}">` : '';
  const head = [
    ...needed.map(({ path }) => `<link rel="modulepreload" href="${address(path)}">`),
    `<script type="module" src="${address(script)}"></script>`,
  ];
  const template = await readFile(join(root, 'src/explorer/index.html'), 'utf8');
  await mkdir(outdir, { recursive: true });
  await writeFile(
    join(outdir, 'index.html'),
    template
      .replace('<!-- files -->', () => head.join('\n    '))
      .replace('<!-- styles -->', () => styles),
  );
  const routes = await readFile(join(root, 'src/explorer/routes.tsx'), 'utf8');
  const pages = pagesOf(routes, outputs, filesFrom(script, outputs));
  await writeFile(join(outdir, 'pages.json'), JSON.stringify(pages, null, 2));
}

/** Pack what browsers load by Brotli, which takes too long to do it when a browser asks. */
async function pack(folder) {
  const names = (await readdir(folder)).filter((name) => /\.(?:js|css)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const packed = await promisify(brotliCompress)(await readFile(join(folder, name)));
      await writeFile(join(folder, `${name}.br`), packed);
    }),
  );
}

/** Write the texts of all operations, for a server that runs none but those that are listed. */
async function writeOperations(root, outdir) {
  const sources = join(root, 'src/explorer');
  const names = (await readdir(sources, { recursive: true })).filter((name) =>
    /\.graphql$/.test(name),
  );
  const files = await Promise.all(names.map((name) => readFile(join(sources, name), 'utf8')));
  const texts = files.flatMap(operationsOf).map(({ text }) => text);
  await writeFile(join(outdir, 'operations.json'), JSON.stringify(texts, null, 2));
}

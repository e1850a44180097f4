// Builds what must be built, and only when something it is made from has changed.
//
// `node scripts/build.mjs` makes src/generated, dist, dist/explorer and dist/template; with `--generate` only the first.
// Needs nothing but the installed packages and downloads nothing.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { unpackaged } from '../src/database/server/unpackaged.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache/headwater');

const steps = [
  {
    name: 'client',
    title: 'Generating the database client',
    inputs: ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'],
    output: 'src/generated/prisma/client.ts',
    run: generateClient,
  },
  {
    name: 'program',
    title: 'Compiling the program',
    inputs: ['src', 'tsconfig.json', 'package-lock.json', 'scripts/bundle.mjs'],
    except: 'src/explorer',
    output: 'dist/main.cjs',
    run: compile,
  },
  {
    name: 'explorer',
    title: 'Building the explorer',
    inputs: [
      'src/explorer',
      'package-lock.json',
      'scripts/explorer.mjs',
      'scripts/explorer-operations.mjs',
      'scripts/explorer-pages.mjs',
    ],
    except: 'src/explorer/generated',
    output: 'dist/explorer/index.html',
    run: packExplorer,
  },
  {
    name: 'command line',
    title: 'Building the command line',
    inputs: ['src/cli', 'package-lock.json', 'scripts/command-line.mjs'],
    output: 'bin/headwater.mjs',
    run: packCommandLine,
  },
  {
    name: 'template',
    title: 'Preparing the empty database',
    inputs: [
      'prisma/migrations',
      'src/database/migrations/migrate.ts',
      'src/database/server',
      'package-lock.json',
    ],
    output: 'dist/template/PG_VERSION',
    run: makeTemplate,
  },
];

/** Bring everything up to date; with `only`, the step of that name. Throws when a step fails. */
export async function build(only) {
  const wanted = steps.filter(({ name }) => only === undefined || only === name).filter(isPossible);
  if ((await outdated(wanted)).length === 0) return;
  await alone(async () => {
    // Another process may have built while this one waited for its turn. A step's output may be
    // another's input, so each is looked at when its turn comes.
    for (const step of wanted) {
      const [due] = await outdated([step]);
      if (due === undefined) continue;
      const started = performance.now();
      console.log(`${step.title} ...`);
      // Looked at before: what changes while the step runs is built the next time.
      const [content, glance] = [await fingerprint(step), await glanceAt(step)];
      await step.run();
      await writeStamp(step, content, glance);
      console.log(`${step.title}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
    }
  });
}

/** Whether this system can run the step: the empty database is made by the packaged server. */
function isPossible({ name }) {
  return name !== 'template' || unpackaged() === null;
}

async function outdated(candidates) {
  const results = await Promise.all(
    candidates.map(async (step) => {
      if (!existsSync(join(root, step.output))) return true;
      const stamp = await readFile(stampOf(step), 'utf8').catch(() => '');
      const [content = '', glance = ''] = stamp.split('\n');
      const now = await glanceAt(step);
      if (glance === now) return false;
      // Files that were written again may hold what they held before.
      if (content !== (await fingerprint(step))) return true;
      await renewStamp(step, content, now);
      return false;
    }),
  );
  return candidates.filter((_, index) => results[index]);
}

async function writeStamp(step, content, glance) {
  await mkdir(cache, { recursive: true });
  await writeFile(stampOf(step), `${content}\n${glance}\n`);
}

/** Spares the next start a look at all contents; a folder that can only be read does without. */
async function renewStamp(step, content, glance) {
  await writeStamp(step, content, glance).catch((error) => {
    if (!readOnly.has(error.code)) throw error;
  });
}

const readOnly = new Set(['EACCES', 'EPERM', 'EROFS']);

function stampOf({ name }) {
  return join(cache, `${name}.stamp`);
}

/** A hash over the names, sizes and times of files: quicker than their contents at every start. */
async function glanceAt(step) {
  const hash = createHash('sha256').update(process.platform);
  for (const file of await inputsOf(step)) {
    const { size, mtimeNs } = statSync(file, { bigint: true });
    hash.update(`\n${relative(root, file)} ${size} ${mtimeNs}`);
  }
  return hash.digest('hex');
}

/** A hash over the names and contents of files and folders. */
async function fingerprint(step) {
  const hash = createHash('sha256').update(process.platform);
  for (const file of await inputsOf(step)) {
    hash.update(`\n${relative(root, file)}\n`).update(await readFile(file));
  }
  return hash.digest('hex');
}

/** The files that a step is made from. */
async function inputsOf({ inputs, except }) {
  const files = (await Promise.all(inputs.map((path) => filesOf(join(root, path))))).flat();
  if (except === undefined) return files;
  const left = join(root, except) + sep;
  return files.filter((file) => !file.startsWith(left));
}

async function filesOf(path) {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (entries === null) return [path];
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name)).sort();
}

async function generateClient() {
  // In a process of its own: what it loads would stay in the server's memory. It finds the generators of other
  // packages on the path, where npm puts them for scripts.
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  await run(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], { PATH: path });
}

async function compile() {
  // The compiler is loaded only when there is something to compile.
  const { bundle } = await import('./bundle.mjs');
  try {
    await bundle(root);
  } catch (error) {
    throw new BuildError(error.message);
  }
}

async function packExplorer() {
  const { buildExplorer } = await import('./explorer.mjs');
  try {
    await buildExplorer(root);
  } catch (error) {
    throw new BuildError(error.message);
  }
}

async function packCommandLine() {
  const { buildCommandLine } = await import('./command-line.mjs');
  try {
    await buildCommandLine(root);
  } catch (error) {
    throw new BuildError(error.message);
  }
}

async function makeTemplate() {
  const { makeTemplate } = await import('../dist/database/server/template.js');
  try {
    await makeTemplate(join(root, 'dist/template'));
  } catch (error) {
    throw new BuildError(error.message);
  }
}

/** Run a program; what it prints is shown only when it fails. */
function run(command, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new BuildError(`${output.trim()}\n\n${args.join(' ')} ended with ${code}.`));
    });
  });
}

/** What a person can read without the stack of this script. */
class BuildError extends Error {}

/** Hold the build's lock while `work` runs: two builds at once would write the same files. */
async function alone(work) {
  const lock = join(cache, 'build.lock');
  await mkdir(cache, { recursive: true });
  for (;;) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
      if (holder > 0 && !isRunning(holder)) await rm(lock, { force: true });
      else await sleep(100);
    }
  }
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function messageOf(error) {
  if (error instanceof BuildError) return error.message;
  if (!readOnly.has(error?.code) || !error.path?.startsWith(root)) return error;
  return (
    `Headwater isn't built, or has changed since, and this user may not write to ${error.path}. ` +
    `Build it as the owner of ${root} (npm run build), then start it again.`
  );
}

/** Build, and end the process with a readable message when that fails. */
export async function buildOrExit(only) {
  try {
    await build(only);
  } catch (error) {
    console.error(messageOf(error));
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildOrExit(process.argv.includes('--generate') ? 'client' : undefined);
}

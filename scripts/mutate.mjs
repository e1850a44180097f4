// Changes the program in small ways, one at a time, and sees whether a test notices:
// `npm run mutate -- --sample 60 --seed 1` from all of src, or from the files and folders that are named.
// docs/testing.md says how to read what it prints.

import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createVitest } from 'vitest/node';
import { buildOrExit } from './build.mjs';
import { installTools } from './tools.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Where what was found is written, for `--again`. */
const report = join(root, 'coverage/mutation.json');
/** A run of tests that takes longer than this doesn't end by itself any more. */
const patienceMs = 600_000;
const generated = /^src\/(?:explorer\/)?generated\//;
/** What draws in a browser or asks from there: tests of pages show whether that is right. */
const drawing = /^src\/explorer\/(?:.*\.tsx$|lineage\/drawing\/)/;
const inBrowser =
  /from 'react'|\/ask\.ts'|^import (?!type\b)[^;]*\.graphql'|\b(?:document|location|localStorage|sessionStorage)\.|\bfetch\(/m;
/** Below this share a run fails. */
const enough = 0.85;

const { values, positionals } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

installTools();
const { mutantsOf } = await import('./mutants.mjs');
await buildOrExit();
const { tests: table } = JSON.parse(readFileSync(join(root, 'tools/mutation/tests.json'), 'utf8'));
const testFiles = filesBelow('test').filter((path) => /^[^.]*\.test\.ts$/.test(path));

if (values.list) {
  for (const mutant of drawMutants()) console.log(`${mutant.path}:${mutant.line} ${mutant.code}`);
  process.exit();
}
const found = values.again ? JSON.parse(readFileSync(report, 'utf8')) : drawMutants();
const copy = copyOfTree();
process.chdir(copy);
const vitest = await createVitest('test', {
  root: copy,
  project: ['tests'],
  watch: false,
  bail: 1,
  maxWorkers: 1,
  reporters: [{}],
  experimental: { fsModuleCache: false },
});
for (const project of vitest.projects) Object.assign(project.config, { maxWorkers: 1, bail: 1 });
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => end(1));
const specifications = await vitest.globTestSpecifications();
for (const [index, mutant] of found.entries()) {
  mutant.by ??= (await testedWith(mutant)) ?? null;
  writeReport();
  console.log(`${String(index + 1).padStart(3)} ${said(mutant)}`);
}
const noticed = found.filter(({ by }) => by !== null).length;
const share = noticed / found.length;
const seed = values.again ? 'again' : `seed ${values.seed}`;
console.log(`Noticed ${noticed} of ${found.length} (${(share * 100).toFixed(1)} %), ${seed}.`);
await end(share < enough ? 1 : 0);

async function end(code) {
  await vitest.close();
  rmSync(copy, { recursive: true, force: true });
  process.exit(code);
}

/** The mutants of the paths, or so many of them: one from a folder before a second one from any. */
function drawMutants() {
  const paths = positionals.length === 0 ? ['src'] : positionals.map(inTheTree);
  const files = paths
    .flatMap((path) => (statSync(join(root, path)).isFile() ? [path] : filesBelow(path)))
    .filter((path) => /\.tsx?$/.test(path) && !generated.test(path) && !isOfPages(path));
  const all = files.flatMap((path) =>
    mutantsOf(path, textOf(path)).map((mutant) => ({ path, ...mutant })),
  );
  if (values.sample === undefined) return all;
  const folders = new Map();
  for (const mutant of shuffled(all, ({ path, code }) => `${path} ${code}`)) {
    const folder = dirname(mutant.path);
    folders.set(folder, [...(folders.get(folder) ?? []), mutant]);
  }
  const rows = shuffled([...folders], ([folder]) => folder).map(([, row]) => row);
  const rounds = Math.max(...rows.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => rows.flatMap((row) => row[round] ?? []))
    .flat()
    .slice(0, Number(values.sample));
}

function isOfPages(path) {
  return drawing.test(path) || (path.startsWith('src/explorer/') && inBrowser.test(textOf(path)));
}

/** In an order of the seed, in which each has its place whatever the others are. */
function shuffled(all, nameOf) {
  const keyed = all.map((one) => [
    createHash('sha256')
      .update(`${values.seed} ${nameOf(one)}`)
      .digest('hex'),
    one,
  ]);
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

function textOf(path) {
  return readFileSync(join(root, path), 'utf8');
}

/** The first test that fails with a change, or undefined. */
async function testedWith({ path, start, end, to }) {
  const source = readFileSync(join(copy, path), 'utf8');
  const files = testsOf(path);
  put(path, source.slice(0, start) + to + source.slice(end));
  const failed = await firstFailure(files);
  put(path, source);
  if (failed === undefined) return undefined;
  // On a busy machine a test may run out of time by itself, and has noticed nothing then.
  if (failed.isLate && (await firstFailure([failed.file])) !== undefined) return undefined;
  return `${failed.file}: ${failed.name}`;
}

function put(path, text) {
  writeFileSync(join(copy, path), text);
  vitest.invalidateFile(join(copy, path));
}

async function firstFailure(files) {
  const wanted = new Set(files.map((file) => join(copy, file)));
  const chosen = specifications.filter(({ moduleId }) => wanted.has(moduleId));
  const timer = setTimeout(() => {
    // The second one ends processes that don't answer.
    vitest.cancelCurrentRun('keyboard-input');
    vitest.cancelCurrentRun('keyboard-input');
  }, patienceMs);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen);
  clearTimeout(timer);
  for (const module of testModules.filter(({ moduleId }) => wanted.has(moduleId))) {
    const file = relative(copy, module.moduleId).replaceAll('\\', '/');
    for (const test of module.children.allTests('failed')) {
      const isLate = test.result().errors.some(({ message }) => /timed out/i.test(message));
      return { file, name: test.fullName, isLate };
    }
    const [error] = module.errors();
    if (!module.ok()) return { file, name: error?.message ?? 'did not end', isLate: !error };
  }
  const [error] = unhandledErrors;
  return error && { file: files[0], name: error.message, isLate: false };
}

/**
 * The tests of a file: those that the table names, or that bear its name or its folder's, or that import it, or lie in
 * the nearest folder. What is a part of the schema is compared with schema.graphql as well.
 */
function testsOf(path) {
  const isOfSchema = /\/builder\.ts'/.test(textOf(path));
  const row = Object.keys(table).find((key) => path === key || path.startsWith(`${key}/`));
  if (row !== undefined) return table[row];
  const place = path.replace(/^src/, 'test').replace(/\.tsx?$/, '');
  const [, feature] = path.split('/');
  const ending = `/${basename(place)}.test.ts`;
  const choices = [
    [`${place}.test.ts`, `${dirname(place)}.test.ts`].filter((file) => testFiles.includes(file)),
    testFiles.filter((file) => file.startsWith(`test/${feature}/`) && file.endsWith(ending)),
    testFiles.filter((file) => imports(file, path)),
    isOfSchema ? [] : inNearestFolder(dirname(place)),
  ];
  const chosen = choices.find(({ length }) => length > 0) ?? [];
  return isOfSchema ? ['test/house/schema.test.ts', ...chosen] : chosen;
}

function inNearestFolder(folder) {
  const there = testFiles.filter((file) => dirname(file) === folder);
  return there.length > 0 ? there : inNearestFolder(dirname(folder));
}

function imports(file, path) {
  const text = textOf(file);
  return [...text.matchAll(/'(\.\.?\/[^']+\.tsx?)'/g)].some(
    ([, name]) => join(dirname(file), name).replaceAll('\\', '/') === path,
  );
}

/** The tree as it is, to be changed: tests start programs and threads from files. */
function copyOfTree() {
  const target = mkdtempSync(join(tmpdir(), 'headwater-mutate-'));
  const left = new Set(['.git', 'node_modules', 'data', 'coverage']);
  cpSync(root, target, {
    recursive: true,
    filter: (source) => !left.has(relative(root, source)) && !/node_modules$/.test(source),
  });
  for (const path of ['node_modules', 'tools/node_modules'])
    symlinkSync(join(root, path), join(target, path));
  return target;
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((path) => statSync(join(root, path)).isFile())
    .sort();
}

function inTheTree(path) {
  const name = relative(root, resolve(path)).replaceAll('\\', '/');
  if (existsSync(join(root, name)) && `${name}/`.startsWith('src/')) return name;
  console.error(`There is no ${path} below src/.`);
  process.exit(2);
}

function said({ path, line, code, by }) {
  const change = `${path}:${line} ${code}`;
  return by ? `noticed  ${change}  (${by})` : `survived ${change}`;
}

function writeReport() {
  mkdirSync(dirname(report), { recursive: true });
  writeFileSync(report, JSON.stringify(found, null, 2));
}

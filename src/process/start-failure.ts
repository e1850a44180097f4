// Messages for a start that fails: what is wrong, where, and what to do.

import { resolve } from 'node:path';
import { z } from 'zod';
import { type ServerPlace, serverOf } from '../database/await-server.ts';
import { messageOf } from '../errors.ts';

/** The settings that messages name. */
export interface StartSettings {
  readonly HOST: string;
  readonly PORT: number;
  readonly DATA_DIR: string;
}

/** What to print for whatever ended the start; null where the settings could not be read. */
export function startFailure(error: unknown, settings: StartSettings | null): string {
  const failure = failureIn(error);
  // The packaged PostgreSQL has words of its own for it.
  const isFew = /insufficient file desc/.test(failure.message);
  if (failure.code === 'EMFILE' || failure.code === 'ENFILE' || isFew) {
    return `The server may open ${limitOf('open_files') ?? 'few'} files at once, which are too few; allow it 1024 (ulimit -n 1024).`;
  }
  if (/allocate Wasm memory|WebAssembly.*Out of memory/i.test(failure.message)) {
    // Node.js 20 calls it so, and gives bytes as well.
    const bytes = limitOf('virtual_memory_bytes') ?? limitOf('virtual_memory_kbytes');
    return (
      `The address space of the process is limited to ${bytes} bytes (ulimit -v), and WebAssembly reserves more. ` +
      'Lift that limit (ulimit -v unlimited), and bound the memory by a container or service (MemoryMax=1G).'
    );
  }
  if (settings && isOfDataDir(failure, settings)) return ofDataDir(failure, settings);
  return messageOf(error);
}

/** Why the server can't listen, for an error of `server.listen`. */
export function listenFailure(error: unknown, { HOST, PORT }: StartSettings): Error {
  const { code, message } = failureIn(error);
  const known = new Map([
    ['EADDRINUSE', `Port ${PORT} on ${HOST} is taken; set PORT to another one.`],
    ['EADDRNOTAVAIL', `${HOST} is not an address of this machine; set HOST to one that is.`],
    ['ENOTFOUND', `The name ${HOST} is not known; set HOST to an address of this machine.`],
    ['EAI_AGAIN', `The name ${HOST} can't be looked up; set HOST to an address of this machine.`],
    ['EACCES', `This user can't listen on port ${PORT}. Set PORT to 1024 or higher.`],
  ]);
  const text = known.get(code) ?? `The server can't listen on port ${PORT} of ${HOST}: ${message}.`;
  return new Error(text, { cause: error });
}

/**
 * Why the database at a place can't be used, for what PostgreSQL says, or the driver that logs in there;
 * any other error as it is, and every error where there is no place.
 */
export function databaseFailure(error: unknown, place: ServerPlace | undefined): unknown {
  const { code, message } = failureIn(error);
  if (place === undefined) return error;
  const { name, user, database } = serverOf(place.url);
  const known = remedies(user, database, place.setting);
  const found = known.find(([pattern]) => pattern.test(code || message));
  if (found === undefined) return error;
  const text = `The database at ${name} (${place.setting}) can't be used: ${message}. ${found[1]}`;
  return new Error(text, { cause: error });
}

/** What to do, by PostgreSQL's codes, or by what the driver says where it gives no code. */
function remedies(
  user: string,
  database: string,
  setting: string,
): readonly (readonly [RegExp, string])[] {
  const own = `"${database}"`;
  return [
    [/^28|^SASL/, `Check the user ${user} and the password in ${setting}.`],
    [
      /^Received unexpected \w+ message from backend|^received invalid response|^08P01$/,
      `What answers there is no PostgreSQL server; correct ${setting}.`,
    ],
    [/^3D000$/, `Make it (create database ${own}), or name another one in ${setting}.`],
    [
      /^42501$/,
      `A superuser allows it: grant create on database ${own} to "${user}"; and, connected to it, ` +
        `grant create on schema public to "${user}"; create extension if not exists pg_trgm.`,
    ],
    [/^42P0[67]$/, `Another program uses it; name an empty database in ${setting}.`],
    [/^53100$/, 'Make room on its disk and start again.'],
    [
      /SSL|CERT|SELF_SIGNED|UNABLE_TO/,
      `Set sslmode in ${setting} to what the server offers, such as ?sslmode=disable.`,
    ],
  ];
}

/** Whether the file system refused something in the data folder, or on its way there. */
function isOfDataDir({ code, path, syscall }: Failure, { DATA_DIR }: StartSettings): boolean {
  if (!reasons.has(code)) return false;
  const folder = resolve(DATA_DIR);
  // What is written to an open file has no path: nothing else is written to at a start.
  if (path === '') return /^(write|fsync|ftruncate)$/.test(syscall);
  return path.startsWith(folder) || folder.startsWith(path);
}

const reasons = new Map([
  ['EROFS', 'is on a file system that can only be read'],
  ['EACCES', "can't be written to by this user"],
  ['EPERM', "can't be written to by this user"],
  ['ENOTDIR', 'is not a folder'],
  ['ENOENT', "can't be made"],
  ['ENOSPC', 'finds no room left on its disk'],
  ['EDQUOT', 'finds no room left for this user'],
]);

function ofDataDir({ code, path }: Failure, { DATA_DIR }: StartSettings): string {
  const remedy = /^(ENOSPC|EDQUOT)$/.test(code)
    ? 'Make room and start again.'
    : 'Set DATA_DIR to a folder that the server may write to.';
  return `DATA_DIR can't be used: ${path || resolve(DATA_DIR)} ${reasons.get(code)}. ${remedy}`;
}

interface Failure {
  /** PostgreSQL's or the system's code; empty where there is none. */
  readonly code: string;
  readonly message: string;
  /** The file that it is about; empty where none is named. */
  readonly path: string;
  /** What the system was asked to do; empty where it was not asked. */
  readonly syscall: string;
}

/** Errors wrap errors. */
const maxDepth = 8;

/** What went wrong: the innermost error that has a code, else the outermost one. */
function failureIn(error: unknown): Failure {
  let found: Failure = { code: '', message: messageOf(error), path: '', syscall: '' };
  let link = error;
  for (let depth = 0; link instanceof Error && depth < maxDepth; depth += 1) {
    const { code = '', path = '', syscall = '' }: NodeJS.ErrnoException = link;
    if (code !== '')
      found = { code, message: messageOf(link), path: copyOf(link) ?? path, syscall };
    link = link.cause;
  }
  return found;
}

/** The file that was to be written, where what fails is a copy for which there is no room. */
function copyOf(error: NodeJS.ErrnoException): string | null {
  const isForRoom = error.code === 'ENOSPC' || error.code === 'EDQUOT';
  return isForRoom && 'dest' in error && typeof error.dest === 'string' ? error.dest : null;
}

/** A limit of the process, as the system says it; undefined where it says none. */
function limitOf(name: string): string | number | undefined {
  const report = z.object({
    userLimits: z.record(z.string(), z.object({ soft: z.union([z.string(), z.number()]) })),
  });
  const { data } = report.safeParse(process.report.getReport());
  return data?.userLimits[name]?.soft;
}

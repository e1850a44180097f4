// Says where this system can't run Headwater as it was asked to, before anything else is said.

import { fileURLToPath } from 'node:url';
import { unpackaged } from '../src/database/server/unpackaged.mjs';

/** End the process where the packaged server is wanted and there is none for this system. */
export function mustBeSupported() {
  const reason = process.env.DATABASE_URL ? null : unpackaged();
  if (reason === null) return;
  console.error(reason);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mustBeSupported();
  // The commands of package.json begin with `exec`, which Windows doesn't have.
  if (process.platform === 'win32') {
    console.error('On Windows start it without npm: node scripts/start.mjs');
    process.exit(1);
  }
}

// Starts another process of the installation that a catalog is of, as operators run several.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Catalog } from '../catalog.ts';
import { startScript } from '../started.ts';
import { secretsKey } from '../surroundings.ts';

export interface Beside extends AsyncDisposable {
  /** Where it answers. */
  readonly origin: string;
}

/** Start the program on the database of a catalog, and wait until it is ready. */
export async function startBeside(
  { url }: Pick<Catalog, 'url'>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Beside> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-beside-'));
  const started = startScript('start.mjs', {
    ...{ DATA_DIR: dataDir, DATABASE_URL: url, SECRETS_KEY: secretsKey, ROLE: 'api' },
    ...{ LOG_LEVEL: 'error', ...settings },
  });
  return {
    origin: await started.ready(),
    async [Symbol.asyncDispose]() {
      await started.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

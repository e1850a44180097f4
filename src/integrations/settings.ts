// In charge of handing integrations what the operator set.

import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { parsePrivateHosts } from '../network/address.ts';
import { setReach } from '../network/reach.ts';
import { setKeySource } from '../secrets/master-key.ts';

/** To be called at start, before anything is connected. Throws an Error that names a wrong setting. */
export function useIntegrationSettings(
  database: Database,
  config: Pick<Config, 'SECRETS_KEY' | 'DATA_DIR' | 'ALLOW_PRIVATE_HOSTS' | 'FILES_DIR'>,
): void {
  setKeySource(database, { secretsKey: config.SECRETS_KEY, dataDir: config.DATA_DIR });
  setReach(database, {
    privateHosts: privateHostsOf(config.ALLOW_PRIVATE_HOSTS),
    filesDir: config.FILES_DIR ?? null,
  });
}

function privateHostsOf(text: string) {
  try {
    return parsePrivateHosts(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Some settings cannot be used:\n  ALLOW_PRIVATE_HOSTS: ${why}`);
  }
}

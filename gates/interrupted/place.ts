// Common parts of the interruptions gate.

import type { Cluster } from '../../test/cluster.ts';
import { type Started, startScript } from '../../test/started.ts';
import type { Random } from '../../test/trials/random.ts';

export interface Place {
  readonly cluster: Cluster;
  readonly dataDir: string;
  readonly random: Random;
  readonly rounds: number;
}

/** What came of the rounds: what was wrong, and the counts in words. */
export interface Rounds {
  readonly faults: readonly string[];
  readonly words: string;
}

/** The first admin's key of every server. */
export const key = 'only-for-this-gate-only-for-this-gate';

/** The address of one of the cluster's databases. */
export function addressIn({ cluster }: Place, database: string): string {
  const url = new URL(cluster.url);
  url.pathname = `/${database}`;
  return url.href;
}

/** Start a server on one of the cluster's databases. */
export function startOn(place: Place, database: string): Started {
  return startScript('start.mjs', {
    DATA_DIR: place.dataDir,
    DATABASE_URL: addressIn(place, database),
    ADMIN_API_KEY: key,
    ALLOW_PRIVATE_HOSTS: '127.0.0.0/8',
    LOG_LEVEL: 'error',
  });
}

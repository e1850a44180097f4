// What leads out of the program in tests: nowhere, until a test says where.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noPrivateHosts } from '../src/network/address.ts';
import { keyRing } from '../src/secrets/master-key.ts';
import type { Surroundings } from '../src/surroundings.ts';

/** Surroundings that a test may change while others have them. */
export type TestSurroundings = { -readonly [Name in keyof Surroundings]: Surroundings[Name] };

/** The master key of credentials in tests. */
export const secretsKey = 'only-for-tests-only-for-tests-only-for-tests';

/** No private host, no file, no mail, and a chat that is nowhere. */
export function testSurroundings(): TestSurroundings {
  return {
    masterKeys: keyRing({ secretsKey, dataDir: '' }),
    reach: { privateHosts: noPrivateHosts, filesDir: null },
    mail: { url: null, from: 'headwater@example.com', ruleDomains: [] },
    apiKeyDays: 365,
    unseenLineage: { days: 30, runs: 20 },
    chatBase: 'http://127.0.0.1:9',
    auditReceiver: null,
    uploads: { folder: join(tmpdir(), 'headwater-uploads'), maxBytes: 1024 ** 3 },
    signIn: {
      publicUrl: null,
      trustsProxy: false,
      sessions: { idleMs: 3_600_000, maxAgeMs: 86_400_000 },
      providers: [],
    },
  };
}

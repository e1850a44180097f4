// What all processes of the monitors bench share: settings, and how they talk.

import { tmpdir } from 'node:os';
import { readConfig } from '../src/config.ts';
import { surroundingsOf } from '../src/surroundings.ts';

/** A key of the bench's own, and sources on the loopback. */
export const surroundings = surroundingsOf(
  readConfig({
    SECRETS_KEY: 'a-key-that-seals-nothing-of-worth',
    DATA_DIR: tmpdir(),
    ALLOW_PRIVATE_HOSTS: '127.0.0.0/8',
  }),
);

/** What a worker spent since it was ready. */
export interface Spent {
  readonly cpuMs: number;
  /** How each statement to the catalog's database begins, and how often it was sent. */
  readonly statements: readonly (readonly [string, number])[];
}

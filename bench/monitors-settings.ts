// In charge of the settings that all processes of the monitors bench share.

import { tmpdir } from 'node:os';

/** A key of the bench's own, and sources on the loopback. */
export const benchSettings = {
  SECRETS_KEY: 'a-key-that-seals-nothing-of-worth',
  DATA_DIR: tmpdir(),
  ALLOW_PRIVATE_HOSTS: '127.0.0.0/8',
  FILES_DIR: undefined,
};
